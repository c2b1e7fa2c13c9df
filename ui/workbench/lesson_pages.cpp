// SPDX-License-Identifier: Apache-2.0
#include "ui/workbench/lesson_pages.h"

#include <utility>

#include "engine/core/try.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/runs/runs.h"
#include "ui/workbench/figure_format.h"
#include "ui/workbench/web_maker.h"
#include "ui/workbench/workbench.h"

namespace sepx::ui {
namespace {

constexpr double kFrameSeconds = 1.0 / 60;
constexpr double kPatience = 60;           // seconds of wall-clock time until a job publishes its next result
constexpr double kMostSeconds = 60 * 10;   // seconds of simulated time per step
constexpr gpu::Extent kWindow{1280, 800};  // window in which the lines of the steps run

/// Options of a separate workbench that behaves like that of the window.
WorkbenchOptions optionsOf(const Workbench& of) {
  const WorkbenchOptions& from = of.options();
  WorkbenchOptions own;
  own.compute = from.compute;
  own.scripted = true;
  own.seed = from.seed;
  own.threads = from.threads;
  own.theme = from.theme;
  own.version = from.version;
  own.assets = from.assets;
  own.rules = from.rules;
  own.wake = from.wake;
  return own;
}

}  // namespace

struct LessonPage::Impl {
  Impl(const Workbench& of, gpu::Context* device, FigureRequest wanted);

  void begin();
  void play();
  void draw();
  void nextStep();
  std::string named(const std::string& sentence) const;
  /// The next error message of the workbench that was not returned before; empty: none.
  std::string complaint();
  void end(Result<void> with);

  gpu::Context* context;
  FigureRequest request;
  std::unique_ptr<Workbench> bench;
  std::unique_ptr<FigureMaker> maker;
  Document drawn;  ///< state of the last picture
  bool any = false;
  WebPage page;
  std::size_t index = 0;
  int ticks = 0;
  double seconds = 0;
  std::size_t messagesRead = 0;  ///< messages of the workbench that were read, including those from opening the lesson
  bool waits = false, ended = false;
  Result<void> outcome;
};

LessonPage::Impl::Impl(const Workbench& of, gpu::Context* device, FigureRequest wanted)
    : context(device), request(std::move(wanted)) {
  const Lesson* const open = of.lesson();
  if (!open) {
    end(fail(ErrorKind::Usage, tr("no lesson is open")));
    return;
  }
  bench = std::make_unique<Workbench>(optionsOf(of));
  // The file is read as it is now; changes made in the window are not part of the page.
  if (auto opened = bench->open(open->name); !opened)
    end(opened);
  else if (!bench->lesson())
    end(fail(ErrorKind::BadInput, trFormat("{}: is not a lesson", open->name)));
  else
    begin();
}

void LessonPage::Impl::begin() {
  messagesRead = bench->messages().size();
  const Lesson& lesson = *bench->lesson();
  page.title = lesson.title;
  page.version = bench->options().version;
  page.language = pageLanguage();
  page.introduction = lesson.introduction;
  page.answers = variations(lesson).empty();
  for (const LessonStep& one : lesson.steps) {
    WebSection& section = page.sections.emplace_back();
    section.title = one.title;
    section.prose = one.prose;
    section.questions = one.questions;
  }
}

std::string LessonPage::Impl::named(const std::string& sentence) const {
  return trFormat("step {} of the lesson: {}", index + 1, sentence);
}

std::string LessonPage::Impl::complaint() {
  const auto& all = bench->messages();
  while (messagesRead < all.size()) {
    const Message& message = all[messagesRead++];
    if (message.level == Message::Level::Error) return message.text;
  }
  return {};
}

void LessonPage::Impl::end(Result<void> with) {
  outcome = std::move(with);
  ended = true;
}

/// Runs the lines of the step until the picture has come to rest.
void LessonPage::Impl::play() {
  if (waits && !bench->jobLanes().waitForPublications(kPatience))
    return end(fail(ErrorKind::CheckFailed, named(tr("a job published nothing for a minute"))));
  HostFrame host;
  host.seconds = seconds += kFrameSeconds;
  bench->tick(kWindow, host);
  if (const std::string wrong = complaint(); !wrong.empty()) return end(fail(ErrorKind::BadInput, wrong));
  if (++ticks * kFrameSeconds > kMostSeconds)
    return end(fail(ErrorKind::CheckFailed, named(tr("its picture did not settle"))));
  constexpr int kLeastTicks = 3;
  if (ticks < kLeastTicks || !bench->settled() || bench->needsFrame()) return;
  if (any && bench->document() == drawn) return nextStep();  // a step with text only
  drawn = bench->document();
  any = true;
  FigureRequest part = request;
  part.path = "step.html";
  part.lesson = false;
  part.sweep = {};
  part.part = false;
  part.views.clear();
  part.idPrefix = "s" + std::to_string(index) + "-";
  maker = std::make_unique<FigureMaker>(*bench, context, std::move(part));
  if (waits) maker->waitForJobs();
}

void LessonPage::Impl::draw() {
  if (!maker->step()) return;
  if (auto made = maker->takeSection()) {
    page.sections[index].pictures = std::move(made->pictures);
    if (page.recipe.empty()) page.recipe = recipeOf(*bench, drawn, request);
  } else if (made.error().kind != ErrorKind::CheckFailed || !maker->nothingDrawn()) {
    return end(fail(made.error().kind, named(made.error().message)));
  }
  maker.reset();
  nextStep();
}

void LessonPage::Impl::nextStep() {
  if (++index == page.sections.size()) return end({});
  ticks = 0;
  bench->enterLessonStep(index, true);
}

LessonPage::LessonPage(const Workbench& of, gpu::Context* context, FigureRequest request)
    : impl_(std::make_unique<Impl>(of, context, std::move(request))) {}
LessonPage::~LessonPage() = default;

void LessonPage::waitForJobs() {
  impl_->waits = true;
  if (impl_->maker) impl_->maker->waitForJobs();
}

bool LessonPage::step() {
  if (!impl_->ended) impl_->maker ? impl_->draw() : impl_->play();
  return impl_->ended;
}

void LessonPage::cancel() {
  impl_->ended = true;
  if (impl_->maker) impl_->maker->cancel();
  if (!impl_->bench) return;
  impl_->bench->jobLanes().cancelAll();
  Runs& runs = impl_->bench->runs();
  for (const RunPointer& run : runs.all())  // other runs refuse, and a refusal would allocate
    if (run->here() && (run->trains() || run->state() == train::RunState::Paused))
      (void)runs.send(*run, {train::CommandKind::Stop, 0, {}});
  runs.setPaced(false);  // an update() of paced runs waits for them
}

bool LessonPage::jobsEnded() const {
  if (impl_->maker && !impl_->maker->jobsEnded()) return false;
  if (!impl_->bench) return true;
  Runs& runs = impl_->bench->runs();
  runs.update();  // the bench has no more frames that would notice the end of a run
  return impl_->bench->jobLanes().idle() && !runs.busy() && !runs.removeTemporary();
}

double LessonPage::share() const {
  const std::size_t all = impl_->page.sections.size();
  return all == 0 ? 0 : static_cast<double>(impl_->index) / static_cast<double>(all);
}

Result<WebPage> LessonPage::take() {
  if (!impl_->outcome) return tl::unexpected(impl_->outcome.error());
  return std::move(impl_->page);
}

}  // namespace sepx::ui
