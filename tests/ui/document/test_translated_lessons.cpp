// SPDX-License-Identifier: Apache-2.0
// A lesson in another language has the same actions as the English one: only its texts differ.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/folders.h"
#include "ui/document/lesson.h"

using namespace sepx;
namespace fs = std::filesystem;

namespace {

/// Everything that is executed or checked: all lines of steps; of questions the checks and the correct choices.
std::vector<std::string> done(const fs::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  std::string fence;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("```", 0) == 0) {
      fence = line.substr(3);
      if (fence == "steps" || fence == "ask") lines.push_back(line);
    } else if (fence == "steps") {
      lines.push_back(line);
    } else if (fence == "ask") {
      const std::string word = line.substr(0, line.find(' '));
      const bool words = word == "question" || word == "because";
      const bool choice = word == "choice";
      lines.push_back(words ? word : choice ? word + (line.ends_with(" correct") ? " correct" : "") : line);
    } else if (fence.empty() && line.rfind('#', 0) == 0) {
      lines.push_back(line.substr(0, line.find(' ')));
    }
  }
  return lines;
}

}  // namespace

TEST_CASE("Translated lessons have the steps, answers and headings of the English ones", "[lesson][language]") {
  const fs::path folder = fs::path(tests::sourceFolder()) / "assets" / "lessons";
  int translated = 0;
  for (const auto& language : fs::directory_iterator(folder)) {
    if (!language.is_directory()) continue;
    for (const auto& lesson : fs::directory_iterator(language.path())) {
      INFO(lesson.path().string());
      const fs::path english = folder / lesson.path().filename();
      REQUIRE(fs::exists(english));
      CHECK(done(lesson.path()) == done(english));
      CHECK(ui::readLesson(lesson.path().string()));
      ++translated;
    }
  }
  CHECK(translated >= 2);
}
