// SPDX-License-Identifier: Apache-2.0
// The wall put together: what it asks for, scrolling, colour limits, panel, commands and numbers.
#include "ui/exhibits/weights/wall/wall_page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/exhibits/weights/shared/weights_numbers.h"
#include "ui/properties/tr.h"

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

/// Keeps the selected head in sight when it changes by key or elsewhere.
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
    if (cell != cells.end()) {
      const double top = cell->row * layout_.rowHeight();
      scroll_ = std::clamp(scroll_, std::min(top, top + layout_.rowHeight() - layout_.area().height()), top);
    }
  }
  scrollTo(scroll_);
}

/// A scale for all heads in sight, and one for whole layers, which are sums of heads: the third quartile of the
/// pictures' own ends, so that one strong head does not make all others pale.
void WallPage::shareLimits() {
  std::vector<float> heads, wholes;
  for (const WallCell& cell : layout_.inSight(scroll_))
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
  if (shared.wantBoard) shared.wantBoard();
  boardDone_ = std::all_of(shared.board->begin(), shared.board->end(),
                           [](const LayerScores& entry) { return entry.complete(); });
  std::vector<WallPlace> wanted;
  if (!shared.model || shared.model->map.layers.empty()) {
    layout_.make({});
    laidOf_ = 0;
  } else {
    const WallOrder order = shared.state.wallOrder;
    const std::uint64_t now = Digest()
                                  .add(areaOf(frame), frame.theme.smallSize, shared.modelRevision, order, size_,
                                       order == WallOrder::Layer ? 0 : shared.boardRevision)
                                  .value();
    if (std::exchange(laidOf_, now) != now)
      layout_.make({&shared.model->map, shared.board, order, areaOf(frame), size_, frame.theme.smallSize});
    follow(shared);
    for (const WallCell& cell : layout_.inSight(scroll_))
      wanted.push_back(cell.place);
  }
  thumbs_.update(shared, wanted, context);
  shareLimits();
}

std::uint64_t WallPage::madeOf(const PageFrame& frame) const {
  return Digest()
      .add(WeightsPage::madeOf(frame), laidOf_, scroll_, shared_, thumbs_.revision(), headLimit_, layerLimit_)
      .value();
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
    return [this, by] { scrollTo(scroll_ + by * 0.9 * layout_.area().height()); };
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
