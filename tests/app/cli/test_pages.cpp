// SPDX-License-Identifier: Apache-2.0
// One table of verbs and options: --help, manual pages, completion and docs agree.
#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "app/cli/cli.h"
#include "app/completion.h"
#include "app/man_page.h"
#include "app/options.h"
#include "tests/app/cli/run_sepx.h"
#include "tests/folders.h"

namespace {

using namespace sepx;
using namespace sepx::test;
using app::CommandTable;
using app::OptionRow;
using sepx::tests::sourceFolder;

/// A name as in a manual page, with dashes that can be copied.
std::string inManual(const std::string& name) {
  std::string text;
  for (const char letter : name)
    text += letter == '-' ? "\\-" : std::string(1, letter);
  return text;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::set<std::string> namesOf(const CommandTable& command) {
  std::set<std::string> names;
  for (const OptionRow& row : command.options)
    if (!row.positional) names.insert(row.names.begin(), row.names.end());
  return names;
}

/// The words of "sepx VERB …" in a line of a page, from `at` to the end of the command.
std::vector<std::string> commandAfter(const std::string& line, std::size_t at) {
  const std::size_t end = line.find_first_of("`#|<>;&)", at);
  std::istringstream words(line.substr(at, end == std::string::npos ? end : end - at));
  std::vector<std::string> all;
  for (std::string word; words >> word;)
    all.push_back(word);
  return all;
}

/// Adds "FILE:LINE: sepx flow --nonsense" for every option in docs that its verb does not have.
void checkDocs(const std::filesystem::path& path, const CommandTable& table, std::set<std::string>& described,
               std::vector<std::string>& wrong) {
  std::set<std::string> common = namesOf(table);
  common.insert("--print-page");  // every program accepts it, and --help omits it
  std::istringstream lines(readText(path.string()));
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    for (std::size_t at = line.find("sepx "); at != std::string::npos; at = line.find("sepx ", at + 5)) {
      if (at > 0 && std::isalnum(static_cast<unsigned char>(line[at - 1])) != 0) continue;
      const std::vector<std::string> words = commandAfter(line, at + 5);
      const CommandTable* verb = words.empty() ? nullptr : table.find(words.front());
      if (verb == nullptr) continue;
      described.insert(verb->name);
      const std::set<std::string> own = namesOf(*verb);
      for (const std::string& word : words) {
        std::string name = word.substr(0, word.find_first_of("=,.:'\"*]"));
        if (name.rfind("--", 0) != 0 || name.size() < 3 || own.contains(name) || common.contains(name)) continue;
        wrong.push_back(path.filename().string() + ":" + std::to_string(number) + ": sepx " + verb->name + " " + name);
      }
    }
  }
}

TEST_CASE("Help, manual pages and completion show every option of the table") {
  const CommandTable table = app::cli::commandTable();
  REQUIRE(table.commands.size() > 20);
  const std::string bash = app::bashCompletion(table), zsh = app::zshCompletion(table),
                    fish = app::fishCompletion(table);
  for (const CommandTable& verb : table.commands) {
    INFO(verb.name);
    const std::string help = command({verb.name, "--help"}).out;
    const Ran page = command({verb.name, "--print-page", "man"});
    CHECK(page.status == 0);
    CHECK(page.out == app::manPage(table, &verb));
    CHECK(has(bash, verb.name));
    CHECK(has(zsh, verb.name + ":"));
    CHECK(has(fish, "-a " + verb.name + " "));
    for (const OptionRow& row : verb.options) {
      if (row.positional) {
        CHECK(has(page.out, inManual(row.names.front())));
        continue;
      }
      for (const std::string& name : row.names) {
        INFO(name);
        CHECK(has(help, name));
        CHECK(has(page.out, inManual(name)));
        CHECK(has(bash, name));
        CHECK(has(zsh, "'" + std::string(row.repeats ? "*" : "") + name + "["));
        CHECK(has(fish, name.rfind("--", 0) == 0 ? " -l " + name.substr(2) : " -s " + name.substr(1)));
      }
    }
  }
}

TEST_CASE("Options with few values are completed with them, and paths with files") {
  const CommandTable table = app::cli::commandTable();
  const auto row = [](const CommandTable& command, const std::string& name) {
    const auto found = std::find_if(command.options.begin(), command.options.end(),
                                    [&](const OptionRow& one) { return one.names.front() == name; });
    REQUIRE(found != command.options.end());
    return *found;
  };
  CHECK(row(table, "--compute").choices == std::vector<std::string>{"auto", "cpu", "gpu"});
  CHECK(row(table, "--theme").choices.size() >= 4);
  CHECK(row(*table.find("heatmap"), "--part").choices == std::vector<std::string>{"full", "sym", "skew"});
  CHECK(row(*table.find("heatmap"), "CHECKPOINT").isPath());
  CHECK(row(*table.find("heatmap"), "--out").isPath());
  CHECK_FALSE(row(table, "--seed").isPath());
  CHECK(row(table, "--version").value.empty());
  CHECK(row(*table.find("heatmap"), "--layer").required);
  CHECK(table.find("heatmap")->synopsis("sepx") == "sepx heatmap [OPTIONS] CHECKPOINT");
}

TEST_CASE("Docs name only existing options, and describe every verb") {
  const CommandTable table = app::cli::commandTable();
  std::set<std::string> described;
  std::vector<std::string> wrong;
  checkDocs(sourceFolder() + "/README.md", table, described, wrong);
  for (const auto& entry : std::filesystem::directory_iterator(sourceFolder() + "/docs"))
    if (entry.path().extension() == ".md") checkDocs(entry.path(), table, described, wrong);
  for (const std::string& one : wrong)
    FAIL_CHECK(one << ": there is no such option");
  for (const CommandTable& verb : table.commands) {
    INFO(verb.name);
    CHECK(described.contains(verb.name));
  }
}

TEST_CASE("A page that does not exist is refused with a message") {
  requireRefused({"--print-page", "html"}, 2, "html");
  requireRefused({"cluster", "--print-page", "man"}, 2, "cluster");
  requireRefused({"flow", "--print-page", "bash"}, 2, "bash");
  CHECK(command({"--print-page", "verbs"}).out.rfind("doctor\nflow\n", 0) == 0);
}

TEST_CASE("A manual page has no line that man interprets as a request") {
  const CommandTable program{
      "a-program", ".hidden and 'quoted' \\ text", "", {{{"--x"}, "N", ".first\n.second", {}, false, true, false}}, {}};
  const std::string page = app::manPage(program, nullptr);
  CHECK(has(page, "\\&.hidden"));
  CHECK(has(page, "\\&.first"));
  CHECK(has(page, "\n\\&.second"));
  CHECK(has(page, "\\e text"));
  CHECK(has(page, "Required."));
}

}  // namespace
