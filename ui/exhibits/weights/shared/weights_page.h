// SPDX-License-Identifier: Apache-2.0
// The Weights exhibit is a set of pages over one open model: the matrix, the wall of heads, charts, a comparison, the
// bilinear form explained, the mapping of names. The exhibit owns what they share and passes it in; a page owns what it
// alone computes. Frame thread; long work in jobs, on lanes that begin with "weights.".
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/attention/random_band.h"
#include "engine/attention/scores.h"
#include "engine/checkpoint/shelf.h"
#include "engine/render/scene.h"
#include "ui/canvas/camera.h"
#include "ui/exhibit/exhibit.h"
#include "ui/exhibit/page_kit.h"
#include "ui/exhibits/weights/shared/weights_state.h"

namespace sepx::ui {

/// Scores of every layer and head of the open model, as far as a background job has got.
struct LayerScores {
  checkpoint::Stack stack = checkpoint::Stack::Self;
  int layer = 0;
  std::shared_ptr<const attention::Moments> moments;                   ///< null: not yet
  std::shared_ptr<const std::vector<attention::Moments>> headMoments;  ///< null: not yet
  attention::Scores scores;                                            ///< of the present options; NaN: not yet
  std::vector<attention::Scores> headScores;
  attention::RandomBands band, headBand;  ///< samples 0: not yet
};

/// What pages read. Pointers are null while something is being opened or computed, or where there is nothing.
struct WeightsShared {
  const WeightsState& state;
  std::shared_ptr<const checkpoint::Model> model;
  std::string failure;  ///< why `model` is null: one sentence, empty while it is being opened
  const checkpoint::AttentionLayer* layer = nullptr;       ///< the chosen one
  std::shared_ptr<const attention::LayerFactors> factors;  ///< of the chosen layer and head
  std::shared_ptr<const attention::Moments> moments;       ///< of these factors
  bool momentsPending = false;                             ///< they are still to come
  const std::vector<LayerScores>* board = nullptr;         ///< in the order of the map's layers, never null
  std::uint64_t modelRevision = 0, factorsRevision = 0, boardRevision = 0;  ///< change with the content
  std::string factorsFailure;            ///< why there are no factors of a layer that there is: one sentence
  attention::Scores scores;              ///< of `moments` by the present options; NaN: not yet
  attention::DirectionalityParts parts;  ///< of `moments` by the present options
  double excess = 0, sum = 0;   ///< directionality in both variants, each with its usual ddof or the chosen one
  attention::RandomBands band;  ///< of the chosen layer's or head's shape; samples 0: not yet
  /// A page in sight that needs the board asks for it every frame; very large models have none otherwise.
  std::function<void()> wantBoard;
  /// Forgets the model and opens it again: rules have changed.
  std::function<void()> reopen;
};

struct PageFrame : PageArea {
  PageFrame(const WeightsShared& model, const Theme& look, const render::Rect& at,
            std::optional<render::Point> under = std::nullopt, bool forFile = false, bool small = false)
      : PageArea{look, at, under, forFile, small}, shared(model) {}
  const WeightsShared& shared;
};

class WeightsPage {
 public:
  virtual ~WeightsPage() = default;
  virtual WeightsPageKind kind() const = 0;
  /// How data coordinates lie on the page; by default data = (page x, -page y).
  virtual Camera camera(const PageFrame& frame) const;
  /// Properties and read-outs of this page alone. What `live` refers to outlives the registry.
  virtual void declare(PropertyRegistry& registry, const WeightsShared& live) = 0;
  /// Takes over finished results, starts what is stale; only the page in sight is updated.
  virtual void update(const PageFrame& frame, ExhibitContext& context) = 0;
  /// Its layers, bottom first. A layer that did not change keeps its revision (WeightsLayers below does that).
  virtual void scene(const PageFrame& frame, std::vector<render::Layer>& into) = 0;
  /// Positions are page coordinates, as `frame.area`.
  virtual Cursor input(const PageFrame& frame, ExhibitContext& context, const InputEvent& event) = 0;
  /// ImGui controls of this page, inside the exhibit's panel.
  virtual void panel(const PageFrame& frame, ExhibitContext& context) = 0;
  virtual bool complete() const = 0;
  /// Whether the first look at the chosen factors is there: scores are computed after it, not beside it.
  virtual bool hasPicture(const WeightsShared&) const { return true; }
  virtual bool animating() const { return false; }
  virtual Numbers numbers(const WeightsShared&) const { return {}; }
  virtual std::string caption(const WeightsShared&) const { return {}; }
  /// What the status bar says of the pointer and of the device that computed.
  virtual std::string status(const WeightsShared&) const { return {}; }
  virtual std::optional<ColorLimits> ownLimits() const { return std::nullopt; }
  virtual std::vector<Exhibit::Command> commands(const Document&) const { return {}; }
  /// False: not a command of this page.
  virtual bool run(const PageFrame&, ExhibitContext&, std::string_view) { return false; }
  virtual void releaseGpu() {}
};

std::unique_ptr<WeightsPage> makeMatrixPage();
std::unique_ptr<WeightsPage> makeWallPage();
std::unique_ptr<WeightsPage> makeChartsPage();
std::unique_ptr<WeightsPage> makeComparePage();
std::unique_ptr<WeightsPage> makeFormPage();
std::unique_ptr<WeightsPage> makeMappingPage();

/// The rectangle (page coordinates) and the axes of a plot with ticks are ui/canvas/axes.h; markers, lines and heat
/// maps are render::Item.

}  // namespace sepx::ui
