// SPDX-License-Identifier: Apache-2.0
// The page Gradients: its numbers are those of the model at the step, for the selected pair and step size; what cannot
// be measured is reported in its place.
#include <algorithm>
#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/nn/transformer.h"
#include "engine/reversal/ideal_cosines.h"
#include "tests/folders.h"
#include "tests/ui/exhibits/reversal/saved_run_rig.h"
#include "tests/ui/page/words_apart.h"
#include "ui/exhibits/reversal/gradients/gradients_result.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

nn::Transformer<double> modelOf(const SavedRunRig& rig, std::int64_t step, ThreadPool& pool) {
  nn::ModelConfig config;
  const std::vector<float> theta = rig.thetaOf(0, step, config);
  nn::Transformer<double> model(config, pool);
  std::copy(theta.begin(), theta.end(), model.theta().begin());
  return model;
}

}  // namespace

TEST_CASE("gradients: the numbers belong to the selected pair at the step shown", "[reversal]") {
  SavedRunRig rig({tinyPairsConfig()}, "gradients");
  rig.set("reversal.gradients.letter", 7.0);
  rig.set("reversal.gradients.lower", 1.0);
  rig.set("reversal.gradients.upper", 3.0);
  rig.set("reversal.gradients.rate", 1e-4);
  rig.set("reversal.step", 13.0);
  rig.settle();
  CHECK(rig.text("reversal.gradients.failure").empty());
  CHECK(rig.number("reversal.gradients.at") == 10);
  CHECK(rig.number("reversal.gradients.pairs") == 1);

  ThreadPool pool(1);
  nn::Transformer<double> model = modelOf(rig, 10, pool);
  const std::vector<reversal::Pair> pair{{7, 1, 3, 6}};
  const auto gradients = reversal::queryGradients<double>(model, pair);
  const reversal::Alignment expected = reversal::alignmentOf(model.layout(), gradients);
  CHECK(rig.number("reversal.gradients.cosine") == Approx(expected.all.cosine()));
  CHECK(rig.number("reversal.gradients.cosine.keys") == Approx(expected.of(nn::ParameterGroup::Keys).cosine()));
  CHECK(std::isnan(rig.number("reversal.gradients.cosine.positions")));  // RoPE has no parameters
  CHECK(rig.number("reversal.gradients.forward_loss") == Approx(expected.forwardLoss));
  CHECK(rig.number("reversal.gradients.step.predicted") == Approx(-1e-4 * expected.all.product));
  CHECK(rig.number("reversal.gradients.step.measured") ==
        Approx(reversal::stepEffect<double>(model, pair, gradients, 1e-4).reverse).epsilon(1e-6));
  CHECK(rig.number("reversal.gradients.step.measured") ==
        Approx(rig.number("reversal.gradients.step.predicted")).epsilon(0.01));
  CHECK(rig.number("reversal.gradients.storage.cosine") ==
        Approx(rig.number("reversal.gradients.storage.errors") * rig.number("reversal.gradients.storage.masses")));
  CHECK(rig.number("reversal.gradients.storage.errors") >= 0.5);
  CHECK(rig.number("reversal.gradients.storage.column") > 0);
  CHECK(std::isfinite(rig.number("reversal.gradients.idealised.queries")));
  CHECK(std::isnan(rig.number("reversal.gradients.idealised.norms")));  // the theory has no norms
  for (const char* const sign : {"rises", "falls", "forward", "reverse", "same", "formula"}) {
    const double share = rig.number(std::string("reversal.gradients.signs.") + sign);
    CHECK(share >= 0);
    CHECK(share <= 1);
  }
  CHECK(rig.texts("reversal.gradients.bars").find("idealised") != std::string::npos);
  CHECK(rig.layer("reversal.gradients.steps") != nullptr);

  const double before = rig.number("reversal.gradients.cosine");
  rig.set("reversal.step", 20.0);
  rig.settle();
  CHECK(rig.number("reversal.gradients.at") == 20);
  CHECK(rig.number("reversal.gradients.cosine") != before);
}

TEST_CASE("gradients: the computation can be cancelled at any time, and reports its progress", "[reversal]") {
  GradientsRequest request;
  request.model.folder = tests::sourceFolder() + "/assets/models/mdm";
  request.of = GradientsOf::Mean;
  std::vector<double> shares;
  const auto whole = measureGradients(request, [&shares](double share) {
    shares.push_back(share);
    return true;
  });
  REQUIRE(whole);
  REQUIRE((*whole != nullptr));
  CHECK(std::is_sorted(shares.begin(), shares.end()));
  CHECK(shares.front() == 0);
  CHECK(shares.back() > 0.9);
  CHECK(shares.back() < 1);
  for (const std::size_t last : {std::size_t{1}, shares.size() / 2, shares.size()}) {
    std::size_t asked = 0;
    const auto ended = measureGradients(request, [&asked, last](double) { return ++asked < last; });
    REQUIRE(ended);
    CHECK((*ended == nullptr));
    CHECK(asked == last);
  }
}

TEST_CASE("gradients: for a run with one saved step a message replaces the curve", "[reversal]") {
  train::RunConfig config = tinyPairsConfig();
  config.schedule.saveEvery = config.schedule.steps;
  SavedRunRig rig({config}, "gradients");
  rig.forget(0, 0);  // start and end are always saved
  rig.settle();
  CHECK(rig.layer("reversal.gradients.steps") == nullptr);
  CHECK(rig.words("reversal.gradients.facts").find("saved at one step, 20") != std::string::npos);
}

TEST_CASE("gradients: for a mean over pairs the mean over single pairs is also shown, and no idealised values",
          "[reversal]") {
  SavedRunRig rig({tinyPairsConfig()}, "gradients");
  rig.set("reversal.gradients.of", std::string("mean"));
  rig.settle();
  CHECK(rig.number("reversal.gradients.pairs") == kMeanPairs);
  ThreadPool pool(1);
  nn::Transformer<double> model = modelOf(rig, 20, pool);
  const std::vector<reversal::Pair> pairs = meanPairs(6);
  double single = 0;
  for (const reversal::Pair& pair : pairs)
    single += reversal::alignmentOf(model.layout(), reversal::queryGradients<double>(model, std::span(&pair, 1)))
                  .all.cosine() /
              static_cast<double>(pairs.size());
  CHECK(rig.number("reversal.gradients.single") == Approx(single));
  CHECK(std::isnan(rig.number("reversal.gradients.idealised.queries")));
}

TEST_CASE("gradients: invalid input is refused or reported, and the page stays usable", "[reversal]") {
  SavedRunRig rig({tinyPairsConfig(), tinyCausalConfig()}, "gradients");
  rig.settle();
  CHECK(rig.refusal("reversal.gradients.lower", 4.0).find("before its capital") != std::string::npos);
  CHECK(rig.number("reversal.gradients.lower") == 0);
  rig.set("reversal.gradients.upper", 11.0);  // the sequences have six positions
  rig.settle();
  CHECK(rig.text("reversal.gradients.failure").find("0 to 5") != std::string::npos);
  CHECK(rig.texts("reversal.gradients.sentence").find("0 to 5") != std::string::npos);
  rig.set("reversal.gradients.upper", 5.0);
  rig.settle();
  CHECK(rig.text("reversal.gradients.failure").empty());
  rig.set("reversal.run", 1.0);
  rig.settle();
  CHECK(rig.text("reversal.gradients.failure").find("left to right") != std::string::npos);
}

TEST_CASE("gradients: without a run the shipped model is used, and a run on other data is refused", "[reversal]") {
  SavedRunRig none({}, "gradients");
  none.set("reversal.setting", "full");  // no run ships for this setting
  none.settle();
  CHECK(none.text("reversal.gradients.failure").empty());
  CHECK(none.number("reversal.gradients.at") == -1);
  CHECK(none.texts("reversal.gradients.title").find("ships with the program") != std::string::npos);
  CHECK(std::isfinite(none.number("reversal.gradients.cosine")));
  CHECK(none.words("reversal.gradients.facts").find("saved at one step") ==
        std::string::npos);  // it has no saved steps

  train::RunConfig other = tinyPairsConfig();
  other.data.kind = data::SourceKind::Repeats;
  other.model.vocabulary = 60;
  SavedRunRig rig({other}, "gradients");
  rig.settle();
  CHECK(rig.text("reversal.gradients.failure").find("other data") != std::string::npos);
}

TEST_CASE("gradients: a result stays visible until the next one is ready", "[reversal]") {
  SavedRunRig rig({tinyPairsConfig()}, "gradients");
  rig.settle();
  rig.set("reversal.step", 10.0);
  for (int i = 0; i < 3; ++i) {
    rig.frame();
    CHECK(rig.layer("reversal.gradients.bars") != nullptr);
    CHECK(rig.layer("reversal.gradients.sentence") == nullptr);
  }
  rig.settle();
  CHECK(rig.number("reversal.gradients.at") == 10);
}

TEST_CASE("gradients: a click in the chart of rates selects the step size", "[reversal]") {
  SavedRunRig rig({tinyPairsConfig()}, "gradients");
  rig.settle();
  const render::Layer* const layer = rig.layer("reversal.gradients.rates");
  REQUIRE(layer != nullptr);
  std::vector<render::Point> points;  // measured changes, after the legend entries
  for (const render::Item& item : layer->items)
    if (const auto* const marker = std::get_if<render::Marker>(&item)) points.push_back(marker->at);
  REQUIRE(points.size() > 6);
  const render::Point at = points[points.size() / 2];
  const double before = rig.number("reversal.gradients.rate");
  rig.click({at.x + 3, at.y - 3});
  rig.settle();
  CHECK(rig.number("reversal.gradients.rate") != before);
  CHECK(rig.number("reversal.gradients.rate") > 1e-7);
}

TEST_CASE("gradients: no heading or number extends past the edge", "[reversal]") {
  SavedRunRig rig({tinyPairsConfig()}, "gradients");
  rig.settle();
  for (const double width : {520.0, 600.0, 660.0, 738.0, 900.0, 1378.0}) {
    rig.area = {{0, 0}, {width, 500}};
    rig.settle();
    const std::string faults = wordFaults(*rig.scene, width, [](const Word&, const Word&) { return true; });
    INFO(width << faults);
    CHECK(faults.empty());
  }
}
