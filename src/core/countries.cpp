#include "core/countries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.hpp"

namespace gpu_advisor {

namespace {

// ISO 3166-1 alpha-2, the officially assigned codes: two letters each, sorted.
constexpr std::string_view kIsoCodes =
    "ADAEAFAGAIALAMAOAQARASATAUAWAXAZBABBBDBEBFBGBHBIBJBLBMBNBOBQBRBSBTBVBWBYBZCACCCDCFCGCHCICKCLCM"
    "CN"
    "COCRCUCVCWCXCYCZDEDJDKDMDODZECEEEGEHERESETFIFJFKFMFOFRGAGBGDGEGFGGGHGIGLGMGNGPGQGRGSGTGUGWGYHK"
    "HM"
    "HNHRHTHUIDIEILIMINIOIQIRISITJEJMJOJPKEKGKHKIKMKNKPKRKWKYKZLALBLCLILKLRLSLTLULVLYMAMCMDMEMFMGMH"
    "MK"
    "MLMMMNMOMPMQMRMSMTMUMVMWMXMYMZNANCNENFNGNINLNONPNRNUNZOMPAPEPFPGPHPKPLPMPNPRPSPTPWPYQARERORSRU"
    "RW"
    "SASBSCSDSESGSHSISJSKSLSMSNSOSRSSSTSVSXSYSZTCTDTFTGTHTJTKTLTMTNTOTRTTTVTWTZUAUGUMUSUYUZVAVCVEVG"
    "VI"
    "VNVUWFWSYEYTZAZMZW";

// The 27 member states. Their territories with a code of their own are not among them.
constexpr std::string_view kEuropeanUnion =
    "ATBEBGCYCZDEDKEEESFIFRGRHRHUIEITLTLULVMTNLPLPTROSESISK";

bool has_code(std::string_view codes, std::string_view code) {
  for (std::size_t at = 0; at < codes.size(); at += 2) {
    if (codes.substr(at, 2) == code) return true;
  }
  return false;
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

std::string hint_for(const std::string& code) {
  if (code == "UK") return "Use GB for the United Kingdom.";
  if (code == "EL") return "Use GR for Greece.";
  return "Use ISO 3166-1 alpha-2 codes such as DE, US or JP, or EU for its 27 member states.";
}

}  // namespace

std::vector<std::string> expand_countries(const std::vector<std::string_view>& codes) {
  if (codes.empty()) {
    throw invalid_argument("the list of countries is empty",
                           "Give at least one code, or NULL for any country.");
  }
  std::set<std::string> expanded;
  for (const std::string_view given : codes) {
    const std::string code = upper(given);
    if (code == "EU") {
      for (std::size_t at = 0; at < kEuropeanUnion.size(); at += 2) {
        expanded.emplace(kEuropeanUnion.substr(at, 2));
      }
    } else if (code.size() == 2 && has_code(kIsoCodes, code)) {
      expanded.insert(code);
    } else {
      throw invalid_argument(fmt::format("unknown country: \"{}\"", given), hint_for(code));
    }
  }
  return {expanded.begin(), expanded.end()};
}

}  // namespace gpu_advisor
