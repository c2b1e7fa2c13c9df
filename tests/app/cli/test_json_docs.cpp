// SPDX-License-Identifier: Apache-2.0
// docs/json.md is correct: the command of every example is run, and its document is compared with the one on the page:
// keys and their order, types, and also the numbers if they do not depend on the machine.
#include <algorithm>
#include <sstream>

#include <catch2/catch.hpp>

#include "app/cli/verb.h"
#include "tests/app/cli/run_sepx.h"
#include "tests/folders.h"

using namespace sepx::test;

namespace {

struct Example {
  std::vector<std::string> arguments;
  Json document;
};

/// A fenced sh block with one command, followed by a fenced json block. Files of the command are written to `folder`.
std::vector<Example> readExamples(const std::string& page, const Folder& folder) {
  std::vector<Example> examples;
  std::istringstream lines(page);
  std::string fence, block, shell;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("```", 0) != 0) {
      if (!fence.empty()) block += line + "\n";
      continue;
    }
    if (fence == "sh") shell = block;
    if (fence == "json") {
      std::istringstream words(shell);
      Example example;
      for (std::string word; words >> word;) {
        for (const char* mine : {"tests/reference/", "assets/"}) {
          if (word.rfind(mine, 0) == 0) word = sepx::tests::sourceFolder() + "/" + word;
        }
        // Folders of runs: created by an example of sepx train, read by the later examples of sepx runs.
        const bool named =
            !example.arguments.empty() && (example.arguments.back() == "--out" || example.arguments.back() == "--run");
        const bool run = example.arguments.size() == 3 && example.arguments[1] == "runs" && word.rfind('-', 0) != 0;
        if (named || run) word = folder.path(word);
        example.arguments.push_back(word);
      }
      REQUIRE(example.arguments.size() > 1);
      REQUIRE(example.arguments.front() == "sepx");
      example.arguments.erase(example.arguments.begin());
      example.document = Json::parse(block);
      examples.push_back(std::move(example));
      shell.clear();
    }
    fence = fence.empty() ? line.substr(3) : "";
    block.clear();
  }
  return examples;
}

/// `machine`: the document depends on the machine, so numbers, texts, lengths of lists and missing values may differ.
void compare(const std::string& place, const Json& ours, const Json& page, bool machine) {
  INFO(place);
  if (machine && (ours.is_null() || page.is_null())) return;
  if (ours.is_number() && page.is_number()) {
    if (!machine) CHECK(ours.get<double>() == Approx(page.get<double>()).epsilon(1e-6).margin(1e-9));
    return;
  }
  REQUIRE(ours.type() == page.type());
  if (ours.is_object()) {
    REQUIRE(keysOf(ours) == keysOf(page));
    for (const auto& [key, value] : ours.items())
      compare(place + "." + key, value, page[key], machine);
  } else if (ours.is_array()) {
    // The saved steps of a run do not depend on the machine.
    const bool saved = place.size() > 12 && place.compare(place.size() - 12, 12, ".checkpoints") == 0;
    if (!machine || saved) REQUIRE(ours.size() == page.size());
    if (saved) CHECK(ours == page);
    for (std::size_t i = 0; i < std::min(ours.size(), page.size()); ++i) {
      compare(place + "[" + std::to_string(i) + "]", ours[i], page[i], machine);
    }
  } else if (!machine) {
    CHECK(ours == page);
  }
}

}  // namespace

TEST_CASE("The examples of docs/json.md are what the program prints") {
  const Folder folder;
  const std::vector<Example> examples = readExamples(readText(sepx::tests::sourceFolder() + "/docs/json.md"), folder);
  std::vector<std::string> verbs;
  for (const Example& example : examples) {
    const std::string& verb = example.arguments.front();
    verbs.push_back(verb);
    INFO("sepx " << verb);
    const Ran ran = command(example.arguments);
    INFO(ran.err);
    REQUIRE(ran.status == 0);
    // Trained numbers depend on the instruction set of the CPU.
    const bool trained = verb == "reproduce" && example.arguments[1] == "local-to-global-figure-3";
    const bool machine =
        trained || verb == "doctor" || verb == "verify" || verb == "train" || verb == "runs" || verb == "sweep";
    compare(verb, Json::parse(ran.out), example.document, machine);
  }
  for (const sepx::app::cli::VerbEntry& entry : sepx::app::cli::makeVerbs()) {
    INFO(entry.name);
    const bool prints = command({entry.name, "--help"}).out.find("--json") != std::string::npos;
    CHECK(std::count(verbs.begin(), verbs.end(), entry.name) >= (prints ? 1 : 0));
  }
}
