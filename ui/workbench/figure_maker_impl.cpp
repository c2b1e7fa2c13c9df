// SPDX-License-Identifier: Apache-2.0
// Makes a figure step by step: a separate workbench settles in simulated time, its pictures are placed on a page, a
// device draws pictures made of pixels, and a separate job writes the file. Frame thread, except for that job.
#include "ui/workbench/figure_maker_impl.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "engine/gpu/context.h"
#include "engine/gpu/frame_target.h"
#include "engine/render/picture.h"
#include "ui/page/exhibit.h"
#include "ui/page/lane.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/runs/runs.h"
#include "ui/workbench/figure_numbers.h"
#include "ui/workbench/figure_panels.h"

namespace sepx::ui {

namespace {

constexpr double kFrameSeconds = 1.0 / 60;
constexpr double kPatience = 60;  // seconds of wall-clock time to wait for the next publication of a job
constexpr int kLeastTicks = 3;
constexpr int kMostTicks = 60 * 600;  // ten simulated minutes

}  // namespace

FigureMaker::Impl::Impl(const Workbench& of, gpu::Context* device, FigureRequest wanted)
    : request(std::move(wanted)), context(device), document(of.document()), shown(of.panes()) {
  if (request.theme.empty()) request.theme = "light";
  if (!request.part) request.parts.clear();
  if (request.part && request.parts.empty()) request.parts = partsOf(of);
  guarded([this, &of] {
    takeOptions(of.options());
    begin();
    if (!request.lesson || phase == Phase::Ended) return;
    lesson = std::make_unique<LessonPage>(of, context, request);
    phase = Phase::Lesson;
  });
}

void FigureMaker::Impl::takeOptions(const WorkbenchOptions& from) {
  options.compute = from.compute;
  options.scripted = true;
  options.seed = from.seed;
  options.threads = from.threads;
  options.theme = request.theme;
  options.figure = true;
  options.version = from.version;
  options.assets = from.assets;
  options.rules = from.rules;
  options.legend = request.legend;
  options.wake = from.wake;
  options.runs = from.runs;
}

FigureMaker::Impl::~Impl() {
  jobs.reset();
  if (bench) bench->releaseGpu();
}

void FigureMaker::Impl::begin() {
  if (auto good = checkFigure(request); !good) return end(tl::unexpected(good.error()));
  format = *figureFormat(request.path);
  theme = findTheme(request.theme);
  if (isRaster(format) && !context) {
    return end(fail(ErrorKind::NoDevice,
                    request.path + ": " + tr("raster images need a Vulkan device; .svg and .pdf do not")));
  }
  constexpr double kManyPictures = 1.25;  // pixels a unit, where a page holds more than one
  const bool many = request.lesson || !request.sweep.key.empty() || !request.idPrefix.empty();
  page = figurePage(request, *theme, isRaster(format), many ? kManyPictures : kVectorPixels);
  if (request.pane > shown) return end(fail(ErrorKind::Usage, trFormat("pane {} is not shown", request.pane)));
  const bool shared = request.pane > 0 && shown > 1 && document.at("panes.limits") == "shared";
  if (!shared && !isNumbers(format)) options.choices = choicesOf(request, shown);
  makeBench(shared || request.pane == 0 ? document : document.pane(request.pane));
  phase = shared ? Phase::Sharing : Phase::Settling;
  if (!shared) beginPage();
}

void FigureMaker::Impl::makeBench(const Document& state) {
  if (bench) bench->releaseGpu();
  options.document = state;
  bench = std::make_unique<Workbench>(options);
  ticks = settledTicks = 0;
}

bool FigureMaker::Impl::advance() {
  if (bench->jobLanes().refused()) {  // the figure would lack the results of that job
    end(fail(ErrorKind::Internal, (request.path.empty() ? "" : request.path + ": ") + noThread()));
    return false;
  }
  // Runs are normally updated in the frames of their window. While this call waits, that window draws no frames, so
  // runs are updated here, unless one of them is training: a figure must not advance a training run.
  if (waits && options.runs && options.runs->busy() && options.runs->training() == 0) options.runs->update();
  if (waits && !bench->jobLanes().waitForPublications(kPatience)) {
    end(fail(ErrorKind::CheckFailed,
             tr("a job published nothing for a minute; running jobs: ") + bench->runningLine()));
    return false;
  }
  HostFrame host;
  host.scale = page.pixelsPerUnit;
  host.seconds = seconds;
  if (options.compute == Compute::Gpu && context) {
    if (!advanceOnDevice(host)) return false;
  } else {
    bench->tick(pictureExtent(), host);
  }
  if (++ticks > kMostTicks) {
    end(fail(ErrorKind::CheckFailed,
             tr("the picture was not complete in time; running jobs: ") + bench->runningLine()));
    return false;
  }
  return true;
}

bool FigureMaker::Impl::advanceOnDevice(HostFrame& host) {
  bench->advance(*context, pictureExtent(), host);
  // The number of ticks is limited, so each tick waits for the work that it submitted.
  if (waits) context->waitIdle();
  if (!context->lost()) return true;
  end(fail(ErrorKind::NoDevice,
           tr("the Vulkan device was lost while drawing; run again, or choose another with --device")));
  return false;
}

bool FigureMaker::Impl::settled() const {
  return settledTicks >= kLeastTicks && bench->settled() && !bench->needsFrame();
}

/// Takes the shared colour limits from the whole window. They also apply to a figure of one pane.
void FigureMaker::Impl::share() {
  seconds += kFrameSeconds;
  if (!advance()) return;
  ++settledTicks;
  if (!settled()) return;
  options.limits = bench->sharedLimits();
  if (!isNumbers(format)) options.choices = choicesOf(request, shown);
  makeBench(document.pane(request.pane));
  seconds = 0;
  phase = Phase::Settling;
  beginPage();
}

/// Updates the caption. False if its number of lines changed, and with it the room for the picture.
bool FigureMaker::Impl::fitCaption() {
  if (!request.caption || isNumbers(format) || format == FigureFormat::Html) return true;
  std::vector<std::string> now = captionLines(captionsOf(*bench), page, *theme);
  const bool same = now.size() == lines.size();
  lines = std::move(now);
  return same;
}

void FigureMaker::Impl::settle() {
  seconds += kFrameSeconds;
  if (!advance()) return;
  if (!fitCaption()) {
    settledTicks = 0;
    return;
  }
  ++settledTicks;
  // The panels of a pane adapt to those of the other panes in the next tick.
  std::vector<render::Rect> now = panelBoxes(*bench);
  const bool moved = std::exchange(boxes, now) != now;
  if (moved || !settled()) return;
  if (!isNumbers(format))
    if (auto known = checkViews(*bench, request); !known) return end(tl::unexpected(known.error()));
  remark = isNumbers(format) ? std::string() : remarkOf(*bench);
  empty = !isNumbers(format) && nothingDrawn();
  if (empty)
    return end(fail(ErrorKind::CheckFailed, (request.path.empty() ? "" : request.path + ": ") +
                                                std::string(tr("there is nothing to draw: this page says why it is "
                                                               "empty"))));
  if (isFilm(format)) return beginFilm();
  place();
  if (format == FigureFormat::Html) return addToPage();
  phase = isRaster(format) ? Phase::Drawing : Phase::Writing;
  if (phase == Phase::Writing) deliver();
}

/// True if no scene has anything to draw, as on a page that only says why it is empty.
bool FigureMaker::Impl::nothingDrawn() const {
  const std::vector<render::PlacedScene> all = bench->scenes();
  return std::all_of(all.begin(), all.end(), [](const render::PlacedScene& one) {
    return !one.scene || std::all_of(one.scene->layers.begin(), one.scene->layers.end(),
                                     [](const render::Layer& layer) { return layer.items.empty(); });
  });
}

void FigureMaker::Impl::place() {
  placed = bench->scenes();
  if (const std::vector<render::Point> corners = panelCorners(*bench, placed); corners.size() > 1) {
    letters = letterScene(corners, page, *theme);
    placed.push_back({&letters, {0, 0}});
  }
  if (lines.empty()) return;
  caption = captionScene(lines, page, *theme);
  placed.push_back({&caption, {0, pictureExtent().height / static_cast<double>(page.pixelsPerUnit)}});
}

void FigureMaker::Impl::draw() {
  if (!picture) {
    auto made = render::Picture::create(*context, page.pixels, page.pixelsPerUnit, theme->plotBackground);
    if (!made) return end(tl::unexpected(made.error()));
    picture = std::move(*made);
  }
  auto last = picture->step(placed);
  if (!last) return end(tl::unexpected(last.error()));
  if (!*last) return;
  if (phase == Phase::Filming) {
    drawn = true;
  } else {
    phase = Phase::Writing;
    deliver();
  }
}

void FigureMaker::Impl::deliver() {
  auto delivery = std::make_shared<FigureDelivery>();
  delivery->format = format;
  delivery->request = request;
  delivery->recipe = recipeOf(*bench, document, request);
  delivery->title = !request.title.empty()    ? request.title
                    : options.choices.empty() ? titleOf(*bench, choicesOf(request, shown))
                                              : titleOf(*bench, options.choices);
  if (!isNumbers(format) && format != FigureFormat::Png && format != FigureFormat::Html) {
    for (const render::PlacedScene& one : placed) {
      if (!one.scene) continue;
      delivery->scenes.push_back(*one.scene);
      delivery->origins.push_back(one.origin);
    }
    delivery->page = {page.width, page.height, request.width, request.height, theme->plotBackground};
  }
  if (isNumbers(format)) {
    delivery->numbers = numbersOf(*bench, format == FigureFormat::Csv);
    delivery->table = tableName(request.path);
  }
  if (format == FigureFormat::Html) {
    WebSection section = pictures->take();
    const WebPicture& first = section.pictures[section.slider ? section.slider->start : 0];
    delivery->web = {request.title.empty() ? first.title : request.title, delivery->recipe, options.version};
    delivery->web.language = pageLanguage();
    delivery->web.sections.push_back(std::move(section));
  }
  send(std::move(delivery));
}

/// Starts the job that writes the delivery.
void FigureMaker::Impl::send(std::shared_ptr<FigureDelivery> delivery) {
  if (picture) delivery->pixels = picture->take();
  picture.reset();
  jobs = std::make_unique<Jobs>(options.wake);
  written.start(*jobs, std::move(delivery), tr("figure"), [](const auto& from, auto& output) {
    try {
      output.finish(from->write());
    } catch (const std::bad_alloc&) {
      output.finish(
          fail(ErrorKind::OutputFailed, from->request.path + ": " + tr("too large for the memory of this machine")));
    }
  });
}

void FigureMaker::Impl::write() {
  if (waits) jobs->finish();
  written.refresh(*jobs);
  if (const Result<Clip>* const clip = written.result())
    end(*clip ? Result<std::string>(request.path) : tl::unexpected(clip->error()));
  else if (written.complete())
    end(fail(ErrorKind::Internal, written.failure()));
}

/// Cancels the jobs of this figure without waiting for them. The destructor waits for them.
void FigureMaker::Impl::end(Result<std::string> with) {
  outcome = std::move(with);
  phase = Phase::Ended;
  picture.reset();
  if (bench) bench->jobLanes().cancelAll();
  if (lesson) lesson->cancel();
  if (reel) endFilm();
}

FigureMaker::FigureMaker(const Workbench& of, gpu::Context* context, FigureRequest request)
    : impl_(std::make_unique<Impl>(of, context, std::move(request))) {}
FigureMaker::~FigureMaker() = default;

bool FigureMaker::step() {
  impl_->guarded([this] { impl_->runPhase(); });
  return impl_->phase == Impl::Phase::Ended;
}

void FigureMaker::Impl::runPhase() {
  switch (phase) {
    case Phase::Sharing:
      share();
      break;
    case Phase::Lesson:
      stepLesson();
      break;
    case Phase::Settling:
      settle();
      break;
    case Phase::Drawing:
      draw();
      break;
    case Phase::Filming:
      film();
      break;
    case Phase::Finishing:
      finishFilm();
      break;
    case Phase::Writing:
      write();
      break;
    case Phase::Ended:
      break;
  }
}

double FigureMaker::share() const {
  switch (impl_->phase) {
    case Impl::Phase::Ended:
      return 1;
    case Impl::Phase::Filming:
      return 0.1 + 0.85 * impl_->frame / std::max(1, impl_->frames);
    case Impl::Phase::Finishing:
      return 0.95;
    case Impl::Phase::Writing:
      return 0.8;
    case Impl::Phase::Lesson:
      return 0.9 * impl_->lesson->share();
    case Impl::Phase::Drawing:
      return 0.5 + (impl_->picture ? 0.3 * impl_->picture->share() : 0);
    default:
      break;
  }
  double least = 1;
  for (const JobStatus& job : impl_->bench->jobs()) {
    if (job.state == JobState::Queued || job.state == JobState::Running) least = std::min(least, job.share);
  }
  if (impl_->pictures && impl_->pictures->share() > 0) return 0.9 * impl_->pictures->share();
  return 0.5 * (impl_->ticks > 0 ? least : 0);
}

void FigureMaker::cancel() {
  if (impl_->phase == Impl::Phase::Ended || impl_->phase == Impl::Phase::Writing) return;
  impl_->end(fail(ErrorKind::Interrupted, tr("the figure was cancelled")));
}

bool FigureMaker::jobsEnded() const {
  const bool writes = impl_->jobs && !impl_->jobs->idle();
  const bool computes = impl_->bench && !impl_->bench->jobLanes().idle();
  return !writes && !computes && (!impl_->lesson || impl_->lesson->jobsEnded());
}

Result<std::string> FigureMaker::outcome() const {
  return impl_->outcome;
}
Clip FigureMaker::clip() const {
  const Result<Clip>* const made = impl_->written.result();
  return made ? made->value_or(Clip()) : Clip();
}
std::string FigureMaker::remark() const {
  return impl_->remark;
}
const FigureRequest& FigureMaker::request() const {
  return impl_->request;
}

Result<std::string> makeFigure(const Workbench& of, gpu::Context* context, FigureRequest request, std::string* remark) {
  FigureMaker maker(of, context, std::move(request));
  maker.waitForJobs();
  while (!maker.step()) {
  }
  if (remark) *remark = maker.remark();
  return maker.outcome();
}

void FigureMaker::waitForJobs() {
  impl_->waits = true;
  if (impl_->lesson) impl_->lesson->waitForJobs();
}

Result<WebSection> FigureMaker::takeSection() {
  if (!impl_->outcome) return tl::unexpected(impl_->outcome.error());
  return impl_->pictures->take();
}
bool FigureMaker::nothingDrawn() const {
  return impl_->empty;
}

// Figures of more than one picture: films, and pages with a slider or a whole lesson.

void FigureMaker::Impl::beginFilm() {
  double play = 0;
  for (int pane = 1; pane <= bench->panes(); ++pane) {
    play = std::max(play, bench->exhibit(pane).playSeconds());
    bench->activatePane(pane);
    static_cast<void>(bench->run("play.toggle"));  // an error means that nothing moves in this pane
  }
  if (!(play > 0)) {
    return end(fail(ErrorKind::CheckFailed, request.path + ": " + tr("nothing moves in this picture; add a point")));
  }
  const double length = request.seconds > 0 ? request.seconds : play;
  frames = static_cast<int>(std::ceil(length * request.framesPerSecond)) + 1;
  auto made =
      Film::create({request.path, page.pixels, request.framesPerSecond, recipeOf(*bench, document, request), waits});
  if (!made) return end(tl::unexpected(made.error()));
  reel = std::move(*made);
  phase = Phase::Filming;
}

/// Draws one frame of simulated time after the other, each after the previous one was handed over to the film.
void FigureMaker::Impl::film() {
  auto free = reel->advance();
  if (!free) return end(tl::unexpected(free.error()));
  if (!*free) return;
  if (frame == frames) {
    phase = Phase::Finishing;
    return;
  }
  if (placed.empty()) {
    if (frame > 0) seconds += 1 / request.framesPerSecond;
    if (!advance()) return;
    place();
  }
  draw();
  if (!drawn || phase != Phase::Filming) return;
  if (auto added = reel->add(picture->pixels()); !added) return end(tl::unexpected(added.error()));
  drawn = false;
  placed.clear();
  ++frame;
}

/// Destroys the film in a job, because its destructor waits for a frame that is being written or for ffmpeg, and
/// removes an unfinished film.
void FigureMaker::Impl::endFilm() try {
  jobs = std::make_unique<Jobs>(options.wake);
  jobs->start("film", {}, [film = std::shared_ptr<Film>(std::move(reel))](JobContext&) { return Result<void>(); });
} catch (const std::exception&) {  // no memory or thread for a job: the film is destroyed in this frame
  reel.reset();
}

void FigureMaker::Impl::finishFilm() {
  auto there = reel->finish();
  if (!there) return end(tl::unexpected(there.error()));
  if (*there) end(request.path);
}

void FigureMaker::Impl::beginPage() {
  if (format != FigureFormat::Html) return;
  pictures = std::make_unique<WebPictures>(request, request.idPrefix.empty() ? "p" : request.idPrefix);
  if (auto begun = pictures->begin(*bench); !begun) end(tl::unexpected(begun.error()));
}

/// Adds the picture to the page, then sets the next value of the slider or writes the file.
void FigureMaker::Impl::addToPage() {
  const std::string title = titleOf(*bench, options.choices.empty() ? choicesOf(request, shown) : options.choices);
  const auto more = pictures->add(*bench, placed, page, *theme, title);
  if (!more) return end(tl::unexpected(more.error()));
  ticks = settledTicks = 0;
  if (*more) return;
  if (!request.idPrefix.empty()) return end(request.path);
  phase = Phase::Writing;
  deliver();
}

void FigureMaker::Impl::stepLesson() {
  if (!lesson->step()) return;
  auto made = lesson->take();
  if (!made) return end(fail(made.error().kind, request.path + ": " + made.error().message));
  auto delivery = std::make_shared<FigureDelivery>();
  delivery->format = format;
  delivery->request = request;
  delivery->web = std::move(*made);
  phase = Phase::Writing;
  send(std::move(delivery));
}

}  // namespace sepx::ui
