// SPDX-License-Identifier: Apache-2.0
// See run_matrices.h.
#include "ui/race/run_matrices.h"

#include <utility>

#include <fmt/format.h>

#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"
#include "ui/race/run_charts.h"
#include "ui/runs/state_words.h"

namespace sepx::ui {

namespace {

constexpr double kPaneGap = 10;            // points
constexpr double kWords = 5, kWidth = 12;  // in sizes of small text: height of the texts around a matrix, least width

MatrixScale scaleOf(const RaceShared& shared, const QkMatrix& form) {
  double limit = shared.state.scale == RaceScale::Own ? form.limit : shared.matrixLimit;
  if (!(limit > 0)) limit = 1;
  return {ScaleKind::Diverging, {-limit, limit}};
}

/// The text of a pane that has no matrix.
std::string missing(const RacingRun& racing) {
  if (!racing.matrixFailure.empty()) return racing.matrixFailure;
  if (!racing.run) return tr("The run is not open.");
  if (!racing.run->failure().empty()) return tr("The run has no matrix.");  // the page shows the reason above
  if (racing.run->state() == train::RunState::Preparing) return preparingWords(racing.run->live());
  if (racing.run->loaded() && !racing.run->reported() && racing.run->savedSteps().empty())
    return tr("The run has no checkpoint yet.");
  return tr("Waiting for the first matrix…");
}

std::vector<std::string> scoreTexts(const RacingRun& racing, const RaceShared& shared, std::int64_t step) {
  std::vector<std::string> texts;
  const auto add = [&](const char* symbol, const char* metric) {
    const auto value = scoreAt(*racing.run, metric, shared.state.layer, shared.state.head, step);
    if (value) texts.push_back(fmt::format("{} {}", symbol, withMinus(fmt::format("{:.2f}", *value))));
  };
  add("s", "symmetry");
  add("d", "directionality");
  add("ΔCV", "row_column_cv");
  return texts;
}

}  // namespace

Arrangement addRunMatrices(Views& into, const RaceFrame& frame) {
  const RaceShared& shared = frame.shared;
  const double small = frame.theme.smallSize;
  Arrangement squares{.kind = Arrangement::Kind::Grid, .perRow = 0, .gap = kPaneGap, .words = kWords * small};
  std::string longest;
  for (const RacingRun& racing : shared.runs)
    if (textWidth(racing.name(), small) > textWidth(longest, small)) longest = racing.name();
  for (std::size_t i = 0; i < shared.runs.size(); ++i) {
    const RacingRun& racing = shared.runs[i];
    MatrixContent made;
    made.head = LegendEntry{racing.name(), runLook(frame.theme, i)};
    made.longestHead = longest;
    if (!racing.matrix || !racing.matrix->values) {
      made.missing = sentenceCase(missing(racing));
    } else {
      const QkMatrix& form = *racing.matrix;
      const std::string step = trFormat("step {}", stepText(form.step));
      made.rows = form.rows;
      made.columns = form.columns;
      made.values = form.values;
      made.scale = scaleOf(shared, form);
      made.notes = {{{step, fmt::format("±{}", formatReading(made.scale.limits.high))}, NoteLine::Role::Muted},
                    {scoreTexts(racing, shared, form.step)}};
      made.tipContext = fmt::format("{}, {}", racing.name(), step);
    }
    const std::string name = "form" + std::to_string(i);
    into.views.push_back({name, std::move(made), nothingExported});
    squares.parts.push_back(viewNamed(name));
    squares.parts.back().leastWidth = kWidth * small;
  }
  return squares;
}

}  // namespace sepx::ui
