// A need as text and as bytes: what goes out comes back, and nothing else gets in.
#include "core/need_codec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "errors.hpp"
#include "generators.hpp"

namespace gpu_advisor {
namespace {

using test::error_of;
using test::expect_error;
using test::model;
using test::run;
using Json = nlohmann::ordered_json;

Need good() { return *model_need(model("google/gemma-4-31B-it"), run(8, 4096, 2)); }
Need notebook() { return notebook_need({Task::notebook, 16, 4096, 1}, 24); }

std::optional<Error> json_refused(const std::string& text) {
  return error_of([&] { need_from_json(text); });
}
std::optional<Error> binary_refused(const std::string& bytes) {
  return error_of([&] { need_from_binary(bytes); });
}

/// Any need that may exist, whether or not a model has it.
rc::Gen<Need> any_need() {
  const auto bytes = [] { return rc::gen::inRange<std::int64_t>(0, 1LL << 58); };
  const auto head = [] {
    return rc::gen::construct<HeadShare>(rc::gen::inRange<std::int64_t>(0, 1 << 14),
                                         rc::gen::inRange<std::int64_t>(0, 1LL << 44));
  };
  const auto name =
      rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(
                       std::vector<std::string>{"a", "Z", "7", "/", "-", ".", " ", "\"", "\\", "{",
                                                "\n", "\t", "\x01", "\x7f", "é", "模", "😀"})),
                   [](const std::vector<std::string>& parts) {
                     std::string text;
                     for (const std::string& part : parts) text += part;
                     return text;
                   });
  return rc::gen::map(
      rc::gen::build<Need>(
          rc::gen::set(&Need::model, name),
          rc::gen::set(&Need::task,
                       rc::gen::element(Task::run, Task::finetune, Task::image, Task::notebook)),
          rc::gen::set(&Need::kind,
                       rc::gen::map(rc::gen::element(Kind::language, Kind::speech, Kind::image),
                                    [](Kind k) { return std::optional<Kind>(k); })),
          rc::gen::set(&Need::bits, test::precision()),
          rc::gen::set(&Need::ctx, rc::gen::inRange<std::int64_t>(1, INT64_MAX)),
          rc::gen::set(&Need::conc, rc::gen::inRange<std::int64_t>(1, INT64_MAX)),
          rc::gen::set(&Need::attention_heads, rc::gen::inRange<std::int64_t>(0, kMostHeads + 1)),
          rc::gen::set(&Need::weights, bytes()),
          rc::gen::set(&Need::kv_heads, rc::gen::map(rc::gen::pair(head(), head()),
                                                     [](const auto& two) {
                                                       return std::array{two.first, two.second};
                                                     })),
          rc::gen::set(&Need::kv_whole, bytes()), rc::gen::set(&Need::adapters, bytes()),
          rc::gen::set(&Need::activations, bytes()), rc::gen::set(&Need::memory, bytes()),
          rc::gen::set(&Need::unquantized, bytes())),
      [](Need need) {
        // A need has the figures of its task, and no others.
        if (need.task == Task::notebook) {
          need.kind.reset();
          need.model.clear();
          need.weights = 0;
          need.attention_heads = 0;
        } else {
          need.memory = 0;
          if (need.task == Task::image) need.kind = Kind::image;
          if (need.task == Task::finetune) need.kind = Kind::language;
          if (need.task == Task::run && need.kind == Kind::image) need.kind = Kind::speech;
        }
        if (need.task != Task::finetune) {
          need.adapters = 0;
          need.activations = 0;
        }
        return need;
      });
}

RC_GTEST_PROP(NeedCodec, JsonRoundTrips, ()) {
  const Need need = *any_need();
  const std::string text = to_json(need);
  RC_ASSERT(need_from_json(text) == need);
  RC_ASSERT(to_json(need_from_json(text)) == text);
  RC_ASSERT(text.find('\n') == std::string::npos);
}

RC_GTEST_PROP(NeedCodec, BinaryRoundTrips, ()) {
  const Need need = *any_need();
  const std::string bytes = to_binary(need);
  RC_ASSERT(need_from_binary(bytes) == need);
  RC_ASSERT(bytes.size() == need_binary_head() + need.model.size());
}

TEST(NeedCodec, EveryModelOfTheCatalogueRoundTrips) {
  for (const Model& m : test::models()) {
    const auto need = model_need(m, run(4, 1000, 3));
    if (!need) continue;
    EXPECT_EQ(need_from_json(to_json(*need)), *need);
    EXPECT_EQ(need_from_binary(to_binary(*need)), *need);
  }
}

TEST(NeedCodec, AStoredNeedAnswersAsBefore) {
  const Need need = *model_need(model("meta-llama/Llama-3.1-70B"), run(16, 4096, 1));
  const Need back = need_from_json(to_json(need));
  for (const std::int64_t gpus : {1, 2, 4, 64}) {
    EXPECT_EQ(back.on_each_of(gpus).total(), need.on_each_of(gpus).total());
  }
}

// --- text -------------------------------------------------------------------------------------

// The keys and their order are stable: what this prints is stored in tables and dumps.
TEST(NeedJson, IsOneLineOfStableKeys) {
  EXPECT_EQ(to_json(*model_need(model("meta-llama/Llama-3.1-8B"), run(8, 4096, 1))),
            R"({"model":"meta-llama/Llama-3.1-8B","kind":"language","task":"run","bits":8,)"
            R"("ctx":4096,"conc":1,"attention_heads":32,"weights_bytes":8030261248,"kv_heads":8,)"
            R"("kv_head_bytes":67108864,"sliding_kv_heads":0,"sliding_kv_head_bytes":0,)"
            R"("kv_whole_bytes":0,"adapters_bytes":0,"activations_bytes":0,"memory_bytes":0,)"
            R"("unquantized_bytes":1050673152,"total_bytes":11354300416})");
  EXPECT_EQ(to_json(notebook()),
            R"({"task":"notebook","bits":16,"ctx":4096,"conc":1,"attention_heads":0,)"
            R"("weights_bytes":0,"kv_heads":0,"kv_head_bytes":0,"sliding_kv_heads":0,)"
            R"("sliding_kv_head_bytes":0,"kv_whole_bytes":0,"adapters_bytes":0,)"
            R"("activations_bytes":0,"memory_bytes":25769803776,"unquantized_bytes":0,)"
            R"("total_bytes":25769803776})");
}

RC_GTEST_PROP(NeedJson, KeysMayComeInAnyOrder, ()) {
  const Need need = *any_need();
  const Json object = Json::parse(to_json(need));
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  std::shuffle(keys.begin(), keys.end(), std::mt19937(*rc::gen::arbitrary<unsigned>()));
  Json shuffled;
  for (const std::string& key : keys) shuffled[key] = object[key];
  RC_ASSERT(need_from_json(shuffled.dump(2)) == need);
}

TEST(NeedJson, RefusesWhatIsNoObject) {
  for (const char* text : {"", " ", "x", "meta-llama/Llama-3.1-8B", "null", "1", "\"x\"", "[]",
                           "[1]", "{", "}", "{}}", "nul", "{\"task\"}", "{\"a\":1,}"}) {
    expect_error(json_refused(text), "22P02", {"gpu_need"}, "model =>");
  }
  expect_error(json_refused(to_json(good()) + "x"), "22P02", {"gpu_need", "not a JSON object"});
  expect_error(json_refused(to_json(good()) + "{}"), "22P02", {"gpu_need"});
  expect_error(json_refused("{}"), "22P02", {"\"task\" is missing"});
}

TEST(NeedJson, RefusesNestingBeforeItCostsAnything) {
  const std::string deep(30'000, '[');
  expect_error(json_refused(deep), "22P02", {"nested"});
  std::string objects;
  for (int i = 0; i < 6'000; ++i) objects += "{\"a\":";
  expect_error(json_refused(objects), "22P02", {"nested"});
  Json object = Json::parse(to_json(good()));
  object["ctx"] = Json::array({1});
  expect_error(json_refused(object.dump()), "22P02", {"nested"});
}

TEST(NeedJson, RefusesMissingAndUnknownKeys) {
  for (const Need& need : {good(), notebook()}) {
    const Json object = Json::parse(to_json(need));
    for (const auto& [key, value] : object.items()) {
      Json less = object;
      less.erase(key);
      expect_error(json_refused(less.dump()), "22P02", {"\"" + key + "\" is missing"});
    }
    Json more = object;
    more["gpus"] = 1;
    expect_error(json_refused(more.dump()), "22P02", {"unknown key \"gpus\""});
  }
  Json named = Json::parse(to_json(notebook()));
  named["model"] = "x";
  expect_error(json_refused(named.dump()), "22P02", {"unknown key \"model\""});
}

TEST(NeedJson, RefusesValuesOfAnotherType) {
  const Json object = Json::parse(to_json(good()));
  const std::vector<Json> wrong{nullptr, true, 1.0, 0.5, -1, "1", "", 9223372036854775808ULL,
                                1e300};
  for (const auto& [key, value] : object.items()) {
    for (const Json& other : wrong) {
      if (key == "model" && other.is_string()) continue;
      Json bent = object;
      bent[key] = other;
      const auto error = json_refused(bent.dump());
      ASSERT_TRUE(error) << bent;
      EXPECT_STREQ(error->state(), "22P02") << bent;
    }
  }
}

TEST(NeedJson, RefusesFiguresThatDoNotAddUp) {
  Json object = Json::parse(to_json(good()));
  object["total_bytes"] = object["total_bytes"].get<std::int64_t>() + 1;
  expect_error(json_refused(object.dump()), "22P02", {"total_bytes", "not the sum"});
  object = Json::parse(to_json(good()));
  object["weights_bytes"] = INT64_MAX;
  expect_error(json_refused(object.dump()), "22P02", {"too large"});
  object = Json::parse(to_json(good()));
  object["bits"] = 4294967312;  // 16, were it cut to an int
  expect_error(json_refused(object.dump()), "22P02", {"figures that no workload has"});
}

TEST(NeedJson, RefusesUnknownTasksAndKinds) {
  for (const char* key : {"task", "kind"}) {
    Json object = Json::parse(to_json(good()));
    object[key] = "poetry";
    expect_error(json_refused(object.dump()), "22P02", {"\"poetry\""});
  }
}

TEST(NeedJson, TheNameHasALimit) {
  Need need = good();
  need.model = std::string(1024, 'n');
  EXPECT_EQ(need_from_json(to_json(need)), need);
  EXPECT_EQ(need_from_binary(to_binary(need)), need);
  need.model += 'n';
  expect_error(json_refused(to_json(need)), "22P02", {"name is too long"});
  EXPECT_STREQ(binary_refused(to_binary(need))->state(), "22P03");
}

// No text of a database holds a zero byte, and what the text form lets in must go out as bytes.
TEST(NeedJson, RefusesAZeroByteInTheName) {
  Json object = Json::parse(to_json(good()));
  object["model"] = std::string("a\0b", 3);
  expect_error(json_refused(object.dump()), "22P02", {"gpu_need"});
}

// --- bytes ------------------------------------------------------------------------------------

// The layout is fixed: version, task, kind, bits, thirteen figures in network order, the name.
TEST(NeedBinary, HasAFixedLayout) {
  EXPECT_EQ(need_binary_head(), 4U + 13 * 8);
  const std::string bytes =
      to_binary(*model_need(model("meta-llama/Llama-3.1-8B"), run(8, 259, 1)));
  EXPECT_EQ(bytes.substr(0, 4), std::string("\x01\x00\x00\x08", 4));
  EXPECT_EQ(bytes.substr(4, 8), std::string("\0\0\0\0\0\0\x01\x03", 8));  // ctx
  EXPECT_EQ(bytes.substr(need_binary_head()), "meta-llama/Llama-3.1-8B");
  EXPECT_EQ(to_binary(notebook()).substr(0, 4), std::string("\x01\x03\xFF\x10", 4));
}

TEST(NeedBinary, RefusesEveryTruncation) {
  for (const Need& need : {good(), notebook()}) {
    const std::string whole = to_binary(need);
    for (std::size_t size = 0; size < need_binary_head(); ++size) {
      const auto error = binary_refused(whole.substr(0, size));
      ASSERT_TRUE(error) << size;
      EXPECT_STREQ(error->state(), "22P03") << size;
    }
  }
}

TEST(NeedBinary, AFlippedBitGivesAnErrorOrAnotherSoundNeed) {
  for (const Need& need : {good(), notebook()}) {
    const std::string whole = to_binary(need);
    int refused = 0;
    for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
      std::string bent = whole;
      bent[bit / 8] = static_cast<char>(bent[bit / 8] ^ (1 << bit % 8));
      const auto error = error_of([&] {
        const Need other = need_from_binary(bent);
        EXPECT_FALSE(other == need) << "bit " << bit;
        EXPECT_EQ(to_binary(other), bent);
        EXPECT_NO_THROW(check_need(other));
      });
      refused += error ? 1 : 0;
      if (error) {
        EXPECT_STREQ(error->state(), "22P03") << "bit " << bit;
      }
    }
    EXPECT_GE(refused, 13) << "the sign of every figure at least";
  }
}

RC_GTEST_PROP(NeedBinary, RubbishGivesOnlyErrors, ()) {
  auto bytes = *rc::gen::arbitrary<std::string>();
  if (*rc::gen::arbitrary<bool>()) bytes = to_binary(good()).substr(0, 4) + bytes;
  const auto error = error_of([&] { RC_ASSERT(to_binary(need_from_binary(bytes)) == bytes); });
  if (error) RC_ASSERT(std::string(error->state()) == "22P03");
}

TEST(NeedBinary, NamesWhatIsWrong) {
  const auto bent = [](std::size_t at, char to) {
    std::string bytes = to_binary(good());
    bytes.at(at) = to;
    return std::string(binary_refused(bytes).value().what());
  };
  EXPECT_NE(bent(0, 2).find("version 2"), std::string::npos);
  EXPECT_NE(bent(1, 4).find("unknown task"), std::string::npos);
  EXPECT_NE(bent(2, 3).find("unknown kind"), std::string::npos);
  EXPECT_NE(bent(3, 5).find("figures that no workload has"), std::string::npos);
  EXPECT_NE(bent(need_binary_head(), 0).find("zero byte"), std::string::npos);
  EXPECT_NE(std::string(binary_refused("").value().what()).find("too early"), std::string::npos);
}

// The text form of a notebook has no model: bytes that name one could not come back from it.
TEST(NeedBinary, RefusesANotebookWithAModel) {
  const auto error = binary_refused(to_binary(notebook()) + "a model");
  ASSERT_TRUE(error);
  EXPECT_STREQ(error->state(), "22P03");
}

TEST(NeedJson, RefusesALongTextAndAKeyTwice) {
  const std::string text = to_json(good());
  EXPECT_FALSE(json_refused(text + std::string(20000, ' ')));
  expect_error(json_refused(text + std::string(40000, ' ')), "22P02", {"longer than 32,768 bytes"});
  expect_error(json_refused(R"({"ctx":1,)" + text.substr(1)), "22P02", {"given twice"});
}

TEST(NeedJson, TakesALongerNameWhereItWillBeConverted) {
  Need need = good();
  need.model = std::string(kLongestName + 1, 'x');
  const std::string text = to_json(need);
  expect_error(json_refused(text), "22P02", {"name is too long"});
  EXPECT_EQ(need_from_json(text, kLongestName + 1), need);
  expect_error(error_of([&] { check_text_need(need); }), "22P02", {"name is too long"});
}

}  // namespace
}  // namespace gpu_advisor
