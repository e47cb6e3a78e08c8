// A need as text and as bytes: the input, output, receive and send of the SQL type gpu_need.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/need.hpp"

namespace gpu_advisor {

/// One JSON object on one line, for a need whose name is UTF-8; figures are whole bytes, and the
/// keys are stable.
std::string to_json(const Need& need);

/// Reads what to_json() writes, in any order of keys. Refuses (22P02) anything else: unknown or
/// missing keys, wrong types, a total that its parts do not make. `longest_name` is larger where
/// the name will have fewer bytes in another encoding.
Need need_from_json(std::string_view text, std::size_t longest_name = kLongestName);

/// check_need() for a need from text whose name was converted: 22P02.
void check_text_need(const Need& need);

/// A versioned, fixed layout in network byte order; the same on every platform.
std::string to_binary(const Need& need);

/// Bytes of the binary form before the model's name, which ends it.
std::size_t need_binary_head();

/// Reads what to_binary() writes and trusts none of it (22P03).
Need need_from_binary(std::string_view bytes, std::size_t longest_name = kLongestName);

}  // namespace gpu_advisor
