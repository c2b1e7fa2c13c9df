// SPDX-License-Identifier: Apache-2.0
// Makes the data of the charts from the board of scores and from the published values. Pure.
#include "ui/exhibits/weights/shared/charts_data.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/exhibits/weights/shared/weights_page_kit.h"

namespace sepx::ui {

double valueOf(const attention::Scores& scores, ChartScore which) {
  return which == ChartScore::Symmetry ? scores.symmetry : scores.directionality;
}

const attention::Band& bandOf(const attention::RandomBands& bands, ChartScore which) {
  return which == ChartScore::Symmetry ? bands.symmetry : bands.directionality;
}

const char* symbolOf(ChartScore which) {
  return which == ChartScore::Symmetry ? "s" : "d";
}

std::string otherKey(std::size_t i) {
  return "weights.charts.other" + std::to_string(i);
}

std::vector<StackSeries> seriesOf(const std::vector<LayerScores>& board, ChartScore which) {
  std::vector<StackSeries> all;
  for (const LayerScores& entry : board) {
    if (all.empty() || all.back().stack != entry.stack) all.push_back({entry.stack, {}, {}});
    LayerPoint point;
    point.layer = entry.layer;
    point.value = entry.moments ? valueOf(entry.scores, which) : std::numeric_limits<double>::quiet_NaN();
    for (const attention::Scores& head : entry.headScores)
      point.heads.push_back(valueOf(head, which));
    point.spread = attention::quartiles(point.heads);
    point.band = bandOf(entry.band, which);
    point.samples = entry.band.samples;
    all.back().points.push_back(std::move(point));
  }
  for (StackSeries& series : all) {
    std::vector<double> values;
    for (const LayerPoint& point : series.points)
      values.push_back(point.value);
    series.across = attention::quartiles(values);
  }
  return all;
}

std::vector<ModelDot> publishedDots(const attention::Published& published, ChartScore which) {
  std::vector<ModelDot> dots;
  for (const attention::PublishedModel& model : published.models) {
    std::vector<attention::PublishedValue> seen;
    for (const attention::PublishedValue& value :
         which == ChartScore::Symmetry ? model.symmetry : model.directionality) {
      const bool again = std::any_of(seen.begin(), seen.end(), [&](const attention::PublishedValue& other) {
        return other.median == value.median && other.minus == value.minus && other.plus == value.plus;
      });
      if (again) continue;
      seen.push_back(value);
      ModelDot dot;
      dot.name = model.name;
      dot.parameters = model.parameters;
      dot.value = {value.median, value.median - value.minus, value.median + value.plus};
      dot.kind = model.modality != "language"                             ? ModelClass::Modality
                 : !model.stack.empty()                                   ? ModelClass::EncoderDecoder
                 : model.kind == attention::PublishedModel::Kind::Encoder ? ModelClass::Encoder
                                                                          : ModelClass::Decoder;
      dot.modality = model.modality;
      dot.unsafe = model.unsafe;
      dot.source = value.source;
      dot.mispaired = !model.isSafe() && !model.ownKeys;
      dots.push_back(std::move(dot));
    }
  }
  return dots;
}

std::vector<ModelDot> ownDots(const std::string& title, const checkpoint::Model& model,
                              const std::vector<LayerScores>& board, ChartScore which, bool compared) {
  std::vector<ModelDot> dots;
  const bool several = model.map.stacks().size() > 1;
  for (const StackSeries& series : seriesOf(board, which)) {
    if (!std::isfinite(series.across.median)) continue;
    const checkpoint::AttentionLayer* first = model.map.find(series.stack, series.points.front().layer);
    ModelDot dot;
    dot.name = title + (several ? " (" + stackWords(series.stack) + ")" : "");
    dot.parameters = static_cast<double>(std::max<std::uint64_t>(1, model.checkpoint->parameters()));
    dot.value = series.across;
    dot.kind = several                  ? ModelClass::EncoderDecoder
               : first && first->causal ? ModelClass::Decoder
                                        : ModelClass::Encoder;
    dot.own = true;
    dot.compared = compared;
    dots.push_back(std::move(dot));
  }
  return dots;
}

}  // namespace sepx::ui
