// SPDX-License-Identifier: Apache-2.0
// The help text of every parameter and read-out consists of full sentences.
#include <cctype>

#include <catch2/catch.hpp>

#include "tests/ui/workbench/parts.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

/// A help text must not continue its label, as in "Of the tensor's values."
void checkSentence(const std::string& key, const std::string& help) {
  if (help.empty()) return;
  CAPTURE(key, help);
  CHECK_FALSE(help.starts_with("Of "));
  CHECK(std::islower(static_cast<unsigned char>(help.front())) == 0);
}

}  // namespace

TEST_CASE("The help text of every parameter and read-out is a full sentence", "[properties]") {
  test::Parts parts;
  const PropertyRegistry& registry = parts.panes.at(1).properties();
  REQUIRE(registry.properties().size() > 100);
  for (const Property& one : registry.properties())
    checkSentence(one.key, one.help);
  for (const ReadOut& one : registry.readOuts())
    checkSentence(one.key, one.help);
}
