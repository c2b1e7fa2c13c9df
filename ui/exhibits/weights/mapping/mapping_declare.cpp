// SPDX-License-Identifier: Apache-2.0
// Declarations, numbers and caption of the mapping page.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "ui/exhibit/number_table.h"
#include "ui/exhibits/weights/mapping/mapping_page.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

Condition onMapping(const WeightsShared& live) {
  return [&live](const Document& document) {
    return document.at("weights.page") == "mapping" || (live.model && live.model->map.layers.empty());
  };
}

std::string shapeText(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (const std::int64_t side : shape)
    text += (text.size() > 1 ? ", " : "") + std::to_string(side);
  return text + "]";
}

std::string bytesText(double bytes) {
  constexpr std::array<const char*, 5> kUnits{"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < kUnits.size(); ++unit)
    bytes /= 1000;
  return shownFixed(bytes, unit == 0 || bytes >= 100 ? 0 : 1) + " " + kUnits[unit];
}

void MappingPage::declare(PropertyRegistry& registry, const WeightsShared& live) {
  const Condition here = onMapping(live);
  const auto tensorChosen = [](const Document& document) {
    const Json& chosen = document.at("weights.mapping.tensor");
    return chosen.is_string() && !chosen.get<std::string>().empty();
  };
  const Getters statistics([this](int) { return statistics_.result(); });
  // clang-format off
  declareParameters(registry, {.prefix = "weights.", .applies = here}, {
      {.key = "mapping.filter", .label = N_("Filter"), .fallback = "",
       .help = N_("Only tensors whose name, shape or format contains all of these words are listed."),
       .undoable = false},
      {.key = "mapping.tensor", .into = &MappingPage::tensor_, .label = N_("Tensor"), .fallback = "",
       .help = N_("The tensor whose statistics are shown."), .undoable = false, .inPicture = true},
      {.key = "mapping.embedding", .into = &WeightsState::embedding, .label = N_("Embedding"), .fallback = "",
       .help = N_("The tensor with a row for each token, by its name in the list, where none was recognised or another one "
                  "is meant: of an encoder–decoder the embedding of the source or of the target. Empty: as recognised. "
                  "The page Token pair uses it.")},
      {.key = "rule.show", .into = &MappingPage::ruleShown_, .label = N_("Map by hand"), .fallback = false,
       .help = N_("Shows the assistant although a family was recognised, to map it differently."), .inPicture = true}});
  declareReadOuts(registry, {.applies = here}, {
      {.key = "weights.mapping.tensors", .label = N_("Tensors listed"),
       .help = N_("Number of tensors that match the filter."), .digits = 0,
       .get = gettersOf(*this)(&MappingPage::tensorsShown)}});
  declareReadOuts(registry, {.prefix = "weights.tensor.", .applies = both(here, tensorChosen)}, {
      {.key = "min", .label = N_("Least value"), .help = N_("The smallest of the selected tensor's finite values."),
       .get = statistics([](const TensorStatistics& of) { return of.histogram.lowest(); }), .numberWords = formatReading},
      {.key = "max", .label = N_("Largest value"), .help = N_("The largest of the selected tensor's finite values."),
       .get = statistics([](const TensorStatistics& of) { return of.histogram.highest(); }), .numberWords = formatReading},
      {.key = "mean", .label = N_("Mean"), .help = N_("The mean of the selected tensor's finite values."),
       .get = statistics(&TensorStatistics::mean), .numberWords = formatReading},
      {.key = "median", .label = N_("Median"), .help = N_("Median of the selected tensor's finite values, accurate to "
                                                          "0.2 %."),
       .get = statistics([](const TensorStatistics& of) { return of.histogram.percentile(50); }),
       .numberWords = formatReading},
      {.key = "zeros", .label = N_("Zeros"), .help = N_("Values of the selected tensor that are exactly 0."),
       .digits = 0, .get = statistics(&TensorStatistics::zeros)},
      {.key = "nonfinite", .label = N_("NaN/Inf entries"),
       .help = N_("Values of the selected tensor that are NaN or infinite."), .digits = 0,
       .get = statistics([](const TensorStatistics& of) { return of.histogram.nonfinite(); })}});
  // clang-format on
  const auto byHand = [&live](const Document& document) {
    return document.at("weights.rule.show") == true || (live.model && live.model->map.layers.empty());
  };
  declareRule(registry, rule_, both(here, byHand));
}

Numbers MappingPage::numbers(const WeightsShared& shared) const {
  Numbers numbers;
  if (!shared.model) return numbers;
  using Tensor = checkpoint::TensorInfo;
  using Row = checkpoint::MappingRow;
  numbers.tables.push_back(
      numberTable("tensors", shared.model->checkpoint->tensors(), NumberColumn{"tensor", &Tensor::name},
                  NumberColumn{"shape", [](const Tensor& of) { return shapeText(of.shape); }},
                  NumberColumn{"format", &Tensor::dtypeName}, NumberColumn{"values", &Tensor::values},
                  NumberColumn{"bytes", &Tensor::bytes}, NumberColumn{"alias_of", &Tensor::aliasOf}));
  const auto& mapping = shared.model->map.mapping;
  if (!mapping.empty())
    numbers.tables.push_back(
        numberTable("mapping", mapping, NumberColumn{"what", &Row::what}, NumberColumn{"from", &Row::from}));
  return numbers;
}

std::string MappingPage::caption(const WeightsShared& shared) const {
  if (!shared.model) return {};
  const checkpoint::AttentionMap& map = shared.model->map;
  return fmt::format(
      "{}: {}. {}.", shared.title(), tr("where queries and keys lie among its tensors"),
      map.layers.empty() ? std::string(tr("Its family is unknown")) : map.familyName + ", " + mapWords(map));
}

}  // namespace sepx::ui
