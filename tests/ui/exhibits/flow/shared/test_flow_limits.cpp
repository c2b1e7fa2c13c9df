// SPDX-License-Identifier: Apache-2.0
// The colour scale: from the data, locked or shared; typed, dragged, undone. Equal ends give equal colours.
#include <cmath>

#include <catch2/catch.hpp>

#include "tests/ui/exhibits/flow/flow_rig.h"
#include "ui/exhibits/flow/shared/flow_limits.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

const markov::Chain kChain{0.5, 0.8};

std::vector<float> colors(const render::Scene& scene) {
  return *std::get<render::Heatmap>(Rig::layer(scene, "loss")->items.front()).values;
}

/// The colour bar: the tall narrow heatmap among the axes, in page coordinates.
render::Rect barOf(const render::Scene& scene) {
  for (const render::Item& item : Rig::layer(scene, "axes")->items)
    if (const auto* heat = std::get_if<render::Heatmap>(&item)) {
      const render::Point low = render::toPage(scene, heat->extent.min), high = render::toPage(scene, heat->extent.max);
      return {{low.x, high.y}, {high.x, low.y}};
    }
  throw std::runtime_error("no colour bar");
}

}  // namespace

TEST_CASE("The scale is determined by its two ends, and valueAt() is its inverse", "[flow][limits]") {
  const ColorScale scale{ColorLimits{0.4, 1.3}};
  CHECK(scale.place(0.4) == Approx(0).margin(1e-15));
  CHECK(scale.place(1.3) == Approx(1));
  for (const double place : {-0.4, 0.0, 0.1, 0.5, 0.9, 1.0, 1.4})
    CHECK(scale.place(scale.valueAt(place)) == Approx(place).margin(1e-12));
  CHECK(scale.place(0.5) > (0.5 - 0.4) / (1.3 - 0.4));  // small differences above the lower end are spread
  CHECK_FALSE(sound({1, 1}));
  CHECK_FALSE(sound({2, 1}));
  CHECK_FALSE(sound({0, std::nan("")}));
  CHECK_FALSE(sound({0, HUGE_VAL}));
  CHECK(sound({-1, 0}));
}

TEST_CASE("A scale from the data begins at the entropy rate", "[flow][limits]") {
  Rig rig;
  CHECK_FALSE(rig.exhibit->ownLimits().has_value());
  rig.settle();
  REQUIRE(rig.exhibit->ownLimits().has_value());
  CHECK(rig.number("flow.scale.low") == kChain.entropyRate());
  CHECK(rig.number("flow.scale.high") ==
        Approx(kChain.entropyRate() + 12 * (kChain.marginalEntropy() - kChain.entropyRate())));
  CHECK(rig.exhibit->ownLimits()->low == rig.number("flow.scale.low"));
  rig.set("flow.p", 0.9);
  rig.settle();
  CHECK(rig.number("flow.scale.low") == markov::Chain{0.9, 0.8}.entropyRate());
  rig.set("flow.show.loss", false);
  rig.settle();
  CHECK_FALSE(rig.exhibit->ownLimits().has_value());
  CHECK(std::isnan(rig.number("flow.scale.low")));
}

TEST_CASE("Locking keeps the ends that are shown when p and q change", "[flow][limits]") {
  Rig rig;
  rig.settle();
  const double low = rig.number("flow.scale.low"), high = rig.number("flow.scale.high");
  rig.set("flow.limits.mode", std::string("locked"));
  CHECK(rig.number("flow.limits.low") == low);
  CHECK(rig.number("flow.limits.high") == high);
  rig.set("flow.p", 0.9);
  rig.settle();
  CHECK(rig.number("flow.scale.low") == low);
  CHECK(rig.number("flow.scale.high") == high);
  rig.set("flow.limits.mode", std::string("auto"));
  CHECK_FALSE(rig.editor.document().has("flow.limits"));
  rig.settle();
  CHECK(rig.number("flow.scale.low") == markov::Chain{0.9, 0.8}.entropyRate());
  REQUIRE(rig.editor.history.undo());
  rig.settle();
  CHECK(rig.number("flow.scale.low") == low);
  // Before the first frame, and in the frame of a change of p, the ends are those of the document.
  Rig early;
  early.set("flow.p", 0.3);
  early.set("flow.limits.mode", std::string("locked"));
  CHECK(early.number("flow.limits.low") == markov::Chain{0.3, 0.8}.entropyRate());
}

TEST_CASE("Typing an end locks the scale, and invalid ends are refused", "[flow][limits]") {
  Rig rig;
  rig.settle();
  const double high = rig.number("flow.scale.high");
  rig.set("flow.limits.low", 0.55);
  CHECK(rig.text("flow.limits.mode") == "locked");
  CHECK(rig.number("flow.limits.high") == high);
  rig.settle();
  CHECK(rig.number("flow.scale.low") == 0.55);
  const std::uint64_t before = rig.editor.document().hash();
  for (const double bad : {0.55, 0.5, -3.0}) {
    const Result<void> done = rig.editor.set("flow.limits.high", bad, {});
    REQUIRE_FALSE(done);
    CHECK(done.error().message.find("must be below") != std::string::npos);
  }
  CHECK_FALSE(rig.editor.set("flow.limits.low", std::nan(""), {}));
  CHECK(rig.editor.document().hash() == before);
  const Document crossed = rig.editor.document().with("flow.limits.low", 5.0);
  CHECK_FALSE(rig.editor.registry.check(crossed));
  CHECK(rig.editor.registry.check(rig.editor.document()));
}

TEST_CASE("With the same ends the same loss has the same colour, for all p and q", "[flow][limits]") {
  const ColorLimits shared{0.4, 1.5};
  Rig rig;
  rig.sharedLimits = shared;
  const std::vector<float> first = colors(rig.settle());
  CHECK(rig.number("flow.scale.low") == 0.4);
  CHECK(rig.number("flow.scale.high") == 1.5);
  // The exhibit's own ends differ from the shared ones.
  CHECK(rig.exhibit->ownLimits()->low == kChain.entropyRate());
  Rig locked;
  locked.set("flow.limits.low", 0.4);
  locked.set("flow.limits.high", 1.5);
  CHECK(colors(locked.settle()) == first);
  // A locked scale ignores shared ends.
  locked.sharedLimits = ColorLimits{0, 9};
  CHECK(colors(locked.settle()) == first);
  rig.sharedLimits.reset();
  CHECK_FALSE(colors(rig.settle()) == first);
  rig.sharedLimits = shared;
  CHECK(colors(rig.settle()) == first);
}

TEST_CASE("The scale of a potential begins at its minimum and extends to twelve times the distance to the median",
          "[flow][limits]") {
  CHECK(limitsOf(std::vector<double>{3, 1, 2, std::nan(""), HUGE_VAL}) == ColorLimits{1, 13});
  CHECK(sound(limitsOf(std::vector<double>{})));
  CHECK(sound(limitsOf(std::vector<double>{7, 7, 7})));
  CHECK(sound(limitsOf(std::vector<double>{-1e9, -1e9, 1e9})));
}

TEST_CASE("A field without a potential has no scale", "[flow][limits]") {
  Rig rig;
  rig.set("flow.show.basin", false);
  rig.set("flow.field", std::string("duffing"));
  rig.settle();
  CHECK_FALSE(rig.exhibit->ownLimits().has_value());
  CHECK(std::isnan(rig.number("flow.scale.low")));
}

TEST_CASE("Dragging an end of the colour bar is one undo step, and a double click unlocks the ends", "[flow][limits]") {
  Rig rig;
  const render::Rect bar = barOf(rig.settle());
  const double low = rig.number("flow.scale.low"), high = rig.number("flow.scale.high");
  const render::Point upper{bar.min.x + 7, bar.min.y + 4};
  rig.frame({Rig::move(upper)});
  CHECK(rig.cursor == Cursor::Hand);
  const std::size_t steps = rig.editor.history.undoSteps();
  rig.drag(upper, {upper.x, upper.y + 0.3 * bar.height()});
  CHECK(rig.number("flow.limits.high") < high);
  CHECK(rig.number("flow.limits.high") > low);
  CHECK(rig.number("flow.limits.low") == Approx(low).margin(1e-12));
  CHECK(rig.editor.history.undoSteps() == steps + 1);
  rig.seconds += 2;
  rig.settle();
  const double dragged = rig.number("flow.limits.high");
  const render::Point lower{upper.x, bar.max.y - 4};
  rig.drag(lower, {lower.x, lower.y - 0.2 * bar.height()});
  CHECK(rig.number("flow.limits.low") > low);
  CHECK(rig.number("flow.limits.high") == Approx(dragged).margin(1e-12));
  // However far the pointer goes, the ends stay apart.
  rig.seconds += 2;
  rig.drag(upper, {upper.x, upper.y + 5 * bar.height()});
  CHECK(rig.number("flow.limits.high") > rig.number("flow.limits.low"));
  rig.seconds += 2;
  rig.click(upper);
  rig.click(upper);
  CHECK_FALSE(rig.editor.document().has("flow.limits"));
  CHECK(rig.number("flow.points.count") == 0);
  // Escape leaves neither a change nor an undo step.
  const std::size_t now = rig.editor.history.undoSteps();
  rig.seconds += 2;
  rig.frame({Rig::press(upper, true)});
  rig.frame({Rig::move({upper.x, upper.y + 60})});
  CHECK(rig.editor.document().has("flow.limits"));
  rig.frame({KeyPressed{Key::Escape, true, {}}});
  CHECK_FALSE(rig.editor.document().has("flow.limits"));
  CHECK(rig.editor.history.undoSteps() == now);
}

TEST_CASE("Invalid ends that were set for a hidden colour are removed when this colour is selected", "[flow][limits]") {
  for (const bool byField : {false, true}) {
    Rig rig;
    if (byField) {
      rig.set("flow.color", std::string("time"));
      rig.set("flow.field", std::string("duffing"));
    }
    rig.set("flow.limits.time.low", 6e13);  // this colour is hidden
    rig.set("flow.limits.time.high", 10.0);
    if (byField)
      rig.set("flow.field", std::string("ew"));
    else
      rig.set("flow.color", std::string("time"));
    CHECK_FALSE(rig.editor.document().has("flow.limits.time.low"));
    CHECK(rig.editor.registry.check(rig.editor.document()));
  }
  Rig rig;  // valid ends are kept
  rig.set("flow.limits.time.low", 1.0);
  rig.set("flow.limits.time.high", 100.0);
  rig.set("flow.color", std::string("time"));
  CHECK(rig.number("flow.limits.time.high") == 100);
}

TEST_CASE("Panes have separate job lanes", "[flow][limits]") {
  Rig rig;
  rig.frame();
  ExhibitContext second = rig.context();
  second.pane = 2;
  second.jobs = JobLanes(rig.jobs, 2);
  const std::unique_ptr<Exhibit> other = makeFlowExhibit();
  other->update(second);
  std::vector<std::string> lanes;
  for (const JobStatus& job : rig.jobs.list())
    lanes.push_back(job.lane);
  CHECK(std::count(lanes.begin(), lanes.end(), "flow.loss") == 1);
  CHECK(std::count(lanes.begin(), lanes.end(), "flow.loss@2") == 1);
  rig.jobs.finish();
  other->update(second);
  CHECK(other->complete());
}
