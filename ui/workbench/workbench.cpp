// SPDX-License-Identifier: Apache-2.0
// The public functions of Workbench, each of which calls one of its parts.
#include "ui/workbench/workbench.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "engine/core/terminal_text.h"
#include "ui/document/json_text.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/runs/runs.h"
#include "ui/workbench/figure_format.h"
#include "ui/workbench/workbench_impl.h"

namespace sepx::ui {

Workbench::Workbench(WorkbenchOptions options) : impl_(std::make_unique<Impl>(*this, std::move(options))) {}
Workbench::~Workbench() = default;

bool Workbench::needsFrame() const {
  const WindowState& window = impl_->window;
  if (!window.framed || impl_->input.pending() || window.settling > 0 || impl_->lesson.playing()) return true;
  if (impl_->published.load(std::memory_order_acquire) || impl_->drawnRevision != window.history.revision())
    return true;
  // A paced run has news in every frame; a script decides itself how many frames it draws.
  if (impl_->runNews->load(std::memory_order_acquire) && !window.options.runs->paced()) return true;
  return impl_->followsMoves() || !impl_->figures.idle() || impl_->start.animating() || impl_->panes.animating();
}

void Workbench::releaseGpu() {
  impl_->figures.endAll();
  impl_->imgui.makeCurrent();
  impl_->panes.releaseGpu();
  impl_->start.releaseGpu();
  impl_->painter.reset();
  impl_->window.gpu = nullptr;
  impl_->window.redraw();
}

const Document& Workbench::document() const {
  return impl_->window.history.present();
}
const History& Workbench::history() const {
  return impl_->window.history;
}
const PropertyRegistry& Workbench::properties() const {
  return impl_->panes.active().properties();
}
const Document& Workbench::paneDocument() const {
  return impl_->panes.active().withWindow();
}
std::optional<PropertyRegistry::Found> Workbench::find(std::string_view key) const {
  return impl_->panes.find(key);
}
Result<Value> Workbench::get(std::string_view key) const {
  return impl_->panes.get(key);
}

Result<void> Workbench::set(std::string_view key, const Value& value, std::string group) {
  const bool alone = group.empty();
  impl_->lesson.interrupt();
  auto done = impl_->panes.set(key, value, std::move(group));
  if (done && alone) seal();
  return done;
}

void Workbench::seal() {
  impl_->window.history.seal();
}

bool Workbench::undo() {
  impl_->lesson.interrupt();
  seal();
  const bool done = impl_->window.history.undo();
  impl_->lesson.follow();
  return done;
}

bool Workbench::redo() {
  impl_->lesson.interrupt();
  seal();
  const bool done = impl_->window.history.redo();
  impl_->lesson.follow();
  return done;
}

const std::vector<std::pair<std::string, std::string>>& Workbench::hostKeys() const {
  return impl_->window.options.hostKeys;
}

std::string Workbench::exhibitKey() const {
  return impl_->panes.active().exhibit().key();
}
int Workbench::panes() const {
  return impl_->panes.shown();
}
int Workbench::activePane() const {
  return impl_->panes.activeNumber();
}
void Workbench::activatePane(int pane) {
  impl_->panes.activate(pane);
}
std::string Workbench::inPane(std::string_view key, int pane) const {
  return keyInPane(key, pane);
}
const std::vector<render::PlacedScene>& Workbench::scenes() const {
  return impl_->scenes;
}

Result<void> Workbench::addPoint(const std::vector<double>& theta, int pane) {
  impl_->lesson.interrupt();
  const int number = pane > 0 ? pane : activePane();
  if (number > panes()) {
    return fail(ErrorKind::Usage, trFormat("pane {} is not shown", number));
  }
  ExhibitContext context = impl_->panes.context(number);
  return impl_->panes.at(number).exhibit().addPoint(context, theta);
}

Result<void> Workbench::open(const std::string& path) {
  return impl_->files.open(path);
}
Result<void> Workbench::startOpening(std::vector<std::string> paths, ApplyOpened take) {
  return impl_->files.startOpening(std::move(paths), take);
}
void Workbench::showRun(const std::string& folder) {
  impl_->files.showRun(folder);
}
std::string Workbench::opening() const {
  return impl_->files.opening();
}
bool Workbench::openingRead() const {
  return impl_->files.openingRead();
}
Result<void> Workbench::finishOpening(bool take) {
  return impl_->files.finishOpening(take);
}
bool Workbench::cancelOpening() {
  return impl_->files.cancelOpening();
}
Result<void> Workbench::save(const std::string& path, bool anyway) {
  return impl_->files.save(path, anyway);
}
std::string Workbench::readOnly() const {
  return impl_->files.readOnly();
}
bool Workbench::modified() const {
  return impl_->files.modified();
}
Result<void> Workbench::restore(const std::string& recoveryFile) {
  return impl_->files.restore(recoveryFile);
}
std::string Workbench::path() const {
  return impl_->files.path();
}
Document Workbench::recoveryDocument() const {
  return impl_->files.recoveryDocument();
}

std::optional<render::Point> Workbench::toPixels(std::string_view canvas, render::Point data) const {
  auto at = impl_->panes.toWindow(canvas, data);
  if (!at) at = impl_->reader.place(canvas, data);
  if (!at) return std::nullopt;
  return render::Point{at->x * impl_->window.scale, at->y * impl_->window.scale};
}

std::vector<ReadableView> Workbench::readable() const {
  return impl_->startShown() ? std::vector<ReadableView>() : impl_->reader.views(impl_->panes.activeNumber());
}
std::optional<ReadingPlace> Workbench::reading() const {
  return impl_->startShown() ? std::nullopt : impl_->reader.reading();
}
bool Workbench::read(const ReadingPlace& place) {
  return !impl_->startShown() && impl_->reader.read(place);
}

std::optional<render::Point> Workbench::controlAt(std::string_view key) const {
  const auto name = impl_->controlName(key);
  const auto rect = name ? impl_->window.controls.find(*name) : std::nullopt;
  if (!rect) return std::nullopt;
  const ImVec2 centre = rect->centre();
  return render::Point{centre.x * impl_->window.scale, centre.y * impl_->window.scale};
}

bool Workbench::bringIntoView(std::string_view key) {
  const auto name = impl_->controlName(key);
  const auto rect = name ? impl_->window.controls.find(*name) : std::nullopt;
  if (!rect || rect->seen) return true;
  impl_->window.controls.requestScroll(*name);
  return false;
}

std::optional<std::string> Workbench::refusal(std::string_view key) const {
  const auto name = impl_->controlName(key);
  const std::string* sentence = name ? impl_->window.controls.refusal(*name) : nullptr;
  if (!sentence) return std::nullopt;
  return *sentence;
}

const Lesson* Workbench::lesson() const {
  return impl_->lesson.lesson();
}
std::size_t Workbench::lessonStep() const {
  return impl_->lesson.step();
}
void Workbench::enterLessonStep(std::size_t step, bool run) {
  impl_->lesson.enter(step, run);
  impl_->window.redraw(1);
}

void Workbench::setFigure(bool on) {
  if (std::exchange(impl_->window.figure, on) != on) impl_->window.redraw();
}

Result<void> Workbench::exportFigure(FigureRequest request) {
  auto started = impl_->figures.start(std::move(request));
  impl_->imgui.makeCurrent();
  return started;
}

Result<void> Workbench::explain(std::string_view key) {
  return impl_->cards.explain(key);
}
Result<std::string> Workbench::explanation(std::string_view key) const {
  return impl_->cards.explanation(key);
}

std::string Workbench::recipe() const {
  return compactText(recipeOf(*this, document()));
}

const render::Scene& Workbench::scene() const {
  const render::Scene* scene = impl_->panes.active().scene();
  return scene ? *scene : impl_->empty;
}
const Exhibit& Workbench::exhibit(int pane) const {
  return impl_->panes.at(std::clamp(pane, 1, kMostPanes)).exhibit();
}
std::vector<const Exhibit*> Workbench::exhibits() const {
  std::vector<const Exhibit*> all;
  for (const auto& one : impl_->panes.active().exhibits())
    all.push_back(one.get());
  return all;
}
std::optional<ColorLimits> Workbench::sharedLimits() const {
  return sharesLimits(document()) ? impl_->panes.sharedLimits() : std::nullopt;
}
const WorkbenchOptions& Workbench::options() const {
  return impl_->window.options;
}
gpu::Context* Workbench::gpu() const {
  return impl_->window.gpu;
}

std::vector<JobStatus> Workbench::jobs() const {
  std::vector<JobStatus> all = impl_->jobs.list();
  std::erase_if(all, [](const JobStatus& job) { return job.name.empty(); });  // animation steps, many per second
  for (JobStatus& figure : impl_->figures.jobs())
    all.push_back(std::move(figure));
  return all;
}
Jobs& Workbench::jobLanes() {
  return impl_->jobs;
}
Runs& Workbench::runs() const {
  return *impl_->window.options.runs;
}
void Workbench::cancelJob(std::string_view lane) {
  if (!impl_->figures.cancel(lane)) impl_->jobs.cancel(lane);
}
bool Workbench::settled() const {
  return impl_->settledWithoutLesson() && !impl_->lesson.playing();
}

const std::vector<Message>& Workbench::messages() const {
  return impl_->window.messages;
}
void Workbench::say(Message message) {
  impl_->window.say(std::move(message));
}

bool Workbench::paneHidden() const {
  return impl_->startShown() && impl_->panes.active().exhibit().key() != impl_->panes.at(1).exhibits().front()->key();
}

std::string Workbench::statusLine() const {
  const int under = impl_->router.pointerPane();
  const int number = under > 0 ? under : activePane();
  std::string status = impl_->panes.at(number).exhibit().status();
  if (panes() == 1 || status.empty()) return status;
  return trFormat("pane {}: {}", number, status);
}

std::string Workbench::runningLine() const {
  std::string line;
  for (const JobStatus& job : jobs()) {
    if (job.state != JobState::Queued && job.state != JobState::Running) continue;
    if (!line.empty()) line += " · ";
    line += fmt::format("{} {:.0f} %", job.name, 100 * job.share);
    if (job.secondsLeft) line += ", " + trFormat("{:.0f} s left", std::ceil(*job.secondsLeft));
  }
  return line;
}

const FrameTimes& Workbench::times() const {
  return impl_->times;
}

Result<void> Workbench::setTheme(std::string_view name) {
  const Theme* found = findTheme(name);
  if (!found) {
    std::string known;
    for (const auto& key : themeKeys())
      known += (known.empty() ? "" : ", ") + key;
    return fail(ErrorKind::Usage, excerpt(name, 60) + ": " + tr("there is no such theme; available: ") + known);
  }
  impl_->window.theme = found;
  impl_->window.redraw();
  return {};
}

std::string Workbench::theme() const {
  return impl_->window.theme->key;
}

}  // namespace sepx::ui
