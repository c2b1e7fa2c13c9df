// SPDX-License-Identifier: Apache-2.0
#include "engine/studies/score_study.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/try.h"

namespace sepx::studies {

using attention::Published;
using attention::PublishedModel;

namespace {

constexpr std::size_t kQuickLayers = 4;
// Half a unit of the last digit, plus the error of a printed decimal that is read as a double.
constexpr double kTolerance = attention::kPrintTolerance + 1e-9;

/// At most kQuickLayers of every stack, evenly spread.
Layers fewOf(const Layers& all) {
  Layers few;
  for (const checkpoint::AttentionLayer* layer : all) {
    const auto count = static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [layer](const auto* one) { return one->stack == layer->stack; }));
    const auto at = static_cast<std::size_t>(layer->layer);
    const bool taken = count <= kQuickLayers || at * kQuickLayers / count != (at + 1) * kQuickLayers / count;
    if (taken) few.push_back(layer);
  }
  return few;
}

bool isGrouped(const Layers& layers) {
  return std::any_of(layers.begin(), layers.end(), [](const auto* one) { return one->kvHeads != one->heads; });
}

attention::ModelShape shapeOf(const checkpoint::Model& model) {
  const nlohmann::json& config = model.checkpoint->config();
  if (!config.is_object() || !config.contains("model_type") || !config["model_type"].is_string() ||
      model.map.layers.empty())
    return {};
  const checkpoint::AttentionLayer& first = model.map.layers.front();
  return {config["model_type"].get<std::string>(), model.map.layersOf(first.stack), first.d_model, first.kvHeads};
}

Result<std::vector<Summary>> summariesWith(const checkpoint::Model& model, const Layers& layers,
                                           checkpoint::HeadPairing pairing, MomentsComputer& computer,
                                           const std::function<void(double share)>& progress) {
  ScoreRequest request;  // the conventions of the tables are the defaults
  request.pairing = pairing;
  request.bands = false;
  SEPX_ASSIGN(const auto rows, scoreLayers(model, layers, request, computer, progress));
  return summaries(rows);
}

/// The distances of `median` from the nearest and from the farthest printed value. A table may have a checkpoint twice
/// with different values (GPT-Neo2.7B).
std::pair<double, double> distances(const std::vector<attention::PublishedValue>& printed, double median) {
  const auto off = [median](const attention::PublishedValue& value) { return std::abs(value.median - median); };
  const auto [nearest, farthest] = std::ranges::minmax_element(printed, {}, off);
  return {off(*nearest), off(*farthest)};
}

/// The stack with this name, or the first one if the name is empty; null if there is none.
const Summary* stackOf(const std::vector<Summary>& stacks, const std::string& name) {
  const auto found = std::find_if(stacks.begin(), stacks.end(), [&name](const Summary& one) {
    return name.empty() || checkpoint::toString(one.stack) == name;
  });
  return found == stacks.end() ? nullptr : &*found;
}

std::vector<PublishedScore> scoresOf(const Study& study) {
  if (study.key() == "table-4") return {PublishedScore::Symmetry};
  if (study.key() == "table-5") return {PublishedScore::Directionality};
  return {PublishedScore::Symmetry, PublishedScore::Directionality};
}

}  // namespace

const char* toString(PublishedScore score) {
  return score == PublishedScore::Symmetry ? "symmetry" : "directionality";
}

const std::vector<attention::PublishedValue>& valuesOf(const PublishedModel& model, PublishedScore score) {
  return score == PublishedScore::Symmetry ? model.symmetry : model.directionality;
}

const attention::Quartiles& quartilesOf(const Summary& summary, PublishedScore score) {
  return score == PublishedScore::Symmetry ? summary.symmetry : summary.directionality;
}

const PublishedModel* publishedOf(const Published& published, const checkpoint::Model& model) {
  if (const PublishedModel* found = published.find(model.checkpoint->title())) return found;
  const nlohmann::json& config = model.checkpoint->config();
  const auto name = config.is_object() ? config.find("_name_or_path") : config.end();
  if (!config.is_object() || name == config.end() || !name->is_string()) return nullptr;
  return published.find(name->get<std::string>());
}

Result<Measured> measure(const checkpoint::Model& model, const Layers& all, const Published& published,
                         const PublishedModel* named, bool quick, MomentsComputer& computer,
                         const std::function<void(double share)>& progress) {
  const Layers layers = quick ? fewOf(all) : all;
  SEPX_ASSIGN(auto stacks, summariesWith(model, layers, checkpoint::HeadPairing::Grouped, computer, progress));
  Measured measured;
  measured.title = model.checkpoint->title();
  measured.parameters = static_cast<double>(model.checkpoint->parameters());
  measured.causal = layers.front()->causal;
  measured.stacks = std::move(stacks);
  if (isGrouped(layers)) {
    SEPX_ASSIGN(measured.publishedPairing,
                summariesWith(model, layers, checkpoint::HeadPairing::Published, computer, progress));
  }
  measured.row = named != nullptr ? named : publishedOf(published, model);
  measured.byShape = measured.row == nullptr;
  // The count of the whole model, because the file may contain only the attention weights.
  if (measured.row != nullptr) measured.parameters = measured.row->parameters;
  if (measured.byShape) measured.row = published.ofShape(shapeOf(model));
  return measured;
}

std::vector<Judged> judge(const Published& published, const std::vector<Measured>& measured, PublishedScore score,
                          bool judged) {
  std::vector<Judged> rows;
  for (const PublishedModel& model : published.models) {
    const std::vector<attention::PublishedValue>& values = valuesOf(model, score);
    if (values.empty()) continue;
    Judged row;
    row.published = &model;
    const auto own =
        std::find_if(measured.begin(), measured.end(), [&model](const Measured& one) { return one.row == &model; });
    if (own != measured.end()) row.own = stackOf(own->stacks, model.stack);
    if (row.own != nullptr) {
      row.measured = &*own;
      const auto [nearest, farthest] = distances(values, quartilesOf(*row.own, score).median);
      row.off = nearest;
      // A NaN score agrees with nothing. If only one of two printed values agrees, the row is not judged.
      const bool one = (nearest <= kTolerance) == (farthest <= kTolerance);
      const bool anchor = model.isSafe() && values.front().isPrinted();
      if (anchor && judged && !own->byShape && one) row.agrees = nearest <= kTolerance;
    }
    if (row.measured != nullptr || values.front().isPrinted()) rows.push_back(row);
  }
  return rows;
}

void ScoreTables::judgeAll() {
  tables.clear();
  for (const PublishedScore score : scoresOf(*study))
    tables.emplace_back(score, judge(published, measured, score, !quick));
}

std::vector<Check> ScoreTables::checks() const {
  std::vector<Check> all;
  for (const auto& [score, rows] : tables)
    for (const Judged& row : rows) {
      if (!row.agrees) continue;
      const char* what = score == PublishedScore::Symmetry
                             ? N_("{}: distance of the median symmetry from the printed one")
                             : N_("{}: distance of the median directionality from the printed one");
      all.push_back({0, 0, sentence(what, row.published->name), 1, *row.off, "<=", kTolerance});
    }
  return all;
}

}  // namespace sepx::studies
