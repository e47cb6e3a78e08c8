// ISO 3166-1 alpha-2 country codes, and 'EU' for the member states of the European Union.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpu_advisor {

/// The codes, checked, in upper case, 'EU' expanded to its 27 member states, each once, sorted.
/// Errors (22023) for an empty list and for a code that ISO 3166-1 does not have.
std::vector<std::string> expand_countries(const std::vector<std::string_view>& codes);

}  // namespace gpu_advisor
