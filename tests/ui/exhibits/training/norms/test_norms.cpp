// SPDX-License-Identifier: Apache-2.0
// The experiment on Theorem 2.3 as a page: results follow the parameters, theory and measurement share a chart, the
// counterexample follows its numbers, and the text agrees with the results.
#include <cmath>

#include <catch2/catch.hpp>

#include "tests/ui/exhibits/training/training_rig.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

class NormsRig : public TrainingRig {
 public:
  NormsRig() {
    set("training.page", std::string("norms"));
    set("training.norms.d", 32.0);
    set("training.norms.updates", 1500.0);
    settle();
  }
};

}  // namespace

TEST_CASE("norms: the sign of the directionality follows the variances, not the theorem", "[training]") {
  NormsRig rig;
  CHECK(rig.number("training.norms.result.updates") == 1500);
  CHECK(rig.number("training.norms.result.worst") < 5);
  CHECK(rig.number("training.norms.result.energy") == Approx(1));
  CHECK(rig.number("training.norms.result.directionality.q1") > 0);
  CHECK(rig.number("training.norms.result.row_variance") > 2 * rig.number("training.norms.result.column_variance"));
  CHECK(rig.number("training.norms.result.against") > 0);
  CHECK(std::isnan(rig.number("training.norms.result.from")));
  CHECK(rig.sentences("training.norms.words").find("rows dominate") != std::string::npos);
  REQUIRE(rig.run("training.norms-context"));
  rig.settle();
  CHECK(rig.number("training.norms.context") == 1);
  CHECK(rig.number("training.norms.result.directionality.q3") < 0);
  CHECK(rig.number("training.norms.result.from") > 0);
  CHECK(rig.sentences("training.norms.words").find("columns dominate") != std::string::npos);
  rig.editor.history.undo();
  rig.settle();
  CHECK(rig.number("training.norms.predicted") == 1);
  CHECK(rig.number("training.norms.result.directionality.q1") > 0);
}

TEST_CASE("norms: each chart is drawn, with theory and measurement together", "[training]") {
  NormsRig rig;
  for (const char* const name : {"norms", "ratio", "survival", "directionality", "lemma", "words"})
    CHECK(rig.layer(std::string("training.norms.") + name));
  CHECK(rig.texts("training.norms.norms").find("rows, formula") != std::string::npos);
  CHECK(rig.texts("training.norms.ratio").find("column 1 over row m") != std::string::npos);
  CHECK(rig.texts("training.norms.survival").find("columns, formula") != std::string::npos);
  rig.set("training.norms.column", 500.0);  // limited to the last column
  rig.settle();
  CHECK(rig.texts("training.norms.ratio").find("column 32 over row m") != std::string::npos);
  const Numbers numbers = rig.exhibit->numbers();
  REQUIRE(numbers.tables.size() == 2);
  CHECK(numbers.tables.front().name == "norms");
}

TEST_CASE("norms: the counterexample to Lemma A.11 follows its numbers", "[training]") {
  NormsRig rig;
  CHECK(rig.number("training.norms.lemma.result.threshold") == Approx(std::sqrt(4.97) - 10));
  CHECK(rig.number("training.norms.lemma.result.wide") == 0);
  CHECK(rig.number("training.norms.lemma.result.narrow") == Approx(0.138).margin(0.002));
  rig.set("training.norms.lemma.z", 30.0);
  rig.frame();
  CHECK(rig.number("training.norms.lemma.result.wide") == 0);
  CHECK(rig.number("training.norms.lemma.result.narrow") == Approx(1 / (1 + 20.0 * 20)).epsilon(1e-3));
  rig.set("training.norms.lemma.z", 9.0);
  rig.frame();
  CHECK(std::isnan(rig.number("training.norms.lemma.result.narrow")));
  CHECK(rig.text("training.norms.lemma.result.problem").find("above the mean") != std::string::npos);
  CHECK(rig.texts("training.norms.words").find("above the mean") != std::string::npos);
  rig.set("training.norms.lemma.z", 12.0);
  rig.set("training.norms.lemma.narrow", 6.0);
  rig.frame();
  CHECK(rig.text("training.norms.lemma.result.problem").find("larger than the second") != std::string::npos);
}

TEST_CASE("norms: the role of t* determines whether rows or columns dominate", "[training]") {
  NormsRig rig;
  rig.set("training.norms.role", std::string("predicted"));
  rig.settle();
  CHECK(rig.number("training.norms.result.worst") < 5);
  CHECK(rig.number("training.norms.result.directionality.q3") < 0);
  CHECK(rig.texts("training.norms.ratio").find("(S61): column 1") != std::string::npos);
  CHECK(rig.sentences("training.norms.words").find("columns dominate") != std::string::npos);
  rig.set("training.norms.role", std::string("autoregressive"));
  rig.set("training.norms.early", 3.0);
  rig.settle();
  CHECK(rig.number("training.norms.result.worst") < 5);
  CHECK(rig.number("training.norms.result.directionality.q1") > 0);
  CHECK(rig.sentences("training.norms.words").find("When it is predicted") != std::string::npos);
  rig.set("training.norms.role", std::string("bidirectional"));
  rig.settle();
  CHECK(rig.number("training.norms.result.worst") < 5);
  CHECK(std::abs(rig.number("training.norms.result.directionality")) < 0.5);
  CHECK(rig.texts("training.norms.ratio").find("(S99): column 1") != std::string::npos);
}

TEST_CASE("norms: another seed gives other numbers, and the same seed the same numbers", "[training]") {
  NormsRig rig;
  const double first = rig.number("training.norms.result.directionality");
  rig.set("training.norms.seed", 1.0);
  rig.settle();
  CHECK(rig.number("training.norms.result.directionality") != first);
  rig.set("training.norms.seed", 0.0);
  rig.settle();
  CHECK(rig.number("training.norms.result.directionality") == first);
}
