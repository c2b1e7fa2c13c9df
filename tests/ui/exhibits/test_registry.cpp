// SPDX-License-Identifier: Apache-2.0
// Every parameter, read-out and command of the program as a list: the declarations are compared with registry.txt, so
// that an unintended change of a range, a fallback, a key or the pages of a row is found. After an intended change,
// replace registry.txt by the new list in the build folder.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <catch2/catch.hpp>

#include "engine/core/number.h"
#include "tests/folders.h"
#include "tests/ui/page/exhibit_rig.h"
#include "ui/exhibits/exhibits.h"
#include "ui/page/page_key.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

const char* nameOf(Kind kind) {
  constexpr const char* kNames[] = {"toggle", "integer", "real", "choice", "text"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// Documents for a page: one without values, and one with every toggle on.
struct Situation {
  std::string page;
  Document plain, all;
};

std::vector<Situation> situations(const Exhibit& exhibit, const PropertyRegistry& registry) {
  std::vector<Situation> made;
  for (const std::string& word : registry.find(pageKey(exhibit.key()))->property->choices) {
    Situation one{word, Document{}.with("exhibit", exhibit.key()).with(pageKey(exhibit.key()), word), {}};
    one.all = one.plain;
    for (const Property& property : registry.properties())
      if (property.kind == Kind::Toggle && property.key.find("[]") == std::string::npos)
        one.all = one.all.with(property.key, true);
    made.push_back(std::move(one));
  }
  return made;
}

/// "always", or the pages on which a row applies; "+" if a toggle must be on, "-" if it must be off.
std::string pagesOf(const std::vector<Situation>& where, const std::function<bool(const Document&)>& applies) {
  if (!applies) return "always";
  std::vector<std::string> words;
  for (const Situation& one : where) {
    const bool plain = applies(one.plain), all = applies(one.all);
    if (plain || all) words.push_back(one.page + (plain && all ? "" : all ? "+" : "-"));
  }
  return words.empty() ? "nowhere" : fmt::format("{}", fmt::join(words, " "));
}

std::string groupOf(const Exhibit& exhibit, const std::vector<PropertyGroup>& groups, const std::string& key) {
  const std::string prefix = exhibit.key() + ".";
  if (!key.starts_with(prefix)) return "-";
  const std::string rest = key.substr(prefix.size());
  const std::size_t dot = rest.find('.');
  const std::string word = dot == std::string::npos ? std::string() : rest.substr(0, dot);
  const auto known = std::ranges::find(groups, word, &PropertyGroup::key);
  if (known == groups.end()) return word;
  return fmt::format("{}{} \"{}\"", word, known->into.empty() ? "" : " into " + known->into, known->title);
}

void list(std::ostream& out, const Exhibit& exhibit, const PropertyRegistry& registry) {
  const std::vector<Situation> where = situations(exhibit, registry);
  const std::vector<PropertyGroup> groups = exhibit.groups();
  const auto words = [&out](const auto& row) {
    out << fmt::format("  {} | {} | {}{}\n", row.label, row.symbol, row.unit, row.help.empty() ? " | no help" : "");
  };
  for (const Property& row : registry.properties()) {
    out << fmt::format("{} = {}\n  {} {} to {}{}{} step {} digits {}{}{}{}{}{}{}{}\n  group {}\n  on {}\n", row.key,
                       toString(row.fallback), nameOf(row.kind), formatShortest(row.min), formatShortest(row.max),
                       row.open ? " open" : "", row.scale == Scale::Logarithmic ? " logarithmic" : "",
                       formatShortest(row.step), row.digits, row.undoable ? "" : " not-undoable",
                       row.detail ? " detail" : "", row.file ? " file" : "", row.color ? " color" : "",
                       row.listOf.empty() ? "" : " of " + row.listOf, row.follow ? " follows" : "",
                       row.live ? " live" : "", groupOf(exhibit, groups, row.key), pagesOf(where, row.applies));
    std::vector<std::string> choices;
    for (const std::string& choice : row.choices)
      choices.push_back(row.choiceLabel ? fmt::format("{} \"{}\"", choice, row.choiceLabel(choice)) : choice);
    if (!choices.empty()) out << fmt::format("  choices {}\n", fmt::join(choices, ", "));
    words(row);
  }
  for (const ReadOut& row : registry.readOuts()) {
    out << fmt::format("{}\n  read-out digits {}{}\n  group {}\n  on {}\n", row.key, row.digits,
                       row.detail ? " detail" : "", groupOf(exhibit, groups, row.key), pagesOf(where, row.applies));
    words(row);
  }
}

void listCommands(std::ostream& out, ExhibitRig& rig) {
  for (const std::string& word : rig.editor.registry.find(pageKey(rig.exhibit->key()))->property->choices) {
    rig.editor.replace(Document{}.with(pageKey(rig.exhibit->key()), word));
    rig.frame();
    out << fmt::format("commands of {} {}\n", rig.exhibit->key(), word);
    for (const ExhibitCommand& one : rig.exhibit->commands(rig.editor.document()))
      // Whether a command is enabled is not listed, because it depends on what has been read so far.
      out << fmt::format("  {} | {} | {} | {}\n", one.key, one.label, one.shortcut, one.menu);
  }
}

std::string everything() {
  std::ostringstream out;
  for (std::unique_ptr<Exhibit>& exhibit : makeExhibits()) {
    ExhibitRig rig(std::move(exhibit));
    list(out, *rig.exhibit, rig.editor.registry);
    listCommands(out, rig);
  }
  return out.str();
}

}  // namespace

TEST_CASE("The declarations of the program agree with registry.txt", "[registry]") {
  const std::string path = tests::sourceFolder() + "/tests/ui/exhibits/registry.txt";
  std::ifstream file(path);
  const std::string known{std::istreambuf_iterator<char>(file), {}}, now = everything();
  const std::string made = tests::buildFolder() + "/registry.txt";
  if (now != known) std::ofstream(made) << now;
  INFO("what is declared differs from " << path << ": compare with " << made);
  CHECK((now == known));
}
