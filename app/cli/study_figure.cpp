// SPDX-License-Identifier: Apache-2.0
// A study's result as a picture: its charts, or a picture of its own.
#include "app/cli/study_figure.h"

#include "app/cli/flow_figure.h"
#include "app/cli/scores_figure.h"
#include "ui/published/study_charts.h"

namespace sepx::app::cli {

FigureMaker studyFigure(const studies::StudyResult& result, ThreadPool& pool) {
  if (const auto* const flow = std::any_cast<studies::FlowFigure>(&result.drawn))
    return [flow, &pool](double width, double height, const ui::Theme& theme) {
      return flowFigure(*flow, width, height, theme, pool);
    };
  if (const auto* const scores = std::any_cast<std::shared_ptr<const studies::ScoreTables>>(&result.drawn))
    return [tables = *scores](double width, double height, const ui::Theme& theme) {
      return scoresFigure(*tables, width, height, theme);
    };
  if (result.charts.empty()) return {};
  return [&result](double width, double height, const ui::Theme& theme) {
    return ui::chartsFigure(result, width, height, theme);
  };
}

}  // namespace sepx::app::cli
