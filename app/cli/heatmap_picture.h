// SPDX-License-Identifier: Apache-2.0
// W_qk as a picture: the entries themselves, one pixel each, or the figure of a layer or head in the Weights exhibit.
// Main thread.
#pragma once

#include <string>
#include <vector>

#include "app/interrupts.h"
#include "app/options.h"
#include "engine/attention/tiles.h"
#include "engine/core/result.h"

namespace sepx::app::cli {

/// Takes the rows in bands from top to bottom. Diverging colours: white at 0, limits at +- the largest absolute value.
class EntryPicture {
 public:
  explicit EntryPicture(const attention::Crop& crop) : crop_(crop) {}
  /// Usage for more entries than a picture may have pixels.
  Result<void> begin();
  Result<void> take(const attention::Matrix& rows);
  /// `recipe`: JSON, kept in the file under Separatrix-Recipe.
  Result<void> write(const std::string& path, const std::string& recipe) const;

 private:
  attention::Crop crop_;
  std::vector<float> values_;
};

/// What the Weights exhibit has to show. The texts are values of its properties.
struct HeatmapFigure {
  std::string checkpoint;  ///< absolute path
  std::string stack, part, gqa;
  int layer = 0, head = -1;
  std::string rules;  ///< folder of the user's rules; empty: the default
};
/// Interrupted if the user interrupts it; NoDevice without a device that can draw.
Result<void> drawHeatmap(const HeatmapFigure& figure, const Options& common, const Interrupts& interrupts,
                         const std::string& path);

}  // namespace sepx::app::cli
