// SPDX-License-Identifier: Apache-2.0
// The page Routing: both queries of a pair follow their positions in the frame of a drag, invalid positions are refused
// and change nothing, switches change the model, and the model is that of the slider's step.
#include <fmt/format.h>
#include <chrono>
#include <cmath>
#include <numeric>

#include <catch2/catch.hpp>

#include "engine/train/run_store.h"
#include "engine/train/saved_model.h"
#include "engine/train/trainer.h"
#include "tests/folders.h"
#include "tests/ui/page/runs_exhibit_rig.h"
#include "ui/exhibits/reversal/reversal_exhibit.h"
#include "ui/exhibits/reversal/routing/routing_result.h"
#include "ui/exhibits/reversal/shared/reversal_races.h"
#include "ui/race/race_state.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

/// Without a run the shipped model answers.
class RoutingRig : public RunsExhibitRig {
 public:
  RoutingRig() : RunsExhibitRig(makeReversalExhibit()) { set("reversal.page", std::string("routing")); }
  /// Trains a run with a checkpoint every ten steps and returns its folder.
  std::string trained(const std::string& name, const std::string& model, const std::string& rest) {
    const std::string text =
        R"({"name": ")" + name +
        R"(", "model": {"length": 6, "d_model": 16, "heads": 1, "output": "untied", "positions": "rope", )" + model +
        "}, " + rest + R"(, "schedule": {"steps": 20, "batch": 16, "evaluate_every": 10, "save_every": 10}})";
    const auto config = train::parseRunConfig(text, name, ".");
    if (!config) FAIL(config.error().message);
    train::TrainerOptions to;
    to.folder = own / name;
    to.background = false;
    to.threads = 1;
    REQUIRE((*train::Trainer::start(*config, to))->finish());
    return to.folder;
  }
  void show(const std::vector<std::string>& folders) {
    editor.commit(withRuns(reversalRaces(), editor.document(), folders), "open", {});
    settle();
  }
  /// The runs of Table 6 ship without weights, so the page measures the shipped model.
  void showRunsWithoutWeights() {
    set("reversal.setting", std::string("batch64"));
    settle();
  }
  /// The middle of a position of one query, in window coordinates.
  render::Point placeOf(reversal::Direction direction, int place) const {
    int seen = 0;
    const int length = static_cast<int>(number("reversal.routing.length"));
    for (const render::Label& label : ofQueries<render::Label>()) {
      const bool token = label.text == "0" || label.text == "[M]" || label.text.size() == 1;
      if (!token || label.alignX != render::AlignX::Center) continue;
      if (label.at.y > 110) continue;  // the names of the column of Y
      if (seen++ == static_cast<int>(direction) * length + place)
        return {label.at.x + area.min.x, label.at.y + area.min.y};
    }
    FAIL("no place " << place);
    return {};
  }
  std::string failure() const { return text("reversal.routing.failure"); }
  /// Items of both queries, the forward one first.
  template <class T>
  std::vector<T> ofQueries() const {
    std::vector<T> all = items<T>("reversal.routing.forward");
    for (const T& item : items<T>("reversal.routing.reverse"))
      all.push_back(item);
    return all;
  }
  std::string queryTexts() const { return readLabels(ofQueries<render::Label>()); }
};

const std::string kPairs = R"("data": {"kind": "pairs"}, "objective": {"kind": "diffusion"})";
const std::string kSeesAll = R"("causal": false)";

/// The values of the shipped model, computed independently of the page.
reversal::Route expected(reversal::Direction direction, int first, int second) {
  const std::string folder = tests::sourceFolder() + "/assets/models/mdm";
  const auto config = train::savedConfig(folder);
  const auto saved = train::readSaved(folder, *config);
  REQUIRE(saved);
  const auto layer = reversal::OneLayer::make(saved->config.model, saved->theta);
  const reversal::Query query = reversal::maskedQuery({3, first, second, 10}, direction);
  return reversal::route(*layer, query, query.hidden);
}

}  // namespace

TEST_CASE("routing: if no run has weights, the shipped model answers both queries", "[routing]") {
  RoutingRig rig;
  rig.showRunsWithoutWeights();
  REQUIRE(rig.failure().empty());
  CHECK(rig.text("reversal.routing.model") == "The trained MDM");
  CHECK(rig.number("reversal.routing.length") == 10);
  for (const reversal::Direction direction : reversal::kDirections) {
    const std::string at = std::string("reversal.routing.") + reversal::directionWord(direction) + ".";
    const reversal::Route route = expected(direction, 2, 5);
    double sum = 0;
    for (const char* const part : {"predicted", "residual", "feed_forward", "norms", "biases"})
      sum += rig.number(at + part);
    CHECK(sum == Approx(rig.number(at + "logit")).margin(1e-9));
    CHECK(rig.number(at + "logit") == Approx(route.actual[3]));
    CHECK(rig.number(at + "alpha") == Approx(route.alpha[direction == reversal::Direction::Forward ? 5 : 2]));
    CHECK(rig.number(at + "storage") == Approx(route.column[3]));
    CHECK(rig.number(at + "probability") == Approx(route.probability));
  }
  CHECK(rig.text("reversal.routing.forward.answer") == "d");
  CHECK(rig.number("reversal.routing.own.forward") > 0.95);
  CHECK(rig.number("reversal.routing.own.reverse") < 0.5);
  CHECK(rig.number("reversal.routing.own.reverse_letters") > 0.9);
  CHECK(rig.queryTexts().find("predicted: storage × routing") != std::string::npos);
}

TEST_CASE("routing: attention, storage and logit follow a dragged position in the same frame", "[routing]") {
  RoutingRig rig;
  rig.showRunsWithoutWeights();
  const render::Point mask = rig.placeOf(reversal::Direction::Forward, 2),
                      to = rig.placeOf(reversal::Direction::Forward, 0);
  rig.frame({rig.move(mask)});
  CHECK(rig.cursor == Cursor::Move);
  rig.frame({rig.press(mask, true)});
  rig.frame({rig.move(to)});
  CHECK(rig.number("reversal.routing.first") == 0);
  for (const reversal::Direction direction : reversal::kDirections) {
    const reversal::Route route = expected(direction, 0, 5);
    const std::string at = std::string("reversal.routing.") + reversal::directionWord(direction) + ".";
    CHECK(rig.number(at + "logit") == Approx(route.actual[3]));
    CHECK(rig.number(at + "predicted") == Approx(route.target.storage));
  }
  CHECK(rig.queryTexts().find(fmt::format("{:.2f}", expected(reversal::Direction::Forward, 0, 5).actual[3])) !=
        std::string::npos);
  rig.frame({rig.press(to, false)});
  // In the reverse query the letter is at the first position.
  rig.drag(rig.placeOf(reversal::Direction::Reverse, 0), rig.placeOf(reversal::Direction::Reverse, 3));
  CHECK(rig.number("reversal.routing.first") == 3);
  rig.drag(rig.placeOf(reversal::Direction::Reverse, 5), rig.placeOf(reversal::Direction::Reverse, 8));
  CHECK(rig.number("reversal.routing.second") == 8);
  // One drag is one undo step.
  rig.editor.history.undo();
  rig.frame();
  CHECK(rig.number("reversal.routing.second") == 5);
}

TEST_CASE("routing: impossible positions are refused with one message, and nothing changes", "[routing]") {
  RoutingRig rig;
  rig.settle();
  const auto revision = rig.editor.history.revision();
  CHECK(rig.refusal("reversal.routing.first", 5.0) ==
        "Both letters stand at place 5; move one of them to another place.");
  CHECK(rig.refusal("reversal.routing.first", 7.0).find("the small letter first") != std::string::npos);
  CHECK(rig.refusal("reversal.routing.second", 10.0) ==
        "Place 10 is outside the sequence; places of a sequence of 10 tokens are 0 to 9.");
  rig.drag(rig.placeOf(reversal::Direction::Forward, 5), rig.placeOf(reversal::Direction::Forward, 2));
  CHECK(rig.number("reversal.routing.second") == 3);  // the nearest valid position
  REQUIRE(rig.editor.said.size() == 1);
  CHECK(rig.editor.said[0] == "Both letters stand at place 2; move one of them to another place.");
  rig.editor.history.undo();
  CHECK(rig.editor.history.revision() != revision);  // the drag itself was an undo step
  rig.frame();
  CHECK(rig.number("reversal.routing.second") == 5);
}

TEST_CASE("routing: using the attention of the other query exchanges both answers, and the switches are buttons",
          "[routing]") {
  RoutingRig rig;
  rig.settle();
  const double forward = rig.number("reversal.routing.forward.logit"), all = rig.number("reversal.routing.own.forward");
  rig.set("reversal.routing.attention", std::string("other"));
  rig.settle();
  CHECK(rig.number("reversal.routing.reverse.logit") == Approx(forward));
  CHECK(rig.number("reversal.routing.switched.reverse") == Approx(all));
  CHECK(rig.number("reversal.routing.own.forward") == all);
  rig.set("reversal.routing.attention", std::string("own"));
  rig.set("reversal.routing.encoding", std::string("none"));
  rig.settle();
  CHECK(rig.number("reversal.routing.forward.logit") == Approx(rig.number("reversal.routing.reverse.logit")));
  CHECK(rig.number("reversal.routing.switched.forward") == Approx(rig.number("reversal.routing.switched.reverse")));
  rig.set("reversal.routing.order", std::string("shuffled"));
  rig.settle();
  CHECK(rig.number("reversal.routing.forward.logit") == Approx(rig.number("reversal.routing.reverse.logit")));
  for (const render::Label& label : rig.items<render::Label>("reversal.routing.choices"))
    if (label.text == "in order") rig.click({label.at.x, label.at.y});
  CHECK(rig.text("reversal.routing.order") == "kept");
}

TEST_CASE("routing: the model is that of the run at the slider's step, and a frame without changes keeps the picture",
          "[routing]") {
  RoutingRig rig;
  rig.show({rig.trained("pairs", kSeesAll, kPairs)});
  REQUIRE(rig.failure().empty());
  CHECK(rig.text("reversal.routing.model") == "pairs");
  CHECK(rig.number("reversal.routing.step") == 20);
  CHECK(rig.number("reversal.routing.length") == 6);
  const double last = rig.number("reversal.routing.forward.logit");
  const std::uint64_t revision = rig.layer("reversal.routing.forward")->revision;
  rig.frame();
  CHECK(rig.layer("reversal.routing.forward")->revision == revision);
  rig.set("reversal.step", 10.0);
  rig.settle();
  CHECK(rig.number("reversal.routing.step") == 10);
  CHECK(rig.number("reversal.routing.forward.logit") != last);
}

TEST_CASE("routing: a branch continues from the step shown with a group of parameters frozen", "[routing]") {
  RoutingRig rig;
  const std::string parent = rig.trained("pairs", kSeesAll, kPairs);
  rig.show({parent});
  REQUIRE(rig.run("reversal.routing-freeze-routing"));
  rig.settle();
  REQUIRE(rig.number("reversal.runs.count") == 2);
  const std::string branch = rig.editor.document().at("reversal.runs[1].folder").get<std::string>();
  for (int i = 0; i < 50 && rig.text("reversal.runs[1].state") != "finished"; ++i)
    rig.settle();
  const auto reader = train::RunReader::open(branch);
  REQUIRE(reader);
  const auto record = (*reader)->record();
  CHECK(record->parent.find("@20") != std::string::npos);
  CHECK(record->config.find("\"routing\"") != std::string::npos);
  CHECK(record->name == "pairs, routing frozen from step 20");
  CHECK(record->steps == 40);
}

TEST_CASE("routing: an autoregressive model is asked for the partner after the previous tokens", "[routing]") {
  RoutingRig rig;
  rig.show(
      {rig.trained("arm", R"("causal": true)", R"("data": {"kind": "pairs"}, "objective": {"kind": "next_token"})")});
  REQUIRE(rig.failure().empty());
  CHECK(rig.queryTexts().find("?") != std::string::npos);
  CHECK(rig.texts("reversal.routing.answers").find("predicts the next token") != std::string::npos);
  CHECK(std::isnan(rig.number("reversal.routing.own.forward")));
  CHECK(rig.layer("reversal.routing.choices") == nullptr);
}

TEST_CASE("routing: a model that the page cannot analyse is reported in one message", "[routing]") {
  RoutingRig rig;
  rig.show({rig.trained("deep", kSeesAll + R"(, "layers": 2)", kPairs)});
  CHECK(rig.failure().find("this one has 2 layers") != std::string::npos);
  CHECK(rig.texts("reversal.routing.sentence").find("2 layers") != std::string::npos);
  RoutingRig other;
  other.show(
      {other.trained("repeats", kSeesAll, R"("data": {"kind": "repeats"}, "objective": {"kind": "diffusion"})")});
  CHECK(other.failure().find("trained on other data") != std::string::npos);
  // The pair does not fit the run, but the document keeps it.
  RoutingRig shorter;
  shorter.settle();
  shorter.set("reversal.routing.second", 8.0);
  shorter.show({shorter.trained("pairs", kSeesAll, kPairs)});
  CHECK(shorter.failure() == "Place 8 is outside the sequence; places of a sequence of 6 tokens are 0 to 5.");
  CHECK(shorter.number("reversal.routing.second") == 8);
}

TEST_CASE("routing: a figure has no controls, and the exported numbers are those of both queries", "[routing]") {
  RoutingRig rig;
  rig.settle();
  rig.figure = true;
  rig.frame();
  CHECK(rig.layer("reversal.routing.choices") == nullptr);
  const Numbers numbers = rig.exhibit->numbers();
  const auto find = [&](const std::string& name) -> const Table* {
    for (const Table& table : numbers.tables)
      if (table.name == name) return &table;
    return nullptr;
  };
  REQUIRE(find("routing"));
  CHECK(find("routing")->rows() == 20);
  REQUIRE(find("storage"));
  CHECK(find("storage")->rows() == 2 * 54);
  const auto& alpha = std::get<std::vector<double>>(find("routing")->find("alpha")->values);
  CHECK(std::accumulate(alpha.begin(), alpha.begin() + 10, 0.0) == Approx(1));
}

TEST_CASE("routing: a small pane shows the parts that fit", "[routing]") {
  RoutingRig rig;
  for (const render::Point size : {render::Point{420, 300}, {300, 160}, {120, 90}, {40, 30}, {980, 120}}) {
    rig.area = {{0, 0}, size};
    rig.settle();
    REQUIRE(rig.scene != nullptr);
    for (const render::Fill& bar : rig.ofQueries<render::Fill>())
      for (const render::Point& at : bar.points)
        CHECK((std::isfinite(at.x) && std::isfinite(at.y) && at.y > -1 && at.y < size.y + 60));
    for (int i = 0; i < 5; ++i)
      rig.drag({size.x * 0.3, size.y * 0.3}, {size.x * 0.1 * i, size.y * 0.4});
  }
}

TEST_CASE("routing: while a run trains here the page shows its live model", "[routing]") {
  RoutingRig rig;
  rig.set("reversal.seeds", 1.0);
  rig.frame();
  REQUIRE(rig.run("reversal.start"));
  const auto trainTo = [&rig](double step) {
    for (int i = 0; i < 600 && !(rig.number("reversal.routing.step") >= step); ++i) {
      rig.jobs.finish();
      rig.frame();
    }
    return rig.number("reversal.routing.step");
  };
  const double first = trainTo(8);
  REQUIRE(first >= 8);
  CHECK(first < 250);  // before the first checkpoint of the run
  const double logit = rig.number("reversal.routing.forward.logit");
  REQUIRE(trainTo(first + 8) > first);
  CHECK(rig.number("reversal.routing.forward.logit") != logit);
  REQUIRE(rig.run("reversal.pause"));
}

TEST_CASE("routing: time of a frame in which a position is dragged", "[.][time]") {
  RoutingRig rig;
  rig.settle();
  const render::Point mask = rig.placeOf(reversal::Direction::Forward, 2);
  rig.frame({rig.move(mask)});
  rig.frame({rig.press(mask, true)});
  using Clock = std::chrono::steady_clock;
  double worst = 0, sum = 0;
  constexpr int kFrames = 100;
  for (int i = 0; i < kFrames; ++i) {
    const render::Point to = rig.placeOf(reversal::Direction::Forward, i % 5);
    const Clock::time_point from = Clock::now();
    rig.frame({rig.move(to)});
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - from).count();
    worst = std::max(worst, ms), sum += ms;
  }
  WARN("a frame of a drag: mean " << sum / kFrames << " ms, worst " << worst << " ms");
  CHECK(worst < 1000.0 / 60);
}

TEST_CASE("routing: a low page leaves parts out without empty space in their place", "[routing]") {
  RoutingRig rig;
  rig.showRunsWithoutWeights();
  bool whole = false, low = false;
  for (double height = 280; height <= 700; height += 10) {
    rig.area = {{0, 0}, {960, height}};
    rig.settle();
    const std::string texts = rig.queryTexts();
    CAPTURE(height);
    CHECK(texts.find("attention α") != std::string::npos);
    double foot = 0, last = 0;
    for (const render::Label& label : rig.ofQueries<render::Label>())
      last = std::max(last, label.at.y);
    for (const render::Label& label : rig.items<render::Label>("reversal.routing.answers"))
      foot = label.at.y;
    if (foot == 0) continue;  // a small pane has no text below
    CHECK(foot - last < 60);  // points, about four lines
    const bool column = texts.find("storage: what") != std::string::npos;
    whole |= column && texts.find("actual: the logit") != std::string::npos;
    low |= !column;
  }
  CHECK(whole);
  CHECK(low);
}
