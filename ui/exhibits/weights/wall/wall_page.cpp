// SPDX-License-Identifier: Apache-2.0
// The wall: requests, scrolling, colour limits, panel, commands, numbers and views.
#include "ui/exhibits/weights/wall/wall_page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/properties/tr.h"
#include "ui/views/matrix_view.h"

namespace sepx::ui {

namespace {

render::Rect areaOf(const PageFrame& frame) {
  const double space = frame.theme.space;
  render::Rect area = frame.area;
  area.min.x += 2 * space;
  area.max.x -= space;
  area.min.y += 2.3 * frame.theme.smallSize + space;
  area.max.y = std::max(area.max.y - 2, area.min.y + 1);
  return area;
}

}  // namespace

std::unique_ptr<WeightsPage> makeWallPage() {
  return std::make_unique<WallPage>();
}

void WallPage::declare(PropertyRegistry& registry, const WeightsShared&) {
  // clang-format off
  declareParameters(registry, {.prefix = "weights.wall.", .applies = onPage("wall")}, {
      {.key = "order", .into = &WeightsState::wallOrder, .label = N_("Sorted by"),
       .options = {{"layer", N_("layer")}, {"symmetry", N_("symmetry")},
                   {"directionality", N_("directionality, columns first")}, {"norm", N_("norm")}},
       .help = N_("Heads layer by layer, or all of them by descending symmetry, by directionality (dominant columns "
                  "first) or by descending Frobenius norm.")},
      {.key = "limits", .into = &WallPage::shared_, .label = N_("Colour scale"),
       .options = {{"own", N_("each its own")}, {"shared", N_("one for all")}},
       .help = N_("Each picture from minus to plus its own largest entry, or one scale for all, so that strong and "
                  "weak heads can be told apart by colour.")},
      {.key = "size",
       .into = &WallPage::size_, .label = N_("Size"), .max = 200, .step = 4, .digits = 0, .fallback = 0.0,
       .help = N_("Side of a picture in points; 0: as large as possible with all pictures visible at once, at least "
                  "48. Smaller pictures are used if a layer's heads then fit into one row.")}});
  // clang-format on
}

void WallPage::reveal(const WallCell& cell) const {
  const double top = cell.row * layout_.rowHeight();
  scrollTo(std::clamp(scroll_, std::min(top, top + layout_.rowHeight() - layout_.area().height()), top));
}

/// Scrolls the selected head into sight when the selection changes, by a key or elsewhere.
void WallPage::follow(const WeightsShared& shared) {
  const std::vector<checkpoint::AttentionLayer>& layers = shared.model->map.layers;
  WallPlace chosen{-1, shared.state.head};
  for (std::size_t i = 0; i < layers.size(); ++i)
    if (layers[i].stack == shared.state.stack && layers[i].layer == shared.state.layer)
      chosen.layer = static_cast<int>(i);
  if (followed_ != chosen) {
    followed_ = chosen;
    const auto& cells = layout_.cells();
    const auto cell =
        std::find_if(cells.begin(), cells.end(), [&chosen](const WallCell& one) { return one.place == chosen; });
    if (cell != cells.end()) reveal(*cell);
  }
  scrollTo(scroll_);
}

/// Sets one limit for all heads in sight, and one for whole layers, which are sums of heads. Each is the third quartile
/// of the pictures' own limits, so that one strong head does not make all others pale.
void WallPage::shareLimits() {
  std::vector<float> heads, wholes;
  for (const WallCell& cell : layout_.visibleCells(scroll_))
    if (const ThumbPointer thumb = thumbs_.find(cell.place))
      (cell.place.head < 0 ? wholes : heads).push_back(thumb->limit);
  const auto limit = [](std::vector<float>& values) {
    if (values.empty()) return 0.0f;
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(3 * (values.size() - 1) / 4);
    std::nth_element(values.begin(), at, values.end());
    return *at;
  };
  headLimit_ = limit(heads);
  layerLimit_ = limit(wholes);
}

float WallPage::limitOf(const Thumb& thumb, bool wholeLayer) const {
  const float limit = !shared_ ? thumb.limit : wholeLayer ? layerLimit_ : headLimit_;
  return limit > 0 ? limit : 1;
}

void WallPage::ask(const PageFrame& frame, ExhibitContext& context) {
  const WeightsShared& shared = frame.shared;
  context.editor.properties().read(context.editor.document(), *this);
  if (shared.requestBoard) shared.requestBoard();
  boardDone_ = std::all_of(shared.board->begin(), shared.board->end(),
                           [](const LayerScores& entry) { return entry.complete(); });
  std::vector<WallPlace> wanted;
  if (!shared.model || shared.model->map.layers.empty()) {
    layout_.make({});
    layoutDigest_ = 0;
  } else {
    const WallOrder order = shared.state.wallOrder;
    const std::uint64_t now = Digest()
                                  .add(areaOf(frame), frame.theme.smallSize, shared.modelRevision, order, size_,
                                       order == WallOrder::Layer ? 0 : shared.boardRevision)
                                  .value();
    if (std::exchange(layoutDigest_, now) != now)
      layout_.make({&shared.model->map, shared.board, order, areaOf(frame), size_, frame.theme.smallSize});
    follow(shared);
    for (const WallCell& cell : layout_.visibleCells(scroll_))
      wanted.push_back(cell.place);
  }
  if (const std::uint64_t of = Digest().add(shared.modelRevision, shared.boardRevision).value();
      std::exchange(seriesOf_, of) != of)
    for (const ChartScore which : {ChartScore::Symmetry, ChartScore::Directionality})
      series_[static_cast<std::size_t>(which)] = seriesOf(*shared.board, which);
  thumbs_.update(shared, wanted, context);
  shareLimits();
  results_.follow(Digest().add(layoutDigest_, scroll_, shared_, thumbs_.revision(), headLimit_, layerLimit_).value());
}

void WallPage::panel(const PageFrame&, ExhibitContext&, PagePanel& panel) {
  panel.rows("weights.", {"wall.order", "wall.limits", "wall.size", "pool"});
  if (!thumbs_.failure().empty()) panel.sentence(thumbs_.failure());
  panel.sentence(
      tr("Scores are pale where a random matrix of the same shape and rank could have them too. A click opens a head "
         "on the matrix page; arrow keys select a head, Enter opens it."));
}

std::vector<WeightsPage::Command> WallPage::commands(const WeightsShared&, const Document&) {
  /// Scrolls down by `by` pages.
  const auto scroll = [this](double by) {
    return [this, by] { scrollTo(scroll_ + by * 0.9 * layout_.area().height()); };
  };
  const auto open = [](ExhibitContext& context) { setAsStep(context.editor, "weights.page", std::string("matrix")); };
  return {{"weights.wall-open", tr("Open the selected head"), "Enter", tr("Exhibit"), true, open},
          {"weights.wall-page-down", tr("Scroll down the wall"), "PageDown", tr("View"), true, scroll(1)},
          {"weights.wall-page-up", tr("Scroll up the wall"), "PageUp", tr("View"), true, scroll(-1)}};
}

std::string WallPage::status(const WeightsShared&) const {
  return thumbs_.device().empty() ? std::string() : std::string(tr("pictures")) + ": " + thumbs_.device();
}

Numbers WallPage::numbers(const WeightsShared& shared) const {
  std::vector<ScoreRow> rows;
  for (const LayerScores& layer : *shared.board)
    for (int head = -1; layer.of(head).scores; ++head)
      rows.push_back({layer, head, layer.of(head)});
  return {
      {numberTable("wall", rows, NumberColumn{"stack", &ScoreRow::stack}, NumberColumn{"layer", &ScoreRow::number},
                   NumberColumn{"head", &ScoreRow::head}, NumberColumn{"symmetry", &ScoreRow::symmetry},
                   NumberColumn{"directionality", &ScoreRow::directionality}, NumberColumn{"norm", &ScoreRow::norm})},
      {}};
}

std::string WallPage::caption(const WeightsShared& shared) const {
  const std::string title = shared.model ? shared.title() : std::string();
  return fmt::format("{}: {} ({}). {}", title, tr("W_qk of every layer and head with symmetry s and directionality d"),
                     scoreOptionWords(shared.state.score), legendText());
}

// The views of the wall: pictures with scores and names of layers, legend, scroll bar.

namespace {

constexpr double kNotch = 0.7;                   // rows per notch of the wheel
constexpr double kBarWidth = 10, kBarInset = 2;  // points: width for the pointer, inset of the bar
constexpr double kStrip = 90, kLeastThumb = 14;  // points

std::string headLabel(const checkpoint::AttentionMap& map, const checkpoint::AttentionLayer& layer, int head,
                      bool sorted) {
  if (head < 0) return tr("all");
  if (!sorted) return std::to_string(head);
  const char* const mark = map.stacks().size() < 2 ? "L" : lookOf(layer.stack).mark;
  return fmt::format("{}{}·{}", mark, layer.layer, head);
}

const checkpoint::AttentionLayer& layerOf(const WeightsShared& shared, int place) {
  return shared.model->map.layers[static_cast<std::size_t>(place)];
}

PlaceScores scoresOf(const WeightsShared& shared, WallPlace place) {
  const auto i = static_cast<std::size_t>(place.layer);
  return i < shared.board->size() ? (*shared.board)[i].of(place.head) : PlaceScores{};
}

}  // namespace

std::string WallPage::legendText() const {
  return shared_
             ? tr("One colour scale for all visible heads and one for whole layers; a quarter of the pictures exceed "
                  "it.")
             : tr("Each picture has its own colour scale (99.5 % of its entries lie within it); 0 is in the middle.");
}

void WallPage::addPicture(std::vector<render::Item>& items, const WallCell& cell, const Theme& theme) const {
  items.emplace_back(pageFill(cell.picture, theme.surface));
  const ThumbPointer thumb = thumbs_.find(cell.place);
  if (!thumb) return;
  render::Rect place = cell.picture;
  const double longer = std::max(thumb->rows, thumb->columns);
  place.max = {place.min.x + place.width() * thumb->columns / longer,
               place.min.y + place.height() * thumb->rows / longer};
  const float limit = limitOf(*thumb, cell.place.head < 0);
  items.emplace_back(render::Heatmap{.extent = place,
                                     .width = thumb->columns,
                                     .height = thumb->rows,
                                     .values = thumb->values,
                                     .map = render::ColorMap::Diverging,
                                     .low = -limit,
                                     .high = limit,
                                     .smooth = false,
                                     .space = render::Space::Page});
  if (thumb->limit == 0 && thumb->nonfinite)
    items.emplace_back(textAt({(place.min.x + place.max.x) / 2, (place.min.y + place.max.y) / 2}, tr("NaN/Inf"),
                              std::min(theme.smallSize, static_cast<float>(layout_.size() / 6)), theme.error,
                              render::AlignX::Center));
}

void WallPage::addName(std::vector<render::Item>& items, const WeightsShared& shared, const WallName& name,
                       const ViewPlace& place) const {
  const Theme& theme = place.theme;
  const checkpoint::AttentionLayer& layer = layerOf(shared, name.layer);
  const bool chosen = !place.figure && layer.stack == shared.state.stack && layer.layer == shared.state.layer;
  const bool several = shared.model->map.stacks().size() > 1;
  const double y =
      layout_.area().min.y + name.row * layout_.rowHeight() - scroll_ + 1.25 * layout_.textSize() + layout_.size() / 2;
  items.emplace_back(textAt({name.left, several ? y - 0.7 * theme.smallSize : y},
                            fmt::format("{} {}", tr("layer"), layer.layer), theme.smallSize,
                            chosen ? theme.selection : theme.text));
  if (!several) return;
  const std::string stack = layer.stack == checkpoint::Stack::Cross ? tr("cross") : stackWords(layer.stack);
  items.emplace_back(textAt({name.left, y + 0.7 * theme.smallSize},
                            elided(stack, theme.smallSize, layout_.labelWidth() - 4), theme.smallSize,
                            theme.textMuted));
}

void WallPage::addTexts(std::vector<render::Item>& items, const WeightsShared& shared, const WallCell& cell,
                        const ViewPlace& place) const {
  const Theme& theme = place.theme;
  const WeightsState& state = shared.state;
  const float size = layout_.textSize();
  const checkpoint::AttentionLayer& layer = layerOf(shared, cell.place.layer);
  const double middle = (cell.picture.min.x + cell.picture.max.x) / 2;
  const auto text = [&](double y, const std::string& words, render::Color color) {
    items.emplace_back(textAt({middle, y}, words, size, color, render::AlignX::Center));
  };
  text(cell.picture.min.y - 0.62 * size,
       headLabel(shared.model->map, layer, cell.place.head, state.wallOrder != WallOrder::Layer), theme.textMuted);
  const bool mine =
      !place.figure && layer.stack == state.stack && layer.layer == state.layer && cell.place.head == state.head;
  if (mine) items.emplace_back(pageFrameLine(cell.picture, theme.selection, 2.5f));
  const PlaceScores of = scoresOf(shared, cell.place);
  if (!of.scores) return;
  const double s = of.scores->symmetry, d = of.scores->directionality;
  text(cell.picture.max.y + 0.8 * size, "s " + scoreText(s), scoreColor(theme, s, *of.band, of.band->symmetry));
  text(cell.picture.max.y + 2.0 * size, "d " + scoreText(d), scoreColor(theme, d, *of.band, of.band->directionality));
}

std::vector<render::Item> WallPage::items(const WeightsShared& shared, const ViewPlace& place) const {
  std::vector<render::Item> items;
  const std::vector<WallCell> cells = layout_.visibleCells(scroll_);
  for (const WallCell& cell : cells)
    addPicture(items, cell, place.theme);
  const auto [first, last] = layout_.visibleRows(scroll_);
  for (const WallName& name : layout_.names())
    if (name.row >= first && name.row < last) addName(items, shared, name, place);
  for (const WallCell& cell : cells)
    addTexts(items, shared, cell, place);
  return items;
}

std::vector<std::string> WallPage::tipLines(const WeightsShared& shared, const WallCell& cell) const {
  const checkpoint::AttentionLayer& layer = layerOf(shared, cell.place.layer);
  std::vector<std::string> lines{placeWords(shared.model->map, layer.stack, layer.layer, cell.place.head)};
  if (const PlaceScores of = scoresOf(shared, cell.place); of.scores) {
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
    lines.push_back(fmt::format("{} ±{}", tr("colours to"),
                                formatReading(static_cast<double>(limitOf(*thumb, cell.place.head < 0)))));
    if (!thumb->exact) lines.emplace_back(tr("averaged blocks; being refined"));
  }
  return lines;
}

PictureContent WallPage::heads(const PageFrame& frame) const {
  const WeightsShared& shared = frame.shared;
  PictureContent content;
  content.of = Digest().add(contentDigest(frame.shared), frameKey(frame), documents(), results_.revision()).value();
  content.boxed = true;
  content.draw = [this, &shared](const ViewPlace& place) { return items(shared, place); };
  content.tip = [this, &shared](const ViewPlace& place, render::Point at, const render::Rect& area) {
    std::vector<render::Item> items;
    const std::optional<WallCell> cell = layout_.at(at, scroll_);
    if (!cell) return items;
    items.emplace_back(pageFrameLine(cell->picture, place.theme.text, 1.5f));
    addTip(items, at, tipLines(shared, *cell), area, place.theme);
    return items;
  };
  content.pick = [this, &shared](const ViewPlace&, render::Point at) -> std::optional<Changes> {
    const std::optional<WallCell> cell = layout_.at(at, scroll_);
    if (!cell) return std::nullopt;
    const checkpoint::AttentionLayer& layer = layerOf(shared, cell->place.layer);
    Changes changes = chooses(shared.state, layer.stack, layer.layer, cell->place.head);
    changes.emplace_back("weights.page", std::string("matrix"));
    return changes;
  };
  content.wheel = [this](Editor&, const ViewPlace&, render::Point, double notches) {
    scrollTo(scroll_ - notches * kNotch * layout_.rowHeight());
  };
  content.read = [this, &shared](const ViewPlace&) {
    ReadableView view{.role = ReadableView::Role::Table, .label = tr("Heads"), .description = legendText()};
    view.rows = layout_.cells().size();
    view.cells = [](std::size_t) { return std::size_t{1}; };
    view.text = [this, &shared](std::size_t row, std::size_t) {
      return fmt::format("{}", fmt::join(tipLines(shared, layout_.cells()[row]), ", "));
    };
    view.place = [this](std::size_t row, std::size_t) {
      const WallCell& cell = layout_.cells()[row];
      reveal(cell);
      const render::Rect& at = cell.picture;
      return std::optional(render::Point{(at.min.x + at.max.x) / 2, (at.min.y + at.max.y) / 2 - scroll_});
    };
    return view;
  };
  return content;
}

PictureContent WallPage::scrollBar() const {
  PictureContent content;
  content.of = Digest().add(layoutDigest_, scroll_).value();
  content.draw = [this](const ViewPlace& place) {
    std::vector<render::Item> items;
    const render::Rect& box = place.box;
    const double span = box.height() * box.height() / layout_.height();
    const double top = box.min.y + (box.height() - span) * (scroll_ / std::max(1.0, mostScroll()));
    const double left = box.max.x - 6, right = box.max.x - kBarInset;
    items.emplace_back(pageFill({{left, box.min.y}, {right, box.max.y}}, faded(place.theme.border, 0.4f)));
    items.emplace_back(pageFill({{left, top}, {right, top + std::max(span, kLeastThumb)}}, place.theme.textMuted));
    return items;
  };
  content.hold = [this](const ViewPlace& place, render::Point) -> std::optional<PictureGrip> {
    const auto drag = [this, box = place.box](Editor&, render::Point at, bool) {
      const double share = (at.y - box.min.y) / std::max(1.0, box.height());
      scrollTo(share * layout_.height() - box.height() / 2);
    };
    return PictureGrip{.drag = drag, .cursor = Cursor::ResizeVertical, .atOnce = true};
  };
  content.wheel = [this](Editor&, const ViewPlace&, render::Point, double notches) {
    scrollTo(scroll_ - notches * kNotch * layout_.rowHeight());
  };
  return content;
}

/// A strip of the colour scale, followed by the text.
PictureContent WallPage::legend() const {
  return {.of = Digest().add(shared_).value(), .draw = [text = legendText()](const ViewPlace& place) {
            std::vector<render::Item> items;
            const Theme& theme = place.theme;
            const double y = (place.box.min.y + place.box.max.y) / 2, left = place.box.min.x + kStrip + 16;
            addColorStrip(items, {place.box.min.x, y}, kStrip, render::ColorMap::Diverging, "−", "+", theme);
            items.emplace_back(textAt({left, y}, elided(text, theme.smallSize, place.box.max.x - left), theme.smallSize,
                                      theme.textMuted));
            return items;
          }};
}

void WallPage::addCharts(Views& into, const PageFrame& frame) const {
  constexpr double kLeastWide = 14, kLeastHigh = 30;  // of both charts, multiples of the small type
  const Theme& theme = frame.theme;
  const double small = theme.smallSize, space = theme.space;
  render::Rect box = layout_.area();
  for (const WallCell& cell : layout_.cells())
    box.min.x = std::max(box.min.x, cell.picture.max.x + 3 * space);
  const bool empty = std::ranges::all_of(series_, [](const auto& one) { return one.empty(); });
  if (frame.figure || empty || mostScroll() > 0 || box.width() < kLeastWide * small ||
      box.height() < kLeastHigh * small)
    return;
  into.views.push_back({"layers.legend", LegendContent{layerLegend(series_[0], true, theme)}});
  Arrangement column{.kind = Arrangement::Kind::Column, .parts = {asHighAsContent("layers.legend")}, .gap = space};
  for (const ChartScore which : {ChartScore::Symmetry, ChartScore::Directionality}) {
    const std::string name = std::string("layers.") + symbolOf(which);
    into.views.push_back({name,
                          layerChart({.which = which,
                                      .series = &series_[static_cast<std::size_t>(which)],
                                      .theme = &theme,
                                      .width = box.width(),
                                      .chosenLayer = frame.shared.state.layer}),
                          nothingExported});
    column.parts.push_back(viewNamed(name));
  }
  into.addAt(box, std::move(column));
}

Views WallPage::views(const PageFrame& frame) const {
  if (layout_.cells().empty()) return sentenceAlone(modelSentence(frame.shared));
  const render::Rect& area = layout_.area();
  const double top = frame.area.min.y + frame.theme.space;
  Views made;
  made.addAt({{area.min.x, top}, {area.max.x, top + 1.2 * frame.theme.smallSize}}, {"legend", legend()});
  made.addAt(area, {"heads", heads(frame)});
  addCharts(made, frame);
  if (mostScroll() > 0 && !frame.figure)
    made.addAt({{area.max.x - kBarWidth, area.min.y}, area.max}, {"scroll", scrollBar()});
  return made;
}

}  // namespace sepx::ui
