// SPDX-License-Identifier: Apache-2.0
// Declarations, numbers and caption of the comparison.
#include <cmath>

#include <fmt/format.h>

#include "ui/exhibit/number_table.h"
#include "ui/exhibits/weights/compare/compare_page.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

/// While a second checkpoint is chosen.
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
       .help = N_("The checkpoint to compare with the open one: a weight file, the index of shards, or a folder."),
       .file = true, .applies = onCompareOrCharts},
      {.key = "mode", .into = &WeightsState::blend, .label = N_("Shown"),
       .options = {{"side", N_("side by side")}, {"difference", N_("difference")}, {"blink", N_("alternate")}},
       .help = N_("Both side by side with one view, A − B entry by entry, or A and B alternating in the same place."),
       .applies = onCompare},
      {.key = "scale", .into = &ComparePage::ownScales_, .label = N_("Colour scales"),
       .options = {{"shared", N_("one for both")}, {"own", N_("each its own")}},
       .help = N_("One scale for both checkpoints, so that colours compare, or for each from minus its own largest "
                  "entry to plus it, so that a weak matrix beside a strong one is seen."),
       .applies = onCompare},
      {.key = "measure", .into = &ComparePage::measure_, .label = N_("Table"),
       .options = {{"relative", N_("relative norm")}, {"cosine", N_("cosine")}},
       .help = N_("What the table shows of every layer and head: the norm of the difference relative to the norms of "
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
    return notEmpty(of.board().failure().empty() ? of.board().misfit() : of.board().failure());
  };
  using attention::Difference;
  // clang-format off
  declareReadOuts(registry, {.prefix = "weights.compare.",
                             .applies = onPage("compare", twoChosen)}, {
      {.key = "norm", .label = N_("Difference"), .symbol = "|A − B|",
       .help = N_("Frobenius norm of W_qk of the first checkpoint minus that of the second, of the selected layer or "
                  "head."),
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
       .help = N_("How many layers both checkpoints have with W_qk of one shape, as far as they are compared."),
       .digits = 0, .get = all([](const ComparePage& of) { return of.board().entries().size(); })},
      {.key = "shown", .label = N_("Checkpoint shown"),
       .help = N_("Which of the two checkpoints is shown while they alternate."),
       .get = all([](const ComparePage& of) { return of.secondShown() ? "B" : "A"; })},
      {.key = "note", .label = N_("Does not fit"),
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
                   NumberColumn{"stack", [](const Row& row) { return checkpoint::word(row.entry.stack); }},
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
