// SPDX-License-Identifier: Apache-2.0
// Compares ids and decoded texts with those of the official library, for truncated tokenizers of real families.
#include <catch2/catch.hpp>
#include <map>

#include "engine/tokenizer/tokenizer.h"
#include "tests/engine/tokenizer/reference_cases.h"

using namespace sepx;
using namespace sepx::tokenizer;

namespace {

std::string idsText(const std::vector<std::uint32_t>& ids) {
  std::string text;
  for (const std::uint32_t id : ids)
    text += std::to_string(id) + " ";
  return text;
}

struct Tally {
  Opened opened;
  int cases = 0;
};

}  // namespace

TEST_CASE("Ids and texts equal those of the official library", "[reference]") {
  if (!std::filesystem::exists(tests::tokenizerCasesFile())) {
    WARN("skipped: there are no cases at " << tests::tokenizerCasesFile() << "; SEPX_SHARED says where they are");
    return;
  }
  std::ifstream file(tests::tokenizerCasesFile());
  const nlohmann::json reference = nlohmann::json::parse(file);
  std::map<std::string, Tally> tokenizers;
  for (const auto& one : reference.at("cases")) {
    const auto name = one.at("tokenizer").get<std::string>();
    const auto text = one.at("text").get<std::string>();
    Tally& tally = tokenizers[name];
    if (!tally.opened) {
      const auto opened = openTokenizer(tests::tokenizerFolder(name));
      INFO(name << ": " << (opened ? "" : opened.error().message));
      CHECK(opened);
      if (!opened) continue;
      tally.opened = *opened;
    }
    INFO(name << ": \"" << text << '"');
    const auto tokens = tally.opened->encode(text, one.at("add_special_tokens").get<bool>());
    INFO((tokens ? "" : tokens.error().message));
    CHECK(tokens);
    if (!tokens) continue;
    std::vector<std::uint32_t> ids;
    for (const Token& token : *tokens)
      ids.push_back(token.id);
    const auto wanted = one.at("ids").get<std::vector<std::uint32_t>>();
    CHECK(idsText(ids) == idsText(wanted));
    const auto decoded = tally.opened->decode(wanted);
    INFO((decoded ? "" : decoded.error().message));
    REQUIRE(decoded);
    CHECK(*decoded == one.at("decoded").get<std::string>());
    ++tally.cases;
  }
  // All cases use letters that Unicode 14 has, so none is excluded.
  CHECK(tokenizers.size() == 17);
  for (const auto& [name, tally] : tokenizers) {
    INFO(name);
    CHECK(tally.cases >= 33);
  }
}
