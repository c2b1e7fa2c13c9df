// SPDX-License-Identifier: Apache-2.0
// What `sepx reproduce` prints and draws of the studies that engine/studies computes and judges: of every kind a JSON
// document, a text for people, and of figures a page. Main thread.
#pragma once

#include <string>
#include <vector>

#include "app/cli/json_out.h"
#include "engine/render/scene.h"
#include "engine/studies/accuracy_study.h"
#include "engine/studies/bound_study.h"
#include "engine/studies/emergence_study.h"
#include "engine/studies/flow_study.h"
#include "engine/studies/growth_study.h"
#include "engine/studies/score_study.h"
#include "engine/studies/theorem_study.h"
#include "engine/studies/training_study.h"
#include "engine/studies/transfer_study.h"
#include "engine/studies/vision_study.h"
#include "ui/canvas/theme.h"

namespace sepx::app::cli {

Json scoresJson(const studies::ScoreTables& tables);
std::string scoresText(const studies::ScoreTables& tables);
/// Both scores of published and measured models against the number of parameters.
render::Scene scoresFigure(const studies::ScoreTables& tables, double width, double height, const ui::Theme& theme);

Json flowFigureJson(const studies::FlowFigure& figure);
std::string flowFigureText(const studies::FlowFigure& figure);
render::Scene flowFigure(const studies::FlowFigure& figure, double width, double height, const ui::Theme& theme,
                         ThreadPool& pool);

Json trainingFigureJson(const studies::TrainingFigure& figure);
std::string trainingFigureText(const studies::TrainingFigure& figure);
/// A plot for each setting.
render::Scene trainingFigureScene(const studies::TrainingFigure& figure, double width, double height,
                                  const ui::Theme& theme);

Json emergenceJson(const studies::EmergenceStudy& study);
std::string emergenceText(const studies::EmergenceStudy& study);
/// Panels of medians and layers; not of a table.
render::Scene emergenceFigure(const studies::EmergenceStudy& study, double width, double height,
                              const ui::Theme& theme);

Json transferJson(const studies::TransferFigure& figure);
std::string transferText(const studies::TransferFigure& figure);
/// Correlation by distance, cosine of gradients and probabilities over the steps, a row each length.
render::Scene transferFigure(const studies::TransferFigure& figure, double width, double height,
                             const ui::Theme& theme);

Json accuracyJson(const studies::AccuracyTable& table);
std::string accuracyText(const studies::AccuracyTable& table);

Json visionJson(const studies::VisionTable& table);
std::string visionText(const studies::VisionTable& table);

Json theoremJson(const studies::TheoremReport& report);
std::string theoremText(const studies::TheoremReport& report);

inline constexpr const char *kHolds = N_("holds"), *kDoesNotHold = N_("DOES NOT HOLD");
/// The checks with what came out under `verdict`: true, false, or null with `why_not_judged`.
Json checksJson(const std::vector<studies::Check>& checks, const char* verdict);
/// `yes`, `no` or "not judged", translated.
std::string verdictWord(const studies::Check& check, const char* yes = kHolds, const char* no = kDoesNotHold);
/// A line each, with `yes`, `no`, or "not judged" and why.
std::string checkLines(const std::vector<studies::Check>& checks, const char* yes, const char* no);
/// Whether all that is judged holds; null where nothing is judged.
Json passedJson(const std::vector<studies::Check>& checks);
/// The claim, where thresholds come from, and the checks, each "holds", "DOES NOT HOLD" or "not judged".
std::string judgedLines(const studies::Study& study, const std::vector<studies::Check>& checks);

// What the figures of the flow share.
render::Scene planeFigure(const studies::FlowFigure& figure, double width, double height, const ui::Theme& theme,
                          ThreadPool& pool);
render::Scene spaceFigure(const studies::FlowFigure& figure, double width, double height, const ui::Theme& theme,
                          ThreadPool& pool);
/// An empty page in the theme's colours.
render::Scene emptyPage(double width, double height, const ui::Theme& theme);
/// `whole` where it fits above a plot of that width, else `brief`.
std::string fittingTitle(const std::string& whole, const std::string& brief, double width, const ui::Theme& theme);
/// Marks and words of what a figure shows, in one row from `at`, as many as fit.
void addKindLegend(std::vector<render::Item>& items, render::Point at, double width, const ui::Theme& theme,
                   int figure);

}  // namespace sepx::app::cli
