// SPDX-License-Identifier: Apache-2.0
// What the document says about the Weights exhibit, as typed values: read once a revision, never written here. Rows and
// columns are counted from 0; row i of the picture is drawn at y = -i, so that row 0 is on top.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/attention/scores.h"
#include "engine/attention/tiles.h"
#include "engine/checkpoint/attention_map.h"
#include "engine/checkpoint/load_factors.h"
#include "engine/render/scene.h"
#include "ui/document/document.h"
#include "ui/page/exhibit_context.h"
#include "ui/properties/registry.h"
#include "ui/views/matrix_scale.h"

namespace sepx::ui {

/// Choices of `weights.part`.
enum class WeightsPart { Full, Symmetric, Skew, Three };
enum class WeightsOrder { AsStored, RowNorm, ColumnNorm, BothNorms };
enum class WeightsBlend { SideBySide, Difference, Blink };
enum class WallOrder { Layer, Symmetry, Directionality, Norm };

struct WeightsState {
  std::string path;  ///< of the checkpoint, absolute; empty: the bundled models
  checkpoint::Stack stack = checkpoint::Stack::Self;
  int layer = 0;
  int head = -1;  ///< -1: all heads of the layer together
  WeightsPart part = WeightsPart::Full;
  /// Which rows and columns are in sight: x = column, y = -row; nothing: the whole matrix.
  std::optional<render::Rect> view;
  attention::ScoreOptions score;
  checkpoint::HeadPairing pairing = checkpoint::HeadPairing::Grouped;
  bool foldNorm = false;
  ScaleKind scale = ScaleKind::Diverging;
  std::optional<ColorLimits> locked;
  double percentile = 99.5;  ///< of |entries| where automatic limits lie
  WeightsOrder order = WeightsOrder::AsStored;
  attention::Pool pool = attention::Pool::Extreme;
  bool margins = true, values = true, spectrum = false, survival = false;
  bool curvesBeside = true;  ///< spectrum and survival curves where the matrix leaves room beside it
  WallOrder wallOrder = WallOrder::Layer;
  std::string comparePath;  ///< second checkpoint
  WeightsBlend blend = WeightsBlend::SideBySide;
  int formQuery = 0, formKey = 1, formOffset = 0;  ///< tokens by index
  bool formStream = false;                         ///< they are places of the sentence, and its stream is taken
  std::string embedding;                           ///< tensor that a person named; empty: as recognised

  /// The part of a matrix that is shown where there is room for one.
  attention::Part shownPart(bool square) const {
    if (!square) return attention::Part::Full;
    return part == WeightsPart::Symmetric ? attention::Part::Symmetric
           : part == WeightsPart::Skew    ? attention::Part::Skew
                                          : attention::Part::Full;
  }
};

inline constexpr int kByVariant = -1;  ///< ScoreOptions::ddof of a document that does not choose one
WeightsState readWeightsState(const Document& document, const PropertyRegistry& registry);

/// A document with another part of the matrix in sight; not undoable, so for Editor::replace.
Document withWeightsView(const Document& document, const std::optional<render::Rect>& view);

/// A document with locked limits of the colours; nothing: they are those of the data.
Document withLimits(const Document& document, const std::optional<ColorLimits>& limits);

}  // namespace sepx::ui
