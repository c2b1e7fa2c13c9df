// SPDX-License-Identifier: Apache-2.0
// Selects the language and loads its catalogue. Loaded catalogues are never freed, because translated texts point into
// them and other threads may hold such a pointer.
#include "ui/properties/language.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "engine/core/folder.h"
#include "engine/core/try.h"
#include "engine/core/utf8.h"
#include "ui/properties/catalogue.h"
#include "ui/properties/language_texts.h"
#include "ui/properties/pseudo_language.h"

namespace sepx::ui {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPseudo = "pseudo";
constexpr const char* kFile = "LC_MESSAGES/separatrix.mo";
constexpr std::size_t kMostMore =
    6000;  // limit for texts that are in no catalogue, so that a foreign file cannot inflate the font
constexpr char32_t kBeyondLatin = 0x2E80;  // below it, every font of the program has what languages need

// One per process: tr() is called wherever a text is written, so the language cannot be passed as an argument.
std::atomic<const Translations*> present = nullptr;
std::atomic<const std::string*> presentKey = nullptr;  ///< points into State::keys; null: English
std::atomic<std::uint64_t> revision = 0;
thread_local int englishHere = 0;  ///< number of EnglishTexts objects on this thread

/// Protects the State below.
std::mutex& mutex() {
  static std::mutex one;
  return one;
}
struct State {
  std::string key = kEnglish;
  std::set<std::string> keys;  ///< all keys set since the start; their addresses stay valid
  std::map<std::string, std::unique_ptr<Catalogue>> read;
  std::map<std::string, std::set<char32_t>> more;  ///< by language: characters of texts that are in no catalogue
};
State& state() {
  static State one;
  return one;
}

/// PREFIX/bin/separatrix, PREFIX/share/locale.
std::vector<fs::path> catalogueFolders() {
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  std::vector<fs::path> folders;
  if (!failed) folders.push_back(program.parent_path().parent_path() / "share" / "locale");
  folders.emplace_back("/usr/share/locale");
  return folders;
}

std::optional<std::string> catalogueOf(const std::string& key) {
  std::error_code failed;
  for (const fs::path& folder : catalogueFolders())
    if (const fs::path file = folder / key / kFile; fs::is_regular_file(file, failed)) return file.string();
  return std::nullopt;
}

/// Reads the catalogue on first use. The caller holds the mutex.
Result<const Catalogue*> catalogue(const std::string& key) {
  auto& kept = state().read[key];
  if (kept) return kept.get();
  const auto file = catalogueOf(key);
  if (!file) return fail(ErrorKind::BadInput, key + ": the catalogue of this language is gone");
  SEPX_ASSIGN(kept, Catalogue::read(*file));
  return kept.get();
}

/// Whether the locale is the one of the C standard, in any character set.
bool isStandardLocale(std::string_view locale) {
  locale = locale.substr(0, locale.find_first_of(".@"));
  return locale == "C" || locale == "POSIX";
}

/// The language for the name of a locale. "zh_CN.UTF-8" matches exactly; "zh" and "zh_SG" match zh_CN as the nearest
/// one.
std::optional<std::string> languageFor(std::string_view locale) {
  if (isStandardLocale(locale)) return kEnglish;
  locale = locale.substr(0, locale.find_first_of(".@"));
  const auto& keys = languageKeys();
  if (const auto same = std::ranges::find(keys, locale); same != keys.end()) return *same;
  const std::string_view name = locale.substr(0, locale.find('_'));
  if (name == kEnglish) return kEnglish;
  // Traditional Chinese is a different script, and English is easier to read than the wrong script.
  if (locale == "zh_TW" || locale == "zh_HK" || locale == "zh_MO") return std::nullopt;
  for (const std::string& key : keys)
    if (key.substr(0, key.find('_')) == name) return key;
  return std::nullopt;
}

std::string textOf(const char* variable) {
  const char* const value = std::getenv(variable);
  return value ? value : "";
}

}  // namespace

const Translations* presentTranslations() {
  return englishHere > 0 ? nullptr : present.load(std::memory_order_acquire);
}

EnglishTexts::EnglishTexts() {
  ++englishHere;
}
EnglishTexts::~EnglishTexts() {
  --englishHere;
}

const std::vector<std::string>& languageKeys() {
  static const std::vector<std::string> keys = [] {
    std::set<std::string> found;
    for (const fs::path& folder : catalogueFolders()) {
      std::error_code failed;
      for (const std::string& name : folderNames(folder))
        if (name[0] != '.' && fs::is_regular_file(folder / name / kFile, failed)) found.insert(name);
    }
    std::vector<std::string> all{kEnglish};
    all.insert(all.end(), found.begin(), found.end());
    return all;
  }();
  return keys;
}

std::string languageName(const std::string& key) {
  if (key == kEnglish) return "English";
  const std::lock_guard lock(mutex());
  const auto found = catalogue(key);
  const std::string name = found ? (*found)->header("X-Language-Name") : std::string();
  return name.empty() ? key : name;
}

std::string systemLanguage() {
  if (const std::string wanted = textOf("SEPX_LANGUAGE"); !wanted.empty()) {
    return wanted == kPseudo ? wanted : languageFor(wanted).value_or(kEnglish);
  }
  std::string locale;
  for (const char* variable : {"LC_ALL", "LC_MESSAGES", "LANG"})
    if (locale.empty()) locale = textOf(variable);
  if (locale.empty() || isStandardLocale(locale)) return kEnglish;
  // As in gettext, LANGUAGE is a list of languages in order of preference, which has no effect with the locale "C".
  std::string list = textOf("LANGUAGE");
  list += (list.empty() ? "" : ":") + locale;
  for (std::size_t from = 0; from <= list.size();) {
    const std::size_t end = std::min(list.find(':', from), list.size());
    if (const auto found = languageFor(std::string_view(list).substr(from, end - from)); found && end > from)
      return *found;
    from = end + 1;
  }
  return kEnglish;
}

Result<void> setLanguage(std::string_view wanted) {
  const std::string key = wanted == kSystemLanguage ? systemLanguage() : std::string(wanted);
  const auto& keys = languageKeys();
  const Translations* next = nullptr;
  const std::lock_guard lock(mutex());
  if (key == kPseudo) {
    next = &pseudoLanguage();
  } else if (std::ranges::find(keys, key) == keys.end()) {
    std::string known;
    for (const std::string& one : keys)
      known += (known.empty() ? "" : ", ") + one;
    return fail(ErrorKind::Usage, key + ": there is no such language; there are " + known);
  } else if (key != kEnglish) {
    SEPX_ASSIGN(next, catalogue(key));
  }
  if (state().key == key) return {};
  state().key = key;
  presentKey.store(&*state().keys.insert(key).first, std::memory_order_release);
  present.store(next, std::memory_order_release);
  ++revision;
  return {};
}

/// Does not lock the mutex: every frame calls this, and another thread may hold the mutex for a long time.
std::string language() {
  const std::string* const key = presentKey.load(std::memory_order_acquire);
  return key ? *key : kEnglish;
}

std::uint64_t languageRevision() {
  return revision.load(std::memory_order_acquire);
}

std::set<char32_t> catalogueCharacters() {
  const std::lock_guard lock(mutex());
  State& now = state();
  std::set<char32_t> all;
  if (const auto& read = now.read[now.key]) all = read->characters();
  std::erase_if(all, [](char32_t code) { return code < kBeyondLatin; });
  return all;
}

std::set<char32_t> languageCharacters() {
  std::set<char32_t> all = catalogueCharacters();
  const std::lock_guard lock(mutex());
  const auto& more = state().more[state().key];
  all.insert(more.begin(), more.end());
  return all;
}

void addLanguageCharacters(std::string_view text) {
  std::vector<char32_t> characters = decodeUtf8(text);
  std::erase_if(characters, [](char32_t code) { return code < kBeyondLatin; });
  if (characters.empty()) return;
  const std::lock_guard lock(mutex());
  auto& more = state().more[state().key];
  const std::size_t before = more.size();
  for (const char32_t code : characters)
    if (more.size() < kMostMore) more.insert(code);
  if (more.size() != before) ++revision;
}

}  // namespace sepx::ui
