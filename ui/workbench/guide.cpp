// SPDX-License-Identifier: Apache-2.0
#include "ui/workbench/guide.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <optional>
#include <system_error>

#include "engine/core/file.h"
#include "engine/core/folder.h"
#include "ui/document/markdown.h"
#include "ui/page/page_key.h"
#include "ui/properties/formula.h"
#include "ui/properties/number_words.h"
#include "ui/properties/panel_text.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestBook = std::size_t{1} << 20;
constexpr double kWideRange = 1e6;  // wider ranges are not shown

std::string lower(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x80) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::vector<std::string> wordsOf(std::string_view query) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : lower(std::string(query)) + " ") {
    if (c != ' ') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  return words;
}

GuideBook bookOf(const std::string& path, std::string title) {
  return {path, std::move(title), readFile(path, kLargestBook).value_or(std::string()), {}};
}

/// Every heading with the paragraph below it.
std::vector<GuideEntry> chaptersOf(const std::string& text, const std::string& file) {
  std::vector<GuideEntry> chapters;
  const auto blocks = parseMarkdown(text);
  if (!blocks) return chapters;
  bool wants = false;
  for (const MarkdownBlock& block : *blocks) {
    if (block.level > 0) {
      chapters.push_back({.title = block.plain(), .note = file});
      wants = true;
    } else if (std::exchange(wants, false) && block.fence.empty()) {
      chapters.back().text = block.plain();
    }
  }
  return chapters;
}

std::string rangeOf(const Property& property) {
  if (property.kind != Kind::Real && property.kind != Kind::Integer) return {};
  if (!std::isfinite(property.min) || !std::isfinite(property.max) || property.max - property.min > kWideRange)
    return {};
  return trEither(property.open, "between {} and {}, both excluded", "from {} to {}", formulaNumber(property.min),
                  formulaNumber(property.max));
}

std::string joined(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() ? a + b : a + " · " + b;
}

/// Empty for elements of a list: each has a card of its own, which needs the index.
std::string cardOf(const std::string& key) {
  return key.find("[]") == std::string::npos ? key : std::string();
}

GuideEntry entryOf(const ReadOut& one, const Document& document) {
  GuideEntry entry{.title = nameOf(one, document), .text = tr(one.help), .explain = cardOf(one.key)};
  if (one.formulaApplies && !one.formulaApplies(document)) return entry;
  entry.formula = one.formula;
  entry.note = joined(one.equation, one.unit.empty() ? std::string() : trFormat("in {}", tr(one.unit)));
  return entry;
}

GuideEntry entryOf(const Property& one, const Document& document) {
  GuideEntry entry{.title = nameOf(one, document), .text = tr(one.help), .explain = cardOf(one.key)};
  if (!one.formulaApplies || one.formulaApplies(document)) entry.formula = one.formula;
  entry.note = joined(one.equation, rangeOf(one));
  return entry;
}

/// The parameter that chooses the page of an exhibit.
const Property* pagesOf(const PropertyRegistry& registry, const Exhibit& exhibit) {
  const auto found = registry.find(pageKey(exhibit.key()));
  return found ? found->property : nullptr;
}

std::string pageWord(const GuideOf& of) {
  return pagesOf(of.registry, of.exhibit) ? of.registry.text(of.document, pageKey(of.exhibit.key())) : std::string();
}

std::string pageName(const Property* pages, const std::string& word) {
  return !pages || word.empty() ? std::string() : pages->choiceLabel ? pages->choiceLabel(word) : tr(word);
}

template <class Declaration>
bool isHere(const Declaration& one, const std::string& prefix, const Document& document) {
  return one.key.starts_with(prefix) && !one.help.empty() && (!one.applies || one.applies(document));
}

GuideSection shown(const GuideOf& of) {
  GuideSection section{tr("What is shown"), {}};
  if (const std::string about = of.exhibit.about(); !about.empty()) section.entries.push_back({.title = about});
  if (const std::string caption = of.exhibit.caption(); !caption.empty())
    section.entries.push_back({.title = tr("Now"), .text = caption});
  const std::string picture = of.library.pictures + "/" + of.exhibit.key() + "-" + pageWord(of);
  std::error_code failed;
  if (!section.entries.empty() && fs::exists(picture + "-light.png", failed)) section.entries.front().picture = picture;
  return section;
}

GuideSection gestures(const GuideOf& of) {
  GuideSection section{tr("What the pointer does"), {}};
  for (const auto& [gesture, act] : of.exhibit.gestures())
    section.entries.push_back({.title = gesture, .text = act});
  return section;
}

GuideSection numbers(const GuideOf& of) {
  GuideSection section{tr("Numbers and formulas"), {}};
  for (const ReadOut& one : of.registry.readOuts())
    if (isHere(one, of.exhibit.key() + ".", of.document)) section.entries.push_back(entryOf(one, of.document));
  std::stable_partition(section.entries.begin(), section.entries.end(),
                        [](const GuideEntry& entry) { return !entry.formula.empty(); });
  return section;
}

GuideSection parameters(const GuideOf& of) {
  GuideSection section{tr("Parameters"), {}};
  for (const Property& one : of.registry.properties())
    if (isHere(one, of.exhibit.key() + ".", of.document)) section.entries.push_back(entryOf(one, of.document));
  return section;
}

GuideEntry lessonEntry(const GuideBook& lesson) {
  return {.title = lesson.title, .file = lesson.path};
}

/// Lessons that show the page first, then those that show another page of the exhibit.
GuideSection lessons(const GuideOf& of) {
  GuideSection section{tr("Lessons"), {}};
  const std::string page = "set " + pageKey(of.exhibit.key()) + " " + pageWord(of);
  const auto add = [&](bool onPage) {
    for (const GuideBook& lesson : of.library.lessons) {
      const bool shows = lesson.text.find(page) != std::string::npos;
      const bool exhibits = lesson.text.find(of.exhibit.key() + ".") != std::string::npos;
      if (onPage ? shows : exhibits && !shows) section.entries.push_back(lessonEntry(lesson));
    }
  };
  add(true);
  add(false);
  return section;
}

/// The chapters of the doc that is named like the exhibit, and the first chapter of other docs that mention it.
GuideSection chapters(const GuideOf& of) {
  GuideSection section{tr("Chapters"), {}};
  for (const GuideBook& doc : of.library.docs) {
    if (doc.chapters.empty()) continue;
    if (fs::path(doc.path).stem() == of.exhibit.key()) {
      section.entries.insert(section.entries.end(), doc.chapters.begin(), doc.chapters.end());
    } else if (doc.text.find(of.exhibit.key() + ".") != std::string::npos) {
      section.entries.push_back(doc.chapters.front());
    }
  }
  return section;
}

void addFound(std::vector<GuideSection>& to, GuideSection section) {
  if (section.entries.size() > kMostFound) section.entries.resize(kMostFound);
  if (!section.entries.empty()) to.push_back(std::move(section));
}

class Finder {
 public:
  explicit Finder(std::string_view query) : words_(wordsOf(query)) {}
  bool operator()(const std::string& text) const {
    const std::string all = lower(text);
    return std::ranges::all_of(words_, [&](const std::string& word) { return all.find(word) != std::string::npos; });
  }
  bool operator()(const GuideEntry& entry, const std::string& more = {}) const {
    return (*this)(plainOfMixed(entry.title + " " + entry.text + " " + entry.note) + " " + more);
  }

 private:
  std::vector<std::string> words_;
};

/// Finds declarations of every exhibit, including those that do not apply on the current page.
template <class Declarations>
void findDeclared(std::vector<GuideEntry>& to, const GuideOf& of, const Declarations& all, const Finder& finds) {
  for (const auto& one : all) {
    if (one.help.empty()) continue;
    GuideEntry entry = entryOf(one, of.document);
    if (!finds(entry, one.key)) continue;
    for (const Exhibit* exhibit : of.exhibits)
      if (one.key.starts_with(exhibit->key() + ".")) entry.note = joined(exhibit->name(), entry.note);
    to.push_back(std::move(entry));
  }
}

}  // namespace

GuideLibrary readGuide(const std::vector<std::pair<std::string, std::string>>& lessons, const std::string& assets) {
  GuideLibrary library;
  for (const auto& [path, title] : lessons)
    library.lessons.push_back(bookOf(path, title));
  if (assets.empty()) return library;
  std::error_code failed;
  library.pictures = (fs::path(assets) / "pages").string();
  fs::path folder = fs::path(assets) / "guide";
  if (!fs::is_directory(folder, failed)) folder = fs::path(assets).parent_path() / "docs";
  for (const fs::path path : folderPaths(folder.string())) {
    if (path.extension() != ".md") continue;
    GuideBook book = bookOf(path.string(), path.stem().string());
    book.chapters = chaptersOf(book.text, "docs/" + path.filename().string());
    library.docs.push_back(std::move(book));
  }
  std::ranges::sort(library.docs, {}, &GuideBook::path);
  return library;
}

std::string guideTitle(const GuideOf& of) {
  return joined(of.exhibit.name(), pageName(pagesOf(of.registry, of.exhibit), pageWord(of)));
}

std::vector<GuideSection> guidePage(const GuideOf& of) {
  std::vector<GuideSection> all{shown(of), gestures(of), numbers(of), parameters(of), lessons(of), chapters(of)};
  std::erase_if(all, [](const GuideSection& section) { return section.entries.empty(); });
  return all;
}

std::vector<GuideSection> searchGuide(const GuideOf& of, std::string_view query) {
  const Finder finds(query);
  std::vector<GuideSection> all;
  GuideSection found{tr("Commands"), {}};
  for (const Workbench::Command& command : of.commands) {
    GuideEntry entry{.title = command.label, .note = joined(command.menu, command.shortcut)};
    if (command.enabled) entry.command = command.key;
    if (finds(entry, command.key)) found.entries.push_back(std::move(entry));
  }
  addFound(all, std::move(found));
  found = {tr("Numbers and formulas"), {}};
  findDeclared(found.entries, of, of.registry.readOuts(), finds);
  addFound(all, std::move(found));
  found = {tr("Parameters"), {}};
  findDeclared(found.entries, of, of.registry.properties(), finds);
  addFound(all, std::move(found));
  found = {tr("Lessons"), {}};
  for (const GuideBook& lesson : of.library.lessons)
    if (finds(lesson.text)) found.entries.push_back(lessonEntry(lesson));
  addFound(all, std::move(found));
  found = {tr("Chapters"), {}};
  for (const GuideBook& doc : of.library.docs)
    for (const GuideEntry& chapter : doc.chapters)
      if (finds(chapter)) found.entries.push_back(chapter);
  addFound(all, std::move(found));
  return all;
}

}  // namespace sepx::ui
