// SPDX-License-Identifier: Apache-2.0
// The comparison put together: layout, pointer, blinking, panel, commands.
#include "ui/exhibits/weights/compare/compare_page.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/canvas/camera.h"
#include "ui/properties/tr.h"
#include "ui/views/digest.h"

namespace sepx::ui {

namespace {

constexpr double kBlinkSeconds = 0.5;
constexpr double kWide = 640;  // points from which the table stands at the side

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

CompareLayout ComparePage::layoutOf(const PageFrame& frame) const {
  CompareLayout layout;
  const Theme& theme = frame.theme;
  const double space = theme.space, small = theme.smallSize;
  const render::Rect area{{frame.area.min.x + 2 * space, frame.area.min.y + space},
                          {frame.area.max.x - 2 * space, frame.area.max.y - space}};
  layout.head = {area.min, {area.max.x, area.min.y + 3.2 * small}};
  render::Rect left{{area.min.x, layout.head.max.y + space}, area.max};
  layout.table = left;
  const double columns = this->columns(), rows = static_cast<double>(std::max<std::size_t>(1, board_.entries().size()));
  const double tableWidth = std::clamp(3.0 * small * columns + 5 * small, 14 * small, 0.34 * area.width());
  const double tableHeight = std::min(4.6 * small + 1.9 * small * rows, 0.38 * left.height());
  // The table stands where it leaves the larger pictures.
  const double panesWanted = frame.shared.state.blend == WeightsBlend::SideBySide ? 2 : 1;
  const double beside = std::min(left.height(), (left.width() - tableWidth - 8.5 * small) / panesWanted);
  const double above = std::min(left.height() - tableHeight, (left.width() - 6.5 * small) / panesWanted);
  if (area.width() >= kWide && beside >= above) {
    left.max.x = area.max.x - tableWidth - 2 * space;
    layout.table.min.x = left.max.x + 2 * space;
  } else {
    left.max.y -= tableHeight + space;
    layout.table.min.y = left.max.y + space;
    layout.table.max.x = std::min(area.max.x, area.min.x + 4 * small * columns + 5 * small);
    layout.table.max.x = std::max(layout.table.max.x, std::min(area.max.x, area.min.x + 26 * small));
  }
  const checkpoint::AttentionLayer* const layer = frame.shared.layer;
  if (!layer || !board_.model()) return layout;
  layout.sides = {CompareSide::First, CompareSide::Second};
  if (frame.shared.state.blend == WeightsBlend::Difference) layout.sides = {CompareSide::Difference};
  if (frame.shared.state.blend == WeightsBlend::Blink)
    layout.sides = {secondShown_ ? CompareSide::Second : CompareSide::First};
  MatrixLayout& matrix = layout.matrix;
  matrix.area = frame.area;
  matrix.whole = {{0, -static_cast<double>(layer->d_model)}, {static_cast<double>(layer->d_key), 0}};
  matrix.view = boundedView(frame.shared.state.view.value_or(matrix.whole), matrix.whole).value_or(matrix.whole);
  const auto panes = static_cast<double>(layout.sides.size());
  const double barRoom = 6.5 * small, title = 1.8 * small, gap = 2 * space;
  const double bars = ownScales_ ? panes : 1;
  const double across = (left.width() - bars * barRoom - (panes - 1) * gap) / panes;
  // The shape of what is in sight, so that entries are square.
  const double aspect = std::clamp(matrix.view.width() / matrix.view.height(), 0.2, 5.0);
  const double height = std::min(left.height() - title - space, across / aspect), width = height * aspect;
  if (width < 40 || height < 40) return layout;
  const attention::Part part = frame.shared.state.shownPart(layer->d_model == layer->d_key);
  for (std::size_t i = 0; i < layout.sides.size(); ++i) {
    const double step = width + gap + (ownScales_ ? barRoom : 0);
    const double x = left.min.x + static_cast<double>(i) * step, y = left.min.y + title;
    matrix.panes.push_back({{{x, y}, {x + width, y + height}}, part});
    if (!ownScales_ && i + 1 < layout.sides.size()) continue;
    const double bar = x + width + 1.5 * space;
    layout.bars.push_back({{bar, y + small}, {bar + 12, y + height - small}});
  }
  return layout;
}

void ComparePage::update(const PageFrame& frame, ExhibitContext& context) {
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
  const CompareLayout layout = layoutOf(frame);
  pictures_.update(frame, layout.matrix, board_.model(), head ? partner : nullptr, ownScales_, context);
  const WeightsState& state = frame.shared.state;
  const std::uint64_t now = Digest()
                                .add(frameKey(frame), layout.table, board_.revision(), board_.complete(), measure_,
                                     state.layer, state.head, state.stack)
                                .value();
  if (std::exchange(tableOf_, now) != now) table_.show(tableViews(frame, layout));
}

MatrixScale ComparePage::handScale(const PageFrame& frame, const CompareLayout& layout) const {
  return layout.sides.empty() ? MatrixScale{} : scaleOf(frame, layout.sides.front());
}

Cursor ComparePage::input(const PageFrame& frame, ExhibitContext& context, const InputEvent& event) {
  const CompareLayout layout = layoutOf(frame);
  if (!input_.busy() && !board_.entries().empty() && frame.pointer && layout.table.contains(*frame.pointer)) {
    table_.place(frame);
    return table_.input(frame, context, event);
  }
  // Nothing to look at: a click chooses the second checkpoint, or another one.
  const bool empty = frame.shared.model && !frame.shared.model->map.layers.empty() &&
                     (frame.shared.state.comparePath.empty() || !board_.failure().empty());
  const auto* const press = std::get_if<PointerPressed>(&event);
  if (empty && press && press->down && press->button == Button::Left) {
    run(frame, context, "weights.open-compare");
  } else {
    const MatrixScale scale = handScale(frame, layout);
    const Cursor cursor = input_.handle(event, {frame, layout.matrix, scale}, context);
    if (input_.busy() || !empty) return cursor;
  }
  return context.chooseFile ? Cursor::Hand : Cursor::Arrow;
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
  const auto at = [this](const PageFrame& frame, const auto& with) {
    const CompareLayout layout = layoutOf(frame);
    const MatrixScale scale = handScale(frame, layout);
    with({frame, layout.matrix, scale});
  };
  for (Command& command : MatrixInput::commands(at))
    all.push_back(std::move(command));
  return all;
}

std::string ComparePage::status(const WeightsShared&) const {
  return pictures_.device().empty() ? std::string() : std::string(tr("pictures")) + ": " + pictures_.device();
}

}  // namespace sepx::ui
