// Memory that runs out at any allocation: std::bad_alloc comes out of every entry of the core,
// which the boundary (src/pg/guard.hpp) makes 53200 of. Anything else, or std::terminate(), is a
// fault.
#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <new>
#include <string>

#include "config_helpers.hpp"
#include "core/config.hpp"
#include "core/countries.hpp"
#include "core/fit.hpp"
#include "core/gpu_name.hpp"
#include "core/inverse.hpp"
#include "core/items.hpp"
#include "core/need_codec.hpp"
#include "core/request.hpp"
#include "generators.hpp"

namespace {

constexpr std::int64_t kPlenty = std::numeric_limits<std::int64_t>::max();

/// Allocations that still succeed.
thread_local std::int64_t left = kPlenty;

void* allocate_or_null(std::size_t size) noexcept {
  if (left != kPlenty && left-- <= 0) {
    left = 0;
    return nullptr;
  }
  return std::malloc(size == 0 ? 1 : size);
}

void* allocate(std::size_t size) {
  if (void* memory = allocate_or_null(size)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocate_or_null(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return allocate_or_null(size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

namespace gpu_advisor {
namespace {

using test::model;
using test::run;

/// Runs `work` with no memory, with one allocation, two, and so on until it ends as it should: with
/// an answer, or with an Error where it is made to. Returns how often memory ran out.
template <typename Work>
int times_out_of_memory(Work work) {
  for (int times = 0;; ++times) {
    try {
      left = times;
      work();
      left = kPlenty;
      return times;
    } catch (const std::bad_alloc&) {
      left = kPlenty;
    } catch (const Error&) {
      left = kPlenty;
      return times;
    } catch (const std::exception& other) {
      left = kPlenty;
      ADD_FAILURE() << "after " << times << " allocations: " << other.what();
      return 0;
    }
  }
}

TEST(OutOfMemory, InAConfiguration) {
  const std::string config = test::llama().dump();
  const std::string index =
      R"({"metadata": {"total_size": 16060522496}, "weight_map": {"a": "b", "lm_head.weight": "b"}})";
  EXPECT_GT(times_out_of_memory([&] { model_from_config({"me/a", config, index, {}}); }), 50);
  EXPECT_GT(times_out_of_memory([&] { model_from_config({"me/a", "{", "", {}}); }), 2);
  const std::string wrong = test::with(test::llama(), {{"num_hidden_layers", "many"}}).dump();
  EXPECT_GT(times_out_of_memory([&] { model_from_config({"me/a", wrong, "", {}}); }), 20);
  const std::string twice = R"({"a": 1, "a": 2})";
  EXPECT_GT(times_out_of_memory([&] { model_from_config({"me/a", twice, "", {}}); }), 5);
}

TEST(OutOfMemory, InANeed) {
  const Model gemma = model("google/gemma-4-31B-it");
  const Need need = *model_need(gemma, run(8, 4096, 2));
  const std::string text = to_json(need);
  const std::string bytes = to_binary(need);
  EXPECT_GT(times_out_of_memory([&] { model_need(gemma, run(8, 4096, 2)); }), 0);
  EXPECT_GT(times_out_of_memory([&] { to_json(need); }), 10);
  EXPECT_GT(times_out_of_memory([&] { to_binary(need); }), 0);
  EXPECT_GT(times_out_of_memory([&] { need_from_json(text); }), 10);
  EXPECT_GT(times_out_of_memory([&] { need_from_json("{"); }), 2);
  EXPECT_GT(times_out_of_memory([&] { need_from_json(text.substr(0, 40) + "}"); }), 2);
  EXPECT_GT(times_out_of_memory([&] { need_from_binary(bytes); }), 0);
  EXPECT_GT(times_out_of_memory([&] { need_from_binary("no need"); }), 0);
  EXPECT_GT(times_out_of_memory([&] { ladder(need); }), 0);
  EXPECT_GT(times_out_of_memory([&] { notebook_need({Task::notebook, 16, 1, 1}, -1.0); }), 0);
}

TEST(OutOfMemory, InAnAnswer) {
  const Model gemma = model("google/gemma-4-31B-it");
  const Need need = *model_need(gemma, run(8, 4096, 2));
  const Machine machine{4, 24};
  EXPECT_GT(times_out_of_memory([&] { memory_items(gemma, run(8, 4096, 2), {}, 2); }), 10);
  EXPECT_GT(times_out_of_memory([&] { memory_items(gemma, run(8, 4096, 2), {}, 3); }), 0);
  EXPECT_GT(times_out_of_memory([&] { notebook_items({Task::notebook, 16, 1, 1}, 24, 1); }), 1);
  EXPECT_GT(times_out_of_memory([&] { fit_verdict(need, machine); }), 0);
  EXPECT_GT(times_out_of_memory([&] { fit_verdict(need, {1, 8}); }), 0);
  EXPECT_GT(times_out_of_memory([&] { why_it_fits(need, 2, machine); }), 0);
  EXPECT_GT(times_out_of_memory([&] { workload_text(need); }), 0);
  EXPECT_GT(times_out_of_memory([&] { limits(need, 2, machine, {{}, true, true, 5.0}); }), 2);
  EXPECT_GT(times_out_of_memory([&] { max_context(gemma, run(8, 1, 1), {4, 48}); }), 0);
  EXPECT_GT(times_out_of_memory([&] { max_concurrency(gemma, run(8, 512, 1), {4, 48}); }), 0);
}

TEST(OutOfMemory, InARequest) {
  EXPECT_GT(times_out_of_memory([] { expand_countries({"EU", "US"}); }), 20);
  EXPECT_GT(times_out_of_memory([] { expand_countries({"no country of this world"}); }), 0);
  EXPECT_GT(times_out_of_memory([] { search_keys({"NVIDIA A100-SXM4-80GB", "A100 80 GB"}); }), 2);
  EXPECT_GT(times_out_of_memory([] { check_request({}); }), 0);
  EXPECT_GT(times_out_of_memory([] { task_from_text("a task that is none"); }), 0);
}

}  // namespace
}  // namespace gpu_advisor
