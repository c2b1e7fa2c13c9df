// SPDX-License-Identifier: Apache-2.0
// One frame: events -> ImGui and canvas -> exhibit -> panels -> picture. Nothing here waits: results come from jobs
// when they come, and a frame is asked for only while something changes.
#include "ui/workbench/workbench.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "engine/core/clock.h"
#include "engine/core/frame_gate.h"
#include "ui/properties/tr.h"
#include "ui/workbench/figure.h"
#include "ui/workbench/settings.h"
#include "ui/workbench/workbench_impl.h"

namespace sepx::ui {
namespace {

using Clock = std::chrono::steady_clock;
}  // namespace

Workbench::Impl::Impl(Workbench& owner, WorkbenchOptions wishes)
    : self(owner),
      options(std::move(wishes)),
      pool(options.threads),
      jobs([this] {
        published.store(true, std::memory_order_release);
        if (options.wake) options.wake();
      }),
      chrome(owner, options.copy ? [this](const std::string& text) { options.copy(Clip{text, {}, {}}); }
                                 : std::function<void(const std::string&)>()),
      lesson(owner, history, [this] { return settledWithoutLesson(); }),
      card(options.copy ? [this](const std::string& text) { options.copy(Clip{text, {}, {}}); }
                        : std::function<void(const std::string&)>(),
           [this](const std::string& id) { errataSheet.open(id); }),
      theme(findTheme(options.theme)) {
  if (!theme) theme = findTheme(themeKeys().front());
  chromeShown = !options.stage;
  figure = options.figure;
  if (options.settings) {
    settingsSeen = options.settings->revision();
    themeWanted = toString(options.settings->get("settings.theme"));
  }
  programSeed = options.seed;
  if (options.document) history.reset(*options.document);
  pane(1);  // what undo carries is known from its declarations
  saved = withoutCarried(history.present());
}

Workbench::Impl::~Impl() {
  imgui.makeCurrent();
  painter.reset();
}

void Workbench::Impl::beginImgui(gpu::Extent extent, const HostFrame& host) {
  imgui.makeCurrent();
  scale = pixelsPerPoint(extent, host.scale);
  window = {extent.width / scale, extent.height / scale};
  fontGeneration = imgui.prepare(*theme, options.figure ? 1 : scale);
  controls.errorColor = toImVec4(theme->error);
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(static_cast<float>(window.x), static_cast<float>(window.y));
  io.DisplayFramebufferScale = ImVec2(scale, scale);
  const double passed = framed ? host.seconds - seconds : 1.0 / 60;
  io.DeltaTime = static_cast<float>(std::clamp(passed, 1e-4, 0.25));
  seconds = host.seconds;
}

void Workbench::Impl::drawPanels(const HostFrame& host) {
  if (figure) return;
  if (startPage.shown()) {
    drawStart();
    drawBars();
    return;
  }
  const int number = activeNumber();
  if (std::exchange(controlsOf, number) != number) controls = {};  // what is half typed belongs to the other pane
  controls.errorColor = toImVec4(theme->error);
  drawPaneEdges();
  if (chromeShown) {
    drawPaneTitles();
    ExhibitContext now = context(number);
    pane(number).exhibit().panel(now, host.inspectorShown || layout.panel.width() <= 0);
  }
  if (const auto asked = lessonPanel.draw(lesson, layout.lesson, *theme, controls, options.stage)) {
    if (auto done = run(*asked); !done) say(done.error().sentence);
  }
  drawBars();
  if (const auto at = lesson.pointer()) chrome.drawPointer({at->x / scale, at->y / scale}, *theme);
}

/// What stands over and around any picture.
void Workbench::Impl::drawBars() {
  chrome.drawMessage(layout.message, *theme, controls);
  chrome.drawStatus(layout.status, *theme, controls);
  chrome.drawHelp(window, *theme, controls);
  drawCards();
}

/// All panes: pointer and keys, then results, then pictures, which may depend on what the other panes found.
void Workbench::Impl::update(HostFrame& host) {
  const auto start = Clock::now();
  for (const auto& one : panes)
    if (one) one->awaited.clear();
  eachShown([this](Pane& one) {
    ExhibitContext now = context(one.number);
    one.cursor = one.exhibit().input(now, std::exchange(one.canvas, {}));
    one.exhibit().update(now);
  });
  shareLimits();
  times.updateMs = millisecondsSince(start);
  const auto sceneStart = Clock::now();
  scenes.clear();
  if (startPage.shown() && !figure) updateStart(host.inspectorShown);
  eachShown([this](Pane& one) {
    one.scene = &one.exhibit().scene(context(one.number));
    scenes.push_back({one.scene, places[static_cast<std::size_t>(one.number - 1)].picture.min});
  });
  times.sceneMs = millisecondsSince(sceneStart);
  const auto imguiStart = Clock::now();
  drawPanels(host);
  ImGui::Render();
  imgui.snapText(ImGui::GetDrawData());
  times.imguiMs = millisecondsSince(imguiStart);
}

void Workbench::Impl::advance(gpu::Extent extent, HostFrame& host) {
  const auto start = Clock::now();
  followSettings();
  stepFigures();
  beginImgui(extent, host);
  chrome.documentAt(history.revision());
  published.store(false, std::memory_order_release);
  if (framed) lesson.before(host.seconds, host.events);
  if (!host.events.empty()) settling = kSettlingFrames;
  input.push(host.events);
  std::vector<InputEvent> events = input.feed(ImGui::GetIO(), scale);
  ImGui::NewFrame();
  followStart();
  arrange(host);
  route(std::move(events));
  controls.beginFrame();
  update(host);
  framed = true;
  if (drawnRevision != history.revision()) settling = kSettlingFrames;
  drawnRevision = history.revision();
  if (settling > 0) --settling;
  lesson.after();
  answer(host);
  times.recordMs = 0;
  times.totalMs = millisecondsSince(start);
}

/// What a person chose in the preferences holds at once. "system" is the host's to resolve.
void Workbench::Impl::followSettings() {
  if (!options.settings || std::exchange(settingsSeen, options.settings->revision()) == options.settings->revision()) {
    return;
  }
  std::string wanted = toString(options.settings->get("settings.theme"));
  if (std::exchange(themeWanted, wanted) == wanted) return;  // another setting: a theme that a flag asked for stays
  if (const Theme* chosen = findTheme(wanted); chosen && chosen != theme) {
    theme = chosen;
    settling = kSettlingFrames;
  }
}

void Workbench::Impl::answer(HostFrame& host) {
  host.cursor = cursor();
  host.wish = std::exchange(wish, HostFrame::Wish::None);
  if (const Lesson* open = lesson.lesson()) {
    host.title = open->title;
  } else {
    host.title = !file.empty() ? file.substr(file.find_last_of('/') + 1) : title.empty() ? tr("Untitled") : title;
  }
  host.wantsFrame = self.needsFrame();
}

gpu::TargetStatus Workbench::Impl::paint(gpu::FrameTarget& target) {
  if (!painter) {
    auto made = ImguiPainter::create(target.context());
    if (!made) {
      say(made.error().sentence);
      return gpu::TargetStatus::Lost;
    }
    painter = std::move(*made);
  }
  const render::Color ground = places.size() > 1 ? theme->border : theme->background;  // seen between panes
  const gpu::TargetStatus status =
      painter->paint(target, Painting{scenes, scale, ground, fontGeneration}, times.recordMs);
  if (status == gpu::TargetStatus::Lost) {
    say(tr("The graphics device was lost; the picture is made anew."));
    self.releaseGpu();
  } else if (status == gpu::TargetStatus::NotReady) {
    settling = std::max(settling, 1);  // what was not shown has to be drawn once there is somewhere to
  }
  return status;
}

bool Workbench::Impl::settledWithoutLesson() {
  if (!framed || input.pending() || !jobs.idle() || published.load(std::memory_order_acquire)) return false;
  if (drawnRevision != history.revision() || settling > 0) return false;
  bool complete = startPage.complete() && !startPage.animating();
  eachShown([&](const Pane& one) { complete = complete && one.complete(); });
  return complete;
}

Workbench::Workbench(WorkbenchOptions options) : impl_(std::make_unique<Impl>(*this, std::move(options))) {}
Workbench::~Workbench() = default;

gpu::TargetStatus Workbench::frame(gpu::FrameTarget& target, HostFrame& host) {
  const FrameInProgress first;  // before what computes in the background on the same cores
  const auto start = Clock::now();
  impl_->gpu = &target.context();
  impl_->advance(target.extent(), host);
  const gpu::TargetStatus status = impl_->paint(target);
  impl_->times.totalMs = millisecondsSince(start);
  host.wantsFrame = needsFrame();
  return status;
}

void Workbench::tick(gpu::Extent extent, HostFrame& host) {
  impl_->advance(extent, host);
}

bool Workbench::needsFrame() const {
  if (!impl_->framed || impl_->input.pending() || impl_->settling > 0 || impl_->lesson.playing()) return true;
  if (impl_->published.load(std::memory_order_acquire) || impl_->drawnRevision != impl_->history.revision())
    return true;
  if (!impl_->figures.empty()) return true;
  bool moving = impl_->startPage.animating();
  impl_->eachShown([&](const Impl::Pane& one) { moving = moving || one.exhibit().animating(); });
  return moving;
}

void Workbench::releaseGpu() {
  impl_->cancelFigures();
  impl_->imgui.makeCurrent();
  for (const auto& pane : impl_->panes) {
    if (!pane) continue;
    for (const auto& exhibit : pane->exhibits)
      exhibit->releaseGpu();
  }
  impl_->startPage.releaseGpu();
  impl_->painter.reset();
  impl_->gpu = nullptr;
  impl_->settling = kSettlingFrames;
}

std::optional<render::Point> Workbench::toPixels(std::string_view canvas, render::Point data) const {
  const auto whose = splitPaneKey(canvas);
  if (!whose || static_cast<std::size_t>(whose->pane) > impl_->places.size()) return std::nullopt;
  const Impl::Pane& pane = impl_->pane(whose->pane);
  if (!pane.scene || pane.exhibit().key() != whose->key) return std::nullopt;
  const render::Point page = render::toPage(*pane.scene, data);
  const render::Point origin = impl_->places[static_cast<std::size_t>(whose->pane - 1)].picture.min;
  return render::Point{(origin.x + page.x) * impl_->scale, (origin.y + page.y) * impl_->scale};
}

/// The panel's own name of a control: that of the active pane without its number; keys that are no pane's (buttons,
/// what belongs to the window) are as they are. Nothing for another pane's.
std::optional<std::string> Workbench::Impl::controlName(std::string_view key) {
  const std::string_view bare = key.substr(0, key.find('#'));
  const auto whose = splitPaneKey(key);
  if (!whose) return std::nullopt;
  if (whose->pane == activeNumber()) return whose->key;
  if (whose->pane > 1 || (active().registry.find(bare) && self.inPane(bare, kMostPanes) != bare)) return std::nullopt;
  return std::string(key);
}

std::optional<render::Point> Workbench::controlAt(std::string_view key) const {
  const auto name = impl_->controlName(key);
  const auto rect = name ? impl_->controls.find(*name) : std::nullopt;
  if (!rect) return std::nullopt;
  const ImVec2 centre = rect->centre();
  return render::Point{centre.x * impl_->scale, centre.y * impl_->scale};
}

bool Workbench::bringIntoView(std::string_view key) {
  const auto name = impl_->controlName(key);
  const auto rect = name ? impl_->controls.find(*name) : std::nullopt;
  if (!rect || rect->seen) return true;
  impl_->controls.want(*name);
  return false;
}

std::optional<std::string> Workbench::refusal(std::string_view key) const {
  const auto name = impl_->controlName(key);
  const std::string* sentence = name ? impl_->controls.refusal(*name) : nullptr;
  if (!sentence) return std::nullopt;
  return *sentence;
}

const render::Scene& Workbench::scene() const {
  const render::Scene* scene = impl_->active().scene;
  return scene ? *scene : impl_->empty;
}

void Workbench::setFigure(bool on) {
  if (std::exchange(impl_->figure, on) != on) impl_->settling = kSettlingFrames;
}

std::vector<JobStatus> Workbench::jobs() const {
  std::vector<JobStatus> all = impl_->jobs.list();
  std::erase_if(all, [](const JobStatus& job) { return job.name.empty(); });  // steps of what moves, many a second
  for (JobStatus& figure : impl_->figureJobs())
    all.push_back(std::move(figure));
  return all;
}
Jobs& Workbench::jobLanes() {
  return impl_->jobs;
}
bool Workbench::settled() const {
  return impl_->settledWithoutLesson() && !impl_->lesson.playing();
}
const std::vector<Message>& Workbench::messages() const {
  return impl_->messages;
}

void Workbench::say(Message message) {
  impl_->messages.push_back(std::move(message));
  impl_->chrome.messageSaid(impl_->history.revision());
  impl_->settling = kSettlingFrames;
}

std::string Workbench::statusLine() const {
  const int number = impl_->pointerPane > 0 ? impl_->pointerPane : impl_->activeNumber();
  std::string status = impl_->pane(number).exhibit().status();
  if (panes() == 1 || status.empty()) return status;
  return fmt::format(fmt::runtime(tr("pane {}: {}")), number, status);
}

std::string Workbench::runningLine() const {
  std::string line;
  for (const JobStatus& job : jobs()) {
    if (job.state != JobState::Queued && job.state != JobState::Running) continue;
    if (!line.empty()) line += " · ";
    line += fmt::format("{} {:.0f} %", job.name, 100 * job.share);
    if (job.secondsLeft) line += ", " + fmt::format(fmt::runtime(tr("{:.0f} s left")), std::ceil(*job.secondsLeft));
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
    return fail(ErrorKind::Usage, std::string(name) + ": " + tr("there is no such theme; there are ") + known);
  }
  impl_->theme = found;
  impl_->settling = kSettlingFrames;
  return {};
}

std::string Workbench::theme() const {
  return impl_->theme->key;
}

}  // namespace sepx::ui
