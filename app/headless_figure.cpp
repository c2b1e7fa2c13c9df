// SPDX-License-Identifier: Apache-2.0
// A figure without a window: what was asked for on the command line as a request of ui/workbench/figure.h. Main thread.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/headless.h"
#include "app/interrupts.h"
#include "engine/core/try.h"
#include "engine/render/recipe.h"
#include "ui/document/state_text.h"
#include "ui/page/exhibit.h"
#include "ui/properties/tr.h"
#include "ui/workbench/figure.h"
#include "ui/workbench/figure_format.h"
#include "ui/workbench/file_paths.h"
#include "ui/workbench/state_share.h"

namespace sepx::app {

namespace {

constexpr double kFigureFrameSeconds = 1.0 / 60;
constexpr double kFigurePatience = 60;  // seconds of wall clock for what a job publishes next
constexpr double kSettling = 120;       // seconds of simulated time
constexpr double kPageWidth = 920, kPageHeight = 600;

/// A lesson's first step changes the document as it runs: the figure is of what it leaves.
Result<void> settle(ui::Workbench& workbench, const Options& options) {
  for (double seconds = 0; seconds < kSettling; seconds += kFigureFrameSeconds) {
    if (!workbench.jobLanes().runToPublication(kFigurePatience)) break;
    ui::HostFrame host;
    host.scale = options.scaleOrDefault();
    host.seconds = seconds;
    workbench.tick(options.sizeOrDefault(), host);
    if (seconds > kFigureFrameSeconds && workbench.settled() && !workbench.needsFrame()) return {};
  }
  return fail(ErrorKind::CheckFailed,
              ui::tr("the picture was not complete in time; running jobs: ") + workbench.runningLine());
}

Result<void> open(ui::Workbench& workbench, const Options& options, const std::string& file) {
  if (!file.empty()) {
    if (auto opened = workbench.open(file); !opened) return opened;
    // What a window says in its message bar: fields that were mended, a session of a newer version.
    for (const ui::Message& message : workbench.messages())
      fmt::print(stderr, "sepx: {}\n", message.sentence);
  }
  return workbench.lesson() ? settle(workbench, options) : Result<void>();
}

/// The request of the figure that was opened, else what a window of --size would show.
Result<ui::FigureRequest> beginning(const ui::Workbench& workbench, const Options& options, const std::string& file,
                                    bool raster, bool page) {
  const auto recipe = ui::isStateText(file) ? Result<std::optional<std::string>>() : render::readRecipe(file);
  if (recipe && *recipe) {
    auto parsed = ui::parseRecipe(**recipe);
    if (!parsed) return fail(parsed.error().kind, file + ": " + parsed.error().sentence);
    return std::move(parsed->request);
  }
  auto request = ui::windowFigure(workbench, options.sizeOrDefault(), raster ? options.scaleOrDefault() : 1.0F, {});
  // A page is read on paper's white, unless something else is asked for.
  if (page && options.theme.empty()) request.theme = "light";
  if (page && !options.size) request.width = kPageWidth, request.height = kPageHeight;
  return request;
}

/// To its end, or until the person has enough: then nothing is left of it.
Result<void> make(const ui::Workbench& workbench, gpu::Context* context, ui::FigureRequest request) {
  const Interrupts watched;
  ui::FigureMaker maker(workbench, context, std::move(request));
  maker.waitForJobs();
  while (!maker.step()) {
    if (watched.seen()) maker.cancel();
  }
  if (const auto made = maker.outcome(); !made) return tl::unexpected(made.error());
  if (!maker.remark().empty()) fmt::print(stderr, "sepx: {}\n", maker.remark());
  return {};
}

}  // namespace

Result<void> figureHeadless(const Options& options, const FigureWishes& wishes, const std::string& file,
                            const std::string& out) {
  const auto format = ui::figureFormat(out);
  if (!format || out.empty()) {
    ui::FigureRequest wrong;
    wrong.path = out.empty() ? "\"\"" : out;
    return ui::checkFigure(wrong);
  }
  const bool raster = ui::isRaster(*format);
  std::unique_ptr<gpu::Context> context;
  if (raster || options.compute == ui::Compute::Gpu) {
    auto made = gpu::Context::create(contextOptions(options, false));
    if (!made) return tl::unexpected(made.error());
    context = std::move(*made);
  }
  ui::Workbench workbench(workbenchOptions(options, true));
  if (auto opened = open(workbench, options, file); !opened) return opened;
  for (int pane = 1; pane <= workbench.panes(); ++pane) {
    const std::string exhibit = workbench.exhibit(pane).key();
    const ui::Document document = workbench.document().pane(pane);
    const auto there = ui::checkCheckpoints(document, workbench.properties(), exhibit, workbench.options().rules);
    if (!there) return fail(there.error().kind, file + ": " + there.error().sentence);
  }
  auto request = beginning(workbench, options, file, raster, *format == ui::FigureFormat::Html);
  if (!request) return tl::unexpected(request.error());
  if (*format != ui::FigureFormat::Html) request->sweep = {};  // of a page that was opened
  request->path = out;
  if (!wishes.views.empty()) request->views = wishes.views;
  if (wishes.whole) request->part = false;
  if (!wishes.preset.empty()) {
    if (auto known = ui::applyPreset(*request, wishes.preset); !known) return known;
  }
  if (options.scale > 0) request->scale = static_cast<double>(options.scale);
  if (options.size) {
    const double perPoint = raster ? request->scale : 1;
    request->width = options.size->width / perPoint;
    request->height = options.size->height / perPoint;
  }
  if (!options.theme.empty()) request->theme = options.theme;
  request->textSize = wishes.textSize.value_or(request->textSize);
  request->seconds = wishes.seconds.value_or(request->seconds);
  request->framesPerSecond = wishes.framesPerSecond.value_or(request->framesPerSecond);
  request->pane = wishes.pane.value_or(request->pane);
  request->legend = wishes.legend.value_or(request->legend);
  request->caption = wishes.caption.value_or(request->caption);
  if (!wishes.title.empty()) request->title = wishes.title;
  if (*format == ui::FigureFormat::Html) request->lesson = workbench.lesson() != nullptr;
  if (!wishes.slider.empty()) {
    SEPX_ASSIGN(request->sweep, ui::parseSweep(wishes.slider));
    request->lesson = false;
  }
  if (auto made = make(workbench, context.get(), std::move(*request)); !made) return made;
  if (context && !context->validationMessages().empty())
    return fail(ErrorKind::Internal, ui::tr("a Vulkan validation message: ") + context->validationMessages().front());
  return {};
}

Result<std::string> stateHeadless(const Options& options, const std::string& file) {
  ui::Workbench workbench(workbenchOptions(options, true));
  SEPX_TRY(open(workbench, options, file));
  return ui::stateText(workbench);
}

Result<void> sessionHeadless(const Options& options, const std::string& file, const std::string& out) {
  ui::Workbench workbench(workbenchOptions(options, true));
  SEPX_TRY(open(workbench, options, file));
  return workbench.save(out);
}

}  // namespace sepx::app
