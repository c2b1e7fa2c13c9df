// SPDX-License-Identifier: Apache-2.0
// Tests the agreement, brackets and quotation marks of the synthetic English text.
#include "engine/data/english.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <sstream>

#include "engine/data/english_lexicon.h"

using namespace sepx;
namespace lexicon = data::lexicon;

namespace {

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

std::vector<std::string> wordsOf(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0)
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// The nouns by form: false for singular, true for plural.
std::map<std::string, bool> nounNumbers() {
  std::map<std::string, bool> numbers;
  const auto add = [&](const auto& list) {
    for (const auto& noun : list) {
      numbers[noun.one] = false;
      numbers[noun.many] = true;
    }
  };
  add(lexicon::kPeople);
  add(lexicon::kAnimals);
  add(lexicon::kThings);
  add(lexicon::kPlaces);
  return numbers;
}

std::map<std::string, bool> verbNumbers() {
  std::map<std::string, bool> numbers;
  const auto add = [&](const auto& list) {
    for (const auto& verb : list) {
      numbers[verb.one] = false;
      numbers[verb.many] = true;
    }
  };
  add(lexicon::kActions);
  add(lexicon::kIntransitiveVerbs);
  add(lexicon::kStates);
  return numbers;
}

}  // namespace

TEST_CASE("The text is a function of the seed, and a longer text begins with the shorter one") {
  const std::string text = data::englishText(4, 500);
  CHECK(text == data::englishText(4, 500));
  CHECK(data::englishText(4, 900).starts_with(text));
  CHECK(text != data::englishText(5, 500));
  CHECK(std::count(text.begin(), text.end(), '.') >= 500);
  CHECK(std::count(text.begin(), text.end(), '.') < 506);
  const std::vector<std::string> lines = linesOf(text);
  CHECK(std::set<std::string>(lines.begin(), lines.end()).size() == lines.size());  // no paragraph occurs twice
}

TEST_CASE("Sentences begin with a capital and close their brackets and quotation marks") {
  for (const std::string& line : linesOf(data::englishText(1, 3000))) {
    INFO(line);
    CHECK(line.back() == '.');
    CHECK(line.find("  ") == std::string::npos);
    CHECK(line.find(" ,") == std::string::npos);
    CHECK(line.find(" .") == std::string::npos);
    CHECK(std::count(line.begin(), line.end(), '"') % 2 == 0);
    int depth = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      depth += line[i] == '(' ? 1 : line[i] == ')' ? -1 : 0;
      CHECK((depth == 0 || depth == 1));
      const bool starts = i == 0 || (i >= 2 && line[i - 1] == ' ' && line[i - 2] == '.');
      if (starts) CHECK((std::isupper(static_cast<unsigned char>(line[i])) != 0 || line[i] == '"'));
    }
    CHECK(depth == 0);
  }
}

TEST_CASE("A noun and a verb directly after it agree") {
  // "the dog runs" at the beginning of a sentence, with nothing between subject and verb: The [adjective] NOUN VERB.
  const auto nouns = nounNumbers(), verbs = verbNumbers();
  int seen = 0;
  for (const std::string& line : linesOf(data::englishText(2, 4000))) {
    std::istringstream in(line);
    for (std::string sentence; std::getline(in, sentence, '.');) {
      const auto words = wordsOf(sentence);
      if (words.size() < 4 || words[0] != "the") continue;
      const std::size_t at = nouns.count(words[1]) != 0 ? 1 : 2;
      const auto noun = nouns.find(words[at]);
      const auto verb = verbs.find(words[at + 1]);
      if (noun == nouns.end() || verb == verbs.end()) continue;
      INFO(sentence);
      CHECK(noun->second == verb->second);
      ++seen;
    }
  }
  CHECK(seen > 100);
}

TEST_CASE("A paragraph uses the pronouns of its main character throughout") {
  const std::set<std::string> women(lexicon::kWomen.begin(), lexicon::kWomen.end());
  const std::set<std::string> men(lexicon::kMen.begin(), lexicon::kMen.end());
  int she = 0, he = 0;
  for (const std::string& line : linesOf(data::englishText(3, 4000))) {
    // The main character of a paragraph that begins with a name.
    const std::string first = line.substr(0, line.find_first_of(" ,"));
    const auto words = wordsOf(line);
    const auto has = [&](const char* word) { return std::find(words.begin(), words.end(), word) != words.end(); };
    INFO(line);
    if (women.count(first) != 0) {
      CHECK_FALSE((has("he") || has("his") || has("himself") || has("it") || has("they") || has("their")));
      she += has("she");
    } else if (men.count(first) != 0) {
      CHECK_FALSE((has("she") || has("her") || has("herself") || has("it") || has("they") || has("their")));
      he += has("he");
    }
  }
  CHECK(she > 50);
  CHECK(he > 50);
}

TEST_CASE("Agreement questions have distant subjects, and both answers are words of the text") {
  const auto probes = data::englishAgreement(9, 3000);
  REQUIRE(probes.size() == 3000);
  const std::string text = data::englishText(9, 20000);
  const auto all = wordsOf(text);
  const std::set<std::string> known(all.begin(), all.end());
  std::size_t far = 0, plural = 0;
  for (const data::Agreement& probe : probes) {
    CHECK(probe.right != probe.wrong);
    CHECK(known.count(probe.right) == 1);
    CHECK(known.count(probe.wrong) == 1);
    CHECK(probe.text.back() == ' ');
    CHECK(probe.distance < probe.text.size());
    far += probe.distance > 40;
    plural += probe.right == "are";
  }
  CHECK(far > 300);
  CHECK(plural > 50);
  CHECK(text.find(probes[10].text) == std::string::npos);
}
