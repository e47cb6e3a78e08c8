#include "core/gpu_name.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cctype>
#include <fstream>
#include <map>

namespace gpu_advisor {
namespace {

std::string key(std::string_view written) {
  const auto name = parse_gpu_name(written);
  return name ? name->key() : "(none)";
}

TEST(GpuName, SpellingsOfOneCardMeet) {
  for (const char* written :
       {"NVIDIA A100-SXM4-80GB", "nvidia a100 sxm4 80gb", "Nvidia_A100_SXM4_80G",
        "NVIDIA-A100--SXM4-80GiB", " NVIDIA A100 (80GB, SXM4) ", "NVIDIA A100 SXM4 80 GB",
        "NVIDIA Tesla A100 SXM4 81920MiB", "nvidia/a100-sxm4\t81920 MiB", "NvidiaA100_SXM4_80Gi",
        "NVIDIA A100-SXM4-80GB Tensor Core GPU", "NVIDIA A100-SXM4-80GB, 81920 MiB"}) {
    EXPECT_EQ(key(written), "a100sxm4/81920/nvidia") << written;
  }
  for (const char* written : {"RTX 4090", "RTX4090", "RTX_4090", "rtx-4090", "[RTX 4090]",
                              "RTX 4090 GPU", "GPU RTX 4090", "RTX 4090 Graphics"}) {
    EXPECT_EQ(key(written), "rtx4090//") << written;
  }
  EXPECT_EQ(key("NVIDIA GeForce RTX 4090 Laptop GPU"), "rtx4090laptop//nvidia");
  EXPECT_EQ(key("GeForceRTX4090 mobile"), "rtx4090laptop//nvidia");
  EXPECT_EQ(key("RTX 6000 Ada Generation"), key("RTX6000Ada"));
}

TEST(GpuName, MakerIsSaidByItsFamiliesAtTheStart) {
  EXPECT_EQ(key("Tesla T4"), "t4//nvidia");
  EXPECT_EQ(key("Quadro RTX 8000"), "rtx8000//nvidia");
  EXPECT_EQ(key("GeForce GTX TITAN X"), "gtxtitanx//nvidia");
  EXPECT_EQ(key("AMD Radeon Instinct MI25"), "mi25//amd");
  EXPECT_EQ(key("InstinctMI50"), "mi50//amd");
  EXPECT_EQ(key("AMD Radeon PRO W7800 48GB"), "prow7800/49152/amd");
  EXPECT_EQ(key("Intel Arc Pro A40"), "arcproa40//intel");
  EXPECT_EQ(key("A40"), "a40//");
  EXPECT_EQ(key("A40 NVIDIA"), "a40nvidia//");
  EXPECT_EQ(key("NVIDIA Radeon"), "(none)");
  EXPECT_EQ(key("NVIDIA Radeon A40"), "a40//nvidia");
}

TEST(GpuName, CardsStayApart) {
  const char* names[] = {"A10",          "A100",
                         "A10G",         "A100X",
                         "A2",           "A2000",
                         "H100",         "H100 NVL",
                         "H100 SXM",     "H100 PCIe",
                         "RTX 4080",     "RTX 4080 SUPER",
                         "RTX 4090",     "RTX 4090 D",
                         "RTX 4090 Ti",  "RTX 4090 Laptop",
                         "RTX 6000",     "RTX A6000",
                         "L4",           "RTX 6000 Ada",
                         "L40",          "L40S",
                         "T4",           "T4G",
                         "T40",          "A100 MIG 1g.5gb",
                         "A10-4Q",       "2x RTX 4090",
                         "Arc Pro B60",  "B60",
                         "GTX 980",      "GTX 980M",
                         "V100",         "V100S",
                         "RTX PRO 6000", "GB200",
                         "B200",         "RTX 4090 \xe7\xac\x94"};
  std::map<std::string, std::string_view> seen;
  for (const std::string_view name : names) {
    const auto [at, fresh] = seen.emplace(key(name), name);
    EXPECT_TRUE(fresh) << name << " and " << at->second << " are both " << at->first;
  }
}

TEST(GpuName, SizesAreWordsOfTheirOwn) {
  EXPECT_EQ(key("A10G"), "a10g//");
  EXPECT_EQ(key("T4G 16G"), "t4g/16384/");
  EXPECT_EQ(key("GTX 980M"), "gtx980m//");
  EXPECT_EQ(key("RTX 4090 G"), "rtx4090g//");
  EXPECT_EQ(key("RTX 3060 980m"), "rtx3060980m//");
  EXPECT_EQ(key("A10080GB"), "a10080gb//");
  EXPECT_EQ(key("A100 80"), "a10080//");
  EXPECT_EQ(key("A100 MIG 3g.20gb"), "a100mig3g.20gb//");
  EXPECT_EQ(key("GB 200"), "gb200//");
  EXPECT_EQ(key("RTX 3090 24576MiB"), "rtx3090/24576/");
  EXPECT_EQ(key("L4 23034 MiB"), "l4/23034/");
  EXPECT_EQ(key("X 16384mb"), "x/16384/");
  EXPECT_EQ(key("X 999999999GB"), "x/1023999998976/");
  EXPECT_EQ(key("X 1000000000GB"), "x1000000000gb//");
  // A second size: the same again, or another, which leaves a name that nobody has.
  EXPECT_EQ(key("A100-40GB 40G"), "a100/40960/");
  EXPECT_EQ(key("GH200 480GB 96GB"), "gh20096gb/491520/");
  EXPECT_EQ(key("GH200 480GB 96 GB"), "gh20096gb/491520/");
}

TEST(GpuName, NoName) {
  for (const char* written : {"", " ", "-_-", "NVIDIA", "Quadro", "80GB", "Intel 16 GB", "GPU"}) {
    EXPECT_EQ(key(written), "(none)") << written;
  }
}

TEST(GpuName, SearchKeys) {
  using Keys = std::set<std::string>;
  EXPECT_EQ(search_keys({"NVIDIA GH200 480GB", "GH200", "gh200", "NVIDIA"}),
            (Keys{"gh200", "gh200/491520"}));
  EXPECT_EQ(search_keys({}), Keys{});
}

TEST(GpuName, AnyBytesGiveANameThatIsItsOwnNormalForm) {
  rc::check([](const std::string& written) {
    const auto name = parse_gpu_name(written);
    if (!name) return;
    RC_ASSERT(!name->name.empty());
    RC_ASSERT(name->name.find_first_of("/ -_ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos);
  });
}

/// Every name of data/gpus.csv: its first and its last field, which holds no quotes.
std::multimap<std::string, std::string> catalogue_names() {
  std::multimap<std::string, std::string> names;
  std::ifstream file("data/gpus.csv");
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    const std::string type = line.substr(0, line.find(','));
    std::string rest = "|" + line.substr(line.rfind(',') + 1);
    names.emplace(type, type);
    for (std::size_t at = rest.rfind('|'); at != std::string::npos; at = rest.rfind('|')) {
      names.emplace(type, rest.substr(at + 1));
      rest.erase(at);
    }
  }
  return names;
}

TEST(GpuName, CaseAndSeparatorsDoNotCount) {
  const auto names = catalogue_names();
  ASSERT_GT(names.size(), 197U * 2);
  rc::check([&] {
    const auto at = *rc::gen::inRange<std::size_t>(0, names.size());
    const std::string& name = std::next(names.begin(), static_cast<std::ptrdiff_t>(at))->second;
    std::string other = *rc::gen::element<std::string>("", " ", "__", "NVIDIA ");
    const std::string maker = other == "NVIDIA " ? "nvidia" : "";
    for (const char c : name) {
      const int how = *rc::gen::inRange(0, 3);
      if (c == ' ' || c == '-' || c == '_') {
        other += how == 0 ? " " : how == 1 ? "-" : "_ ";
      } else {
        other += how == 0   ? static_cast<char>(std::toupper(c))
                 : how == 1 ? static_cast<char>(std::tolower(c))
                            : c;
      }
    }
    auto wanted = parse_gpu_name(name);
    const auto found = parse_gpu_name(other);
    RC_ASSERT(wanted && found);
    if (!maker.empty()) wanted->maker = maker;
    RC_ASSERT(found->key() == wanted->key());
  });
}

TEST(GpuName, EveryNameOfTheCatalogueIsOne) {
  for (const auto& [type, name] : catalogue_names()) EXPECT_NE(key(name), "(none)") << type;
}

TEST(GpuName, ALongerNameIsNobodys) {
  EXPECT_EQ(key(std::string(kLongestGpuName, 'a')), std::string(kLongestGpuName, 'a') + "//");
  EXPECT_EQ(key(std::string(kLongestGpuName + 1, 'a')), "(none)");
  EXPECT_TRUE(search_keys({std::string(kLongestGpuName + 1, 'a')}).empty());
}

}  // namespace
}  // namespace gpu_advisor
