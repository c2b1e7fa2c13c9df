// SPDX-License-Identifier: Apache-2.0
// The wall put together: scrolling, choosing, keyboard walk, colour limits, panel and numbers.
#include "ui/exhibits/weights/wall/wall_page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/weights/shared/weights_numbers.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kNotch = 0.7;    // of a line, a notch of the wheel
constexpr double kBarWidth = 10;  // where the scroll bar takes the pointer

}  // namespace

std::unique_ptr<WeightsPage> makeWallPage() {
  return std::make_unique<WallPage>();
}

render::Rect WallPage::linesArea(const PageFrame& frame) const {
  const double space = frame.theme.space;
  render::Rect area = frame.area;
  area.min.x += 2 * space;
  area.max.x -= space;
  area.min.y += 2.3 * frame.theme.smallSize + space;
  area.max.y = std::max(area.max.y - 2, area.min.y + 1);
  return area;
}

double WallPage::most(const PageFrame& frame) const {
  return std::max(0.0, layout_.height() - linesArea(frame).height());
}

PlaceScores WallPage::scoresOf(const PageFrame& frame, WallPlace place) const {
  const auto i = static_cast<std::size_t>(place.layer);
  return i < frame.shared.board->size() ? (*frame.shared.board)[i].of(place.head) : PlaceScores{};
}

/// In the order of the lines.
std::vector<WallCell> WallPage::cellsInSight() const {
  std::vector<WallCell> all;
  const auto [first, last] = layout_.inSight(scroll_);
  for (std::size_t line = first; line < last; ++line)
    for (WallCell& cell : layout_.cells(line, scroll_))
      all.push_back(cell);
  return all;
}

/// Keeps the selected head in sight when it changes by key or elsewhere.
void WallPage::follow(const PageFrame& frame) {
  const WeightsState& state = frame.shared.state;
  const std::vector<checkpoint::AttentionLayer>& layers = frame.shared.model->map.layers;
  WallPlace chosen{-1, state.head};
  for (std::size_t i = 0; i < layers.size(); ++i)
    if (layers[i].stack == state.stack && layers[i].layer == state.layer) chosen.layer = static_cast<int>(i);
  if (followed_ != chosen) {
    followed_ = chosen;
    if (const std::optional<std::size_t> line = layout_.lineOf(chosen)) {
      const double top = layout_.topOf(*line, 0) - linesArea(frame).min.y;
      scroll_ = std::clamp(scroll_, top + layout_.lineHeight() - linesArea(frame).height(), top);
    }
  }
  scroll_ = std::clamp(scroll_, 0.0, most(frame));
}

/// A scale for all heads in sight, and one for whole layers, which are sums of heads: the third quartile of the
/// pictures' own ends, so that one strong head does not make all others pale.
void WallPage::shareLimits() {
  std::vector<float> heads, wholes;
  for (const WallCell& cell : cellsInSight())
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

void WallPage::update(const PageFrame& frame, ExhibitContext& context) {
  const WeightsShared& shared = frame.shared;
  context.editor.properties().read(context.editor.document(), *this);
  if (shared.wantBoard) shared.wantBoard();
  boardDone_ = std::all_of(shared.board->begin(), shared.board->end(),
                           [](const LayerScores& entry) { return entry.complete(); });
  if (!shared.model || shared.model->map.layers.empty()) {
    layout_.make({});
    laid_.clear();
    thumbs_.update(shared, {}, context);
    return;
  }
  const bool sorted = shared.state.wallOrder != WallOrder::Layer;
  LayerKey key =
      keyWith(frameKey(frame), shared.modelRevision, shared.state.wallOrder, size_, sorted ? shared.boardRevision : 0);
  if (key != laid_) {
    laid_ = std::move(key);
    layout_.make(
        {&shared.model->map, shared.board, shared.state.wallOrder, linesArea(frame), size_, frame.theme.smallSize});
  }
  follow(frame);
  std::vector<WallPlace> wanted;
  for (const WallCell& cell : cellsInSight())
    wanted.push_back(cell.place);
  thumbs_.update(shared, wanted, context);
  shareLimits();
}

Cursor WallPage::input(const PageFrame& frame, ExhibitContext& context, const InputEvent& event) {
  if (!frame.shared.model) return Cursor::Arrow;
  const render::Rect area = linesArea(frame);
  const auto scrollTo = [&](double y) {
    const double share = (y - area.min.y) / std::max(1.0, area.height());
    scroll_ = std::clamp(share * layout_.height() - area.height() / 2, 0.0, most(frame));
  };
  if (const auto* wheel = std::get_if<Scrolled>(&event)) {
    if (frame.pointer) scroll_ = std::clamp(scroll_ - wheel->dy * kNotch * layout_.lineHeight(), 0.0, most(frame));
  } else if (const auto* move = std::get_if<PointerMoved>(&event)) {
    if (dragging_) scrollTo(move->y);
  } else if (const auto* focus = std::get_if<FocusChanged>(&event)) {
    if (!focus->focused) dragging_ = false;
  } else if (const auto* press = std::get_if<PointerPressed>(&event)) {
    if (press->button == Button::Left && !press->down) dragging_ = false;
    if (press->button == Button::Left && press->down) {
      const render::Point at{press->x, press->y};
      if (most(frame) > 0 && at.x > area.max.x - kBarWidth && area.contains(at)) {
        dragging_ = true;
        scrollTo(at.y);
      } else if (const std::optional<WallCell> cell = layout_.at(at, scroll_)) {
        const checkpoint::AttentionLayer& layer =
            frame.shared.model->map.layers[static_cast<std::size_t>(cell->place.layer)];
        followed_ = cell->place;  // it is in sight: nothing jumps
        chooseHead(context.editor, layer.stack, layer.layer, cell->place.head, true);
      }
    }
  }
  if (dragging_) return Cursor::ResizeVertical;
  return frame.pointer && layout_.at(*frame.pointer, scroll_) ? Cursor::Hand : Cursor::Arrow;
}

void WallPage::panel(const PageFrame&, ExhibitContext&, PagePanel& panel) {
  panel.rows("weights.", {"wall.order", "wall.limits", "wall.size", "pool"});
  if (!thumbs_.failure().empty()) panel.sentence(thumbs_.failure());
  panel.sentence(
      tr("Scores are pale where a random matrix of the same shape and rank would have them too. A click "
         "opens a head on the matrix page; arrow keys walk, Enter opens."));
}

std::vector<WeightsPage::Command> WallPage::commands(const WeightsShared& shared, const Document&) {
  /// So many pages down.
  const auto scroll = [this](double by) {
    return [this, by](const PageFrame& frame, ExhibitContext&) {
      scroll_ = std::clamp(scroll_ + by * 0.9 * linesArea(frame).height(), 0.0, most(frame));
    };
  };
  const auto open = [&state = shared.state](ExhibitContext& context) {
    chooseHead(context.editor, state.stack, state.layer, state.head, true);
  };
  return {{"weights.wall-open", tr("Open the selected head"), "Enter", tr("Exhibit"), true, open},
          {"weights.wall-page-down", tr("Further down the wall"), "PageDown", tr("View"), true, scroll(1)},
          {"weights.wall-page-up", tr("Further up the wall"), "PageUp", tr("View"), true, scroll(-1)}};
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

}  // namespace sepx::ui
