// SPDX-License-Identifier: Apache-2.0
// Benchmarks of document operations: a session of 1,000 points (an edit, its undo, and the time from the file to the
// settled picture, which is also measured for 10 points), and 100 trajectories as SVG, PDF and PNG of 1800 x 1200
// pixels.
#include "tests/bench/cases/bench.h"

#include <string>
#include <utility>

#include "app/cli/text.h"
#include "engine/core/try.h"
#include "tests/bench/cases/bench_checkpoints.h"
#include "ui/workbench/figure.h"

namespace sepx::app::cli {
namespace {

/// The time from the call until the picture has settled.
Result<void> openings(const Options& common, Measurement& measurement, int points, const std::string& file) {
  constexpr int kTimes = 5;
  SEPX_ASSIGN(auto author, withPoints(common, points));
  SEPX_TRY(author->workbench().save(file));
  for (int i = 0; i < kTimes; ++i) {
    SEPX_ASSIGN(auto reader, Headless::create(common, Drawing::EveryFrame));
    SEPX_TRY(reader->frame());
    SEPX_TRY(measure(measurement, {1, 0}, [&]() -> Result<void> {
      SEPX_TRY(reader->workbench().open(file));
      return reader->settle();
    }));
  }
  return {};
}

/// An edit of one of many points and its undo, each with the frame that shows it.
Result<void> edits(Headless& headless, Measurement& edit, Measurement& undo) {
  constexpr int kTimes = 30;
  ui::Workbench& workbench = headless.workbench();
  for (int i = 0; i < kTimes; ++i) {
    SEPX_TRY(measure(edit, {1, 0}, [&]() -> Result<void> {
      SEPX_TRY(workbench.set("flow.points[7].e", 0.01 * i + 0.2));
      return headless.frame();
    }));
    SEPX_TRY(measure(undo, {1, 0}, [&]() -> Result<void> {
      workbench.undo();
      return headless.frame();
    }));
  }
  return {};
}

}  // namespace

Result<BenchResult> benchSession(const Options& common) {
  constexpr int kMany = 1000, kFew = 10;
  const BenchFolder folder;
  Measurement few{"open-10", trf(N_("session of {} points, from the file to the settled picture"), kFew), {}};
  Measurement many{"open-1000", trf(N_("session of {} points, from the file to the settled picture"), kMany), {}};
  Measurement edit{"edit", trf(N_("one of {} points changed, with its frame"), kMany), {}};
  Measurement undo{"undo", tr(N_("its undo, with its frame")), {}};
  SEPX_TRY(openings(common, few, kFew, folder.file("few.sepx")));
  SEPX_TRY(openings(common, many, kMany, folder.file("many.sepx")));
  SEPX_ASSIGN(auto headless, withPoints(common, kMany));
  SEPX_TRY(edits(*headless, edit, undo));
  return BenchResult{.name = "session",
                     .measurements = {std::move(few), std::move(many), std::move(edit), std::move(undo)},
                     .device = headless->context().info().name};
}

Result<BenchResult> benchFigure(const Options& common) {
  constexpr int kPaths = 100, kTimes = 3;
  const BenchFolder folder;
  SEPX_ASSIGN(auto headless, withPoints(common, kPaths));
  BenchResult result{.name = "figure", .device = headless->context().info().name};
  for (const char* name : {"figure.svg", "figure.pdf", "figure.png"}) {
    Measurement one{
        std::string(name).substr(7), trf(N_("{} trajectories as {}"), kPaths, std::string(name).substr(7)), {}};
    SEPX_TRY(measure(one, {kTimes, 0}, [&]() -> Result<void> {
      ui::FigureRequest request;
      request.path = folder.file(name);
      SEPX_TRY(ui::makeFigure(headless->workbench(), &headless->context(), std::move(request)));
      return {};
    }));
    result.measurements.push_back(std::move(one));
  }
  return result;
}

}  // namespace sepx::app::cli
