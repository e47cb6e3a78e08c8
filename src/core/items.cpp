#include "core/items.hpp"

#include <fmt/format.h>

#include "core/finetune.hpp"
#include "core/fit.hpp"
#include "core/kv_cache.hpp"
#include "core/need.hpp"

namespace gpu_advisor {

namespace {

std::string n(std::int64_t figure) { return with_commas(figure); }

std::string n(const Figure& figure) { return figure ? with_commas(*figure) : "unknown"; }

std::string on_gpus(std::int64_t gpus) { return fmt::format("{} GPUs", with_commas(gpus)); }

/// What of a formula is different on several GPUs: the share of each, times their number.
std::string shared_out(std::string formula, std::int64_t gpus, Bytes on_each) {
  if (gpus == 1) return formula;
  return fmt::format("{} x {} on each ({})", on_gpus(gpus), with_commas(on_each), formula);
}

std::string unquantized_note(const Need& need) {
  if (need.unquantized == 0) return {};
  return fmt::format(
      " A build that keeps the embeddings and the output head at 16 bits takes {} more.",
      gib_text(need.unquantized));
}

// --- weights ---------------------------------------------------------------------------------

std::string weights_formula(const Model& m, const Workload& w) {
  if (w.task == Task::finetune && w.bits == 4) {
    return fmt::format("{} parameters x 4.127 bits / 8", n(m.params));
  }
  if (w.task != Task::image) return fmt::format("{} parameters x {} bits / 8", n(m.params), w.bits);
  Figure quantized;
  if (weights_are_known(m)) quantized = *m.params - *m.unquantized_params;
  return fmt::format("{} parameters x {} bits / 8 + {} parameters x 16 bits / 8", n(quantized),
                     w.bits, n(m.unquantized_params));
}

std::string weights_assumption(const Workload& w) {
  if (w.task == Task::finetune) {
    if (w.bits == 4) {
      return "QLoRA: the base at 4-bit NormalFloat with double quantization, 4.127 bits a "
             "parameter "
             "(Dettmers et al. 2023).";
    }
    return "LoRA: the base stays frozen, at the precision stated (Hu et al. 2021).";
  }
  return w.bits == 16 ? "Every parameter is loaded once, at 16 bits."
                      : "Every parameter is loaded once and quantized, without scales.";
}

Item weights_item(const Model& m, const Workload& w, const Need* need, std::int64_t gpus) {
  Item item{"weights", weights_formula(m, w), std::nullopt, weights_assumption(w)};
  if (!weights_are_known(m)) return item;
  const Bytes on_each = ceil_div(weight_bytes(m, w), gpus);
  item.bytes = mul(on_each, gpus);
  item.formula =
      shared_out(fmt::format("{}{}", item.formula, gpus > 1 ? " / " + n(gpus) : ""), gpus, on_each);
  if (m.unquantized_params && need != nullptr) item.assumption += unquantized_note(*need);
  return item;
}

/// A network's own line: the denoiser at the bits asked for, the rest at 16.
Item network_item(const Network& network, const Workload& w) {
  const int bits = network.quantized ? w.bits : 16;
  Item item;
  item.name = fmt::format("weights: {}", network.name);
  item.formula = fmt::format("{} parameters x {} bits / 8", n(network.params), bits);
  item.assumption =
      fmt::format("{}{}{} bits{}", network.class_name, network.class_name.empty() ? "" : ", ", bits,
                  network.quantized || w.bits == 16
                      ? "."
                      : ": quantized pipelines keep text encoders and autoencoder at 16.");
  return item;
}

/// The sums that gpu_models holds must be those of the networks, or the items would not be the
/// need.
void check_sums(const Model& m, std::int64_t params, std::int64_t kept) {
  if (m.params == params && m.unquantized_params == kept) return;
  throw invalid_argument(
      fmt::format("the networks of {} have {} parameters, {} of them at 16 bits: gpu_models says "
                  "{} and {}",
                  m.name, n(params), n(kept), n(m.params), n(m.unquantized_params)),
      "Change the networks in gpu_model_networks: params and unquantized_params follow by "
      "themselves.");
}

std::vector<Item> network_items(const Model& m, const Workload& w,
                                const std::vector<Network>& networks) {
  if (networks.size() > kMostNetworks) {
    throw invalid_argument(fmt::format("{} has {} networks, more than the {} that can be believed",
                                       m.name, networks.size(), kMostNetworks),
                           "Correct the rows of gpu_model_networks.");
  }
  std::vector<Item> items;
  std::int64_t quantized = 0;
  std::int64_t kept = 0;
  bool known = true;
  for (const Network& network : networks) {
    Item item = network_item(network, w);
    if (network.params) {
      if (*network.params < 1) {
        throw invalid_argument(fmt::format("{}: the network {} has {} parameters", m.name,
                                           network.name, *network.params),
                               "Correct params in gpu_model_networks; NULL where it is not known.");
      }
      std::int64_t& sum = network.quantized ? quantized : kept;
      const int bits = network.quantized ? w.bits : 16;
      // Rounded up over the networks so far, so that the lines sum to the whole, rounded up once.
      const Bytes before = mul_div_up(sum, bits, 8);
      sum = add(sum, *network.params);
      item.bytes = mul_div_up(sum, bits, 8) - before;
    }
    known = known && network.params.has_value();
    items.push_back(std::move(item));
  }
  if (known) check_sums(m, add(quantized, kept), kept);
  return items;
}

// --- KV cache ---------------------------------------------------------------------------------

const char* layers_word(const CachePart& part, bool alone) {
  if (part.form == CachePart::Form::encoder_decoder) return "decoder layers";
  if (part.form == CachePart::Form::sliding) return "sliding layers";
  return alone ? "layers" : "full layers";
}

std::string tokens_text(const CachePart& part, const Model& m) {
  if (part.form == CachePart::Form::encoder_decoder) {
    return fmt::format("({} decoder + {} encoder) positions", n(*m.max_target_positions),
                       n(*m.max_source_positions));
  }
  return counted(part.tokens, "token");
}

/// On one of `gpus` GPUs: "32 layers x 8 KV heads x 128 head dimension x 2 bytes x 4,096 tokens"
std::string part_formula(const CachePart& part, const Model& m, bool alone, std::int64_t gpus) {
  const std::string layers = fmt::format("{} {}", n(part.layers), layers_word(part, alone));
  const std::string tail = fmt::format("2 bytes x {}", tokens_text(part, m));
  if (part.form == CachePart::Form::latent) {
    return fmt::format("{} x {} latent numbers x {}", layers, n(part.key_dim), tail);
  }
  const std::string heads =
      fmt::format("{} x {}", layers, counted(ceil_div(part.heads, gpus), "KV head"));
  if (part.key_dim == part.value_dim) {
    return fmt::format("2 x {} x {} head dimension x {}", heads, n(part.key_dim), tail);
  }
  return fmt::format("{} x ({} key + {} value) head dimension x {}", heads, n(part.key_dim),
                     n(part.value_dim), tail);
}

std::string cache_formula(const KvCache& cache, const Model& m, const Workload& w,
                          std::int64_t gpus) {
  const bool speech = m.kind == Kind::speech;
  const bool several = cache.count + (cache.state_bytes > 0 ? 1 : 0) > 1;
  std::string sum;
  for (std::size_t i = 0; i < cache.count; ++i) {
    sum += (sum.empty() ? "" : " + ") + part_formula(cache.parts.at(i), m, cache.count == 1, gpus);
  }
  if (cache.state_bytes > 0) {
    sum += (sum.empty() ? "" : " + ") +
           fmt::format("{} bytes of recurrent state", n(cache.state_bytes));
  }
  if (sum.empty()) return "no layer keeps a cache or a state";
  return fmt::format("{}{}{} x {}", several ? "(" : "", sum, several ? ")" : "",
                     counted(w.conc, speech ? "audio stream" : "request"));
}

/// Which figure is missing, where the cache cannot be computed.
std::string unknown_cache(const Model& m) {
  std::string missing;
  const auto need = [&missing](const Figure& figure, const char* column) {
    if (!figure) missing += (missing.empty() ? "" : ", ") + std::string(column);
  };
  if (m.kind == Kind::speech) {
    need(m.decoder_layers, "decoder_layers");
    need(m.decoder_heads, "decoder_heads");
    need(m.head_dim, "head_dim");
    need(m.max_target_positions, "max_target_positions");
    need(m.max_source_positions, "max_source_positions");
  } else {
    if (!m.kv_layers) need(m.layers, "layers");
    if (!m.kv_latent_dim) need(m.kv_heads, "kv_heads");
    if (!m.kv_latent_dim) need(m.head_dim, "head_dim");
    if (m.sliding_window) need(m.sliding_layers, "sliding_layers");
    if (m.sliding_layers) need(m.sliding_window, "sliding_window");
  }
  return fmt::format("unknown {}", missing);
}

std::string cache_assumption(const KvCache& cache, const Model& m) {
  if (m.kind == Kind::speech) {
    return "The decoder's cache of a 30-second window: self-attention and cross-attention, at 16 "
           "bits.";
  }
  std::string text = "Keys and values at 16 bits.";
  for (std::size_t i = 0; i < cache.count; ++i) {
    const CachePart& part = cache.parts.at(i);
    if (part.form == CachePart::Form::sliding) {
      text +=
          fmt::format(" Sliding layers keep at most {} tokens of a request.", n(*m.sliding_window));
    } else if (part.form == CachePart::Form::latent) {
      text += " Latent attention: one compressed entry a token and layer.";
    }
  }
  if (cache.state_bytes > 0) text += " The recurrent state is fixed, whatever the length.";
  return text;
}

Item cache_item(const Model& m, const Workload& w, std::int64_t gpus) {
  const auto cache = kv_cache(m, w);
  if (!cache)
    return {"kv_cache", unknown_cache(m), std::nullopt, "A missing figure is never guessed."};
  const Bytes on_each = cache->bytes_on_each(gpus);
  Item item{"kv_cache", cache_formula(*cache, m, w, gpus), mul(on_each, gpus),
            cache_assumption(*cache, m)};
  if (gpus == 1) return item;
  std::string held;
  for (std::size_t i = 0; i < cache->count; ++i) {
    const CachePart& part = cache->parts.at(i);
    held += held.empty() ? "" : ", ";
    held += part.heads == 0 ? std::string("the whole latent cache")
                            : fmt::format("{} of {}", n(ceil_div(part.heads, gpus)),
                                          counted(part.heads, "KV head"));
  }
  if (cache->state_bytes > 0) held += fmt::format("{}the whole state", held.empty() ? "" : ", ");
  if (!held.empty()) item.assumption += fmt::format(" Each GPU holds {}.", held);
  item.formula = shared_out(std::move(item.formula), gpus, on_each);
  return item;
}

// --- fine-tuning ------------------------------------------------------------------------------

std::string adapters_formula(const Adapters& adapters) {
  if (adapters.count == 0) return "no layer has attention";
  std::string sum;
  for (std::size_t g = 0; g < adapters.count; ++g) {
    const AdapterLayers& group = adapters.groups.at(g);
    std::string shapes;
    for (std::size_t i = 0; i < group.count; ++i) {
      const Projection& p = group.projections.at(i);
      shapes += fmt::format("{}({} + {}) {}", i == 0 ? "" : " + ", n(p.in), n(p.out), p.name);
    }
    sum += fmt::format("{}{} layers x {} x ({})", g == 0 ? "" : " + ", n(group.layers), kLoraRank,
                       shapes);
  }
  return fmt::format("{} bytes x {}{}{}", kBytesPerTrainable, adapters.count > 1 ? "(" : "", sum,
                     adapters.count > 1 ? ")" : "");
}

Item adapters_item(const Model& m) {
  const auto adapters = lora_adapters(m);
  if (!adapters) {
    return {"adapters", "unknown shapes of the attention projections", std::nullopt,
            "A missing figure is never guessed."};
  }
  return {"adapters", adapters_formula(*adapters), adapters->bytes(),
          fmt::format(
              "LoRA of rank {} on the attention projections: {} trainable parameters (Hu et al. "
              "2021); weight, gradient and AdamW states take {} bytes of each (Rajbhandari et "
              "al. 2020, ZeRO).",
              kLoraRank, n(adapters->trainable()), kBytesPerTrainable)};
}

Item activations_item(const Model& m, const Workload& w) {
  const auto a = activations(m, w);
  if (!a) {
    return {"activations",
            fmt::format("{} hidden size, {} layers, {} vocabulary", n(m.hidden_size), n(m.layers),
                        n(m.vocab_size)),
            std::nullopt, "A missing figure is never guessed."};
  }
  const std::string tokens =
      fmt::format("{} x {} batch", counted(a->sequence, "token"), n(a->batch));
  std::string formula = fmt::format(
      "{} bytes x {} x {} hidden x {} layers + max({} x (38 x {} hidden + 8 x {} feed-forward), "
      "16 x {} x {} vocabulary)",
      a->bytes_per_number, tokens, n(a->hidden), n(a->layers), tokens, n(a->hidden),
      n(a->intermediate), tokens, n(a->vocab));
  std::string assumption =
      "Gradient checkpointing: each layer's input is kept, the rest recomputed (Korthikanti et al. "
      "2022); on top the larger of one layer's working set and the loss's.";
  if (a->bytes_per_number == 4)
    assumption += " A quantized base keeps the residual stream in 32 bits.";
  if (a->intermediate_assumed) assumption += " No feed-forward width is published: 4 x hidden.";
  return {"activations", std::move(formula), a->bytes(), std::move(assumption)};
}

// --- margin and runtime -----------------------------------------------------------------------

const char* margin_assumption(Task task) {
  switch (task) {
    case Task::image:
      return "Made for one image at the model's native resolution; larger images and batches need "
             "more.";
    case Task::finetune:
      return "For fragmentation and what the formulas leave out.";
    default:
      return "For activations, fragmentation and what the formulas leave out.";
  }
}

/// 20 % of the items so far, on each GPU.
Item margin_item(const std::vector<Item>& items, Task task, std::int64_t gpus) {
  Item margin{"margin", {}, std::nullopt, margin_assumption(task)};
  std::string sum;
  Bytes on_each = 0;
  bool known = true;
  for (const Item& item : items) {
    sum += sum.empty() ? "" : " + ";
    if (!item.bytes) {
      known = false;
      sum += fmt::format("unknown {}", item.name);
      continue;
    }
    const Bytes share = *item.bytes / gpus;
    on_each = add(on_each, share);
    sum += with_commas(share);
  }
  margin.formula =
      items.size() > 1 ? fmt::format("20 % of ({})", sum) : fmt::format("20 % of {}", sum);
  if (!known) return margin;
  const Bytes share = ceil_div(on_each, 5);
  margin.bytes = mul(share, gpus);
  margin.formula = shared_out(std::move(margin.formula), gpus, share);
  return margin;
}

Item runtime_item(std::int64_t gpus) {
  return {"runtime", fmt::format("1 GiB x {}", counted(gpus, "GPU")), mul(kGiB, gpus),
          "The driver's context and the software's own."};
}

void check_gpus(std::int64_t gpus) {
  if (gpus < 1) {
    throw invalid_argument(fmt::format("gpus must be at least 1, not {}", gpus),
                           "Give the number of GPUs that share the work, such as 1.");
  }
}

/// Whether the work can be split does not hang on the figures that a need may lack.
void check_split(const Model& m, const Workload& w, std::int64_t gpus) {
  check_gpus(gpus);
  Need shape;
  shape.task = w.task;
  shape.kind = m.kind;
  shape.attention_heads = m.attention_heads.value_or(0);
  if (shape.splits_over(gpus)) return;
  throw invalid_argument(
      fmt::format("{} cannot be split over {} GPUs: {}", m.name, gpus, why_not_split(shape, gpus)),
      shape.attention_heads > 0 && shape.splits_over(shape.attention_heads)
          ? "Use a number of GPUs that the attention heads divide by, or 1."
          : "Use gpus => 1.");
}

}  // namespace

std::vector<Item> memory_items(const Model& m, const Workload& w,
                               const std::vector<Network>& networks, std::int64_t gpus) {
  check_split(m, w, gpus);
  std::vector<Item> items;
  if (w.task == Task::image && !networks.empty()) {
    items = network_items(m, w, networks);
  } else {
    const auto need = model_need(m, w);
    items.push_back(weights_item(m, w, need ? &*need : nullptr, gpus));
  }
  if (w.task == Task::run) items.push_back(cache_item(m, w, gpus));
  if (w.task == Task::finetune) {
    items.push_back(adapters_item(m));
    items.push_back(activations_item(m, w));
  }
  items.push_back(margin_item(items, w.task, gpus));
  items.push_back(runtime_item(gpus));
  return items;
}

std::vector<Item> notebook_items(const Workload& w, std::optional<double> memory_gib,
                                 std::int64_t gpus) {
  check_gpus(gpus);
  if (gpus > 1) {
    throw invalid_argument("a notebook runs on one GPU", "Use gpus => 1.");
  }
  const Bytes memory = notebook_need(w, memory_gib).memory;
  return {{"memory", fmt::format("{} GiB as stated", *memory_gib), memory,
           "The GPU memory that the user states, with nothing added."}};
}

}  // namespace gpu_advisor
