// SPDX-License-Identifier: Apache-2.0
// The headless host: an offscreen image, simulated time, and the same Workbench that the windows drive.
#include "app/headless.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "app/data_files.h"
#include "app/interrupts.h"
#include "engine/core/file.h"
#include "engine/core/terminal_text.h"
#include "engine/core/try.h"
#include "engine/gpu/offscreen_target.h"
#include "engine/render/png.h"
#include "engine/render/recipe.h"
#include "ui/document/lesson_file.h"
#include "ui/document/state_text.h"
#include "ui/page/exhibit.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/workbench/figure.h"
#include "ui/workbench/figure_format.h"
#include "ui/workbench/file_paths.h"
#include "ui/workbench/state_share.h"

namespace sepx::app {

namespace {

constexpr double kFrameSeconds = 1.0 / 60.0;
constexpr double kPatience = 60;  // seconds of wall clock to wait for the next publication of a job
// A step takes 70 times the memory of the shortest line that defines one.
constexpr std::size_t kLargestScript = std::size_t{1} << 20;

bool endsWith(const std::string& text, const std::string& ending) {
  return text.size() >= ending.size() && text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

}  // namespace

struct Headless::Impl {
  Options options;
  ui::WorkbenchOptions requestedOptions;
  std::unique_ptr<gpu::Context> context;
  std::unique_ptr<gpu::OffscreenTarget> target;
  std::unique_ptr<ui::Workbench> workbench;
  std::uint64_t frames = 0;
  Drawing drawing = Drawing::WhenCaptured;
  bool drawn = true;  ///< the last frame was drawn
  float scale = 1;

  ui::HostFrame hostFrame() {
    ui::HostFrame host;
    host.scale = scale;
    host.seconds = static_cast<double>(frames++) * kFrameSeconds;
    return host;
  }

  Result<void> advance(ui::HostFrame& host) {
    workbench->advance(*context, target->extent(), host);
    // With --compute gpu, a lost device is an error: the results must not be replaced by those of the CPU, or by none.
    if (options.compute == ui::Compute::Gpu && context->lost()) return deviceLost();
    drawn = false;
    constexpr std::uint64_t kValidated = 8;
    const bool now = drawing == Drawing::EveryFrame || (context->validating() && frames % kValidated == 1);
    return now ? draw() : Result<void>();
  }

  Result<void> draw() {
    if (std::exchange(drawn, true)) return {};
    return workbench->draw(*target) != gpu::TargetStatus::Lost ? Result<void>() : deviceLost();
  }

  static tl::unexpected<Error> deviceLost() {
    return fail(ErrorKind::NoDevice,
                ui::tr("the Vulkan device was lost while drawing; run again, or choose another with --device"));
  }
};

Headless::Headless() : impl_(std::make_unique<Impl>()) {}

Headless::~Headless() {
  if (impl_->workbench) impl_->workbench->releaseGpu();
}

Result<std::unique_ptr<Headless>> Headless::create(const Options& options, Drawing drawing, Window window) {
  if (static_cast<double>(options.scale) > ui::kMostScale) {
    return fail(ErrorKind::Usage,
                ui::tr("--scale: a window must have a scale from 0.5 to 4; only figures (sepx render) can be finer"));
  }
  std::unique_ptr<Headless> result(new Headless);
  Impl& impl = *result->impl_;
  impl.options = options;
  impl.drawing = drawing;
  impl.scale = options.scaleOrDefault();
  auto context = gpu::Context::create(contextOptions(options, false));
  if (!context) return tl::unexpected(context.error());
  impl.context = std::move(*context);
  auto target = gpu::OffscreenTarget::create(*impl.context, options.sizeOrDefault());
  if (!target) return tl::unexpected(target.error());
  impl.target = std::move(*target);
  ui::WorkbenchOptions& requestedOptions = impl.requestedOptions;
  requestedOptions = workbenchOptions(options, true);
  requestedOptions.stage = requestedOptions.follows = window == Window::Stage;
  requestedOptions.without = {"file.export", "edit.preferences", "view.palette", "view.full-screen"};
  for (const LessonFile& lesson : lessons())
    requestedOptions.lessons.emplace_back(lesson.path, lesson.title);
  impl.workbench = std::make_unique<ui::Workbench>(requestedOptions);
  return result;
}

void Headless::resetWorkbench() {
  impl_->workbench->releaseGpu();
  impl_->workbench.reset();
  impl_->workbench = std::make_unique<ui::Workbench>(impl_->requestedOptions);
}

ui::Workbench& Headless::workbench() {
  return *impl_->workbench;
}
gpu::Context& Headless::context() {
  return *impl_->context;
}

Result<void> Headless::frame(std::vector<ui::InputEvent> events) {
  if (!impl_->workbench->jobLanes().waitForPublications(kPatience)) {
    return fail(ErrorKind::CheckFailed,
                ui::tr("a job published nothing for a minute; running jobs: ") + impl_->workbench->statusLine());
  }
  ui::HostFrame host = impl_->hostFrame();
  host.events = std::move(events);
  return impl_->advance(host);
}

Result<void> Headless::settle(double seconds, const std::function<Result<void>()>& afterFrame) {
  // Two frames first: a control or a job that the last change requires appears only after it was drawn once.
  for (double spent = 0; spent < seconds; spent += kFrameSeconds) {
    if (auto drawn = frame(); !drawn) return drawn;
    if (spent > kFrameSeconds && impl_->workbench->settled() && !impl_->workbench->needsFrame()) return {};
    if (!afterFrame) continue;
    if (auto checked = afterFrame(); !checked) return checked;
  }
  return fail(ErrorKind::CheckFailed,
              ui::tr("the picture was not complete in time; running jobs: ") + impl_->workbench->statusLine());
}

Result<void> Headless::play(ui::ScriptRunner& runner, const std::function<Result<void>()>& afterFrame) {
  while (runner.running()) {
    ui::HostFrame host = impl_->hostFrame();
    runner.beforeFrame(host);
    if (auto drawn = impl_->advance(host); !drawn) return drawn;
    runner.afterFrame();
    if (!afterFrame) continue;
    if (auto checked = afterFrame(); !checked) return checked;
  }
  return runner.outcome();
}

Result<void> Headless::validated() const {
  const auto& messages = impl_->context->validationMessages();
  if (messages.empty()) return {};
  return fail(ErrorKind::Internal, ui::tr("a Vulkan validation message: ") + messages.front());
}

gpu::Extent Headless::extent() const {
  return impl_->target->extent();
}
float Headless::scale() const {
  return impl_->scale;
}

Result<void> Headless::resize(gpu::Extent extent) {
  if (extent == impl_->target->extent()) return {};
  impl_->drawn = true;  // the pending frame was for another size
  return impl_->target->resize(extent);
}

Result<void> Headless::setScale(float scale) {
  impl_->scale = scale;
  return {};
}

Result<gpu::Pixels> Headless::capture() {
  if (auto drawn = impl_->draw(); !drawn) return tl::unexpected(drawn.error());
  return impl_->target->readback();
}

Result<std::unique_ptr<ui::ScriptRunner>> makeRunner(const std::string& path, ui::Workbench& workbench,
                                                     ui::ScriptHost& host, const std::string& outDir) {
  if (endsWith(path, ".md") || endsWith(path, ui::kLessonEnding)) {
    if (auto opened = workbench.open(path); !opened) return tl::unexpected(opened.error());
    // The content of the file decides how it is opened, not its name.
    if (!workbench.lesson()) return fail(ErrorKind::BadInput, ui::trFormat("{}: is not a lesson", path));
    if (auto whole = ui::checkWhole(*workbench.lesson()); !whole) return tl::unexpected(whole.error());
    return ui::ScriptRunner::ofOpenLesson(workbench, host, outDir);
  }
  auto text = readFile(path, kLargestScript);
  if (!text) return tl::unexpected(text.error());
  auto script = ui::parseScript(*text, path);
  if (!script) return tl::unexpected(script.error());
  return std::make_unique<ui::ScriptRunner>(std::move(*script), workbench, host, outDir.empty() ? "." : outDir);
}

Result<ui::Played> playHeadless(const Options& options, const std::string& path) {
  auto headless = Headless::create(options);
  if (!headless) return tl::unexpected(headless.error());
  auto runner = makeRunner(path, (*headless)->workbench(), **headless, options.outDir);
  if (!runner) return tl::unexpected(runner.error());
  if (auto played = (*headless)->play(**runner); !played) return tl::unexpected(played.error());
  if (!options.shot.empty()) {
    if (auto settled = (*headless)->settle(); !settled) return tl::unexpected(settled.error());
    auto pixels = (*headless)->capture();
    if (!pixels) return tl::unexpected(pixels.error());
    if (auto written =
            render::writePng(*pixels, options.shot, {{render::kRecipeKey, (*headless)->workbench().recipe()}});
        !written)
      return tl::unexpected(written.error());
  }
  if (auto valid = (*headless)->validated(); !valid) return tl::unexpected(valid.error());
  return (*runner)->played();
}

Result<void> renderHeadless(const Options& options, const std::string& file, const std::string& out) {
  if (!endsWith(out, ".png")) return fail(ErrorKind::Usage, out + ": " + ui::tr("the name must end in .png"));
  auto headless = Headless::create(options);
  if (!headless) return tl::unexpected(headless.error());
  ui::Workbench& workbench = (*headless)->workbench();
  if (auto begun = file.empty() ? workbench.run("view.start") : workbench.open(file); !begun) return begun;
  if (auto settled = (*headless)->settle(); !settled) return settled;
  auto pixels = (*headless)->capture();
  if (!pixels) return tl::unexpected(pixels.error());
  if (auto written = render::writePng(*pixels, out, {{render::kRecipeKey, workbench.recipe()}}); !written)
    return written;
  return (*headless)->validated();
}

// A figure without a window: turns the command line into a request of ui/workbench/figure.h. Main thread.

namespace {

constexpr double kFigureFrameSeconds = 1.0 / 60;
constexpr double kFigurePatience = 60;  // seconds of wall clock to wait for the next publication of a job
constexpr double kSettling = 120;       // seconds of simulated time
constexpr double kPageWidth = 920, kPageHeight = 600;

/// A lesson's first step changes the document as it runs: the figure shows the document after that.
Result<void> settle(ui::Workbench& workbench, const Options& options) {
  for (double seconds = 0; seconds < kSettling; seconds += kFigureFrameSeconds) {
    if (!workbench.jobLanes().waitForPublications(kFigurePatience)) break;
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
    // Messages that a window shows in its message bar: fields that were repaired, a session of a newer version.
    for (const ui::Message& message : workbench.messages())
      fmt::print(stderr, "sepx: {}\n", printableSentence(message.text));
  }
  return workbench.lesson() ? settle(workbench, options) : Result<void>();
}

/// The request of the figure that was opened, else a request for what a window of --size would show.
Result<ui::FigureRequest> beginning(const ui::Workbench& workbench, const Options& options, const std::string& file,
                                    bool raster, bool page) {
  const auto recipe = ui::isStateText(file) ? Result<std::optional<std::string>>() : render::readRecipe(file);
  if (recipe && *recipe) {
    auto parsed = ui::parseRecipe(**recipe);
    if (!parsed) return fail(parsed.error().kind, file + ": " + parsed.error().message);
    return std::move(parsed->request);
  }
  auto request = ui::windowFigure(workbench, options.sizeOrDefault(), raster ? options.scaleOrDefault() : 1.0F, {});
  // A page has a white background like paper, unless another theme is requested.
  if (page && options.theme.empty()) request.theme = "light";
  if (page && !options.size) request.width = kPageWidth, request.height = kPageHeight;
  return request;
}

/// Runs the maker to its end, or until the user interrupts it; then no output is left.
Result<void> make(const ui::Workbench& workbench, gpu::Context* context, ui::FigureRequest request) {
  const Interrupts watched;
  ui::FigureMaker maker(workbench, context, std::move(request));
  maker.waitForJobs();
  while (!maker.step()) {
    if (watched.seen()) maker.cancel();
  }
  if (const auto made = maker.outcome(); !made) return tl::unexpected(made.error());
  if (!maker.remark().empty()) fmt::print(stderr, "sepx: {}\n", printableSentence(maker.remark()));
  return {};
}

}  // namespace

Result<void> figureHeadless(const Options& options, const FigureOptions& requestedOptions, const std::string& file,
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
    if (!there) return fail(there.error().kind, file + ": " + there.error().message);
  }
  auto request = beginning(workbench, options, file, raster, *format == ui::FigureFormat::Html);
  if (!request) return tl::unexpected(request.error());
  if (*format != ui::FigureFormat::Html) request->sweep = {};  // set by a page that was opened
  request->path = out;
  if (!requestedOptions.views.empty()) request->views = requestedOptions.views;
  if (requestedOptions.whole) request->part = false;
  if (!requestedOptions.preset.empty()) {
    if (auto known = ui::applyPreset(*request, requestedOptions.preset); !known) return known;
  }
  if (options.scale > 0) request->scale = static_cast<double>(options.scale);
  if (options.size) {
    const double perPoint = raster ? request->scale : 1;
    request->width = options.size->width / perPoint;
    request->height = options.size->height / perPoint;
  }
  if (!options.theme.empty()) request->theme = options.theme;
  request->textSize = requestedOptions.textSize.value_or(request->textSize);
  request->seconds = requestedOptions.seconds.value_or(request->seconds);
  request->framesPerSecond = requestedOptions.framesPerSecond.value_or(request->framesPerSecond);
  request->pane = requestedOptions.pane.value_or(request->pane);
  request->legend = requestedOptions.legend.value_or(request->legend);
  request->caption = requestedOptions.caption.value_or(request->caption);
  if (!requestedOptions.title.empty()) request->title = requestedOptions.title;
  if (*format == ui::FigureFormat::Html) request->lesson = workbench.lesson() != nullptr;
  if (!requestedOptions.slider.empty()) {
    SEPX_ASSIGN(request->sweep, ui::parseSweep(requestedOptions.slider));
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
