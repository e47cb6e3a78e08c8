// Random models and workloads, which shrink to small ones.
#pragma once

#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <tuple>

#include "models.hpp"

namespace gpu_advisor::test {

/// A figure from `least` to `most`.
inline rc::Gen<Figure> figure(std::int64_t least, std::int64_t most) {
  return rc::gen::map(rc::gen::inRange<std::int64_t>(least, most + 1),
                      [](std::int64_t value) { return Figure(value); });
}

/// The same, or unknown.
inline rc::Gen<Figure> figure_or_none(std::int64_t least, std::int64_t most) {
  return rc::gen::oneOf(rc::gen::just(Figure()), figure(least, most));
}

/// Numbers of heads as they are published, some of them awkward.
inline rc::Gen<Figure> attention_heads() {
  return rc::gen::map(rc::gen::elementOf(std::vector<std::int64_t>{
                          1, 2, 4, 6, 8, 12, 16, 24, 25, 28, 32, 40, 48, 56, 64, 71, 96, 112, 128}),
                      [](std::int64_t value) { return Figure(value); });
}

/// Some of the layers: at least `least`, at most all of them.
inline std::int64_t part_of(const Figure& layers, int percent, std::int64_t least) {
  return std::clamp(*layers * percent / 100, least, *layers);
}

inline rc::Gen<Model> ordinary_model() {
  using rc::gen::set;
  return rc::gen::build<Model>(
      set(&Model::name, rc::gen::just(std::string_view("a model"))),
      set(&Model::params, figure(1, 1'000'000'000'000)), set(&Model::layers, figure(1, 128)),
      set(&Model::attention_heads, attention_heads()), set(&Model::kv_heads, figure(1, 130)),
      set(&Model::head_dim, figure(1, 512)), set(&Model::hidden_size, figure(1, 16'384)),
      set(&Model::intermediate_size, figure_or_none(1, 65'536)),
      set(&Model::experts_per_token, figure_or_none(1, 16)),
      set(&Model::expert_intermediate_size, figure_or_none(1, 32'768)),
      set(&Model::vocab_size, figure(1, 300'000)),
      set(&Model::unquantized_params, figure_or_none(0, 2'000'000'000)));
}

inline rc::Gen<Model> sliding_model() {
  return rc::gen::apply(
      [](Model model, int percent, Figure window, Figure heads, Figure dim, Figure value_dim) {
        model.sliding_layers = part_of(model.layers, percent, 1);
        model.sliding_window = window;
        model.sliding_kv_heads = heads;
        model.sliding_head_dim = dim;
        model.v_head_dim = value_dim;
        return model;
      },
      ordinary_model(), rc::gen::inRange(0, 101), figure(1, 8192), figure_or_none(1, 32),
      figure_or_none(1, 512), figure_or_none(1, 256));
}

inline rc::Gen<Model> latent_model() {
  return rc::gen::apply(
      [](Model model, Figure rank, Figure rope, Figure nope, Figure value_dim, Figure q_rank) {
        model.kv_latent_dim = *rank + *rope;
        model.qk_rope_head_dim = rope;
        model.qk_nope_head_dim = nope;
        model.v_head_dim = value_dim;
        model.q_lora_rank = q_rank;
        return model;
      },
      ordinary_model(), figure(1, 1024), figure(1, 128), figure(1, 256), figure(1, 256),
      figure(0, 2048));
}

inline rc::Gen<Model> hybrid_model() {
  return rc::gen::apply(
      [](Model model, int percent, Figure state) {
        model.kv_layers = part_of(model.layers, percent, 0);
        model.state_bytes = state;
        return model;
      },
      ordinary_model(), rc::gen::inRange(0, 101), figure(1, 1'000'000'000));
}

inline rc::Gen<Model> speech_model() {
  return rc::gen::apply(
      [](Model model, Figure layers, Figure heads, Figure target, Figure source) {
        model.kind = Kind::speech;
        model.decoder_layers = layers;
        model.decoder_heads = heads;
        model.max_target_positions = target;
        model.max_source_positions = source;
        return model;
      },
      ordinary_model(), figure(1, 64), figure(1, 64), figure(1, 1000), figure(1, 4000));
}

inline rc::Gen<Model> language_model() {
  return rc::gen::oneOf(ordinary_model(), sliding_model(), latent_model(), hybrid_model());
}

inline rc::Gen<Model> run_model() {
  return rc::gen::oneOf(language_model(), language_model(), speech_model());
}

inline rc::Gen<int> precision() { return rc::gen::element(16, 8, 4); }

inline rc::Gen<Workload> workload(Task task) {
  return rc::gen::construct<Workload>(rc::gen::just(task), precision(),
                                      rc::gen::inRange<std::int64_t>(1, 1'000'001),
                                      rc::gen::inRange<std::int64_t>(1, 257));
}

/// A model with a workload that suits it.
struct Case {
  Model model;
  Workload workload;
};
inline std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.model << ": " << c.workload;
}

inline rc::Gen<Case> run_case() {
  return rc::gen::construct<Case>(run_model(), workload(Task::run));
}
inline rc::Gen<Case> finetune_case() {
  return rc::gen::construct<Case>(language_model(), workload(Task::finetune));
}
inline rc::Gen<Case> any_case() { return rc::gen::oneOf(run_case(), finetune_case()); }

/// Every number of GPUs over which a need may be split, 1 first.
inline std::vector<std::int64_t> allowed_gpus(const Need& need) {
  std::vector<std::int64_t> allowed{1};
  for (std::int64_t gpus = 2; gpus <= need.attention_heads; ++gpus) {
    if (need.splits_over(gpus)) allowed.push_back(gpus);
  }
  return allowed;
}

}  // namespace gpu_advisor::test
