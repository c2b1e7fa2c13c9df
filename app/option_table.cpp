// SPDX-License-Identifier: Apache-2.0
#include "app/option_table.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "app/completion.h"
#include "app/man_page.h"
#include "ui/properties/tr.h"

namespace sepx::app {
namespace {

/// The words of "full|sym|skew", as a user types them. Empty for a value such as "PNG|SVG", which names kinds of files.
std::vector<std::string> choicesOf(const std::string& value) {
  std::vector<std::string> words{""};
  for (const char letter : value) {
    if (letter == '|') {
      words.emplace_back();
    } else if (std::islower(static_cast<unsigned char>(letter)) != 0 || letter == '-') {
      words.back() += letter;
    } else {
      return {};
    }
  }
  const bool empty = std::any_of(words.begin(), words.end(), [](const std::string& word) { return word.empty(); });
  if (words.size() < 2 || empty) return {};
  return words;
}

std::string upper(std::string text) {
  for (char& letter : text)
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return text;
}

OptionRow rowOf(const CLI::Option& option) {
  OptionRow row;
  row.positional = option.get_positional();
  row.required = option.get_required();
  row.repeats = option.get_items_expected_max() > 1;
  row.help = option.get_description();
  if (option.get_items_expected_max() > 0) row.value = option.get_type_name();
  row.choices = choicesOf(row.value);
  if (row.positional) {
    // A positional argument is named after its value, as in "CHECKPOINT", where that says more than its own name.
    row.names = {row.value.empty() || row.value == "TEXT" ? upper(option.get_name(true, false)) : row.value};
    return row;
  }
  for (const std::string& name : option.get_snames())
    row.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames())
    row.names.push_back("--" + name);
  return row;
}

}  // namespace

bool OptionRow::isPath() const {
  static constexpr std::array kPaths{
      "FILE", "DIR", "FOLDER", "CHECKPOINT", "SCRIPT", "LESSON",        "FIGURE",      "PNG",      "IN",
      "OUT",  "RUN", "F",      "F.npy",      "F.npz",  "FIXTURES.json", "CONFIG.json", "PLAN.json"};
  // Every word of the value is compared: "[NAME=]CHECKPOINT…" and "RUN|CHECKPOINT" name checkpoints.
  std::string word;
  for (const char letter : (positional ? names.front() : value) + "|") {
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '.') {
      word += letter;
      continue;
    }
    if (std::find(kPaths.begin(), kPaths.end(), word) != kPaths.end()) return true;
    word.clear();
  }
  return false;
}

const CommandTable* CommandTable::find(const std::string& command) const {
  for (const CommandTable& one : commands)
    if (one.name == command) return &one;
  return nullptr;
}

std::string CommandTable::synopsis(const std::string& program) const {
  std::string text = program.empty() ? name : program + " " + name;
  text += commands.empty() ? " [OPTIONS]" : " [OPTIONS] [VERB]";
  for (const OptionRow& row : options) {
    if (!row.positional) continue;
    const std::string word = row.names.front() + (row.repeats ? "..." : "");
    text += row.required ? " " + word : " [" + word + "]";
  }
  return text;
}

CommandTable optionTable(const CLI::App& app) {
  CommandTable table;
  table.name = app.get_name();
  table.description = app.get_description();
  table.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) table.options.push_back(rowOf(*option));
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    table.commands.push_back(optionTable(*command));
  return table;
}

Result<std::string> printedPage(const CLI::App& app, const std::vector<std::string>& verb, const std::string& kind) {
  const CommandTable table = optionTable(app);
  const CommandTable* command = verb.size() == 1 ? table.find(verb.front()) : nullptr;
  if (verb.size() > 1 || (verb.size() == 1 && command == nullptr))
    return fail(ErrorKind::Usage, "--print-page: " + verb.front() + ui::tr(": there is no such verb"));
  if (kind == "man") return manPage(table, command);
  if (command == nullptr && kind == "verbs") {
    std::string verbs;
    for (const CommandTable& one : table.commands)
      verbs += one.name + "\n";
    return verbs;
  }
  if (command == nullptr && kind == "bash") return bashCompletion(table);
  if (command == nullptr && kind == "zsh") return zshCompletion(table);
  if (command == nullptr && kind == "fish") return fishCompletion(table);
  return fail(ErrorKind::Usage,
              "--print-page: '" + kind + ui::tr("' is not one of man, bash, zsh, fish, verbs; a verb has only man"));
}

}  // namespace sepx::app
