// SPDX-License-Identifier: Apache-2.0
// The library's view of a sweep: progress, a chart over one or two fields, the table, selection and opening, refreshing
// while shards write, and messages if there is nothing to show.
#include <cmath>
#include <filesystem>
#include <limits>

#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "tests/engine/sweep/sweep_sample.h"
#include "tests/ui/exhibits/training/training_rig.h"
#include "ui/exhibits/training/library/sweep_chart.h"
#include "ui/page/requests.h"

using namespace sepx;
using namespace sepx::ui;
using train::RunState;
namespace fs = std::filesystem;

namespace {

constexpr const char* kTwoFields = R"({"optimisation.learning_rate": [0.001, 0.1], "model.d_model": [8, 16]})";

/// A window with the folder of a sweep open.
class SweepRig : public TrainingRig {
 public:
  explicit SweepRig(const std::string& path) {
    editor.commit(with(editor.document(), OpenSweep{path}), "", "");
    settle();
  }
  std::string sweep(const std::string& key) const { return text("training.library.sweep." + key); }
  double sweepNumber(const std::string& key) const { return number("training.library.sweep." + key); }
  std::string chart() const { return texts("training.library.sweep.chart"); }
  std::string sentence() const { return texts("training.library.sentence"); }
  void choose(const std::string& key, const std::string& value) {
    set("training.library.sweep." + key, value);
    settle();
  }
  /// The position of a text in a layer.
  render::Point placeOf(const std::string& words, const char* layerName) const {
    for (const render::Label& label : items<render::Label>(layerName))
      if (label.text == words) return {label.at.x + area.min.x, label.at.y + area.min.y};
    FAIL("nothing says " << words << " in " << texts(layerName));
    return {};
  }
  /// Runs frames and the jobs they start for `time` seconds.
  void pass(double time) {
    for (const double end = seconds + time; seconds < end;) {
      jobs.finish();
      frame();
    }
    settle();
  }
};

/// Eight finished runs: the loss is 1, 2, … in the order of the plan (seeds vary fastest).
void finishAll(tests::SweepSample& sample) {
  for (std::size_t i = 0; i < sample.last->plan->runs.size(); ++i)
    sample.write(i, RunState::Finished, 20,
                 {{"loss", static_cast<double>(i + 1)}, {"rate", std::pow(10.0, static_cast<double>(i))}});
}

}  // namespace

TEST_CASE("library: a sweep over two fields is a map, and a click on a cell selects its runs", "[training][library]") {
  tests::SweepSample sample(kTwoFields);
  finishAll(sample);
  SweepRig rig(sample.path);
  CHECK(rig.text("training.library.view") == "sweep");
  CHECK(rig.sweepNumber("count") == 8);
  CHECK(rig.sweepNumber("finished") == 8);
  CHECK(rig.sweep("kind") == "map");
  CHECK(rig.sweep("x_field") == "optimisation.learning_rate");
  CHECK(rig.sweep("y_field") == "model.d_model");
  CHECK(rig.sweep("averaged") == "seed");
  CHECK(rig.sweepNumber("cells_count") == 4);
  CHECK(rig.sweepNumber("cells[0].mean") == Approx(1.5));
  CHECK(rig.sweepNumber("cells[3].mean") == Approx(7.5));
  CHECK(rig.sweepNumber("cells[3].deviation") == Approx(std::sqrt(0.5)));
  CHECK(rig.chart().find("loss: mean over seed") != std::string::npos);
  CHECK(rig.texts("training.library.sweep.progress").find("8 finished") != std::string::npos);
  const render::Point cell = rig.placeOf("7.500", "training.library.sweep.chart");
  rig.click(cell);
  rig.settle();
  CHECK(rig.text("training.library.selected") == "runs/0006, runs/0007");
  CHECK(rig.sweep("cell.x") == "0.1");
  CHECK(rig.sweep("cell.y") == "16");
  CHECK(rig.sweepNumber("cell.mean") == Approx(7.5));
  CHECK(rig.sweepNumber("cell.runs") == 2);
  INFO(rig.texts("training.library.tip"));
  CHECK(rig.texts("training.library.tip").find("mean 7.500 ± 0.7071 (7.000 … 8.000), 2 runs") != std::string::npos);
  rig.click(cell);
  CHECK(rig.text("training.page") == "curves");
  CHECK(rig.number("training.runs.count") == 2);
  CHECK(rig.folderOf(1) == sample.path + "/runs/0007");
}

TEST_CASE("library: a sweep over one field has error bars, and the chart says what they are", "[training][library]") {
  tests::SweepSample sample(kTwoFields);
  finishAll(sample);
  SweepRig rig(sample.path);
  rig.choose("y", "none");
  CHECK(rig.sweep("kind") == "lines");
  CHECK(rig.sweepNumber("cells[0].mean") == Approx(2.5));  // also averaged over the widths
  CHECK(rig.chart().find("mean over d_model, seed; bars: ± standard deviation") != std::string::npos);
  CHECK(rig.chart().find("0.01") != std::string::npos);  // logarithmic: the values span two decades
  rig.choose("bars", "range");
  CHECK(rig.chart().find("bars: smallest to largest") != std::string::npos);
  rig.choose("x_scale", "linear");
  INFO(rig.chart());
  CHECK(rig.chart().find("0.04\n") != std::string::npos);
  // Two fields as lines: one line for each width.
  rig.choose("y", "d_model");
  rig.choose("form", "lines");
  CHECK(rig.chart().find("d_model 8\n") != std::string::npos);
  CHECK(rig.chart().find("d_model 16\n") != std::string::npos);
  rig.choose("metric", "rate");
  CHECK(rig.sweepNumber("cells[0].mean") == Approx(5.5));
  CHECK(rig.chart().find("10") != std::string::npos);
  // An unknown metric is reported, and the chart stays.
  rig.choose("metric", "rat");
  CHECK(rig.sweep("problem").find("the nearest is \"rate\"") != std::string::npos);
  CHECK(rig.texts("training.library.problems").find("the nearest is") != std::string::npos);
  CHECK(rig.sweep("metric_shown") == "loss");
  rig.choose("x", "seed");
  rig.choose("y", "seed");
  CHECK(rig.sweep("problem").find("is already the x axis") != std::string::npos);
}

TEST_CASE("library: error bars of different lines at the same x do not overlap", "[training][library]") {
  tests::SweepSample sample(kTwoFields);
  finishAll(sample);
  SweepRig rig(sample.path);
  rig.choose("form", "lines");
  std::vector<double> upright;
  for (const render::Polyline& line : rig.items<render::Polyline>("training.library.sweep.chart"))
    if (line.points.size() == 2 && line.stroke.width > 1 && line.points[0].x == line.points[1].x)
      upright.push_back(line.points[0].x);
  std::sort(upright.begin(), upright.end());
  upright.erase(std::unique(upright.begin(), upright.end()), upright.end());
  for (std::size_t i = 1; i < upright.size(); ++i)
    CHECK(upright[i] - upright[i - 1] > 4);
  CHECK(upright.size() >= 4);
}

TEST_CASE("library: a click on a column header sorts the table of a sweep, and a click on a row selects a run",
          "[training][library]") {
  tests::SweepSample sample(kTwoFields);
  finishAll(sample);
  REQUIRE(sample.folder.setFailure("0003", "unused: it has finished"));
  fs::remove_all(sample.folder.runFolder("0003"));
  SweepRig rig(sample.path);
  CHECK(rig.sweepNumber("failed") == 1);
  CHECK(rig.sweep("rows[0].name") == "0000");
  CHECK(rig.sweep("rows[3].state") == "failed");
  CHECK(rig.sweep("rows[3].row").find("failed: unused: it has finished") != std::string::npos);
  CHECK(rig.texts("training.library.problems").find("Run 0003: unused") != std::string::npos);
  rig.click(rig.placeOf("loss", "training.library.runs"));
  rig.settle();
  CHECK(rig.sweep("sort") == "loss");
  CHECK(rig.sweep("rows[7].name") == "0003");  // a run without a value is last
  rig.click(rig.placeOf("loss ↑", "training.library.runs"));
  rig.settle();
  CHECK(rig.sweep("rows[0].name") == "0007");
  CHECK(rig.sweep("rows[7].name") == "0003");
  rig.click(rig.placeOf("0005", "training.library.runs"));
  rig.settle();
  CHECK(rig.text("training.library.selected") == "runs/0005");
  REQUIRE(rig.run("training.library-next"));
  rig.settle();
  CHECK(rig.text("training.library.selected") == "runs/0004");
  rig.seconds += 1;
  rig.click(rig.placeOf("0003", "training.library.runs"));
  REQUIRE(rig.editor.said.size() == 1);
  CHECK(rig.editor.said[0].find("Run 0003: failed: unused") != std::string::npos);
  // The filter of the library also applies to the means.
  rig.set("training.library.filter", std::string("model.d_model = 8"));
  rig.settle();
  CHECK(rig.sweepNumber("cells[0].runs") == 2);
  CHECK(std::isnan(rig.sweepNumber("cells[2].mean")));
  const Numbers numbers = rig.exhibit->numbers();
  REQUIRE(numbers.tables.size() == 2);
  CHECK(numbers.tables[0].find("loss.mean") != nullptr);
  CHECK(numbers.tables[1].rows() == 4);
}

TEST_CASE("library: the result of a sweep follows its runs, and the chart stays as it is when nothing changes",
          "[training][library]") {
  tests::SweepSample sample(kTwoFields);
  SweepRig rig(sample.path);
  CHECK(rig.sweepNumber("waiting") == 8);
  CHECK(rig.chart().find("No run has finished yet") != std::string::npos);
  {
    const auto claim = sample.folder.claims().take("0000");
    rig.pass(1.5);
    CHECK(rig.sweepNumber("running") == 1);
    sample.write(0, RunState::Finished, 20, "loss", 4);
  }
  rig.pass(1.5);
  CHECK(rig.sweepNumber("running") == 0);
  CHECK(rig.sweepNumber("finished") == 1);
  CHECK(rig.sweepNumber("cells[0].mean") == 4);
  const std::uint64_t chart = rig.layer("training.library.sweep.chart")->revision;
  rig.pass(4);
  CHECK(rig.layer("training.library.sweep.chart")->revision == chart);
}

TEST_CASE("library: values that are missing or not finite are left out", "[training][library]") {
  tests::SweepSample sample(R"({"model.positions": ["rope", "learned", "alibi"]})");
  sample.write(0, RunState::Finished, 20, "loss", std::numeric_limits<double>::infinity());
  sample.write(1, RunState::Finished, 20, "loss", 2);
  sample.write(2, RunState::Finished, 20, "rate", 1);
  SweepRig rig(sample.path);
  CHECK(rig.sweep("kind") == "lines");
  CHECK(rig.sweepNumber("cells[0].mean") == 2);
  CHECK(rig.sweepNumber("cells[0].runs") == 1);
  CHECK(std::isnan(rig.sweepNumber("cells[1].mean")));
  CHECK(rig.chart().find("rope\n") != std::string::npos);  // words are ticks of the axis
  CHECK(rig.chart().find("alibi\n") != std::string::npos);
  for (const render::Polyline& line : rig.items<render::Polyline>("training.library.sweep.chart"))
    CHECK(line.points.size() <= 8);  // no line between words
  rig.choose("metric", "rate");
  CHECK(rig.sweepNumber("cells[1].mean") == 1);
}

TEST_CASE("library: if there is no sweep, or a damaged one, a message says what to do", "[training][library]") {
  tests::SweepSample sample;
  SweepRig none(sample.path + "/runs");
  CHECK(none.sentence().find("There is no sweep in") != std::string::npos);
  CHECK(none.sweep("problem").find("sepx sweep PLAN.json") != std::string::npos);
  SweepRig rig(sample.path);
  CHECK(rig.sentence().empty());
  REQUIRE(writeFile(sample.path + "/plan.json", R"({"schema": "sepx.sweep/1", "grdi": {}})"));
  rig.pass(1.5);
  CHECK(rig.sweep("problem").find("the nearest is \"grid\"") != std::string::npos);
  CHECK(rig.sentence().find("the nearest is") != std::string::npos);
}

TEST_CASE("library: a sweep with randomly sampled fields is shown as coloured points", "[training][library]") {
  tests::SweepSample sample;
  const std::string path = (sample.temporary.path / "random").string();
  std::string plan = tests::planText(R"({"model.d_model": [8]})", "[0]");
  const std::size_t at = plan.find("\"grid\"");
  plan = plan.substr(0, at) +
         R"("random": {"samples": 12, "ranges": {"optimisation.learning_rate": {"low": 0.001, "high": 0.1, "log": true},
            "model.d_ff": {"low": 8, "high": 64}}}})";
  const auto folder = sweep::SweepFolder::open(path, plan);
  REQUIRE(folder);
  SweepRig rig(path);
  CHECK(rig.sweep("problem").empty());
  CHECK(rig.sweepNumber("count") == 12);
  CHECK(rig.sweep("kind") == "points");
}
