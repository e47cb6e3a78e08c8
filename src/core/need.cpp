#include "core/need.hpp"

#include <fmt/format.h>

#include <tuple>

#include "core/finetune.hpp"
#include "core/kv_cache.hpp"

namespace gpu_advisor {

bool Need::splits_over(std::int64_t gpus) const {
  if (gpus == 1) return true;
  const bool language_run = task == Task::run && kind == Kind::language;
  return gpus > 1 && language_run && attention_heads > 0 && attention_heads % gpus == 0;
}

GpuShare Need::on_each_of(std::int64_t gpus) const {
  GpuShare share;
  share.weights = ceil_div(weights, gpus);
  share.kv_cache = kv_whole;
  for (const HeadShare& part : kv_heads) {
    share.kv_cache = add(share.kv_cache, mul(part.bytes_per_head, ceil_div(part.heads, gpus)));
  }
  share.adapters = adapters;
  share.activations = activations;
  share.memory = memory;
  if (task == Task::notebook) return share;
  const Bytes items = add(share.weights, share.kv_cache, share.adapters, share.activations);
  share.margin = ceil_div(items, 5);  // 20 %
  share.runtime = kGiB;
  return share;
}

bool Need::repeats_kv_heads(std::int64_t gpus) const {
  for (const HeadShare& part : kv_heads) {
    if (part.heads > 0 && part.heads % gpus != 0) return true;
  }
  return false;
}

bool Need::operator==(const Need& o) const {
  const auto figures = [](const Need& n) {
    return std::tie(n.model, n.task, n.kind, n.bits, n.ctx, n.conc, n.attention_heads, n.weights,
                    n.kv_heads[0].heads, n.kv_heads[0].bytes_per_head, n.kv_heads[1].heads,
                    n.kv_heads[1].bytes_per_head, n.kv_whole, n.adapters, n.activations, n.memory,
                    n.unquantized);
  };
  return figures(*this) == figures(o);
}

bool weights_are_known(const Model& m) {
  if (!m.params) return false;
  if (m.kind != Kind::image) return true;
  return m.unquantized_params && *m.unquantized_params <= *m.params;
}

Bytes weight_bytes(const Model& m, const Workload& w) {
  const std::int64_t params = *m.params;
  if (w.task == Task::image) {
    const std::int64_t kept = *m.unquantized_params;  // text encoders and autoencoder
    return add(mul_div_up(params - kept, w.bits, 8), mul(kept, std::int64_t{2}));
  }
  if (w.task == Task::finetune && w.bits == 4) return mul_div_up(params, kNf4MilliBits, 8000);
  return mul_div_up(params, w.bits, 8);
}

Bytes unquantized_bytes(std::int64_t params, const Workload& w) {
  if (w.bits == 16 || w.task == Task::image) return 0;
  if (w.task == Task::finetune && w.bits == 4) {
    return mul_div_up(params, 16000 - kNf4MilliBits, 8000);
  }
  return mul_div_up(params, 16 - w.bits, 8);
}

namespace {

/// Fills in the cache of a model that is run; false where it is not known.
bool fill_cache(const Model& m, const Workload& w, Need* need) {
  const auto cache = kv_cache(m, w);
  if (!cache) return false;
  need->kv_whole = mul(cache->state_bytes, cache->conc);
  for (std::size_t i = 0; i < cache->count; ++i) {
    const CachePart& part = cache->parts.at(i);
    const Bytes bytes = part.bytes_per_head(cache->conc);
    if (part.heads == 0) {
      need->kv_whole = add(need->kv_whole, bytes);
    } else {
      need->kv_heads.at(i) = {part.heads, bytes};
    }
  }
  return true;
}

bool fill_training(const Model& m, const Workload& w, Need* need) {
  const auto adapters = lora_adapters(m);
  const auto working = activations(m, w);
  if (!adapters || !working) return false;
  need->adapters = adapters->bytes();
  need->activations = working->bytes();
  return true;
}

}  // namespace

std::optional<Need> model_need(const Model& m, const Workload& w) {
  if (!weights_are_known(m)) return std::nullopt;
  Need need;
  need.model = m.name;
  need.task = w.task;
  need.kind = m.kind;
  need.bits = w.bits;
  need.ctx = w.ctx;
  need.conc = w.conc;
  need.attention_heads = m.attention_heads.value_or(0);
  need.weights = weight_bytes(m, w);
  if (w.task == Task::run && !fill_cache(m, w, &need)) return std::nullopt;
  if (w.task == Task::finetune && !fill_training(m, w, &need)) return std::nullopt;
  if (m.unquantized_params) need.unquantized = unquantized_bytes(*m.unquantized_params, w);
  check_need(need);
  return need;
}

Need notebook_need(const Workload& w, std::optional<double> memory_gib) {
  if (!memory_gib) {
    throw invalid_argument(
        "a notebook needs memory_gib, the GPU memory to rent, and none was given",
        "Give it in GiB, such as memory_gib => 24.");
  }
  Need need;
  need.task = Task::notebook;
  need.bits = w.bits;
  need.ctx = w.ctx;
  need.conc = w.conc;
  need.memory = gib_to_bytes(*memory_gib, "memory_gib");
  return need;
}

void check_need(const Need& n, std::size_t longest_name) {
  const bool bits = n.bits == 16 || n.bits == 8 || n.bits == 4;
  bool figures = n.ctx >= 1 && n.conc >= 1 && n.attention_heads >= 0 && n.weights >= 0 &&
                 n.kv_whole >= 0 && n.adapters >= 0 && n.activations >= 0 && n.memory >= 0 &&
                 n.unquantized >= 0;
  for (const HeadShare& part : n.kv_heads) {
    figures = figures && part.heads >= 0 && part.bytes_per_head >= 0;
  }
  const bool about =
      n.task == Task::notebook ? !n.kind && n.model.empty() : n.kind && suits(n.task, *n.kind);
  const bool trains = n.task == Task::finetune;
  const bool notebook = n.task == Task::notebook;
  figures = figures && (trains || (n.adapters == 0 && n.activations == 0)) &&
            (notebook ? n.weights == 0 && n.attention_heads == 0 : n.memory == 0);
  if (!bits || !figures || !about) {
    throw invalid_argument("a gpu_need with figures that no workload has",
                           "Make it with gpu_need() or gpu_model_need().");
  }
  if (n.model.size() > longest_name) {
    throw invalid_argument(fmt::format("the model's name is too long: {} bytes", n.model.size()),
                           fmt::format("A name has at most {} bytes.", longest_name));
  }
  if (n.attention_heads > kMostHeads) {
    throw invalid_argument(
        fmt::format("{} attention heads are more than {}", n.attention_heads, kMostHeads),
        "Correct attention_heads in gpu_models.");
  }
  n.on_each_of(1).total();  // throws where it does not fit; more GPUs never need more on each
}

std::vector<Rung> ladder(const Need& need) {
  Bytes last = need.on_each_of(1).total();
  std::vector<Rung> rungs{{1, to_gib(last)}};
  if (!need.splits_over(need.attention_heads)) return rungs;
  for (std::int64_t gpus = 2; gpus <= need.attention_heads; ++gpus) {
    if (need.attention_heads % gpus != 0) continue;
    const Bytes bytes = need.on_each_of(gpus).total();
    if (bytes < last) rungs.push_back({gpus, to_gib(bytes)});
    last = bytes;
  }
  return rungs;
}

}  // namespace gpu_advisor
