// SPDX-License-Identifier: Apache-2.0
// Declarations, numbers and caption of the mapping page.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "ui/exhibits/weights/mapping/mapping_page.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

void declareStatistics(PropertyRegistry& registry, const WeightsShared& live, const MappingPage& page) {
  const auto declare = [&](const char* key, const char* label, const char* help, int digits, auto get) {
    ReadOut readOut;
    readOut.key = key;
    readOut.label = label;
    readOut.help = help;
    readOut.digits = digits;
    readOut.numberWords = digits == 0 ? std::function<std::string(double)>() : formatReading;
    readOut.applies = [shown = onMapping(live)](const Document& document) {
      const Json& chosen = document.at("weights.mapping.tensor");
      return shown(document) && chosen.is_string() && !chosen.get<std::string>().empty();
    };
    readOut.get = [&page, get](int) -> Value {
      const TensorStatistics* const result = page.statistics().result();
      return result ? Value(static_cast<double>(get(*result))) : Value(std::monostate{});
    };
    registry.declare(std::move(readOut));
  };
  declare("weights.tensor.min", N_("Least value"), N_("Of the chosen tensor's finite values."), 6,
          [](const TensorStatistics& s) { return s.histogram.lowest(); });
  declare("weights.tensor.max", N_("Largest value"), N_("Of the chosen tensor's finite values."), 6,
          [](const TensorStatistics& s) { return s.histogram.highest(); });
  declare("weights.tensor.mean", N_("Mean"), N_("Of the chosen tensor's finite values."), 6,
          [](const TensorStatistics& s) { return s.mean; });
  declare("weights.tensor.median", N_("Median"), N_("Of the chosen tensor's finite values, to 0.2 %."), 6,
          [](const TensorStatistics& s) { return s.histogram.percentile(50); });
  declare("weights.tensor.zeros", N_("Zeros"), N_("Values of the chosen tensor that are exactly 0."), 0,
          [](const TensorStatistics& s) { return s.zeros; });
  declare("weights.tensor.nonfinite", N_("Not finite"), N_("Values of the chosen tensor that are NaN or infinite."), 0,
          [](const TensorStatistics& s) { return s.histogram.nonfinite(); });
}

}  // namespace

std::function<bool(const Document&)> onMapping(const WeightsShared& live) {
  return [&live](const Document& document) {
    return document.at("weights.page") == Json("mapping") || (live.model && live.model->map.layers.empty());
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

void declareMapping(PropertyRegistry& registry, const WeightsShared& live, const MappingPage& page) {
  Property filter;
  filter.key = "weights.mapping.filter";
  filter.label = N_("Filter");
  filter.kind = Kind::Text;
  filter.fallback = std::string();
  filter.help = N_("Words that names, shapes or formats of the listed tensors contain, all of them.");
  filter.undoable = false;
  filter.applies = onMapping(live);
  registry.declare(filter);
  Property tensor = filter;
  tensor.key = "weights.mapping.tensor";
  tensor.label = N_("Tensor");
  tensor.help = N_("The tensor whose statistics are shown.");
  registry.declare(tensor);
  Property show;
  show.key = "weights.rule.show";
  show.label = N_("Map by hand");
  show.kind = Kind::Toggle;
  show.fallback = false;
  show.help = N_("Shows the assistant also where a family was recognised, to map it in another way.");
  show.applies = onMapping(live);
  registry.declare(show);

  ReadOut shown;
  shown.key = "weights.mapping.tensors";
  shown.label = N_("Tensors listed");
  shown.help = N_("How many tensors the filter lets through.");
  shown.digits = 0;
  shown.applies = onMapping(live);
  shown.get = [&page](int) -> Value { return static_cast<double>(page.tensorsShown()); };
  registry.declare(shown);
  declareStatistics(registry, live, page);
}

Numbers MappingPage::numbers(const WeightsShared& shared) const {
  Numbers numbers;
  if (!shared.model) return numbers;
  std::vector<std::string> name, shape, format, alias, what, from;
  std::vector<double> values, bytes;
  for (const checkpoint::TensorInfo& tensor : shared.model->checkpoint->tensors()) {
    name.push_back(tensor.name);
    shape.push_back(shapeText(tensor.shape));
    format.push_back(tensor.dtypeName);
    alias.push_back(tensor.aliasOf);
    values.push_back(static_cast<double>(tensor.values()));
    bytes.push_back(static_cast<double>(tensor.bytes));
  }
  for (const checkpoint::MappingRow& row : shared.model->map.mapping) {
    what.push_back(row.what);
    from.push_back(row.from);
  }
  numbers.tables.push_back({"tensors",
                            {{"tensor", "", name},
                             {"shape", "", shape},
                             {"format", "", format},
                             {"values", "", values},
                             {"bytes", "", bytes},
                             {"alias_of", "", alias}}});
  if (!what.empty()) numbers.tables.push_back({"mapping", {{"what", "", what}, {"from", "", from}}});
  return numbers;
}

std::string MappingPage::caption(const WeightsShared& shared) const {
  if (!shared.model) return {};
  const checkpoint::AttentionMap& map = shared.model->map;
  return fmt::format(
      "{}: {}. {}.", shared.model->checkpoint->title(), tr("where queries and keys lie among its tensors"),
      map.layers.empty() ? std::string(tr("Its family is unknown")) : map.familyName + ", " + mapWords(map));
}

}  // namespace sepx::ui
