// SPDX-License-Identifier: Apache-2.0
// The cards of the Training exhibit: every parameter and read-out has a text, every formula can be typeset, and the
// errata that they name exist.
#include <catch2/catch.hpp>

#include "tests/ui/exhibits/training/training_rig.h"
#include "ui/properties/errata.h"
#include "ui/properties/formula.h"

using namespace sepx;
using namespace sepx::ui;

TEST_CASE("training: every card has a text, formulas that can be typeset and errata that exist", "[training][cards]") {
  TrainingRig rig;
  rig.settle();
  const auto check = [](const std::string& key, const std::string& help, const std::string& markup,
                        const std::vector<std::string>& ids) {
    INFO(key << ": " << markup);
    CHECK(help.size() > 10);
    if (!markup.empty()) {
      const Result<Formula> formula = Formula::parse(markup);
      INFO((formula ? "" : formula.error().message));
      CHECK(formula.has_value());
    }
    for (const std::string& id : ids)
      CHECK(findErratum(id) != nullptr);
  };
  for (const ReadOut& one : rig.editor.registry.readOuts())
    check(one.key, one.help, one.formula, one.errata);
  for (const Property& one : rig.editor.registry.properties())
    check(one.key, one.help, one.formula, one.errata);
}
