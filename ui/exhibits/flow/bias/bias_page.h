// SPDX-License-Identifier: Apache-2.0
// The page of the free bias. It draws the paths with m = 1, 2, 5 bias steps after every step of (e,w), the path with
// the exact bias, and the flow of L(e,w,b), over the orbit of the theory. Charts show energy, b - b* and distance over
// time; sentences say how far "one additional step is usually sufficient" holds (erratum 16). Results come from a job.
// Frame thread.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/markov/bias_steps.h"
#include "ui/exhibits/flow/shared/flow_layers.h"
#include "ui/exhibits/flow/shared/paths_page.h"
#include "ui/page/lane.h"

namespace sepx::ui {

/// What can be shown: the free flow, 1, 2 or 5 bias steps, the user's own number of bias steps, the exact bias.
enum class BiasKind { Free, One, Two, Five, Own, Exact };
inline constexpr std::array<BiasKind, 6> kBiasKinds{BiasKind::Free, BiasKind::One, BiasKind::Two,
                                                    BiasKind::Five, BiasKind::Own, BiasKind::Exact};
/// "free", "m1", "m2", "m5", "own", "exact".
const char* biasWord(BiasKind kind);

struct BiasRequest {
  double p = 0, q = 0, e = 0, w = 0, a = 0;
  bool attention = false;
  std::vector<int> m;
  markov::BiasOptions options;
  bool survey = false;
  double sigma = 0;
  int starts = 0;
  int surveySteps = 2;  ///< m of the survey
  std::uint64_t seed = 0;
  bool operator==(const BiasRequest&) const = default;
};

struct BiasState {
  std::array<bool, kBiasKinds.size()> shown{};
  int own = 3;
  std::optional<BiasRequest> request;
};

/// The result of the job.
struct BiasResult {
  BiasRequest request;
  std::shared_ptr<const markov::BiasComparison> comparison;
  std::optional<markov::BiasSurvey> survey, exactSurvey;  ///< with m steps, and with the exact bias
  std::string failure;
};

class BiasPage final : public PathsPage {
 public:
  BiasPage() : PathsPage({"bias", N_("Free bias"), "flow.bias."}, {.attention = true, .plane = true, .cloud = true}) {}

  void declare(PropertyRegistry& registry, const FlowShared&) override;
  void panel(const FlowPageFrame& frame, ExhibitContext& context, PagePanel& panel) override;

  const BiasState& state() const { return state_; }
  const BiasResult& result() const { return result_.result() ? *result_.result() : none_; }
  /// The path of a kind; null unless it is computed and shown.
  const markov::BiasPath* path(BiasKind kind) const;
  /// Sentences on what the numbers say about the paper's claim; empty while there is no result.
  std::vector<std::string> sentences() const;
  PageFacts facts(const FlowShared& shared) const override {
    PageFacts now = PathsPage::facts(shared);
    now.complete = result_.complete() && ground_.complete();
    now.status = [this, &shared] { return status(shared); };
    now.caption = [this, &shared] { return caption(shared); };
    now.numbers = [this, &shared] { return numbers(shared); };
    return now;
  }

 private:
  Numbers numbers(const FlowShared& shared) const;
  std::string caption(const FlowShared& shared) const;
  std::string status(const FlowShared& shared) const;
  void readOptions(const Document& document, const PropertyRegistry& registry, const FlowState& state) override;
  void updateResult(ExhibitContext& context) override;
  bool there() const override { return result().comparison != nullptr; }
  std::uint64_t revision() const override { return result_.revision(); }
  render::Point startPlace() const override { return {result().request.e, result().request.w}; }
  std::vector<std::vector<render::Point>> places() const override;
  double horizon() const override;
  std::string missing() const override;
  Arrangement beside(Views& into, const Theme& theme) const override;
  std::vector<render::Item> pathItems(const FlowFrame& plane) const override;
  std::vector<NamedPath> namedPaths(const FlowFrame& plane) const override;
  void addHeads(std::vector<render::Item>& items, std::vector<std::string>& lines, const FlowFrame& plane,
                double time) const override;
  LineChart chartOf(const Theme& theme, std::size_t which) const;
  std::vector<LegendEntry> legend(const Theme& theme) const;

  BiasState state_;
  Lane<BiasRequest, BiasResult> result_{"flow.bias.paths"};
  const BiasResult none_;  ///< what result() returns while there is none
};

/// Short names and looks. Translated.
std::string biasName(BiasKind kind, int own);
ChartLook biasLook(const Theme& theme, BiasKind kind);

}  // namespace sepx::ui
