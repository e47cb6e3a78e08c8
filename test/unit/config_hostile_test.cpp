// The config reader on broken and hostile text.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "config_catalogue.hpp"
#include "config_helpers.hpp"

namespace gpu_advisor {
namespace {

using nlohmann::json;
using test::error_in;
using test::error_of;
using test::llama;
using test::read;
using test::read_text;
using test::with;

TEST(ConfigHostile, WordsThatAreNoNumbers) {
  const std::string text = llama().dump();
  const std::string head = text.substr(0, text.size() - 1);
  EXPECT_EQ(read_text(head + R"(, "a": Infinity, "b": [-Infinity,NaN], "c": "NaN, \" Infinity"})")
                .model.params,
            8030261248);
  EXPECT_EQ(error_in(head + R"(, "head_dim": NaN})"),
            "config.json: head_dim must be a positive whole number, not \"NaN\"");
  EXPECT_EQ(error_in(head + R"(, "head_dim": -Infinity})"),
            "config.json: head_dim must be a positive whole number, not \"-Infinity\"");
  EXPECT_NE(error_in(head + R"(, "head_dim": nan})").find("not valid JSON"), std::string::npos);
  EXPECT_NE(error_in(head + R"(, "head_dim": 1Infinity})").find("not valid JSON"),
            std::string::npos);
}

TEST(ConfigHostile, NotAnObject) {
  EXPECT_EQ(error_in("[]"), "config.json must be a JSON object, not a list");
  EXPECT_EQ(error_in("null"), "config.json must be a JSON object, not null");
  EXPECT_EQ(error_in("NaN"), "config.json must be a JSON object, not \"NaN\"");
  EXPECT_EQ(error_in(""), "config.json: not valid JSON near byte 1");
  EXPECT_NE(error_in("{}").find("num_hidden_layers is missing"), std::string::npos);
}

TEST(ConfigHostile, Depth) {
  for (const char* open : {"[", "{\"a\":"}) {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += open;
    EXPECT_EQ(error_in(text), "config.json: nested deeper than 64 levels");
  }
  // Brackets in strings are no nesting.
  EXPECT_EQ(read(with(llama(), {{"a", std::string(1000, '[')}})).model.layers, 32);
}

TEST(ConfigHostile, Size) {
  EXPECT_EQ(error_in(std::string((16 << 20) + 1, ' ')), "config.json: longer than 16 MB");
  std::string many = "{\"a\":[0";
  for (int i = 0; i < 1'000'001; ++i) many += ",0";
  EXPECT_EQ(error_in(many + "]}"), "config.json: more than 1,000,000 values");
}

TEST(ConfigHostile, KeysGivenTwice) {
  EXPECT_EQ(error_in(R"({"a": 1, "b": {"a": 2}, "a": 3})"),
            "config.json: the key \"a\" is given twice in one object");
  EXPECT_EQ(error_in(R"({"b": [{"\u0061": 2, "a": 2}]})"),
            "config.json: the key \"a\" is given twice in one object");
}

TEST(ConfigHostile, NotUtf8) {
  EXPECT_NE(error_in("{\"model_type\": \"\xff\xfe\"}").find("not valid JSON"), std::string::npos);
  EXPECT_NE(error_in("{\"\xc3\": 1}").find("not valid JSON"), std::string::npos);
}

TEST(ConfigHostile, ErrorsAreAscii) {
  const std::string error = error_of(with(llama(), {{"head_dim", "\u00fcber\u2028\n"}}));
  for (const char c : error) EXPECT_TRUE(c >= ' ' && c < 127) << error;
}

TEST(ConfigHostile, HugeNumbers) {
  for (const char* number : {"1e999", "9223372036854775808", "1e18", "99999999999999999999999"}) {
    const std::string text = llama().dump();
    const std::string head = text.substr(0, text.size() - 1);
    error_in(head + ", \"head_dim\": " + number + "}");
  }
  // Each is believed, their product is not.
  const json huge = with(llama(), {{"vocab_size", 1'000'000'000},
                                   {"hidden_size", 100'000'000},
                                   {"num_hidden_layers", 10'000},
                                   {"head_dim", 100'000'000}});
  try {
    read(huge);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.state(), sqlstate::kOutOfRange);
  }
}

TEST(ConfigHostile, TruncatedAtEveryByte) {
  for (const char* file : {"openai__gpt-oss-20b.json", "nvidia__Nemotron-H-56B-Base-8K.json"}) {
    std::string text = test::config_text(file);
    const std::size_t brace = text.rfind('}');
    for (std::size_t i = 0; i <= brace; ++i) {
      EXPECT_THROW(read_text(text.substr(0, i)), Error) << file << " at " << i;
    }
    EXPECT_NO_THROW(read_text(text));
  }
}

/// A published file without the word that JSON does not know.
json plain_json(const char* file) {
  std::string text = test::config_text(file);
  for (std::size_t at = 0; (at = text.find("Infinity")) != std::string::npos;) {
    text.replace(at, 8, "0");
  }
  return json::parse(text);
}

TEST(ConfigHostile, EveryValueReplaced) {
  const json values = {nullptr,       true,           -1,       0, 1, 1.5, 1e300, "x",
                       json::array(), json::object(), INT64_MAX};
  for (const char* file : {"openai__gpt-oss-20b.json", "google__gemma-3-4b-it.json",
                           "deepseek-ai__DeepSeek-V3.json", "openai__whisper-large-v3.json",
                           "nvidia__Nemotron-H-56B-Base-8K.json", "Qwen__Qwen3.5-35B-A3B.json"}) {
    const json config = plain_json(file);
    const json flat = config.flatten();
    for (const auto& [path, old] : flat.items()) {
      for (const json& value : values) {
        json changed = config;
        changed[json::json_pointer(path)] = value;
        try {
          read(changed);
        } catch (const Error&) {
        }
      }
    }
  }
}

TEST(ConfigHostile, Junk) {
  std::mt19937 random(4);
  for (const int range : {256, 128}) {
    std::string junk;
    for (int i = 0; i < 1 << 20; ++i) {
      junk += static_cast<char>(random() % static_cast<unsigned>(range));
    }
    error_in(junk);
    error_in("{\"a\": \"" + junk);
  }
  const std::string alphabet = "[]{}\",:\\ 0123456789eE+-.truefalsnNaIity";
  for (int round = 0; round < 2000; ++round) {
    std::string junk = "{";
    for (int i = 0; i < 64; ++i) junk += alphabet[random() % alphabet.size()];
    error_in(junk);
  }
}

TEST(ConfigHostile, AStringThatIsNoWordOfAConfiguration) {
  const json fits = with(llama(), {{"note", std::string((1 << 20) - 2, 'x')}});
  EXPECT_EQ(read(fits).model.params, 8030261248);
  const json longer = with(llama(), {{"note", std::string(1 << 20, 'x')}});
  EXPECT_EQ(error_in(longer.dump()), "config.json: a text longer than 1 MB");
}

struct Stopped {};
int polls_left = 0;
void stop_later() {
  if (--polls_left < 0) throw Stopped();
}

// Whoever called may stop it at any time, in either file.
TEST(ConfigHostile, ItMayBeStopped) {
  const std::string config = with(llama(), {{"x", std::vector<int>(1000, 1)}}).dump();
  const std::string index =
      json{{"metadata", {{"total_size", 1}}}, {"weight_map", std::vector<int>(1000)}}.dump();
  int stopped = 0;
  for (polls_left = 0;; polls_left = ++stopped) {
    try {
      model_from_config({"me/a", config, index, {}, stop_later});
      break;
    } catch (const Stopped&) {
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "safetensors index: weight_map must be an object, not a list");
      break;
    }
  }
  EXPECT_GT(stopped, 4000);
}

}  // namespace
}  // namespace gpu_advisor
