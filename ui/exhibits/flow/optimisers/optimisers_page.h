// SPDX-License-Identifier: Apache-2.0
// The page of optimisers: the paths of gradient flow, gradient descent, SGD, momentum and AdamW from the selected point
// over the plane, their loss beside it, and a table of where each one ends and at which step it leaves the basin of the
// flow. The paths are computed by a job. Frame thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/markov/optimisers.h"
#include "ui/canvas/theme.h"
#include "ui/exhibits/flow/shared/flow_layers.h"
#include "ui/exhibits/flow/shared/flow_state.h"
#include "ui/exhibits/flow/shared/paths_page.h"
#include "ui/page/lane.h"
#include "ui/views/line_chart.h"
#include "ui/views/table.h"

namespace sepx::ui {

/// The request of the job: chain, start, options.
struct OptimiserRequest {
  double p = 0, q = 0, e = 0, w = 0;
  markov::OptimiserRunOptions options;  ///< the optimisers are those that are shown
  bool operator==(const OptimiserRequest&) const = default;
};

struct OptimisersState {
  bool logSteps = false;
  std::optional<OptimiserRequest> request;  ///< empty without a start or an optimiser
};

/// `start`: index of the selected point. `seed`: seed of the program.
OptimisersState readOptimisersState(const Document& document, const PropertyRegistry& registry, const FlowState& state,
                                    const std::optional<std::size_t>& start, std::uint64_t seed);

inline constexpr std::array<markov::OptimiserKind, markov::kOptimiserKinds> kAllOptimisers{
    markov::OptimiserKind::Flow, markov::OptimiserKind::GradientDescent, markov::OptimiserKind::Sgd,
    markov::OptimiserKind::Momentum, markov::OptimiserKind::AdamW};
/// "flow.optimisers.gd.rate"
std::string optimiserKey(markov::OptimiserKind kind, const char* member);
/// "Gradient descent"; `brief`: "GD". Translated.
std::string optimiserWords(markov::OptimiserKind kind, bool brief = false);
/// No two of them have both the same dash and a similar colour.
ChartLook optimiserLook(const Theme& theme, markov::OptimiserKind kind);

class OptimiserPage final : public PathsPage {
 public:
  OptimiserPage() : PathsPage({"optimisers", N_("Optimisers"), "flow.optimisers."}) { wholeSteps_ = true; }

  void declare(PropertyRegistry& registry, const FlowShared&) override;
  void panel(const FlowPageFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  PageFacts facts(const FlowShared& shared) const override {
    PageFacts now = PathsPage::facts(shared);
    now.complete = result_.complete() && ground_.complete();
    now.status = [this, &shared] { return status(shared); };
    now.caption = [this, &shared] { return caption(shared); };
    now.numbers = [this, &shared] { return numbers(shared); };
    return now;
  }
  std::vector<Command> commands(const FlowShared& shared, const Document& document) override;

  /// The path of an optimiser for the read-outs; null if it is not shown or not computed.
  const markov::OptimiserPath* path(markov::OptimiserKind kind) const;
  const markov::OptimiserRun* result() const {
    return result_.result() && *result_.result() ? &**result_.result() : nullptr;
  }

 private:
  Numbers numbers(const FlowShared& shared) const;
  std::string caption(const FlowShared& shared) const;
  std::string status(const FlowShared& shared) const;
  void readOptions(const Document& document, const PropertyRegistry& registry, const FlowState& state) override;
  void updateResult(ExhibitContext& context) override;
  bool there() const override { return result() != nullptr; }
  std::uint64_t revision() const override { return result_.revision(); }
  render::Point startPlace() const override { return {request().e, request().w}; }
  std::vector<std::vector<render::Point>> places() const override;
  double horizon() const override { return request().options.steps; }
  std::string missing() const override;
  Arrangement beside(Views& into, const Theme& theme) const override;
  std::vector<render::Item> pathItems(const FlowFrame& plane) const override;
  std::vector<NamedPath> namedPaths(const FlowFrame& plane) const override;
  void addHeads(std::vector<render::Item>& items, std::vector<std::string>& lines, const FlowFrame& plane,
                double step) const override;
  const OptimiserRequest& request() const { return *result_.answered(); }  ///< that result() answers
  /// Why there is no result; empty if there was no error.
  std::string failure() const {
    return result_.result() && !*result_.result() ? result_.result()->error().message : "";
  }
  LineChart chartOf(const Theme& theme) const;
  TableView endTable(const Theme& theme) const;

  OptimisersState state_;
  Lane<OptimiserRequest, Result<markov::OptimiserRun>> result_{"flow.optimisers.paths"};
};

}  // namespace sepx::ui
