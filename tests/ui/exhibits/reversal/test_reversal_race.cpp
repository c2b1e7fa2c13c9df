// SPDX-License-Identifier: Apache-2.0
// The race of the Reversal exhibit: shipped runs are shown at once, seeds are combined into bands, and a text says what
// the single accuracy hides.
#include <cmath>

#include <catch2/catch.hpp>

#include "tests/folders.h"
#include "tests/ui/page/runs_exhibit_rig.h"
#include "ui/exhibits/reversal/race/seed_groups.h"
#include "ui/exhibits/reversal/reversal_exhibit.h"
#include "ui/exhibits/reversal/shared/reversal_races.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

class RaceRig : public RunsExhibitRig {
 public:
  RaceRig() : RunsExhibitRig(makeReversalExhibit()) {}
  ExhibitContext context() override {
    ExhibitContext made = RunsExhibitRig::context();
    made.assets = tests::sourceFolder() + "/assets";
    return made;
  }
};

}  // namespace

TEST_CASE("reversal race: shipped runs show both accuracies without training", "[reversal]") {
  RaceRig rig;
  rig.settle();
  CHECK(rig.text("reversal.race.hides").find("RoPE, seed") == std::string::npos);  // three seeds are one curve
  CHECK(rig.number("reversal.runs.count") == 6);                                   // MDM and ARM with three seeds each
  CHECK(rig.number("reversal.newest.step") == 1500);
  CHECK(rig.number("reversal.runs[0].accuracy.reverse") > 0);
  CHECK(rig.number("reversal.runs[3].accuracy.reverse") == 0);  // the ARM
  CHECK(rig.text("reversal.race.hides").find("placeholder 0") != std::string::npos);
  rig.set("reversal.setting", "batch64");
  rig.settle();
  CHECK(rig.number("reversal.newest.step") == 3000);
  rig.set("reversal.experiment", "encodings");
  rig.settle();
  CHECK(rig.number("reversal.runs.count") == 9);
  CHECK(rig.number("reversal.runs[6].letters.reverse") == 1);  // ALiBi
}

TEST_CASE("reversal race: Start trains the selected models, with one run per seed", "[reversal]") {
  const Document document = Document().with("reversal.seeds", 2).with("reversal.setting", "quick");
  const RaceKind& kind = reversalRaces();
  const auto configs = kind.configs(kind.experiment("mdm-arm"), document, tests::sourceFolder() + "/assets");
  REQUIRE(configs);
  REQUIRE(configs->size() == 4);
  CHECK((*configs)[1].seed == 1);
  CHECK((*configs)[0].model.d_model == 64);
  CHECK((*configs)[2].model.causal);
  Document none = document;
  for (const Encoding& one : reversalEncodings())
    none = none.with(std::string("reversal.encodings.") + one.word, false);
  CHECK_FALSE(kind.configs(kind.experiment("encodings"), none, tests::sourceFolder() + "/assets"));
  const auto zero = kind.configs(kind.experiment("zero-output"), document, tests::sourceFolder() + "/assets");
  REQUIRE(zero);
  CHECK(zero->back().initial.zeroOutput);
}

TEST_CASE("reversal race: a band has the mean and the range over the seeds", "[reversal]") {
  const RunSeries a{"x", -1, -1, {0, 10}, {0, 0.2}}, b{"x", -1, -1, {0, 10, 20}, {1, 0.6, std::nan("")}};
  const SeedBand band = seedBand({&a, &b});
  REQUIRE(band.steps == std::vector<double>{0, 10});
  CHECK(band.mean[1] == Approx(0.4));
  CHECK(band.low[1] == Approx(0.2));
  CHECK(band.high[1] == Approx(0.6));
}
