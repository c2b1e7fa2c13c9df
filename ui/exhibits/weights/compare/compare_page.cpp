// SPDX-License-Identifier: Apache-2.0
// The comparison: requests, layout, alternation, panel, commands, declarations, numbers and caption.
#include "ui/exhibits/weights/compare/compare_page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/page/number_table.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kBlinkSeconds = 0.5;
constexpr double kWide = 640;        // width in points from which the table may be at the side
constexpr double kLeastPicture = 9;  // height, multiples of the small type; below it there is no table
constexpr double kLeastShare = 0.2, kMostShare = 0.38;   // shares of the height for a table below the pictures
constexpr double kNote = 1.6;                            // multiples of the small type: a line at the lower edge
constexpr double kHead = 3.2, kTitle = 1.8, kBar = 6.5;  // multiples of the small type: heights, width of a scale

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

/// Places the table beside or below the pictures, whichever leaves them larger. If they would be too small, there is no
/// table.
void ComparePage::placeTable(Layout& layout, render::Rect& left, const PageFrame& frame) const {
  const double space = frame.theme.space, small = frame.theme.smallSize, columns = this->columns(),
               rows = static_cast<double>(std::max<std::size_t>(1, board_.entries().size()));
  const double least = 14 * small;
  const double width = std::clamp(3.0 * small * columns + 5 * small, least, std::max(least, 0.34 * left.width()));
  const double height =
      std::min(std::max(4.6 * small + 1.9 * small * rows, kLeastShare * left.height()), kMostShare * left.height());
  const double panes = frame.shared.state.blend == WeightsBlend::SideBySide ? 2 : 1;
  const double beside = std::min(left.height(), (left.width() - width - 8.5 * small) / panes);
  const double above = std::min(left.height() - height, (left.width() - kBar * small) / panes);
  // A low page has only the pictures, and a note below them.
  if (std::max(beside, above) < kLeastPicture * small) {
    if (!frame.figure) left.max.y -= kNote * small;
    return;
  }
  layout.table = left;
  if (left.width() >= kWide && beside >= above) {
    left.max.x -= width + 2 * space;
    layout.table.min.x = left.max.x + 2 * space;
  } else {
    left.max.y -= height + space;
    layout.table.min.y = left.max.y + space;
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
  panes = panesOf(state, layer->d_model, layer->d_key);
  const double space = frame.theme.space, small = frame.theme.smallSize, title = kTitle * small, bar = kBar * small;
  // The aspect ratio of the view, so that entries are square.
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
  results_.follow(Digest().add(board_.revision(), board_.complete(), pictures_.revision(), secondShown_).value());
}

void ComparePage::panel(const PageFrame& frame, ExhibitContext& context, PagePanel& panel) {
  if (panel.button(tr("Choose second checkpoint…"), "weights.open-compare", static_cast<bool>(context.chooseFile)))
    run(frame, context, "weights.open-compare");
  panel.rows("weights.compare.", {"checkpoint", "mode"});
  if (blinking_) {
    if (panel.button(playing_ ? tr("Pause") : tr("Play"), "play.toggle")) run(frame, context, "play.toggle");
    panel.sameLine();
    if (panel.button(tr("Show the other"), "weights.blink")) run(frame, context, "weights.blink");
  }
  panel.rows("weights.", {"part", "pool", "compare.measure"});
  panel.rows("weights.compare.", {"norm", "relative", "cosine", "layers"});
  if (!board_.mismatch().empty()) panel.sentence(sentenceCase(board_.mismatch()));
}

/// If the checkpoints alternate, shows the other one. Otherwise selects the mode in which they alternate.
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

// Declarations, numbers and caption of the comparison.

namespace {

/// True while a second checkpoint is selected.
bool twoChosen(const Document& document) {
  const Json& path = document.at("weights.compare.checkpoint");
  return path.is_string() && !path.get<std::string>().empty();
}

bool onCompareOrCharts(const Document& document) {
  const Json& page = document.at("weights.page");
  return page == "compare" || page == "charts";
}

}  // namespace

// clang-format off
void ComparePage::declareChoices(PropertyRegistry& registry) {
  const Condition onCompare = onPage("compare");
  declareParameters(registry, {.prefix = "weights.compare."}, {
      {.key = "checkpoint", .into = &WeightsState::comparePath, .label = N_("Compared with"), .fallback = "",
       .help = N_("The checkpoint to compare with the open one: a weight file, the index of a sharded checkpoint, or a folder."),
       .file = true, .applies = onCompareOrCharts},
      {.key = "mode", .into = &WeightsState::blend, .label = N_("Shown"),
       .options = {{"side", N_("side by side")}, {"difference", N_("difference")}, {"blink", N_("alternate")}},
       .help = N_("Both side by side with a shared view, A − B entry by entry, or A and B alternating in the same place."),
       .applies = onCompare},
      {.key = "scale", .into = &ComparePage::ownScales_, .label = N_("Colour scales"),
       .options = {{"shared", N_("one for both")}, {"own", N_("each its own")}},
       .help = N_("One scale for both checkpoints, so that colours can be compared, or one for each, from minus to "
                  "plus its own largest entry, so that a weak matrix is visible beside a strong one."),
       .applies = onCompare},
      {.key = "measure", .into = &ComparePage::measure_, .label = N_("Table"),
       .options = {{"relative", N_("relative norm")}, {"cosine", N_("cosine")}},
       .help = N_("What the table shows for each layer and head: the norm of the difference relative to the norms of "
                  "both, or the cosine of the angle between the two forms."),
       .applies = onCompare}});
}
// clang-format on

void ComparePage::declare(PropertyRegistry& registry, const WeightsShared& live) {
  declareChoices(registry);
  const Getters difference(
      [this, &live](int) { return board_.at(live.state.stack, live.state.layer, live.state.head); });
  const auto all = gettersOf(*this);
  const auto note = [](const ComparePage& of) {
    return notEmpty(of.board().failure().empty() ? of.board().mismatch() : of.board().failure());
  };
  using attention::Difference;
  // clang-format off
  declareReadOuts(registry, {.prefix = "weights.compare.",
                             .applies = onPage("compare", twoChosen)}, {
      {.key = "norm", .label = N_("Difference"), .symbol = "|A − B|",
       .help = N_("Frobenius norm of the difference of the two W_qk, first checkpoint minus second, for the selected "
                  "layer or head."),
       .formula = "|A-B|_F^2 = |A|_F^2 + |B|_F^2 - 2\\,\\mathrm{Tr}(A^\\top B)", .get = difference(&Difference::norm),
       .numberWords = formatReading},
      {.key = "relative", .label = N_("Relative"),
       .help = N_("The norm of the difference over the geometric mean of both norms: 0 for equal matrices, about 1.4 "
                  "for independent matrices of equal norm."),
       .formula = "\\frac{|A-B|_F}{\\sqrt{|A|_F\\,|B|_F}}", .get = difference(&Difference::relative),
       .numberWords = formatReading},
      {.key = "cosine", .label = N_("Cosine"),
       .help = N_("1: one matrix is a positive multiple of the other. 0: they are orthogonal."),
       .formula = "\\frac{\\mathrm{Tr}(A^\\top B)}{|A|_F\\,|B|_F}", .get = difference(&Difference::cosine),
       .numberWords = cosineText},
      {.key = "layers", .label = N_("Layers compared"),
       .help = N_("Number of layers compared so far. Layers are compared if both checkpoints have them with a W_qk of the same shape."),
       .digits = 0, .get = all([](const ComparePage& of) { return of.board().entries().size(); })},
      {.key = "shown", .label = N_("Checkpoint shown"),
       .help = N_("Which of the two checkpoints is shown while they alternate."),
       .get = all([](const ComparePage& of) { return of.secondShown() ? "B" : "A"; })},
      {.key = "note", .label = N_("Not comparable"),
       .help = N_("Which parts of the two checkpoints cannot be compared, and why."), .get = all(note)}});
  // clang-format on
}

Numbers ComparePage::numbers(const WeightsShared&) const {
  struct Row {
    const CompareEntry& entry;
    int head;
    const attention::Difference& of;
  };
  std::vector<Row> rows;
  for (const CompareEntry& entry : board_.entries()) {
    rows.push_back({entry, -1, entry.whole});
    for (std::size_t h = 0; h < entry.heads.size(); ++h)
      rows.push_back({entry, static_cast<int>(h), entry.heads[h]});
  }
  const auto difference = [](const char* name, double attention::Difference::*member) {
    return NumberColumn{name, [member](const Row& row) { return row.of.*member; }};
  };
  using attention::Difference;
  return {
      {numberTable("comparison", rows,
                   NumberColumn{"stack", [](const Row& row) { return checkpoint::toString(row.entry.stack); }},
                   NumberColumn{"layer", [](const Row& row) { return row.entry.layer; }},
                   NumberColumn{"head", &Row::head}, difference("difference_norm", &Difference::norm),
                   difference("difference_relative", &Difference::relative), difference("cosine", &Difference::cosine),
                   difference("norm_a", &Difference::normA), difference("norm_b", &Difference::normB))},
      {}};
}

std::string ComparePage::caption(const WeightsShared& shared) const {
  if (!shared.model || !board_.model()) return {};
  return fmt::format("W_qk: A = {}, B = {}. {}.", shared.title(), shared.title(*board_.model()), numbersLine(shared));
}

}  // namespace sepx::ui
