// SPDX-License-Identifier: Apache-2.0
// W_qk as a picture: the entries themselves, one pixel each, or the figure that the Weights exhibit makes of a layer or
// head. Main thread.
#pragma once

#include <string>
#include <vector>

#include "app/interrupts.h"
#include "app/options.h"
#include "engine/attention/tiles.h"
#include "engine/core/result.h"

namespace sepx::app::cli {

/// Taken band by band from top to bottom. Diverging colours, white at 0, ends at +- the largest modulus.
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

/// What the Weights exhibit is asked to show; words as its properties have them.
struct HeatmapFigure {
  std::string checkpoint;  ///< absolute path
  std::string stack, part, gqa;
  int layer = 0, head = -1;
  std::string rules;  ///< folder of the person's rules; empty: the usual one
};
/// Interrupted when the person has had enough; NoDevice without a device that draws.
Result<void> drawHeatmap(const HeatmapFigure& figure, const Options& common, const Interrupts& interrupts,
                         const std::string& path);

}  // namespace sepx::app::cli
