// SPDX-License-Identifier: Apache-2.0
// The wall as items: pictures, scores, labels of layers, legend, scroll bar, and what is said under the pointer; and
// the page's declarations.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/weights/wall/wall_page.h"
#include "ui/plots/matrix_view.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

std::string headLabel(const checkpoint::AttentionMap& map, const checkpoint::AttentionLayer& layer, int head,
                      bool sorted) {
  if (head < 0) return tr("all");
  if (!sorted) return std::to_string(head);
  const char* const mark = map.stacks().size() < 2 ? "L" : lookOf(layer.stack).mark;
  return fmt::format("{}{}·{}", mark, layer.layer, head);
}

}  // namespace

std::string WallPage::legendText() const {
  return shared_
             ? tr("One colour scale for all heads in sight, one for whole layers; a quarter of the pictures goes "
                  "beyond.")
             : tr("Each picture has its own colour scale (99.5 % of its entries lie within it); 0 is in the middle.");
}

std::vector<render::Item> WallPage::pictureItems(const PageFrame& frame) const {
  std::vector<render::Item> items;
  for (const WallCell& cell : cellsInSight()) {
    items.emplace_back(pageFill(cell.picture, frame.theme.surface));
    const ThumbPointer thumb = thumbs_.find(cell.place);
    if (!thumb) continue;
    render::Rect place = cell.picture;
    if (thumb->rows < thumb->columns)
      place.max.y = place.min.y + place.height() * thumb->rows / thumb->columns;
    else if (thumb->columns < thumb->rows)
      place.max.x = place.min.x + place.width() * thumb->columns / thumb->rows;
    const float limit = limitOf(*thumb, cell.place.head < 0);
    items.emplace_back(render::Heatmap{.extent = flipped(place),
                                       .width = thumb->columns,
                                       .height = thumb->rows,
                                       .values = thumb->values,
                                       .map = render::ColorMap::Diverging,
                                       .low = -limit,
                                       .high = limit,
                                       .smooth = false});
    if (thumb->limit == 0 && thumb->nonfinite)
      items.emplace_back(textAt({(place.min.x + place.max.x) / 2, (place.min.y + place.max.y) / 2}, tr("NaN/Inf"),
                                std::min(frame.theme.smallSize, static_cast<float>(layout_.size() / 6)),
                                frame.theme.error, render::AlignX::Center));
  }
  return items;
}

/// Beside the first line of a layer.
void WallPage::addLayerName(std::vector<render::Item>& items, const PageFrame& frame, std::size_t line) const {
  const int label = layout_.labelOf(line);
  if (label < 0) return;
  const Theme& theme = frame.theme;
  const WeightsState& state = frame.shared.state;
  const checkpoint::AttentionMap& map = frame.shared.model->map;
  const checkpoint::AttentionLayer& layer = map.layers[static_cast<std::size_t>(label)];
  const bool chosen = !frame.figure && layer.stack == state.stack && layer.layer == state.layer,
             several = map.stacks().size() > 1;
  const double x = layout_.leftOf(line);
  const double y = layout_.topOf(line, scroll_) + 1.25 * layout_.textSize() + layout_.size() / 2;
  items.emplace_back(textAt({x, several ? y - 0.7 * theme.smallSize : y},
                            fmt::format("{} {}", tr("layer"), layer.layer), theme.smallSize,
                            chosen ? theme.accent : theme.text));
  if (!several) return;
  const std::string stack = layer.stack == checkpoint::Stack::Cross ? tr("cross") : stackWords(layer.stack);
  items.emplace_back(textAt({x, y + 0.7 * theme.smallSize},
                            elided(stack, 0.85 * theme.smallSize, layout_.labelWidth() - 4), 0.85f * theme.smallSize,
                            theme.textMuted));
}

std::vector<render::Item> WallPage::textItems(const PageFrame& frame) const {
  std::vector<render::Item> items;
  const Theme& theme = frame.theme;
  const WeightsState& state = frame.shared.state;
  const checkpoint::AttentionMap& map = frame.shared.model->map;
  const float size = layout_.textSize();
  const auto [first, last] = layout_.inSight(scroll_);
  for (std::size_t line = first; line < last; ++line)
    addLayerName(items, frame, line);
  for (const WallCell& cell : cellsInSight()) {
    const checkpoint::AttentionLayer& layer = map.layers[static_cast<std::size_t>(cell.place.layer)];
    const double middle = (cell.picture.min.x + cell.picture.max.x) / 2;
    const auto text = [&](double y, const std::string& words, render::Color color) {
      items.emplace_back(textAt({middle, y}, words, size, color, render::AlignX::Center));
    };
    text(cell.picture.min.y - 0.62 * size, headLabel(map, layer, cell.place.head, state.wallOrder != WallOrder::Layer),
         theme.textMuted);
    const bool mine =
        !frame.figure && layer.stack == state.stack && layer.layer == state.layer && cell.place.head == state.head;
    if (mine) items.emplace_back(pageFrameLine(cell.picture, theme.accent, 2.5f));
    const PlaceScores of = scoresOf(frame, cell.place);
    if (!of.scores) continue;
    const double s = of.scores->symmetry, d = of.scores->directionality;
    text(cell.picture.max.y + 0.8 * size, "s " + scoreText(s), scoreColor(theme, s, *of.band, of.band->symmetry));
    text(cell.picture.max.y + 2.0 * size, "d " + scoreText(d), scoreColor(theme, d, *of.band, of.band->directionality));
  }
  return items;
}

std::vector<render::Item> WallPage::chromeItems(const PageFrame& frame) const {
  std::vector<render::Item> items;
  const Theme& theme = frame.theme;
  const render::Rect area = linesArea(frame);
  // A strip of the colour scale, then the words.
  const double y = frame.area.min.y + theme.space + 0.6 * theme.smallSize;
  constexpr double kBar = 90;
  addColorStrip(items, {area.min.x, y}, kBar, render::ColorMap::Diverging, "−", "+", theme);
  const double left = area.min.x + kBar + 16;
  items.emplace_back(
      textAt({left, y}, elided(legendText(), theme.smallSize, area.max.x - left), theme.smallSize, theme.textMuted));
  if (layout_.height() > area.height() && !frame.figure) {
    const double span = area.height() * area.height() / layout_.height();
    const double top =
        area.min.y + (area.height() - span) * (scroll_ / std::max(1.0, layout_.height() - area.height()));
    items.emplace_back(
        pageFill({{area.max.x - 6, area.min.y}, {area.max.x - 2, area.max.y}}, faded(theme.border, 0.4f)));
    items.emplace_back(
        pageFill({{area.max.x - 6, top}, {area.max.x - 2, top + std::max(span, 14.0)}}, theme.textMuted));
  }
  return items;
}

std::vector<render::Item> WallPage::tipItems(const PageFrame& frame, const WallCell& cell) const {
  std::vector<render::Item> items;
  const checkpoint::AttentionMap& map = frame.shared.model->map;
  const checkpoint::AttentionLayer& layer = map.layers[static_cast<std::size_t>(cell.place.layer)];
  std::vector<std::string> lines{placeWords(map, layer.stack, layer.layer, cell.place.head)};
  const bool whole = cell.place.head < 0;
  if (const PlaceScores of = scoresOf(frame, cell.place); of.scores) {
    const auto line = [&](const char* symbol, double value, const attention::Band& random) {
      std::string text = fmt::format("{} = {}", symbol, scoreText(value, 4));
      if (of.band->samples > 0) text += fmt::format("  ({} {})", tr("random:"), bandText(random));
      lines.push_back(std::move(text));
    };
    line("s", of.scores->symmetry, of.band->symmetry);
    line("d", of.scores->directionality, of.band->directionality);
    if (of.moments) lines.push_back(fmt::format("|W_qk| = {}", formatReading(std::sqrt(of.moments->frobenius2))));
  }
  if (const ThumbPointer thumb = thumbs_.find(cell.place)) {
    lines.push_back(
        fmt::format("{} ±{}", tr("colours to"), formatReading(static_cast<double>(limitOf(*thumb, whole)))));
    if (!thumb->exact) lines.emplace_back(tr("averaged blocks; being refined"));
  }
  items.emplace_back(pageFrameLine(cell.picture, frame.theme.text, 1.5f));
  addTip(items, *frame.pointer, lines, frame.area, frame.theme);
  return items;
}

void WallPage::scene(const PageFrame& frame, std::vector<render::Layer>& into) {
  const WeightsShared& shared = frame.shared;
  if (layout_.lines() == 0) {
    layers_.addSentence(into, "wall.sentence", frame, modelSentence(shared));
    return;
  }
  const LayerKey key = keyWith(frameKey(frame), laid_, scroll_, shared_);
  LayerKey pictures = keyWith(key, thumbs_.revision(), headLimit_);
  LayerKey texts = keyWith(key, shared.boardRevision, shared.state.layer, shared.state.head, shared.state.stack);
  layers_.add(into, "wall.pictures", std::move(pictures), [&] { return pictureItems(frame); });
  layers_.add(into, "wall.texts", std::move(texts), [&] { return textItems(frame); });
  // Lines that scroll away pass under the legend.
  layers_.add(into, "wall.legend", key, [&] {
    std::vector<render::Item> items;
    render::Rect band = frame.area;
    band.max.y = linesArea(frame).min.y - 2;
    items.emplace_back(pageFill(band, frame.theme.plotBackground));
    append(items, chromeItems(frame));
    return items;
  });
  if (!frame.pointer || frame.figure) return;
  const std::optional<WallCell> cell = layout_.at(*frame.pointer, scroll_);
  if (!cell) return;
  layers_.add(
      into, "wall.tip", keyWith(key, *frame.pointer, shared.boardRevision, thumbs_.revision()),
      [&] { return tipItems(frame, *cell); }, false);
}

void WallPage::declare(PropertyRegistry& registry, const WeightsShared&) {
  // clang-format off
  declareParameters(registry, {.prefix = "weights.wall.", .applies = onPage("wall")}, {
      {.key = "order", .into = &WeightsState::wallOrder, .label = N_("Sorted by"),
       .options = {{"layer", N_("layer")}, {"symmetry", N_("symmetry")},
                   {"directionality", N_("directionality, columns first")}, {"norm", N_("norm")}},
       .help = N_("Heads layer by layer, or all of them by falling symmetry, by directionality (columns that dominate "
                  "first) or by falling Frobenius norm.")},
      {.key = "limits", .into = &WallPage::shared_, .label = N_("Colour scale"),
       .options = {{"own", N_("each its own")}, {"shared", N_("one for all")}},
       .help = N_("Each picture from minus its own largest entry to plus it, or one scale for all, so that strong and "
                  "weak heads can be told apart by colour.")},
      {.key = "size",
       .into = &WallPage::size_, .label = N_("Size"), .max = 200, .step = 4, .digits = 0, .fallback = 0.0,
       .help = N_("A picture's side in points; 0: as large as lets all be seen at once, at least 48. Smaller ones are "
                  "used where a layer's heads then fit into one row.")}});
  // clang-format on
}

}  // namespace sepx::ui
