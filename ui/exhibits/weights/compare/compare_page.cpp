// SPDX-License-Identifier: Apache-2.0
// The comparison put together: what it asks for, where its parts are, blinking, panel, commands.
#include "ui/exhibits/weights/compare/compare_page.h"

#include <algorithm>
#include <cmath>

#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kBlinkSeconds = 0.5;
constexpr double kWide = 640;                            // points from which the table stands at the side
constexpr double kHead = 3.2, kTitle = 1.8, kBar = 6.5;  // of the small type: heights, and width of a colour scale

}  // namespace

std::unique_ptr<WeightsPage> makeComparePage() {
  return std::make_unique<ComparePage>();
}

int ComparePage::columns() const {
  int heads = 0;
  for (const CompareEntry& entry : board_.entries())
    heads = std::max(heads, static_cast<int>(entry.heads.size()));
  return heads > 1 ? heads + 1 : 1;
}

/// The table stands where it leaves the larger pictures.
void ComparePage::placeTable(Layout& layout, render::Rect& left, const PageFrame& frame) const {
  const double space = frame.theme.space, small = frame.theme.smallSize, columns = this->columns(),
               rows = static_cast<double>(std::max<std::size_t>(1, board_.entries().size()));
  const double width = std::clamp(3.0 * small * columns + 5 * small, 14 * small, 0.34 * left.width());
  const double height = std::min(4.6 * small + 1.9 * small * rows, 0.38 * left.height());
  const double panes = frame.shared.state.blend == WeightsBlend::SideBySide ? 2 : 1;
  const double beside = std::min(left.height(), (left.width() - width - 8.5 * small) / panes);
  const double above = std::min(left.height() - height, (left.width() - kBar * small) / panes);
  layout.table = left;
  if (left.width() >= kWide && beside >= above) {
    left.max.x -= width + 2 * space;
    layout.table.min.x = left.max.x + 2 * space;
  } else {
    left.max.y -= height + space;
    layout.table.min.y = left.max.y + space;
    const double wanted = std::max(4 * small * columns + 5 * small, 26 * small);
    layout.table.max.x = std::min(left.max.x, left.min.x + wanted);
  }
}

void ComparePage::placePanes(Layout& layout, const render::Rect& left, const PageFrame& frame) const {
  const checkpoint::AttentionLayer* const layer = frame.shared.layer;
  const WeightsState& state = frame.shared.state;
  if (!layer || !board_.model()) return;
  layout.sides = {CompareSide::First, CompareSide::Second};
  if (state.blend == WeightsBlend::Difference) layout.sides = {CompareSide::Difference};
  if (state.blend == WeightsBlend::Blink) layout.sides = {secondShown_ ? CompareSide::Second : CompareSide::First};
  MatrixPanes& panes = layout.panes;
  panes.values = state.values;
  panes.show(state, layer->d_model, layer->d_key);
  const double space = frame.theme.space, small = frame.theme.smallSize, title = kTitle * small, bar = kBar * small;
  // The shape of what is in sight, so that entries are square.
  const double aspect = std::clamp(panes.seen.width() / panes.seen.height(), 0.2, 5.0);
  const render::Rect room{{left.min.x, left.min.y + title}, {left.max.x - bar, left.max.y - space}};
  const std::vector<render::Rect> plots =
      largestPlots(room, layout.sides.size(), aspect, {2 * space + (ownScales_ ? bar : 0), title + space});
  const attention::Part part = state.shownPart(layer->d_model == layer->d_key);
  constexpr const char* kViews[kCompareSides] = {"first", "second", "difference"};
  for (std::size_t i = 0; i < plots.size(); ++i)
    panes.panes.push_back({kViews[static_cast<std::size_t>(layout.sides[i])], nameOf(frame, layout.sides[i]), plots[i],
                           plots[i].min.y - 0.4 * small, part});
}

ComparePage::Layout ComparePage::layoutOf(const PageFrame& frame) const {
  Layout layout;
  const double space = frame.theme.space;
  const render::Rect area{{frame.area.min.x + 2 * space, frame.area.min.y + space},
                          {frame.area.max.x - 2 * space, frame.area.max.y - space}};
  layout.head = {area.min, {area.max.x, area.min.y + kHead * frame.theme.smallSize}};
  render::Rect left{{area.min.x, layout.head.max.y + space}, area.max};
  placeTable(layout, left, frame);
  placePanes(layout, left, frame);
  return layout;
}

void ComparePage::ask(const PageFrame& frame, ExhibitContext& context) {
  const Document& document = context.editor.document();
  context.editor.properties().read(document, *this);
  blinking_ = frame.shared.state.blend == WeightsBlend::Blink && !frame.shared.state.comparePath.empty();
  if (playing_ && blinking_ && context.seconds - flipped_ >= kBlinkSeconds) {
    secondShown_ = !secondShown_;
    flipped_ = context.seconds;
  }
  board_.update(frame.shared, context);
  const checkpoint::AttentionLayer* const partner =
      board_.model() && frame.shared.layer ? partnerOf(*board_.model(), *frame.shared.layer) : nullptr;
  const bool head = partner && frame.shared.state.head < partner->heads;
  pictures_.update(frame, layoutOf(frame).panes, board_.model(), head ? partner : nullptr, ownScales_, context);
}

std::uint64_t ComparePage::madeOf(const PageFrame& frame) const {
  return Digest()
      .add(WeightsPage::madeOf(frame), board_.revision(), board_.complete(), pictures_.revision(), secondShown_)
      .value();
}

void ComparePage::panel(const PageFrame& frame, ExhibitContext& context, PagePanel& panel) {
  if (panel.button(tr("Choose second checkpoint…"), "weights.open-compare", static_cast<bool>(context.chooseFile)))
    run(frame, context, "weights.open-compare");
  panel.rows("weights.compare.", {"checkpoint", "mode"});
  if (blinking_) {
    if (panel.button(playing_ ? tr("Pause") : tr("Play"), "play.toggle")) run(frame, context, "play.toggle");
    panel.sameLine();
    if (panel.button(tr("The other one"), "weights.blink")) run(frame, context, "weights.blink");
  }
  panel.rows("weights.", {"part", "pool", "compare.measure"});
  panel.rows("weights.compare.", {"norm", "relative", "cosine", "layers"});
  if (!board_.misfit().empty()) panel.sentence(sentenceCase(board_.misfit()));
}

/// Once in the mode, the other one; from another mode, the mode.
void ComparePage::blink(ExhibitContext& context) {
  if (blinking_)
    secondShown_ = !secondShown_;
  else
    setAsStep(context.editor, "weights.compare.mode", std::string("blink"));
  flipped_ = context.seconds;
}

std::vector<WeightsPage::Command> ComparePage::commands(const WeightsShared&, const Document& document) {
  const Json& path = document.at("weights.compare.checkpoint");
  const bool some = path.is_string() && !path.get<std::string>().empty();
  const auto open = [](ExhibitContext& context) {
    if (context.chooseFile) context.chooseFile("weights.compare.checkpoint");
  };
  const auto close = [](ExhibitContext& context) {
    setAsStep(context.editor, "weights.compare.checkpoint", std::string());
  };
  const auto play = [this](ExhibitContext& context) {
    playing_ = !playing_;
    flipped_ = context.seconds;
  };
  std::vector<Command> all{{"weights.open-compare", tr("Choose second checkpoint…"), "", tr("Exhibit"), true, open},
                           {"weights.close-compare", tr("Close second checkpoint"), "", tr("Exhibit"), some, close},
                           {"weights.blink", tr("Show the other checkpoint"), "X", tr("Exhibit"), some,
                            [this](ExhibitContext& context) { blink(context); }},
                           {"play.toggle", tr("Play or pause"), "Space", tr("Run"), blinking_, play}};
  for (Command& command : viewCommands([this](const PageFrame& frame) { return layoutOf(frame).panes; }))
    all.push_back(std::move(command));
  return all;
}

std::string ComparePage::status(const WeightsShared&) const {
  return pictures_.device().empty() ? std::string() : std::string(tr("pictures")) + ": " + pictures_.device();
}

}  // namespace sepx::ui
