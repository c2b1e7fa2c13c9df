// SPDX-License-Identifier: Apache-2.0
// The values of the Weights exhibit in the document, as a typed state. It is read once per revision and not written
// back. Rows and columns are counted from 0; row i of the picture is drawn at y = -i, so that row 0 is on top.
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
  std::string path;  ///< of the checkpoint, absolute; empty: the bundled model
  checkpoint::Stack stack = checkpoint::Stack::Self;
  int layer = 0;
  int head = -1;  ///< -1: all heads of the layer together
  WeightsPart part = WeightsPart::Full;
  /// The rows and columns in sight: x = column, y = -row; empty optional: the whole matrix.
  std::optional<render::Rect> view;
  attention::ScoreOptions score;
  checkpoint::HeadPairing pairing = checkpoint::HeadPairing::Grouped;
  bool foldNorm = false;
  ScaleKind scale = ScaleKind::Diverging;
  std::optional<ColorLimits> locked;
  double percentile = 99.5;  ///< percentile of |entries| at which automatic limits lie
  WeightsOrder order = WeightsOrder::AsStored;
  attention::Pool pool = attention::Pool::Extreme;
  bool margins = true, values = true, spectrum = false, survival = false;
  bool curvesBeside = true;  ///< spectrum and survival curves also if the matrix leaves room beside it
  WallOrder wallOrder = WallOrder::Layer;
  std::string comparePath;  ///< second checkpoint
  WeightsBlend blend = WeightsBlend::SideBySide;
  int formQuery = 0, formKey = 1, formOffset = 0;  ///< indices of the tokens, and the offset of their positions
  bool formStream = false;                         ///< they are positions in the sentence, whose stream is used
  std::string embedding;                           ///< tensor that the user named; empty: the recognised one

  /// The part that a page shows if it shows only one.
  attention::Part shownPart(bool square) const {
    if (!square) return attention::Part::Full;
    return part == WeightsPart::Symmetric ? attention::Part::Symmetric
           : part == WeightsPart::Skew    ? attention::Part::Skew
                                          : attention::Part::Full;
  }
};

inline constexpr int kByVariant = -1;  ///< in ScoreOptions::ddof: the document does not choose one
WeightsState readWeightsState(const Document& document, const PropertyRegistry& registry);

/// The document with another part of the matrix in sight. The change is not undoable: pass it to Editor::replace.
Document withWeightsView(const Document& document, const std::optional<render::Rect>& view);

/// The document with locked colour limits; empty optional: the limits follow the data.
Document withLimits(const Document& document, const std::optional<ColorLimits>& limits);

}  // namespace sepx::ui
