// SPDX-License-Identifier: Apache-2.0
// A page of an exhibit that trains runs side by side (Training, Reversal). It shows the runs of one race at one step.
// The transport is below it, and messages about failed runs are above it. The exhibit owns the shared state
// (RaceShared) and passes it to its pages. The runs belong to the window (ui/runs). Frame thread; long work is done in
// jobs, on lanes whose names begin with the key of the exhibit.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/properties/declarations.h"
#include "ui/race/experiment.h"
#include "ui/race/race_state.h"
#include "ui/runs/run.h"
#include "ui/views/page.h"

namespace sepx::ui {

/// W_qk of the chosen layer and head of a run, [d_model, d_model], rows = query side.
struct QkMatrix {
  std::int64_t step = -1;
  int rows = 0, columns = 0;
  std::shared_ptr<const std::vector<float>> values;  ///< row-major
  double limit = 0;                                  ///< 99.5 % of the moduli lie below it
};

/// A run of the race.
struct RacingRun {
  std::string folder;
  RunPointer run;                          ///< null if the window has no run service
  std::shared_ptr<const QkMatrix> matrix;  ///< null: not computed yet, or not available
  std::string matrixFailure;               ///< why there is no matrix: one sentence
  std::string label;                       ///< displayed name, translated; empty: the name in the config
  std::string name() const { return !label.empty() ? label : run ? run->name() : folder; }
};

/// How a run starts: from the initial weights of its config, or from the state of another run at a saved step.
struct RunStart {
  train::RunConfig config;
  std::string parent;     ///< folder of the other run; empty: none
  std::int64_t step = 0;  ///< of the other run
};

inline constexpr std::size_t kMostRuns = 4;  ///< shown side by side on a page

/// Which runs a new run is added to.
enum class AddTo {
  Race,    ///< all runs of the race; the page RaceKind::page is shown
  OwnRuns  ///< runs that the user configured: runs of a prepared experiment leave the race; the page stays
};

/// What a page shows. Rows that several pages share use it to decide whether they apply to a page.
struct RaceTraits {
  bool runs = true;       ///< the runs of the race: which one is selected, what is compared, the numbers of each
  bool curves = false;    ///< charts of their numbers over steps
  bool steps = false;     ///< a step axis, also for curves that are not those of the runs
  bool matrices = false;  ///< W_qk of each run in colours
  bool explainsExperiment = false;  ///< it explains the experiment itself
  bool transport = true;            ///< it shows the step of the slider, so the transport is placed below it
  bool watches = false;             ///< it shows training runs, so it stays visible when runs start
  bool failures = true;             ///< it shows the runs of the race, so their failures are listed above it
  /// Commands at the start of the menu of its picture, about what was clicked. Empty: the training commands.
  std::vector<std::string> menu{};
};

/// State of the exhibit that its pages read.
struct RaceShared {
  const RaceKind& kind;
  const RaceState& state;
  const Experiment* experiment = nullptr;  ///< never null
  std::vector<RacingRun> runs;
  std::string problem;                 ///< why nothing can be trained here; empty: training is possible
  std::string assets;                  ///< folder of the files that ship with the program; empty before the first frame
  std::string startFailure;            ///< why the last start was refused: one sentence
  std::uint64_t revision = 0;          ///< changes when a run reports something
  std::uint64_t matricesRevision = 0;  ///< changes when a matrix changes
  std::int64_t end = 0;                ///< the right end of the slider: the last step that any run will make
  std::int64_t newest = 0;             ///< the newest step of all runs, which is the live end
  std::int64_t step = 0;               ///< the step that is shown
  int layers = 0, heads = 0;           ///< the largest numbers of all runs
  double matrixLimit = 1;              ///< colour limit of W_qk unless each pane has its own
  bool live = true;                    ///< the slider follows the live end
  bool replays = false;                ///< the slider moves by itself
  bool shipped = false;                ///< the document names no run, so shipped runs are shown

  /// "training." followed by `name`.
  std::string key(std::string_view name) const { return kind.key(name); }
  bool trains() const;  ///< whether a run is training in this window now
  /// The traits of the page that a document shows.
  std::function<RaceTraits(const Document&)> traits;
  /// A page that shows matrices calls it in every frame.
  std::function<void()> requestQk;
  /// A page that shows more of a model than W_qk calls it in every frame. The snapshots of a run that trains here then
  /// carry the matrices of the chosen layer and the embedding, or all parameters if the model is small.
  std::function<void()> requestModel;
  /// Trains an experiment; the runs become the race and the page RaceKind::page is shown.
  std::function<void(ExhibitContext&, const Experiment&)> start;
  /// Trains these configs as a race of the user's own runs (RaceKind::own).
  std::function<void(ExhibitContext&, const std::vector<train::RunConfig>&)> startConfigs;
  /// Trains one more run. If the race then has more than RaceKind::mostRuns runs, the oldest one that is not the parent
  /// of the new run leaves it. If the run cannot start, the user gets a message.
  std::function<void(ExhibitContext&, const RunStart&, AddTo)> addRun;
  /// Runs a command that every page has. False if there is no command of this name.
  std::function<bool(ExhibitContext&, std::string_view)> run;
  /// Shows the step recorded before or after the one that is shown.
  std::function<void(ExhibitContext&, bool forward)> seek;
  /// Shows the layer and head at these offsets from the current ones.
  std::function<void(ExhibitContext&, int layers, int heads)> walk;
};

using RaceFrame = FrameOf<RaceShared>;

/// Condition for Property::applies: the current page has the trait, and the document passes `also`. `live` outlives the
/// registry.
inline Condition onPagesWith(const RaceShared& live, bool RaceTraits::*trait, Condition also = {}) {
  return both([&live, trait](const Document& document) { return !live.traits || live.traits(document).*trait; },
              std::move(also));
}

/// A digest that changes when something changes that pages show of the race.
std::uint64_t contentDigest(const RaceShared& shared);

class RacePage : public Page<RaceShared> {
 public:
  const RaceTraits& traits() const { return traits_; }
  PageFacts facts(const RaceShared& shared) const override;
  /// Commands of the arrow keys: recorded steps and layers.
  std::vector<Command> commands(const RaceShared& shared, const Document& document) override;

 protected:
  explicit RacePage(PageLabel label, RaceTraits traits = {}) : Page(std::move(label)), traits_(traits) {}
  /// Draws the shown step as a line in a chart over steps. A drag in the chart moves the slider.
  static void showSteps(ChartContent& chart, const RaceFrame& frame);
  /// Adds the charts of these metrics, `perRow` in a row, below the legend of the layers if there are scores of layers
  /// among them.
  static Arrangement addCharts(Views& into, const RaceFrame& frame, const std::vector<RaceMetric>& metrics,
                               std::size_t perRow);

 private:
  const RaceTraits traits_;
};

}  // namespace sepx::ui
