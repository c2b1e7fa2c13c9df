// SPDX-License-Identifier: Apache-2.0
// Languages: switching, the fallback to English, and the parts of a text that a translation must keep.
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "engine/core/utf8.h"
#include "tests/folders.h"
#include "ui/properties/catalogue.h"
#include "ui/properties/formula.h"
#include "ui/properties/language.h"
#include "ui/properties/language_texts.h"
#include "ui/properties/plural_rule.h"
#include "ui/properties/pseudo_language.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_plural.h"
#include "ui/properties/translated_sentence.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

/// Restores English at the end of a test.
struct English {
  ~English() { static_cast<void>(setLanguage(kEnglish)); }
};

class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value, 1);
  }
  ~Variable() { old_.empty() ? unsetenv(name_) : setenv(name_, old_.c_str(), 1); }

 private:
  const char* name_;
  std::string old_;
};

/// Placeholders in braces without their number, and %1: a translation must have the same ones as the English text.
std::multiset<std::string> placeholders(const std::string& text) {
  static const std::regex pattern(R"(\{[^{}]*\}|%[0-9])");
  std::multiset<std::string> all;
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at)
    all.insert(std::regex_replace(at->str(), std::regex(R"(^\{[0-9]+)"), "{"));
  return all;
}

/// fmt refuses a text in which only some placeholders are numbered.
bool mixesNumbers(std::string text) {
  text = std::regex_replace(text, std::regex(R"(\{\{|\}\})"), "");
  static const std::regex automatic(R"(\{(:[^{}]*)?\})"), numbered(R"(\{[0-9]+(:[^{}]*)?\})");
  return std::regex_search(text, automatic) && std::regex_search(text, numbered);
}

std::string catalogueFile(const std::string& language) {
  return tests::buildFolder() + "/share/locale/" + language + "/LC_MESSAGES/separatrix.mo";
}

std::vector<std::string> translated() {
  std::vector<std::string> keys = languageKeys();
  std::erase(keys, kEnglish);
  return keys;
}

/// Entries of a .po file: the number with a translation, and the number of all.
std::pair<int, int> coverage(const std::string& path) {
  std::ifstream file(path);
  int all = 0, done = 0;
  bool translation = false, counts = false, filled = false;
  const auto end = [&] {
    if (counts) ++all, done += filled ? 1 : 0;
    translation = counts = filled = false;
  };
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("msgid ", 0) == 0) end(), counts = true;
    if (line.rfind("msgstr", 0) == 0) translation = true;
    const auto quote = line.find('"');
    if (translation && quote != std::string::npos && line.compare(quote, 2, "\"\"") != 0) filled = true;
  }
  end();
  return {done - 1, all - 1};  // the first is the header
}

}  // namespace

TEST_CASE("The language changes while the program runs, and texts without a translation stay English", "[language]") {
  const English english;
  REQUIRE(setLanguage(kEnglish));
  CHECK(std::string(tr("File")) == "File");
  const std::uint64_t before = languageRevision();
  REQUIRE(setLanguage("zh_CN"));
  CHECK(languageRevision() > before);
  CHECK(language() == "zh_CN");
  CHECK(std::string(tr("File")) == "文件");
  CHECK(trFormat("Undo {}", 3) == "撤销3");
  CHECK(std::string(tr("there is no such text in any catalogue")) == "there is no such text in any catalogue");
  CHECK(std::string(tr("")).empty());
  CHECK(languageCharacters().count(U'文') == 1);
  const std::uint64_t same = languageRevision();
  REQUIRE(setLanguage("zh_CN"));
  CHECK(languageRevision() == same);
  const auto refused = setLanguage("xx");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::Usage);
  CHECK(refused.error().message.find("zh_CN") != std::string::npos);
  CHECK(language() == "zh_CN");
  REQUIRE(setLanguage(kEnglish));
  CHECK(languageCharacters().empty());
}

TEST_CASE("Any thread may ask for the language while it changes and while characters are added", "[language]") {
  const English english;
  std::atomic<bool> over{false};
  std::atomic<int> others{0};
  std::vector<std::thread> asking;
  for (int i = 0; i < 2; ++i)
    asking.emplace_back([&over, &others] {
      while (!over) {
        const std::string now = language();
        if (now != kEnglish && now != "pseudo") ++others;
      }
    });
  for (int i = 0; i < 200; ++i) {
    REQUIRE(setLanguage(i % 2 == 0 ? "pseudo" : kEnglish));
    if (i % 2 == 0) addLanguageCharacters("鞍点");  // the other threads read the characters of English
    CHECK(language() == (i % 2 == 0 ? "pseudo" : kEnglish));
  }
  over = true;
  for (std::thread& thread : asking)
    thread.join();
  CHECK(others == 0);
}

TEST_CASE("Texts that scripts compare are English on the script's thread, in every language", "[language]") {
  const English english;
  REQUIRE(setLanguage("zh_CN"));
  {
    const EnglishTexts here;
    const EnglishTexts inner;
    CHECK(std::string(tr("File")) == "File");
    CHECK(trFormat("Undo {}", 3) == "Undo 3");
    std::string there;
    std::thread([&there] { there = tr("File"); }).join();
    CHECK(there == "文件");
  }
  CHECK(std::string(tr("File")) == "文件");
}

TEST_CASE("Texts of users add their characters to the font, up to a limit", "[language]") {
  const English english;
  REQUIRE(setLanguage(kEnglish));
  const std::uint64_t before = languageRevision();
  addLanguageCharacters("plain words, é and ∂");
  CHECK(languageRevision() == before);
  addLanguageCharacters("鞍点");
  CHECK(languageRevision() > before);
  CHECK(languageCharacters() == std::set<char32_t>{U'鞍', U'点'});
  CHECK(catalogueCharacters().empty());
  std::string many;
  for (char32_t code = 0x3400; code < 0x9000; ++code)
    many += {static_cast<char>(0xE0 | (code >> 12)), static_cast<char>(0x80 | ((code >> 6) & 0x3F)),
             static_cast<char>(0x80 | (code & 0x3F))};
  addLanguageCharacters(many);
  CHECK(languageCharacters().size() == 6000);
}

TEST_CASE("Texts can be translated on one thread while another changes the language", "[language]") {
  const English english;
  std::atomic<bool> ends = false;
  std::atomic<int> wrong = 0;
  std::thread reader([&] {
    while (!ends) {
      const std::string text = tr("Preferences");
      if (text != "Preferences" && text != "首选项") ++wrong;
    }
  });
  for (int i = 0; i < 2000; ++i)
    REQUIRE(setLanguage(i % 2 == 0 ? "zh_CN" : kEnglish));
  ends = true;
  reader.join();
  CHECK(wrong == 0);
}

TEST_CASE("The system language is taken from the environment variables", "[language]") {
  const Variable none("SEPX_LANGUAGE", ""), all("LC_ALL", ""), list("LANGUAGE", "");
  const Variable messages("LC_MESSAGES", "");
  const auto with = [](const char* value) {
    const Variable lang("LANG", value);
    return systemLanguage();
  };
  CHECK(with("zh_CN.UTF-8") == "zh_CN");
  CHECK(with("zh_SG") == "zh_CN");
  CHECK(with("zh_TW.UTF-8") == kEnglish);
  CHECK(with("de_DE.UTF-8") == kEnglish);
  CHECK(with("C.UTF-8") == kEnglish);
  CHECK(with("") == kEnglish);
  {
    const Variable preferred("LANGUAGE", "xx:zh_CN:en");
    CHECK(with("en_GB.UTF-8") == "zh_CN");
    CHECK(with("de_DE.UTF-8") == "zh_CN");
    CHECK(with("C.UTF-8") == kEnglish);  // as in gettext
    CHECK(with("POSIX") == kEnglish);
    CHECK(with("") == kEnglish);
  }
  {
    const Variable preferred("LANGUAGE", "en_GB:zh_CN");
    CHECK(with("zh_CN.UTF-8") == kEnglish);
  }
  const Variable wanted("SEPX_LANGUAGE", "pseudo");
  CHECK(with("zh_CN.UTF-8") == "pseudo");
}

TEST_CASE("every translation keeps the values, formulas and forms of its English", "[language]") {
  for (const std::string& key : translated()) {
    const auto read = Catalogue::read(catalogueFile(key));
    REQUIRE(read);
    const Catalogue& catalogue = **read;
    CHECK_FALSE(catalogue.header("X-Language-Name").empty());
    for (const Catalogue::Entry& entry : catalogue.all()) {
      const std::string english(entry.text);
      CHECK((entry.plural.empty() ? entry.forms.size() == 1 : entry.forms.size() == catalogue.plurals().forms()));
      for (const char* form : entry.forms) {
        INFO(key << ": " << english << "\n" << form);
        CHECK_FALSE(findInvalidUtf8(form));
        CHECK(placeholders(form) == placeholders(english));
        CHECK_FALSE(mixesNumbers(form));
        if (plainOfMixed(english) != english) CHECK(plainOfMixed(form) != form);
      }
    }
    const auto [done, all] = coverage(tests::sourceFolder() + "/ui/languages/" + key + ".po");
    WARN(key << ": " << done << " of " << all << " texts are translated");
  }
}

TEST_CASE("A truncated catalogue is refused, and a damaged one does not crash", "[language]") {
  const auto whole = readFile(catalogueFile("zh_CN"));
  REQUIRE(whole);
  for (const std::size_t size : {0, 3, 19, 20, 27, 28, 100, 4000})
    CHECK_FALSE(Catalogue::parse(whole->substr(0, size)));
  CHECK_FALSE(Catalogue::parse(whole->substr(0, whole->size() - 1)));
  std::size_t refused = 0;
  for (std::size_t at = 0; at < 400; ++at) {
    std::string damaged = *whole;
    damaged[at] = static_cast<char>(~damaged[at]);
    if (!Catalogue::parse(std::move(damaged))) ++refused;
  }
  CHECK(refused > 100);
}

TEST_CASE("Plural rules are C expressions, and invalid ones are refused", "[language]") {
  const PluralRule english;
  CHECK(english.formOf(1) == 0);
  CHECK(english.formOf(0) == 1);
  const auto polish =
      PluralRule::parse("nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);");
  REQUIRE(polish);
  CHECK(polish->forms() == 3);
  for (const auto& [n, form] : std::vector<std::pair<int, std::size_t>>{{1, 0}, {2, 1}, {5, 2}, {12, 2}, {22, 1}})
    CHECK(polish->formOf(static_cast<std::uint64_t>(n)) == form);
  REQUIRE(PluralRule::parse("nplurals=1; plural=0;"));
  CHECK(PluralRule::parse("nplurals=1; plural=n/0;")->formOf(3) == 0);
  CHECK(PluralRule::parse("nplurals=2; plural=n;")->formOf(7) == 0);
  for (const std::string& wrong :
       {std::string(), std::string("nplurals=2;"), std::string("nplurals=0; plural=0;"),
        std::string("nplurals=2; plural=n+;"), std::string("nplurals=2; plural=system(n);"),
        std::string("nplurals=2; plural=n ? 1;"), "nplurals=2; plural=" + std::string(100000, '(')})
    CHECK_FALSE(PluralRule::parse(wrong));
}

TEST_CASE("Nouns take the plural form of their number", "[language]") {
  const English english;
  CHECK(trPlural("{} head", "{} heads", 1) == "1 head");
  CHECK(trPlural("{} head", "{} heads", 3) == "3 heads");
  REQUIRE(setLanguage("zh_CN"));
  CHECK(trPlural("{} head", "{} heads", 3) == "3 个头");
  CHECK(trPlural("{} thing of no catalogue", "{} things of no catalogue", 2) == "2 things of no catalogue");
}

TEST_CASE("Complete sentences of the engine are translated by their template", "[language]") {
  const std::string cut = "/tmp/a.gguf: has 3 bytes now and had 7 when it was opened; open it again";
  CHECK(translatedSentence(cut) == cut);
  const English english;
  REQUIRE(setLanguage("zh_CN"));
  const std::string said = translatedSentence(cut);
  CHECK(said != cut);
  CHECK(said.find("/tmp/a.gguf") == 0);
  CHECK(said.find('3') < said.find('7'));
  CHECK(translatedSentence("a sentence of nobody with 3 values") == "a sentence of nobody with 3 values");
  CHECK(translatedSentence("").empty());
  CHECK(translatedSentence(std::string(100000, '{')).size() == 100000);
}

TEST_CASE("The pseudo language makes texts two fifths longer and keeps values, formulas and keys", "[language]") {
  CHECK(lengthened("Preferences") == "Preferencesënën");
  CHECK(lengthened("{} of {:.2f}, %1, `flow.p`, $e^2$: number") == "{} ofë {:.2f}, %1, `flow.p`, $e^2$: numberën");
  CHECK(lengthened("p") == "p");
  const English english;
  REQUIRE(setLanguage("pseudo"));
  CHECK(std::string(tr("File")) == "Fileën");
  CHECK(trFormat("Saved {}", "a.png") == "Savedën a.png");
}
