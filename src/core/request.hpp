// What a user asks the recommender: the arguments that have nothing to do with the model's figures.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace gpu_advisor {

struct Request {
  bool has_model = false;
  std::optional<std::int64_t> bits;
  std::optional<std::int64_t> ctx;
  std::optional<std::int64_t> conc;
  std::optional<double> memory_gib;
  std::optional<double> budget;
  std::optional<double> max_price;
  std::optional<std::string_view> tier;
};

static_assert(std::is_trivially_destructible_v<Request>);

/// Refuses (22023) a request without a subject (a model, or memory_gib) or with both, a NULL where
/// a figure is needed, a budget or price that is negative, NaN, infinite or beyond 1e15, and an
/// unknown tier.
void check_request(const Request& request);

}  // namespace gpu_advisor
