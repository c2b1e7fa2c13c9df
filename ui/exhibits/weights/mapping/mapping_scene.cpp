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

/// Lines of the head: text and whether it is strong.
std::vector<std::pair<std::string, bool>> MappingPage::headLines(const PageFrame& frame, double width) const {
  std::vector<std::pair<std::string, bool>> lines;
  const checkpoint::Model& model = *frame.shared.model;
  const double size = frame.theme.smallSize;
  const auto add = [&](const std::string& text, bool strong = false) {
    for (std::string& line : wrapped(text, strong ? frame.theme.textSize : size, width))
      lines.emplace_back(std::move(line), strong);
  };
  const bool known = !model.map.layers.empty();
  add(model.checkpoint->title() + " — " +
          (known || !model.map.familyName.empty() ? model.map.familyName : std::string(tr("unknown family"))),
      true);
  add(fmt::format(
      "{}, {} {}, {} {}, {}{}{}", checkpoint::name(model.checkpoint->format()), model.checkpoint->tensors().size(),
      tr("tensors"), countText(static_cast<double>(model.checkpoint->parameters())), tr("parameters"),
      bytesText(static_cast<double>(model.checkpoint->bytes())),
      model.map.recognisedBy.empty() ? "" : std::string(" · ") + tr("recognised by") + " ", model.map.recognisedBy));
  if (known) add(mapWords(model.map));
  if (!model.map.noForm.empty()) add(sentenceCase(model.map.noForm));
  std::vector<std::string> notes = model.map.notes;
  notes.insert(notes.end(), model.checkpoint->notes().begin(), model.checkpoint->notes().end());
  for (std::size_t i = 0; i < notes.size() && i < (frame.compact ? 2 : kMostNotes); ++i)
    add("· " + notes[i]);
  return lines;
}

MappingPage::Layout MappingPage::layoutOf(const PageFrame& frame) const {
  Layout layout;
  const double space = frame.theme.space;
  const render::Rect area = shrunk(frame.area, 1.5 * space);
  double height = 0.6 * space;
  for (const auto& line : headLines(frame, area.width()))
    height += line.second ? 1.7 * frame.theme.textSize : 1.45 * frame.theme.smallSize;
  height = std::min(height, 0.45 * area.height());
  layout.head = {area.min, {area.max.x, area.min.y + height}};
  const render::Rect rest{{area.min.x, area.min.y + height + space}, area.max};
  layout.mapping = layout.tensors = rest;
  if (rest.width() >= kWide) {
    layout.mapping.max.x = rest.min.x + 0.46 * rest.width() - space;
    layout.tensors.min.x = rest.min.x + 0.46 * rest.width() + space;
  } else {
    double wanted = 0;
    for (const TextLine& line : mappingLines(frame, rest.width()))
      wanted += heightOf(line, frame.theme);
    layout.mapping.max.y = rest.min.y + std::min(wanted, 0.4 * rest.height());
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

std::vector<MappingPage::TextLine> MappingPage::mappingLines(const PageFrame& frame, double width) const {
  using Style = TextLine::Kind;
  std::vector<TextLine> lines;
  const double size = frame.theme.smallSize;
  const auto add = [&](const std::string& text, Style kind) {
    for (std::string& line : wrapped(text, size, width))
      lines.push_back({std::move(line), kind});
  };
  const bool known = !frame.shared.model->map.layers.empty();
  if (byHand(frame)) {
    const RuleTrial& trial = rule_.trial();
    add(tr("Map by hand"), Style::Heading);
    add(tr("Write in the panel how the tensors of queries and keys are called, {layer} in place of the layer's number. "
           "The list of tensors shows the names; \"Guess from the names\" makes a beginning. A saved rule is used "
           "from then on for every model that it fits."),
        Style::Muted);
    lines.push_back({{}, Style::Gap});
    add(fmt::format("{} {} {}, {} {}", tr("The patterns find"), trial.query, tr("tensors of queries"), trial.key,
                    tr("of keys.")),
        Style::Text);
    add(sentenceCase(rule_.fits() ? mapWords(*trial.map) : trial.failure), Style::Text);
    if (!frame.figure) {
      lines.push_back({tr("Guess from the names"), Style::Button, "weights.rule-guess"});
      lines.push_back({tr("Save the rule and open with it"), Style::Button, rule_.fits() ? "weights.rule-save" : ""});
    }
    if (!rule_.fits() && !known) return lines;
    lines.push_back({{}, Style::Gap});
  }
  const checkpoint::AttentionMap& map = byHand(frame) && rule_.fits() ? *rule_.trial().map : frame.shared.model->map;
  if (!map.mapping.empty()) add(tr("Where W_Q and W_K are"), Style::Heading);
  for (const checkpoint::MappingRow& row : map.mapping) {
    add(row.what, Style::Muted);
    add("    " + row.from, Style::Text);
  }
  return lines;
}

double MappingPage::heightOf(const TextLine& line, const Theme& theme) {
  const double size = theme.smallSize;
  if (line.kind == TextLine::Kind::Button) return 2.5 * size;
  return line.kind == TextLine::Kind::Heading ? 1.9 * size : line.kind == TextLine::Kind::Gap ? 0.7 * size : 1.5 * size;
}

double MappingPage::mostMappingScroll(const PageFrame& frame, const render::Rect& box) const {
  double height = 0;
  for (const TextLine& line : mappingLines(frame, box.width()))
    height += heightOf(line, frame.theme);
  return std::max(0.0, height - box.height());
}

std::vector<render::Item> MappingPage::mappingItems(const PageFrame& frame, const render::Rect& box,
                                                    double scroll) const {
  std::vector<render::Item> items;
  double y = box.min.y - scroll;
  for (const TextLine& line : mappingLines(frame, box.width())) {
    const double height = heightOf(line, frame.theme);
    // Whole lines alone: nothing has to be cut.
    if (y >= box.min.y - 0.5 && y + height <= box.max.y + 0.5 && !line.text.empty()) {
      const bool button = line.kind == TextLine::Kind::Button, dead = button && line.command.empty();
      const double inset = button ? frame.theme.space : 0;
      const double right = box.min.x + textWidth(line.text, frame.theme.smallSize) + 2 * inset;
      if (button)
        addBox(items, {{box.min.x, y + 3}, {right, y + height - 3}}, frame.theme.radius, frame.theme.surfaceRaised,
               frame.theme.border);
      const bool muted = line.kind == TextLine::Kind::Muted || dead;
      render::Label label = textAt({box.min.x + inset, y + height / 2}, line.text, frame.theme.smallSize,
                                   muted ? frame.theme.textMuted : frame.theme.text);
      label.bold = line.kind == TextLine::Kind::Heading;
      items.emplace_back(std::move(label));
    }
    y += height;
  }
  return items;
}

std::string MappingPage::buttonAt(const PageFrame& frame, const render::Rect& box, render::Point page) const {
  double y = box.min.y - std::clamp(mappingScroll_, 0.0, mostMappingScroll(frame, box));
  for (const TextLine& line : mappingLines(frame, box.width())) {
    const double height = heightOf(line, frame.theme);
    const double right = box.min.x + textWidth(line.text, frame.theme.smallSize) + 2 * frame.theme.space;
    if (line.kind == TextLine::Kind::Button && box.contains(page) && page.y >= y + 3 && page.y <= y + height - 3 &&
        page.x <= right)
      return line.command;
    y += height;
  }
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

std::vector<render::Item> MappingPage::headItems(const PageFrame& frame, const Layout& layout) const {
  std::vector<render::Item> items;
  double y = layout.head.min.y;
  for (const auto& [text, strong] : headLines(frame, layout.head.width())) {
    const double height = strong ? 1.7 * frame.theme.textSize : 1.45 * frame.theme.smallSize;
    if (y + height > layout.head.max.y + 1) break;
    render::Label label =
        textAt({layout.head.min.x, y + height / 2}, text, strong ? frame.theme.textSize : frame.theme.smallSize,
               strong ? frame.theme.text : frame.theme.textMuted);
    label.bold = strong;
    items.emplace_back(std::move(label));
    y += height;
  }
  return items;
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
    line(tr("reading its values …"));
    return items;
  }
  const TensorStatistics& s = *statistics_.result();
  const attention::Histogram& h = s.histogram;
  line(fmt::format("{} {} · {} {} · {} {}", countText(static_cast<double>(h.finite() + h.nonfinite())), tr("values"),
                   s.zeros, tr("zeros"), h.nonfinite(), tr("not finite")));
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
  LayerKey key = frameKey(frame);
  if (!frame.shared.model) {
    const std::string text =
        frame.shared.failure.empty() ? std::string(tr("Opening the checkpoint …")) : frame.shared.failure;
    key.push_back(bits(std::string_view(text)));
    layers_.add(into, "mapping.sentence", std::move(key), [&] {
      std::vector<render::Item> items;
      addSentence(items, frame.area, text, frame.theme);
      return items;
    });
    return;
  }
  const Layout layout = layoutOf(frame);
  key.insert(key.end(), {frame.shared.modelRevision, rule_.revision(), static_cast<std::uint64_t>(ruleShown_),
                         bits(std::string_view(tensor_))});
  layers_.add(into, "mapping.head", key, [&] { return headItems(frame, layout); });
  LayerKey mapped = key, tensors = key, numbers = key;
  const double mappingScroll = std::clamp(mappingScroll_, 0.0, mostMappingScroll(frame, layout.mapping));
  mapped.push_back(bits(mappingScroll));
  layers_.add(into, "mapping.rows", std::move(mapped),
              [&] { return mappingItems(frame, layout.mapping, mappingScroll); });
  const TableView::Look tensorLook = look(frame, layout.tensors);
  const double tensorScroll = std::clamp(tensorScroll_, 0.0, tensorTable(frame).mostScroll(tensorLook));
  tensors.insert(tensors.end(), {bits(tensorScroll), bits(std::string_view(filter_)), shown_.size(),
                                 tensorLook.hovered ? *tensorLook.hovered + 1 : 0});
  layers_.add(into, "mapping.tensors", std::move(tensors), [&] {
    std::vector<render::Item> items;
    tensorTable(frame).draw(items, tensorLook, tensorScroll);
    return items;
  });
  if (layout.statistics.height() > 0) {
    numbers.push_back(statistics_.revision());
    layers_.add(into, "mapping.statistics", std::move(numbers),
                [&] { return statisticsItems(frame, layout.statistics); });
  }
  if (!frame.pointer || frame.figure) return;
  const std::optional<std::string> cut = tensorTable(frame).cutText(tensorLook, tensorScroll, *frame.pointer);
  if (!cut) return;
  LayerKey tip = std::move(key);
  tip.insert(tip.end(), {bits(std::string_view(*cut)), bits(frame.pointer->x), bits(frame.pointer->y)});
  layers_.add(
      into, "mapping.tip", std::move(tip),
      [&] {
        std::vector<render::Item> items;
        addTip(items, *frame.pointer, wrapped(*cut, frame.theme.smallSize, 0.7 * frame.area.width()), frame.area,
               frame.theme);
        return items;
      },
      false);
}

}  // namespace sepx::ui
