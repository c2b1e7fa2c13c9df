// SPDX-License-Identifier: Apache-2.0
// A page of an exhibit that trains runs side by side (Training, Reversal): a view of the runs of one race at one step,
// above the transport and, where runs failed, below what went wrong. The exhibit owns what the pages share and passes
// it in. The runs themselves belong to the window (ui/runs). Frame thread; long work in jobs, on lanes that begin with
// the exhibit's key.
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
  RunPointer run;                          ///< null where no service of runs is there
  std::shared_ptr<const QkMatrix> matrix;  ///< null: not yet, or none
  std::string matrixFailure;               ///< why there is none: one sentence
  std::string label;                       ///< of a run of an experiment, translated; empty: as its config calls it
  std::string name() const { return !label.empty() ? label : run ? run->name() : folder; }
};

/// How a run begins: from the initial weights of its config, or as another run stood at a saved step.
struct RunStart {
  train::RunConfig config;
  std::string parent;     ///< folder of the other run; empty: none
  std::int64_t step = 0;  ///< of the other run
};

inline constexpr std::size_t kMostRuns = 4;  ///< that a page lays side by side

/// Beside which runs another one is trained.
enum class AddTo {
  Race,    ///< all of the race; the page Curves is shown
  OwnRuns  ///< those that a person configured: runs of an experiment that ships leave the race; the page stays
};

/// What a page is about: by it, rows that pages share know whether they belong to one.
struct RaceTraits {
  bool runs = true;       ///< the runs of the race: which one is selected, what is compared, the numbers of each
  bool curves = false;    ///< charts of their numbers over steps
  bool steps = false;     ///< an axis of steps: also where curves are not the runs' own
  bool matrices = false;  ///< W_qk of each in colours
  bool tells = false;     ///< it says itself what the experiment is about
  bool transport = true;  ///< it shows the step of the slider, which then stands below it
  bool watches = false;   ///< runs that train are looked at on it: it stays in sight when some start
  bool failures = true;   ///< it shows the runs of the race: what went wrong with one of them is said above
  /// Commands that the menu of its picture begins with: about what was clicked. Empty: those of training.
  std::vector<std::string> menu{};
};

/// What pages read.
struct RaceShared {
  const RaceKind& kind;
  const RaceState& state;
  const Experiment* experiment = nullptr;  ///< never null
  std::vector<RacingRun> runs;
  std::string problem;              ///< why nothing can be trained here; empty: it can
  std::string assets;               ///< folder of what ships with the program; empty before the first frame
  std::string startFailure;         ///< why the last start was refused: one sentence
  std::uint64_t revision = 0;       ///< changes with what runs report
  std::uint64_t formsRevision = 0;  ///< changes with a matrix
  std::int64_t end = 0;             ///< the right end of the slider: the last step that any run is to make
  std::int64_t newest = 0;          ///< the live end
  std::int64_t step = 0;            ///< that is shown
  int layers = 0, heads = 0;        ///< the largest of the runs
  double matrixLimit = 1;           ///< of the colours where panes share them
  bool live = true;                 ///< the slider follows the live end
  bool replays = false;             ///< the slider moves by itself
  bool shipped = false;             ///< the document names no run: those that ship are shown

  /// "training." and `name`.
  std::string key(std::string_view name) const { return kind.key(name); }
  bool trains() const;  ///< a run of this window goes on now
  /// Of the page that a document shows.
  std::function<RaceTraits(const Document&)> traits;
  /// A page that shows matrices asks for them every frame.
  std::function<void()> wantQk;
  /// A page that shows more of a model than W_qk asks for it every frame: a run that trains here then shows the
  /// matrices of the chosen layer and the embedding, a small one all its parameters.
  std::function<void()> wantModel;
  /// Trains an experiment; the runs become the race and the page RaceKind::page is shown.
  std::function<void(ExhibitContext&, const Experiment&)> start;
  /// Trains these configs as a race of one's own.
  std::function<void(ExhibitContext&, const std::vector<train::RunConfig>&)> startConfigs;
  /// Trains one more. Of more than RaceKind::mostRuns the oldest leaves the race that the new one is not a branch of.
  /// What refuses it is said.
  std::function<void(ExhibitContext&, const RunStart&, AddTo)> addRun;
  /// A command that every page has; false: there is none of that name.
  std::function<bool(ExhibitContext&, std::string_view)> run;
  /// Shows the step recorded before or after the one that is shown.
  std::function<void(ExhibitContext&, bool forward)> seek;
  /// Shows another layer or head, so many further on.
  std::function<void(ExhibitContext&, int layers, int heads)> walk;
};

using RaceFrame = FrameOf<RaceShared>;

/// For Property::applies of what belongs to every page with a trait, and to a document that passes `also`. `live`
/// outlives the registry.
inline Condition onPagesWith(const RaceShared& live, bool RaceTraits::*trait, Condition also = {}) {
  return both([&live, trait](const Document& document) { return !live.traits || live.traits(document).*trait; },
              std::move(also));
}

/// What pages show of the race.
std::uint64_t madeOf(const RaceShared& shared);

class RacePage : public Page<RaceShared> {
 public:
  const RaceTraits& traits() const { return traits_; }
  PageFacts facts(const RaceShared& shared) const override;
  /// The keys of the slider.
  std::vector<Command> commands(const RaceShared& shared, const Document& document) override;

 protected:
  explicit RacePage(PageLabel label, RaceTraits traits = {}) : Page(std::move(label)), traits_(traits) {}
  /// The step that is shown as a line in a chart over steps, and its drag as one of the slider.
  static void showSteps(ChartContent& chart, const RaceFrame& frame);
  /// The charts of these metrics, `perRow` in a row, below the legend of the layers where scores of layers are among
  /// them.
  static Arrangement addCharts(Views& into, const RaceFrame& frame, const std::vector<RaceMetric>& metrics,
                               std::size_t perRow);

 private:
  const RaceTraits traits_;
};

}  // namespace sepx::ui
