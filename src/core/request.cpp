#include "core/request.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace gpu_advisor {

namespace {

void check_given(std::optional<std::int64_t> figure, const char* name, const char* example) {
  if (figure) return;
  throw invalid_argument(
      fmt::format("{} must be given, not NULL", name),
      fmt::format("Leave {} out for its default, or give a number such as {}.", name, example));
}

void check_money(std::optional<double> amount, const char* name, const char* example) {
  constexpr double kMost = 1e15;
  if (!amount || (*amount >= 0 && *amount <= kMost)) return;
  throw invalid_argument(fmt::format("{} must be from zero to 1e15, not {}", name, *amount),
                         fmt::format("Give an amount such as {}, or NULL for none.", example));
}

void check_tier(std::optional<std::string_view> tier) {
  if (tier == "secure" || tier == "community" || tier == "both") return;
  throw invalid_argument(tier ? fmt::format("unknown tier: \"{}\"", *tier)
                              : std::string("tier must be given, not NULL"),
                         "Use secure, community or both.");
}

}  // namespace

void check_request(const Request& r) {
  if (!r.has_model && !r.memory_gib) {
    throw invalid_argument("neither a model nor memory_gib was given",
                           "Name a model, or give memory_gib for a notebook.");
  }
  if (r.has_model && r.memory_gib) {
    throw invalid_argument("both a model and memory_gib were given: a model's need is computed",
                           "Leave memory_gib out, or the model for a notebook.");
  }
  check_given(r.bits, "bits", "16");
  check_given(r.ctx, "ctx", "4096");
  check_given(r.conc, "conc", "1");
  check_money(r.budget, "budget", "50");
  check_money(r.max_price, "max_price", "2.50");
  check_tier(r.tier);
}

}  // namespace gpu_advisor
