// SPDX-License-Identifier: Apache-2.0
// A workbench can save every value that it accepts, and opening the file gives the same content.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "engine/core/random.h"
#include "tests/temporary_folder.h"
#include "tests/ui/workbench/file_desk.h"
#include "ui/workbench/workbench.h"

using namespace sepx;
using namespace sepx::ui;
using sepx::test::quietOptions;
using sepx::tests::TemporaryFolder;

namespace {

/// Texts with characters that are hard to store.
std::string strangeText(RandomStream& random) {
  static const std::vector<std::string> kPieces{"A",        "\"",   "\\",   "\n", "\t", std::string(1, '\0'),
                                                "\x1b[31m", "\x7f", "é",    "π",  "𝑥",  "\u202e",
                                                ",",        ";",    "{",    "]",  "#",  "-0",
                                                "1e999",    "nan",  "null", " "};
  std::string text;
  for (std::size_t pieces = random.below(12); pieces > 0; --pieces)
    text += kPieces[random.below(kPieces.size())];
  const std::size_t size = random.below(8) == 0 ? 9'990 + random.below(20) : 0;
  return text + std::string(size, 'x');
}

Value strangeValue(const Property& property, RandomStream& random) {
  const std::vector<double> numbers{property.min, property.max, 0,    -0.0,    0.1 + 0.2, 1e-300, 5e-324, -1,
                                    1e300,        1.5,          2e15, 1e9 + 1, 0.5,       3,      1.0 / 3};
  switch (property.kind) {
    case Kind::Toggle:
      return random.uniform() < 0.5;
    case Kind::Choice: {
      const std::vector<std::string> choices = property.liveChoices ? property.liveChoices() : property.choices;
      return choices[random.below(choices.size())];
    }
    case Kind::Text:
      return property.color && random.uniform() < 0.5 ? std::string("#12AbeF") : strangeText(random);
    default:
      return random.uniform() < 0.5 ? numbers[random.below(numbers.size())]
                                    : property.min + random.uniform() * (property.max - property.min);
  }
}

/// A random action of the user. Returns whether it was accepted.
bool act(Workbench& workbench, RandomStream& random, const TemporaryFolder& folder) {
  switch (random.below(4)) {
    case 0: {
      const std::vector<double> places{0, 1e9, -1e9, 0.1, 1e-320, -0.7, 1e9 + 1, 3.25};
      std::vector<double> theta(2 + random.below(2));
      for (double& one : theta)
        one = places[random.below(places.size())];
      return workbench.addPoint(theta).has_value();
    }
    case 1: {
      std::string table = "e,w,name,color\n";
      for (std::size_t row = random.below(4); row < 4; ++row) {
        std::string name = strangeText(random);
        for (std::size_t at = name.find('"'); at != std::string::npos; at = name.find('"', at + 2))
          name.insert(at, 1, '"');
        table += "0.5,-0.25,\"" + name + "\",#102030\n";
      }
      return workbench.open(folder.file("points.csv", table)).has_value();
    }
    default: {
      const auto& properties = workbench.properties().properties();
      const Property& property = properties[random.below(properties.size())];
      if (property.file) return false;  // paths are converted to relative ones and back
      std::string key = property.key;
      if (const auto list = key.find("[]"); list != std::string::npos) {
        const std::size_t size = workbench.document().list(key.substr(0, list)).size();
        if (size == 0) return false;
        key.replace(list, 2, "[" + std::to_string(random.below(size)) + "]");
      }
      return workbench.set(key, strangeValue(property, random)).has_value();
    }
  }
}

}  // namespace

TEST_CASE("Every accepted value is saved and opened again", "[open][property]") {
  const TemporaryFolder folder;
  std::size_t accepted = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, 17);
    Workbench workbench(quietOptions());
    for (int i = 0; i < 60; ++i)
      ++(act(workbench, random, folder) ? accepted : refused);
    REQUIRE(workbench.save(folder / "a.sepx"));
    Workbench again(quietOptions());
    const auto opened = again.open(folder / "a.sepx");
    INFO((opened ? "" : opened.error().message));
    REQUIRE(opened);
    INFO((again.messages().empty() ? std::string() : again.messages().front().text));
    CHECK(again.messages().empty());
    CHECK(again.document() == workbench.document());
    REQUIRE(again.save(folder / "b.sepx"));
    CHECK(readFile(folder / "a.sepx").value() == readFile(folder / "b.sepx").value());
  }
  CHECK(accepted > 1000);
  CHECK(refused > 100);
}
