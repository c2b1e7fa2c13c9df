// SPDX-License-Identifier: Apache-2.0
// The mapping page as items.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/weights/mapping/mapping_page.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kWide = 820;  // points from which the lists stand side by side
constexpr std::size_t kMostNotes = 6;
constexpr double kMostHead = 0.45, kMostRule = 0.6, kMostNarrow = 0.26;  // of the height that is shared

render::Rect shrunk(render::Rect box, double by) {
  return {{box.min.x + by, box.min.y + by}, {box.max.x - by, box.max.y - by}};
}

}  // namespace

TextContent MappingPage::head(const PageFrame& frame) const {
  using Role = NoteLine::Role;
  TextContent text;
  const checkpoint::Model& model = *frame.shared.model;
  const bool known = !model.map.layers.empty();
  text.lines.push_back(
      {{frame.shared.title() + " — " +
        (known || !model.map.familyName.empty() ? model.map.familyName : std::string(tr("unknown family")))},
       Role::Heading});
  text.lines.push_back(
      {{fmt::format("{}, {} {}, {} {}, {}{}{}", checkpoint::name(model.checkpoint->format()),
                    model.checkpoint->tensors().size(), tr("tensors"),
                    countText(static_cast<double>(model.checkpoint->parameters())), tr("parameters"),
                    bytesText(static_cast<double>(model.checkpoint->bytes())),
                    model.map.recognisedBy.empty() ? "" : std::string(" · ") + tr("recognised by") + " ",
                    model.map.recognisedBy)},
       Role::Muted});
  const auto muted = [&text](std::string line) { text.lines.push_back({{std::move(line)}, Role::Muted}); };
  if (known) muted(mapWords(model.map));
  if (!model.map.noForm.empty()) muted(sentenceCase(model.map.noForm));
  std::vector<std::string> notes = model.map.notes;
  notes.insert(notes.end(), model.checkpoint->notes().begin(), model.checkpoint->notes().end());
  for (std::size_t i = 0; i < notes.size() && i < (frame.compact ? 2 : kMostNotes); ++i)
    muted("· " + notes[i]);
  return text;
}

TextContent MappingPage::ruleText(const WeightsShared& shared) const {
  using Role = NoteLine::Role;
  TextContent text{.lines = {}, .scrolls = true};
  if (!byHand(shared)) return text;
  const RuleTrial& trial = rule_.trial();
  text.lines.push_back({{tr("Map by hand")}, Role::Heading});
  text.lines.push_back(
      {{tr("Write in the panel how the tensors of queries and keys are called, {layer} in place of the layer's number. "
           "The list of tensors shows the names; \"Guess from the names\" makes a beginning. A saved rule is used "
           "from then on for every model that it fits.")},
       Role::Muted});
  text.lines.push_back({{fmt::format("{} {} {}, {} {}", tr("The patterns find"), trial.query, tr("tensors of queries"),
                                     trial.key, tr("of keys."))}});
  text.lines.push_back({{sentenceCase(rule_.fits() ? mapWords(*trial.map) : trial.failure)}});
  return text;
}

TextContent MappingPage::rows(const WeightsShared& shared) const {
  using Role = NoteLine::Role;
  TextContent text{.lines = {}, .scrolls = true};
  const checkpoint::AttentionMap& map = byHand(shared) && rule_.fits() ? *rule_.trial().map : shared.model->map;
  if (!map.mapping.empty()) text.lines.push_back({{tr("Where W_Q and W_K are")}, Role::Heading});
  for (const checkpoint::MappingRow& row : map.mapping) {
    text.lines.push_back({{row.what}, Role::Muted});
    text.lines.push_back({{"    " + row.from}});
  }
  return text;
}

ChoicesContent MappingPage::buttons(const WeightsShared& shared) const {
  if (!byHand(shared)) return {};
  return {{{"weights.rule-guess", "", {{"", tr("Guess from the names")}}},
           {"weights.rule-save", "", {{"", tr("Save the rule and open with it"), false, rule_.fits()}}}}};
}

TableContent MappingPage::tensors(const checkpoint::Checkpoint& checkpoint) const {
  TableContent table;
  table.columns = {{tr("tensor"), 0.52}, {tr("shape"), 0.22}, {tr("format"), 0.12}, {tr("size"), 0.14, true}};
  using Role = NoteLine::Role;
  for (const std::uint32_t i : shown_) {
    const checkpoint::TensorInfo& tensor = checkpoint.tensors()[i];
    if (tensor.name == tensor_) table.chosen = table.cells.size();
    table.cells.push_back(
        {tensor.name, shapeText(tensor.shape), tensor.dtypeName,
         tensor.aliasOf.empty() ? bytesText(static_cast<double>(tensor.bytes)) : std::string(tr("alias"))});
    table.roles.push_back({Role::Normal, Role::Muted, Role::Muted, Role::Muted});
  }
  table.pick = [this, &checkpoint](std::size_t row) {
    const std::string& name = checkpoint.tensors()[shown_[row]].name;
    return Changes{{"weights.mapping.tensor", name == tensor_ ? std::string() : name}};
  };
  return table;
}

Views MappingPage::views(const PageFrame& frame) const {
  const WeightsShared& shared = frame.shared;
  if (!shared.model) return sentenceAlone(modelSentence(shared));
  const Theme& theme = frame.theme;
  const double space = theme.space;
  const bool wide = frame.area.width() - 3 * space >= kWide;
  TextContent rule = ruleText(shared), rows = this->rows(shared);
  // A narrow page has one text for both, which scrolls.
  if (!wide) rows.lines.insert(rows.lines.begin(), rule.lines.begin(), rule.lines.end());
  if (!wide) rule.lines.clear();
  Views made{{{"head", head(frame)},
              {"rule", std::move(rule)},
              {"buttons", buttons(shared)},
              {"rows", std::move(rows)},
              {"tensors", tensors(*shared.model->checkpoint)}},
             {}};
  Arrangement lists{.kind = Arrangement::Kind::Column, .parts = {viewNamed("tensors")}, .gap = space};
  if (!tensor_.empty() && shared.model->checkpoint->find(tensor_)) {
    made.views.push_back(
        {"statistics", PictureContent{.of = Digest().add(statistics_.revision(), tensor_).value(),
                                      .draw = [this](const ViewPlace& place) { return statisticsItems(place); }}});
    Arrangement& statistics = lists.parts.emplace_back(viewNamed("statistics"));
    statistics.length = 14.25 * static_cast<double>(theme.smallSize);
    statistics.mostShare = 0.55;
  }
  std::vector<Arrangement> parts{asHighAsContent("head")};
  parts.front().mostShare = kMostHead;
  if (wide) {
    Arrangement mapping{.kind = Arrangement::Kind::Column,
                        .parts = {asHighAsContent("rule"), asHighAsContent("buttons"), viewNamed("rows")},
                        .gap = space,
                        .weight = 0.46};
    mapping.parts.front().mostShare = kMostRule;
    lists.weight = 0.54;
    parts.push_back(
        {.kind = Arrangement::Kind::Row, .parts = {std::move(mapping), std::move(lists)}, .gap = 2 * space});
  } else {
    Arrangement rowsPart = asHighAsContent("rows");
    rowsPart.mostShare = kMostNarrow;
    parts.insert(parts.end(), {std::move(rowsPart), asHighAsContent("buttons"), std::move(lists)});
  }
  made.arrangement = {
      .kind = Arrangement::Kind::Column, .parts = std::move(parts), .gap = space, .margin = 1.5 * space};
  return made;
}

std::vector<render::Item> MappingPage::statisticsItems(const ViewPlace& place) const {
  std::vector<render::Item> items;
  const Theme& theme = place.theme;
  const render::Rect& box = place.box;
  addBox(items, box, theme.radius, theme.surface, theme.border);
  const render::Rect inner = shrunk(box, theme.space);
  const double row = 1.5 * theme.smallSize;
  double y = inner.min.y + row / 2;
  const auto line = [&](const std::string& text, bool strong = false) {
    items.emplace_back(textAt({inner.min.x, y}, elided(text, theme.smallSize, inner.width()), theme.smallSize,
                              strong ? theme.text : theme.textMuted));
    y += row;
  };
  line(tensor_, true);
  if (!statistics_.failure().empty()) {
    for (const std::string& part : wrapped(statistics_.failure(), theme.smallSize, inner.width()))
      line(part);
    return items;
  }
  if (!statistics_.result()) {
    line(tr("reading its values…"));
    return items;
  }
  const TensorStatistics& s = *statistics_.result();
  const attention::Histogram& h = s.histogram;
  line(fmt::format("{} {} · {} {} · {} {}", countText(static_cast<double>(h.finite() + h.nonfinite())), tr("values"),
                   s.zeros, tr("zeros"), h.nonfinite(), tr("NaN/Inf")));
  if (h.finite() == 0) return items;
  line(fmt::format("{} {} … {} · {} {} · {} {}", tr("from"), formatReading(h.lowest()), formatReading(h.highest()),
                   tr("mean"), formatReading(s.mean), tr("deviation"), formatReading(s.deviation)));
  line(fmt::format("1 %: {} · 25 %: {} · 50 %: {} · 75 %: {} · 99 %: {}", formatReading(h.percentile(1)),
                   formatReading(h.percentile(25)), formatReading(h.percentile(50)), formatReading(h.percentile(75)),
                   formatReading(h.percentile(99))));
  // The distribution between the 0.1st and the 99.9th percentile.
  const double low = h.percentile(0.1), high = h.percentile(99.9);
  const render::Rect plot{{inner.min.x, y - row / 2 + 3}, {inner.max.x, inner.max.y}};
  if (!(high > low) || plot.height() < 12) return items;
  const int count = std::clamp(static_cast<int>(plot.width() / 5), 8, 120);
  const std::vector<double> bins = h.bins(low, high, count);
  const double tallest = std::max(1e-300, *std::max_element(bins.begin(), bins.end()));
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const double left = plot.min.x + plot.width() * static_cast<double>(i) / count;
    const double top = plot.max.y - plot.height() * bins[i] / tallest;
    items.emplace_back(pageFill({{left, top}, {left + plot.width() / count - 1, plot.max.y}}, theme.globalMin));
  }
  if (low < 0 && high > 0) {
    const double zero = plot.min.x + plot.width() * (-low) / (high - low);
    items.emplace_back(pageLine({zero, plot.min.y}, {zero, plot.max.y}, theme.text, 1, render::Dash::Dotted));
  }
  return items;
}

}  // namespace sepx::ui
