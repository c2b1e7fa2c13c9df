// SPDX-License-Identifier: Apache-2.0
// The page of the free bias: m = 1, 2, 5 bias steps after every step of (e,w), the exact bias, and the flow of
// L(e,w,b), over the orbit of the theory; energy, b - b* and distance over time; and in words how far "one additional
// step is usually sufficient" holds (erratum 16). Results come from a job. Frame thread.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/markov/bias_steps.h"
#include "ui/exhibit/lane.h"
#include "ui/exhibits/flow/shared/plane_ground.h"
#include "ui/plots/line_chart.h"

namespace sepx::ui {

/// What can be shown: the free flow, so many bias steps, the exact bias, a number of one's own.
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
  int surveySteps = 1;  ///< m of the survey
  std::uint64_t seed = 0;
  bool operator==(const BiasRequest&) const = default;
};

struct BiasState {
  std::array<bool, kBiasKinds.size()> shown{};
  int own = 3;
  std::optional<std::size_t> start;
  std::optional<BiasRequest> request;
};

/// What the job has found.
struct BiasResult {
  BiasRequest request;
  std::shared_ptr<const markov::BiasComparison> comparison;
  std::optional<markov::BiasSurvey> survey, exactSurvey;  ///< with m steps, and with the exact bias
  std::string failure;
};

class BiasPage final : public FlowPage {
 public:
  BiasPage();

  PageLabel label() const override { return {"bias", N_("Free bias"), "3"}; }
  void declare(PropertyRegistry& registry, const FlowShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const FlowShared& live) override;
  void update(const FlowPageFrame& frame, ExhibitContext& context) override;
  Camera camera(const FlowPageFrame& frame) const override;
  void scene(const FlowPageFrame& frame, std::vector<render::Layer>& into) override;
  Cursor input(const FlowPageFrame& frame, ExhibitContext& context, const InputEvent& event) override;
  void panel(const FlowPageFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  bool complete() const override { return result_.complete() && ground_.complete(); }
  bool animating() const override { return playing_; }
  Numbers numbers(const FlowShared& shared) const override;
  std::string caption(const FlowShared& shared) const override;
  std::string status(const FlowShared& shared) const override;
  bool run(const FlowPageFrame& frame, ExhibitContext& context, std::string_view command) override;
  std::vector<std::pair<std::string, std::string>> gestures() const override;
  FlowPoint placeForPoint(const FlowPageFrame& frame) const override;
  double playSeconds() const override;

  const BiasState& state() const { return state_; }
  const BiasResult& result() const { return result_.result() ? *result_.result() : none_; }
  /// Of what is computed and shown; nothing else.
  const markov::BiasPath* path(BiasKind kind) const;
  /// What the numbers say about the paper's claim, one sentence each; nothing while there is no result.
  std::vector<std::string> sentences() const;

  struct Layout {
    FlowLayout plane;
    std::vector<render::Rect> charts;  ///< energy, offset, distance, as many as have room
    std::optional<render::Rect> words, legend;
    std::vector<std::string> lines;  ///< of the words; an empty one is a gap
  };

 private:
  void read(const Document& document, const PropertyRegistry& registry, const FlowState& state);
  void updateResult(ExhibitContext& context);
  void fit();
  void advance(double speed, double seconds);
  Layout layoutOf(const FlowPageFrame& frame) const;
  /// Lays the page out and makes its charts anew when something they depend on has changed.
  void refresh(const FlowPageFrame& frame);
  LineChart chartOf(const Theme& theme, std::size_t which) const;
  double horizon() const;
  std::optional<double> shownTime(const FlowPageFrame& frame) const;
  std::vector<render::Item> pathItems(const FlowPageFrame& frame, const FlowFrame& plane) const;
  std::vector<render::Item> nameItems(const FlowPageFrame& frame, const FlowFrame& plane) const;
  std::vector<render::Item> headItems(const FlowPageFrame& frame, double time) const;
  std::vector<LegendEntry> legend(const Theme& theme) const;
  std::vector<render::Item> wordItems(const FlowPageFrame& frame) const;
  LayerKey shownKey(LayerKey key) const;

  PlaneGround ground_;
  Layout layout_;  ///< of the last frame, as the charts
  std::vector<PlacedChart> charts_;
  LayerKey made_;  ///< what layout and charts are of
  PageLayers layers_;
  BiasState state_;
  Lane<BiasRequest, BiasResult> result_{"flow.bias.paths"};
  const BiasResult none_;  ///< stands for the result while there is none
  render::Rect fitted_;    ///< the window around the paths
  std::optional<std::uint64_t> fitOf_;
  bool playing_ = false;
  double speed_ = 1;              ///< of the play
  std::optional<double> played_;  ///< share of the horizon where the heads stand
  std::optional<double> last_;    ///< host time of the last frame of the play
  std::uint64_t seed_ = 0;
};

/// Short names and looks. Translated.
std::string biasName(BiasKind kind, int own);
ChartLook biasLook(const Theme& theme, BiasKind kind);

/// Properties and read-outs of the page.
void declareBias(PropertyRegistry& registry, const BiasPage& page);

}  // namespace sepx::ui
