// SPDX-License-Identifier: Apache-2.0
// One frame: events -> ImGui and canvas -> exhibit -> panels -> picture. Nothing here waits: results come from jobs
// when they come, and a frame is asked for only while something changes.
#include "ui/workbench/workbench.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "engine/core/log.h"
#include "ui/exhibits/flow/flow_exhibit.h"
#include "ui/properties/tr.h"
#include "ui/workbench/workbench_impl.h"

namespace sepx::ui {
namespace {

// ImGui needs these after an event: one to act, one to lay out what appeared, one to settle hover.
constexpr int kSettlingFrames = 3;
constexpr float kStageEnlargement = 2;
constexpr double kStageLeast = 960;  // points that a stage keeps in its width, however large its type

using Clock = std::chrono::steady_clock;
double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

Cursor cursorOf(ImGuiMouseCursor cursor) {
  switch (cursor) {
    case ImGuiMouseCursor_TextInput:
      return Cursor::Text;
    case ImGuiMouseCursor_ResizeAll:
      return Cursor::Move;
    case ImGuiMouseCursor_ResizeEW:
      return Cursor::ResizeHorizontal;
    case ImGuiMouseCursor_ResizeNS:
      return Cursor::ResizeVertical;
    case ImGuiMouseCursor_Hand:
      return Cursor::Hand;
    default:
      return Cursor::Arrow;
  }
}

}  // namespace

Workbench::Impl::Impl(Workbench& owner, WorkbenchOptions wishes)
    : self(owner),
      options(std::move(wishes)),
      pool(options.threads),
      jobs([this] {
        published.store(true, std::memory_order_release);
        if (options.wake) options.wake();
      }),
      chrome(owner),
      lesson(owner, history, [this] { return settledWithoutLesson(); }),
      theme(findTheme(options.theme)) {
  if (!theme) theme = findTheme(themeKeys().front());
  chromeShown = !options.stage;
  figure = options.figure;
  exhibits.push_back(makeFlowExhibit());
  declare();
  saved = withoutCarried(history.present());
}

Workbench::Impl::~Impl() {
  imgui.makeCurrent();
  painter.reset();
}

Exhibit& Workbench::Impl::exhibit() const {
  const std::string key = registry.text(history.present(), "exhibit");
  for (const auto& candidate : exhibits) {
    if (candidate->key() == key) return *candidate;
  }
  return *exhibits.front();
}

ExhibitContext Workbench::Impl::context() {
  return ExhibitContext{*this, jobs,           pool,      gpu,  options.compute, options.scripted, *theme, seconds,
                        scale, layout.picture, &controls, 1.0f, figure,          options.seed};
}

float Workbench::Impl::pixelsPerPoint(gpu::Extent extent, float hostScale) const {
  const float wanted = hostScale > 0 ? hostScale : 1;
  if (!options.stage) return wanted;
  const float room = static_cast<float>(extent.width / kStageLeast);
  return std::clamp(room, wanted, wanted * kStageEnlargement);
}

void Workbench::Impl::arrange(const HostFrame& host) {
  LayoutWishes wishes;
  wishes.window = window;
  if (figure) {
    wishes.panel = wishes.statusLine = false;
    layout = layOut(wishes);
    return;
  }
  wishes.panel = chromeShown && !host.inspectorShown;
  wishes.statusLine = chromeShown && !host.inspectorShown;
  wishes.lessonHeight = lessonPanel.height(lesson, window, *theme, options.stage);
  wishes.messageHeight = chrome.messageHeight(window.x, *theme);
  layout = layOut(wishes);
}

void Workbench::Impl::beginImgui(gpu::Extent extent, const HostFrame& host) {
  imgui.makeCurrent();
  scale = pixelsPerPoint(extent, host.scale);
  window = {extent.width / scale, extent.height / scale};
  fontGeneration = imgui.prepare(*theme, scale);
  controls.errorColor = toImVec4(theme->error);
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(static_cast<float>(window.x), static_cast<float>(window.y));
  io.DisplayFramebufferScale = ImVec2(scale, scale);
  const double passed = framed ? host.seconds - seconds : 1.0 / 60;
  io.DeltaTime = static_cast<float>(std::clamp(passed, 1e-4, 0.25));
  seconds = host.seconds;
}

/// What ImGui did not take, for the exhibit; shortcuts become commands.
CanvasInput Workbench::Impl::route(std::vector<InputEvent> events) {
  const ImGuiIO& io = ImGui::GetIO();
  CanvasInput canvas;
  const auto forCanvas = [&] { return canvasOwns.has_value() || !io.WantCaptureMouse; };
  const auto leave = [&] {
    if (std::exchange(pointerOnCanvas, false)) canvas.events.emplace_back(PointerLeft{});
  };
  for (InputEvent& event : events) {
    if (auto* press = std::get_if<PointerPressed>(&event)) {
      if (!forCanvas() || (press->down && !layout.picture.contains({press->x, press->y}))) continue;
      // The gesture belongs to the button that began it; another that goes down or up does not end it.
      if (press->down && !canvasOwns) canvasOwns = press->button;
      if (!press->down && canvasOwns == press->button) canvasOwns.reset();
      if (press->down) ImGui::SetWindowFocus(nullptr);  // a text field gives up the keyboard
    } else if (std::holds_alternative<PointerMoved>(event)) {
      if (!forCanvas()) {
        leave();
        continue;
      }
      pointerOnCanvas = true;
    } else if (std::holds_alternative<PointerLeft>(event)) {
      if (!canvasOwns) leave();
      continue;
    } else if (std::holds_alternative<Scrolled>(event)) {
      if (!forCanvas()) continue;
    } else if (auto* key = std::get_if<KeyPressed>(&event)) {
      if (key->down && runShortcut(*key, io.WantTextInput)) continue;
      if (io.WantTextInput) continue;
    } else if (std::holds_alternative<TextTyped>(event)) {
      continue;
    } else if (auto* focus = std::get_if<FocusChanged>(&event)) {
      if (!focus->focused) canvasOwns.reset();
    }
    canvas.events.push_back(std::move(event));
  }
  return canvas;
}

void Workbench::Impl::drawPanels(ExhibitContext& context, const HostFrame& host) {
  if (figure) return;
  if (chromeShown) exhibit().panel(context, host.inspectorShown || layout.panel.width() <= 0);
  if (const auto asked = lessonPanel.draw(lesson, layout.lesson, *theme, controls, options.stage)) {
    if (auto done = run(*asked); !done) say(done.error().sentence);
  }
  chrome.drawMessage(layout.message, *theme, controls);
  chrome.drawStatus(layout.status, *theme, controls);
  chrome.drawHelp(window, *theme, controls);
  if (const auto at = lesson.pointer()) chrome.drawPointer({at->x / scale, at->y / scale}, *theme);
}

void Workbench::Impl::advance(gpu::Extent extent, HostFrame& host) {
  const auto start = Clock::now();
  beginImgui(extent, host);
  chrome.documentAt(history.revision());
  published.store(false, std::memory_order_release);
  if (framed) lesson.before(host.seconds, host.events);
  if (!host.events.empty()) settling = kSettlingFrames;
  input.push(host.events);
  std::vector<InputEvent> events = input.feed(ImGui::GetIO(), scale);
  ImGui::NewFrame();
  arrange(host);
  CanvasInput canvas = route(std::move(events));
  controls.beginFrame();

  ExhibitContext now = context();
  const Cursor cursor = exhibit().input(now, canvas);
  exhibit().update(now);
  times.updateMs = millisecondsSince(start);
  const auto sceneStart = Clock::now();
  scene = &exhibit().scene(now);
  times.sceneMs = millisecondsSince(sceneStart);
  const auto imguiStart = Clock::now();
  drawPanels(now, host);
  ImGui::Render();
  imgui.snapText(ImGui::GetDrawData());
  times.imguiMs = millisecondsSince(imguiStart);
  framed = true;
  if (drawnRevision != history.revision()) settling = kSettlingFrames;
  drawnRevision = history.revision();
  if (settling > 0) --settling;
  lesson.after();
  answer(host, cursor);
  times.recordMs = 0;
  times.totalMs = millisecondsSince(start);
}

void Workbench::Impl::answer(HostFrame& host, Cursor canvasCursor) {
  const bool canvas = canvasOwns.has_value() || !ImGui::GetIO().WantCaptureMouse;
  host.cursor = canvas ? canvasCursor : cursorOf(ImGui::GetMouseCursor());
  host.wish = std::exchange(wish, HostFrame::Wish::None);
  if (const Lesson* open = lesson.lesson()) {
    host.title = open->title;
  } else {
    host.title = file.empty() ? tr("Untitled") : file.substr(file.find_last_of('/') + 1);
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
  const render::PlacedScene placed{scene, layout.picture.min};
  const gpu::TargetStatus status =
      painter->paint(target, Painting{{&placed, 1}, scale, theme->background, fontGeneration}, times.recordMs);
  if (status == gpu::TargetStatus::Lost) {
    say(tr("The graphics device was lost; the picture is made anew."));
    self.releaseGpu();
  } else if (status == gpu::TargetStatus::NotReady) {
    settling = std::max(settling, 1);  // what was not shown has to be drawn once there is somewhere to
  }
  return status;
}

bool Workbench::Impl::settledWithoutLesson() const {
  const auto playing = self.get(exhibit().key() + ".play.active");
  return framed && !input.pending() && jobs.idle() && !published.load(std::memory_order_acquire) &&
         !exhibit().animating() && exhibit().complete() && drawnRevision == history.revision() && settling == 0 &&
         !(playing && isTrue(*playing));
}

Workbench::Workbench(WorkbenchOptions options) : impl_(std::make_unique<Impl>(*this, std::move(options))) {}
Workbench::~Workbench() = default;

gpu::TargetStatus Workbench::frame(gpu::FrameTarget& target, HostFrame& host) {
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
  return !impl_->framed || impl_->input.pending() || impl_->settling > 0 ||
         impl_->published.load(std::memory_order_acquire) || impl_->drawnRevision != impl_->history.revision() ||
         impl_->exhibit().animating() || impl_->lesson.playing();
}

void Workbench::releaseGpu() {
  impl_->imgui.makeCurrent();
  for (const auto& exhibit : impl_->exhibits)
    exhibit->releaseGpu();
  impl_->painter.reset();
  impl_->gpu = nullptr;
  impl_->settling = kSettlingFrames;
}

std::optional<render::Point> Workbench::toPixels(std::string_view canvas, render::Point data) const {
  if (!impl_->framed || canvas != impl_->exhibit().key()) return std::nullopt;
  const render::Point page = render::toPage(*impl_->scene, data);
  const render::Point origin = impl_->layout.picture.min;
  return render::Point{(origin.x + page.x) * impl_->scale, (origin.y + page.y) * impl_->scale};
}

std::optional<render::Point> Workbench::controlAt(std::string_view key) const {
  const auto rect = impl_->controls.find(key);
  if (!rect) return std::nullopt;
  const ImVec2 centre = rect->centre();
  return render::Point{centre.x * impl_->scale, centre.y * impl_->scale};
}

std::optional<std::string> Workbench::refusal(std::string_view key) const {
  const std::string* sentence = impl_->controls.refusal(key);
  if (!sentence) return std::nullopt;
  return *sentence;
}

const render::Scene& Workbench::scene() const {
  return impl_->scene ? *impl_->scene : impl_->empty;
}

void Workbench::setFigure(bool on) {
  if (std::exchange(impl_->figure, on) != on) impl_->settling = kSettlingFrames;
}

std::vector<JobStatus> Workbench::jobs() const {
  return impl_->jobs.list();
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
  return impl_->exhibit().status();
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
