// SPDX-License-Identifier: Apache-2.0
// The data of the charts as plain numbers: scores by layer with their spread over heads, and models as dots against
// their number of parameters [Attention-Structure, Figures 2, S1, S2]. Pure.
#pragma once

#include <string>
#include <vector>

#include "engine/attention/published.h"
#include "engine/attention/random_band.h"
#include "engine/attention/scores.h"
#include "ui/exhibits/weights/shared/weights_page.h"

namespace sepx::ui {

enum class ChartScore { Symmetry, Directionality };
double valueOf(const attention::Scores& scores, ChartScore which);
const attention::Band& bandOf(const attention::RandomBands& bands, ChartScore which);
/// "s", "d"
const char* symbolOf(ChartScore which);

struct LayerPoint {
  int layer = 0;
  double value = 0;             ///< of the whole layer; NaN: not yet computed, or undefined
  std::vector<double> heads;    ///< by head; empty: not yet computed
  attention::Quartiles spread;  ///< across the heads
  attention::Band band;
  int samples = 0;  ///< of the band; 0: not yet computed
};

struct StackSeries {
  checkpoint::Stack stack = checkpoint::Stack::Self;
  std::vector<LayerPoint> points;  ///< by layer
  attention::Quartiles across;     ///< across the layers, type 7
};
/// Number of checkpoints besides the open one: the second one of the page Compare, and further ones.
inline constexpr std::size_t kOthers = 5;
/// The property that names further checkpoint `i` of the charts, from 1.
std::string otherKey(std::size_t i);

std::vector<StackSeries> seriesOf(const std::vector<LayerScores>& board, ChartScore which);

/// The classes of models in Figures 2, S1 and S2.
enum class ModelClass { Encoder, Decoder, EncoderDecoder, Modality };

/// A model in the scatter plot.
struct ModelDot {
  std::string name;
  double parameters = 0;
  attention::Quartiles value;
  ModelClass kind = ModelClass::Encoder;
  std::string modality;    ///< "language", "vision", …; empty: unknown
  std::string unsafe;      ///< why measurements are not compared with the published value; empty: they are
  std::string source;      ///< location of a value that is in neither table; measurements are not compared with it
  bool mispaired = false;  ///< published for queries of one head and keys of another; drawn with a cross
  bool own = false;        ///< a checkpoint of the user
  bool compared = false;   ///< a checkpoint besides the open one
};

/// One dot for every distinct published value of a model.
std::vector<ModelDot> publishedDots(const attention::Published& published, ChartScore which);
/// One dot per stack; stacks without a score are left out.
std::vector<ModelDot> ownDots(const std::string& title, const checkpoint::Model& model,
                              const std::vector<LayerScores>& board, ChartScore which, bool compared);

}  // namespace sepx::ui
