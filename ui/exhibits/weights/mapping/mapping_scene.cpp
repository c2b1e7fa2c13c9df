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

render::Rect shrunk(render::Rect box, double by) {
  return {{box.min.x + by, box.min.y + by}, {box.max.x - by, box.max.y - by}};
}

}  // namespace

namespace {

double sizeOf(bool title, const Theme& theme) {
  return title ? theme.textSize : theme.smallSize;
}

/// Lines from the top of a column, each as high as its kind is.
class LineColumn {
 public:
  using Line = MappingPage::TextLine;
  using Kind = Line::Kind;
  LineColumn(const render::Rect& box, double scroll, const Theme& theme)
      : box_(box), theme_(theme), y_(box.min.y - scroll) {}

  void add(const std::string& text, Kind kind) {
    for (const std::string& line : wrapped(text, sizeOf(kind == Kind::Title, theme_), box_.width()))
      place({line, kind});
  }
  void place(Line line) {
    const double small = theme_.smallSize;
    const double height = line.kind == Kind::Button    ? 2.5 * small
                          : line.kind == Kind::Title   ? 1.7 * theme_.textSize
                          : line.kind == Kind::Heading ? 1.9 * small
                          : line.kind == Kind::Gap     ? 0.7 * small
                                                       : 1.5 * small;
    const double inset = line.kind == Kind::Button ? 2 * theme_.space : 0;
    line.box = {{box_.min.x, y_}, {box_.min.x + textWidth(line.text, small) + inset, y_ + height}};
    y_ += height;
    lines_.push_back(std::move(line));
  }
  std::vector<Line> take() { return std::move(lines_); }

 private:
  render::Rect box_;
  const Theme& theme_;
  double y_;
  std::vector<Line> lines_;
};

double heightOf(const std::vector<MappingPage::TextLine>& lines) {
  return lines.empty() ? 0 : lines.back().box.max.y - lines.front().box.min.y;
}

}  // namespace

std::vector<MappingPage::TextLine> MappingPage::headLines(const PageFrame& frame, const render::Rect& box) const {
  using Style = TextLine::Kind;
  LineColumn column(box, 0, frame.theme);
  const checkpoint::Model& model = *frame.shared.model;
  const bool known = !model.map.layers.empty();
  column.add(frame.shared.title() + " — " +
                 (known || !model.map.familyName.empty() ? model.map.familyName : std::string(tr("unknown family"))),
             Style::Title);
  column.add(fmt::format("{}, {} {}, {} {}, {}{}{}", checkpoint::name(model.checkpoint->format()),
                         model.checkpoint->tensors().size(), tr("tensors"),
                         countText(static_cast<double>(model.checkpoint->parameters())), tr("parameters"),
                         bytesText(static_cast<double>(model.checkpoint->bytes())),
                         model.map.recognisedBy.empty() ? "" : std::string(" · ") + tr("recognised by") + " ",
                         model.map.recognisedBy),
             Style::Muted);
  if (known) column.add(mapWords(model.map), Style::Muted);
  if (!model.map.noForm.empty()) column.add(sentenceCase(model.map.noForm), Style::Muted);
  std::vector<std::string> notes = model.map.notes;
  notes.insert(notes.end(), model.checkpoint->notes().begin(), model.checkpoint->notes().end());
  for (std::size_t i = 0; i < notes.size() && i < (frame.compact ? 2 : kMostNotes); ++i)
    column.add("· " + notes[i], Style::Muted);
  return column.take();
}

MappingPage::Layout MappingPage::layoutOf(const PageFrame& frame) const {
  Layout layout;
  const double space = frame.theme.space;
  const render::Rect area = shrunk(frame.area, 1.5 * space);
  const double height = std::min(0.6 * space + heightOf(headLines(frame, area)), 0.45 * area.height());
  layout.head = {area.min, {area.max.x, area.min.y + height}};
  const render::Rect rest{{area.min.x, area.min.y + height + space}, area.max};
  layout.mapping = layout.tensors = rest;
  if (rest.width() >= kWide) {
    layout.mapping.max.x = rest.min.x + 0.46 * rest.width() - space;
    layout.tensors.min.x = rest.min.x + 0.46 * rest.width() + space;
  } else {
    layout.mapping.max.y = rest.min.y + std::min(heightOf(mappingLines(frame, rest)), 0.4 * rest.height());
    layout.tensors.min.y = layout.mapping.max.y + space;
  }
  if (!tensor_.empty() && frame.shared.model->checkpoint->find(tensor_)) {
    layout.statistics = layout.tensors;
    const double room = std::min(9.5 * static_cast<double>(frame.theme.smallSize) * 1.5, 0.5 * layout.tensors.height());
    layout.tensors.max.y -= room + space;
    layout.statistics.min.y = layout.tensors.max.y + space;
  }
  return layout;
}

std::vector<MappingPage::TextLine> MappingPage::mappingLines(const PageFrame& frame, const render::Rect& box,
                                                             double scroll) const {
  using Style = TextLine::Kind;
  LineColumn column(box, scroll, frame.theme);
  if (byHand(frame)) {
    const RuleTrial& trial = rule_.trial();
    column.add(tr("Map by hand"), Style::Heading);
    column.add(
        tr("Write in the panel how the tensors of queries and keys are called, {layer} in place of the layer's number. "
           "The list of tensors shows the names; \"Guess from the names\" makes a beginning. A saved rule is used "
           "from then on for every model that it fits."),
        Style::Muted);
    column.place({{}, Style::Gap});
    column.add(fmt::format("{} {} {}, {} {}", tr("The patterns find"), trial.query, tr("tensors of queries"), trial.key,
                           tr("of keys.")),
               Style::Text);
    column.add(sentenceCase(rule_.fits() ? mapWords(*trial.map) : trial.failure), Style::Text);
    if (!frame.figure) {
      column.place({tr("Guess from the names"), Style::Button, "weights.rule-guess"});
      column.place({tr("Save the rule and open with it"), Style::Button, rule_.fits() ? "weights.rule-save" : ""});
    }
    if (!rule_.fits() && frame.shared.model->map.layers.empty()) return column.take();
    column.place({{}, Style::Gap});
  }
  const checkpoint::AttentionMap& map = byHand(frame) && rule_.fits() ? *rule_.trial().map : frame.shared.model->map;
  if (!map.mapping.empty()) column.add(tr("Where W_Q and W_K are"), Style::Heading);
  for (const checkpoint::MappingRow& row : map.mapping) {
    column.add(row.what, Style::Muted);
    column.add("    " + row.from, Style::Text);
  }
  return column.take();
}

double MappingPage::mostMappingScroll(const PageFrame& frame, const render::Rect& box) const {
  return std::max(0.0, heightOf(mappingLines(frame, box)) - box.height());
}

/// Whole lines alone: nothing has to be cut.
std::vector<render::Item> MappingPage::lineItems(const std::vector<TextLine>& lines, const render::Rect& box,
                                                 const Theme& theme) {
  using Style = TextLine::Kind;
  std::vector<render::Item> items;
  for (const TextLine& line : lines) {
    if (line.text.empty() || line.box.min.y < box.min.y - 0.5 || line.box.max.y > box.max.y + 1) continue;
    const bool button = line.kind == Style::Button, title = line.kind == Style::Title;
    if (button)
      addBox(items, {{line.box.min.x, line.box.min.y + 3}, {line.box.max.x, line.box.max.y - 3}}, theme.radius,
             theme.surfaceRaised, theme.border);
    const bool muted = line.kind == Style::Muted || (button && line.command.empty());
    render::Label label =
        textAt({line.box.min.x + (button ? theme.space : 0), (line.box.min.y + line.box.max.y) / 2}, line.text,
               title ? theme.textSize : theme.smallSize, muted ? theme.textMuted : theme.text);
    label.bold = title || line.kind == Style::Heading;
    items.emplace_back(std::move(label));
  }
  return items;
}

std::string MappingPage::buttonAt(const PageFrame& frame, const render::Rect& box, render::Point page) const {
  const double scroll = std::clamp(mappingScroll_, 0.0, mostMappingScroll(frame, box));
  for (const TextLine& line : mappingLines(frame, box, scroll))
    if (line.kind == TextLine::Kind::Button && box.contains(page) && line.box.contains(page)) return line.command;
  return {};
}

TableView MappingPage::tensorTable(const PageFrame& frame) const {
  TableView table;
  table.columns = {{tr("tensor"), 0.52}, {tr("shape"), 0.22}, {tr("format"), 0.12}, {tr("size"), 0.14, true}};
  table.rows = shown_.size();
  const checkpoint::Checkpoint* checkpoint = frame.shared.model->checkpoint.get();
  const std::vector<std::uint32_t>* shown = &shown_;
  table.text = [checkpoint, shown](std::size_t row, std::size_t column) -> std::string {
    const checkpoint::TensorInfo& tensor = checkpoint->tensors()[(*shown)[row]];
    switch (column) {
      case 0:
        return tensor.name;
      case 1:
        return shapeText(tensor.shape);
      case 2:
        return tensor.dtypeName;
      default:
        return tensor.aliasOf.empty() ? bytesText(static_cast<double>(tensor.bytes)) : std::string(tr("alias"));
    }
  };
  const render::Color usual = frame.theme.text, muted = frame.theme.textMuted;
  table.color = [usual, muted](std::size_t, std::size_t column) { return column == 0 ? usual : muted; };
  return table;
}

std::vector<render::Item> MappingPage::statisticsItems(const PageFrame& frame, const render::Rect& box) const {
  std::vector<render::Item> items;
  const Theme& theme = frame.theme;
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

void MappingPage::scene(const PageFrame& frame, std::vector<render::Layer>& into) {
  if (!frame.shared.model) {
    layers_.addSentence(into, "mapping.sentence", frame, modelSentence(frame.shared));
    return;
  }
  const Layout layout = layoutOf(frame);
  const LayerKey key = keyWith(frameKey(frame), frame.shared.modelRevision, rule_.revision(), ruleShown_, tensor_);
  layers_.add(into, "mapping.head", key,
              [&] { return lineItems(headLines(frame, layout.head), layout.head, frame.theme); });
  const double scroll = std::clamp(mappingScroll_, 0.0, mostMappingScroll(frame, layout.mapping));
  layers_.add(into, "mapping.rows", keyWith(key, scroll),
              [&] { return lineItems(mappingLines(frame, layout.mapping, scroll), layout.mapping, frame.theme); });
  const TableView::Look tensorLook = look(frame, layout.tensors);
  const double tensorScroll = std::clamp(tensorScroll_, 0.0, tensorTable(frame).mostScroll(tensorLook));
  LayerKey tensors =
      keyWith(key, tensorScroll, filter_, shown_.size(), tensorLook.hovered ? *tensorLook.hovered + 1 : 0);
  layers_.add(into, "mapping.tensors", std::move(tensors), [&] {
    std::vector<render::Item> items;
    tensorTable(frame).draw(items, tensorLook, tensorScroll);
    return items;
  });
  if (layout.statistics.height() > 0)
    layers_.add(into, "mapping.statistics", keyWith(key, statistics_.revision()),
                [&] { return statisticsItems(frame, layout.statistics); });
  if (!frame.pointer || frame.figure) return;
  const std::optional<std::string> cut = tensorTable(frame).cutText(tensorLook, tensorScroll, *frame.pointer);
  if (!cut) return;
  layers_.add(
      into, "mapping.tip", keyWith(key, *cut, *frame.pointer),
      [&] {
        std::vector<render::Item> items;
        addTip(items, *frame.pointer, wrapped(*cut, frame.theme.smallSize, 0.7 * frame.area.width()), frame.area,
               frame.theme);
        return items;
      },
      false);
}

}  // namespace sepx::ui
