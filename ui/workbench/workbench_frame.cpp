// SPDX-License-Identifier: Apache-2.0
// One frame: events -> ImGui and canvas -> exhibit -> panels -> picture. Nothing here blocks: results come from jobs
// when they are ready, and frames are requested only while something changes.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <new>
#include <string>
#include <utility>

#include "engine/core/clock.h"
#include "engine/core/frame_gate.h"
#include "engine/core/resource_limits.h"
#include "engine/core/result.h"
#include "engine/render/font.h"
#include "ui/properties/language.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/runs/runs.h"
#include "ui/workbench/language_choice.h"
#include "ui/workbench/settings.h"
#include "ui/workbench/workbench_impl.h"

namespace sepx::ui {
namespace {

using FrameClock = std::chrono::steady_clock;

constexpr float kStageEnlargement = 2;
constexpr double kStageLeast = 960;  // points: least width of a stage, however large its type

}  // namespace

Workbench::Impl::Impl(Workbench& owner, WorkbenchOptions given)
    : self(owner),
      window{.options = std::move(given)},
      panes(window, jobs, pool, [this](PropertyRegistry& registry) { declareReadOuts(registry); }),
      pool(window.options.threads),
      jobs([this] {
        published.store(true, std::memory_order_release);
        if (window.options.wake) window.options.wake();
      }),
      lesson(owner, window, [this] { return settledWithoutLesson(); }),
      files(window, panes, lesson, jobs),
      figures(owner, window),
      start(window, panes, files),
      cards(window, panes),
      stateSheet(owner, window),
      router(window, panes),
      reader(panes),
      places(window, panes, reader),
      presenter({[this](HostRequest request) { window.request = request; },
                 [this](render::Point at) { return places.placeOf(at); }}),
      follower(window, panes, lesson, places),
      chrome(owner, window.options.copy ? [this](const std::string& text) { window.options.copy(Clip{text, {}, {}}); }
                                        : std::function<void(const std::string&)>()) {
  makeRuns();
  const WorkbenchOptions& options = window.options;
  window.theme = findTheme(options.theme);
  if (!window.theme) window.theme = findTheme(themeKeys().front());
  window.chromeShown = !options.stage;
  window.figure = options.figure;
  if (options.settings) {
    settingsSeen = options.settings->revision();
    themeWanted = toString(options.settings->get("settings.theme"));
    languageWanted = toString(options.settings->get("settings.language"));
  }
  if (const auto done = useLanguage(languageWanted.value_or(language())); !done) window.error(done.error().message);
  if (options.document) files.beginWith(*options.document);
}

void Workbench::Impl::makeRuns() {
  WorkbenchOptions& options = window.options;
  if (options.runs) return;
  RunsOptions wanted;
  wanted.folder = options.runsFolder;
  wanted.temporary = options.scripted && options.runsFolder.empty();
  wanted.threads = options.threads;
  wanted.build = options.version;
  wanted.marks = options.runMarks;
  wanted.wake = [news = runNews, wake = options.wake] {
    news->store(true, std::memory_order_release);
    if (wake) wake();
  };
  options.runs = std::make_shared<Runs>(std::move(wanted));
  options.runs->setPaced(options.scripted);
  ownsRuns = true;
}

/// Reports once that the system refuses threads, until it no longer does. Otherwise a page would look as if the results
/// of its jobs were still to come.
void Workbench::Impl::reportRefusedThreads() {
  const bool refused = jobs.refused() || (ownsRuns && window.options.runs->refused());
  if (!std::exchange(threadsRefused, refused) && refused) window.error(noThread());
}

/// Offers once to resume interrupted runs, when it is known which of the marked runs can go on.
void Workbench::Impl::offerRuns() {
  const Runs& runs = *window.options.runs;
  if (runsOffered || runs.busy()) return;
  runsOffered = true;
  const std::vector<RunPointer> all = runs.interrupted();
  if (all.empty()) return;
  std::string names;
  for (const RunPointer& run : all)
    names += (names.empty() ? "" : ", ") + run->name();
  window.say({Message::Level::Note,
              trFormat("Training was interrupted: {}. It can be continued from the last checkpoints.", names),
              "runs.resume", tr("Resume")});
}

Workbench::Impl::~Impl() {
  imgui.makeCurrent();
  painter.reset();
}

float Workbench::Impl::pixelsPerPoint(gpu::Extent extent, float hostScale) const {
  const float wanted = hostScale > 0 ? hostScale : 1;
  if (!window.options.stage) return wanted;
  return std::clamp(static_cast<float>(extent.width / kStageLeast), wanted, wanted * kStageEnlargement);
}

void Workbench::Impl::beginImgui(gpu::Extent extent, const HostFrame& host) {
  imgui.makeCurrent();
  window.scale = pixelsPerPoint(extent, host.scale);
  window.size = {extent.width / window.scale, extent.height / window.scale};
  fontGeneration = imgui.prepare(*window.theme, window.options.figure ? 1 : window.scale, mostAtlasSide);
  window.controls.errorColor = toImVec4(window.theme->error);
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(static_cast<float>(window.size.x), static_cast<float>(window.size.y));
  io.DisplayFramebufferScale = ImVec2(window.scale, window.scale);
  const double passed = window.framed ? host.seconds - window.seconds : 1.0 / 60;
  io.DeltaTime = static_cast<float>(std::clamp(passed, 1e-4, 0.25));
  window.seconds = host.seconds;
}

/// A press outside of a transient message, or a key other than Escape, dismisses it.
void Workbench::Impl::dismissTransientMessages(const std::vector<InputEvent>& events) {
  const render::Rect& bar = window.layout.message;
  for (const InputEvent& event : events) {
    const auto* const press = std::get_if<PointerPressed>(&event);
    const auto* const key = std::get_if<KeyPressed>(&event);
    const bool outside = press && press->down && !bar.contains({press->x / window.scale, press->y / window.scale});
    if (outside || (key && key->down && key->key != Key::Escape)) chrome.pressed();
  }
}

/// A transient message also disappears by itself, but not while the pointer is on it. No time counts then; the event
/// that moves the pointer away causes the frame in which the time starts.
void Workbench::Impl::expireTransientMessage() {
  constexpr double kSeconds = 6;
  if (!chrome.messageIsTransient()) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool held = window.layout.message.contains({mouse.x, mouse.y});
  const std::size_t count = window.messages.size();
  const bool wasHeld = std::exchange(passingHeld, held), fresh = std::exchange(passing, count) != count;
  if (!held && !wasHeld && !fresh) {
    if (window.seconds - passingSince >= kSeconds) chrome.dismissMessages(), window.redraw();
    return;
  }
  passingSince = window.seconds;
  if (!held && window.options.wake && !window.options.scripted) passingWake.wakeIn(kSeconds + 0.1);
}

/// Whether Tab is for reading the picture: a text that is being edited comes before, the fields of the panels after it.
bool Workbench::Impl::takesTab(const std::vector<InputEvent>& events) {
  if (ImGui::GetIO().WantTextInput || start.shown()) return false;
  return std::ranges::any_of(events, [this](const InputEvent& event) {
    const auto* const key = std::get_if<KeyPressed>(&event);
    return key && key->down && key->key == Key::Tab &&
           (reader.takesTab(key->modifiers.shift) || !commands().meaning(*key, false).empty());
  });
}

/// Places the parts of the window in this frame.
void Workbench::Impl::arrange(const HostFrame& host) {
  if (start.heldPicture() && !start.gesturePending() && !router.gesturing()) start.endGesture();
  const Theme& theme = *window.theme;
  const bool bars = !window.figure && window.chromeShown && !host.inspectorShown;
  LayoutRequest request;
  request.window = window.size;
  request.statusLine = bars;
  request.panel = bars && !start.shown();
  request.panelWidth = theme.panelWidth;
  request.statusHeight = theme.statusHeight;
  request.panes = panes.shown();
  if (!window.figure) {
    if (!start.shown()) {
      request.lessonWidth = lessonPanel.width(lesson, window.size, window.options.stage, window.options.follows);
      request.lessonHeight = lessonPanel.height(lesson, window.size, theme, window.options.stage);
    }
    request.messageOver = chrome.messageIsTransient() && !start.shown();
    request.messageBelow = start.shown();  // so that a list under the pointer does not move
    request.messageHeight = chrome.messageHeight(window.size.x, theme);
    if (request.messageOver && request.panel) {  // beside the panel there is less room
      request.messageHeight = chrome.messageHeight(layOut(request).picture.width(), theme);
    }
  }
  window.layout = layOut(request);
  const std::optional<render::Rect> held = start.heldPicture();
  if (held) window.layout.picture = *held;
  panes.arrange(startShown() && !held);
  router.followPlaces();
}

void Workbench::Impl::drawPanels(const HostFrame& host) {
  if (window.figure) return;
  const Theme& theme = *window.theme;
  ControlMap& controls = window.controls;
  const bool onStart = start.shown();
  if (onStart) {
    if (!start.draw()) scenes.clear();  // its picture is gone
  } else {
    const int number = panes.activeNumber();
    if (std::exchange(controlsOf, number) != number) controls = {};  // half-typed text belongs to the other pane
    controls.errorColor = toImVec4(theme.error);
    panes.drawEdges();
    ExhibitContext now = panes.context(number);
    panes.at(number).exhibit().reportControls(now);
    if (window.chromeShown) {
      panes.drawTitles();
      panes.at(number).exhibit().panel(now, host.inspectorShown || window.layout.panel.width() <= 0);
    }
    if (const auto asked = lessonPanel.draw(lesson, window.layout.lesson, theme, controls, window.options.stage)) {
      if (auto done = self.run(*asked); !done) window.error(done.error().message);
    }
  }
  chrome.drawMessage(window.layout.message, theme, controls);
  chrome.drawStatus(window.layout.status, theme, controls);
  chrome.drawHelp(window.size, theme, controls);
  if (chrome.drawGuide(window.size, theme, controls)) window.redraw(2);
  cards.draw(!start.shown(), router.gesturing());
  stateSheet.draw();
  const auto at = onStart ? std::nullopt : lesson.pointer();
  if (at) chrome.drawPointer({at->x / window.scale, at->y / window.scale}, theme);
  if (window.options.follows) {
    follower.draw(theme);
  } else if (presenter.active()) {
    presenter.draw(window.size, theme, [this](const PicturePlace& place) { return places.pointOf(place); });
  }
}

/// Continues a drag that began on the picture of the start page, in the pane that shows the same state there.
void Workbench::Impl::resumeGesture() {
  static_cast<void>(panes.scenes());  // gives the picture its place
  const std::optional<render::Point> pressed = start.resumeGesture();
  const ImGuiIO& io = ImGui::GetIO();
  if (!pressed || !io.MouseDown[ImGuiMouseButton_Left]) return;
  router.begin(*pressed, {io.MousePos.x, io.MousePos.y});
  panes.update();
}

/// Updates all panes: pointer and keys, then results, then pictures, which may depend on results of other panes.
void Workbench::Impl::update(HostFrame& host) {
  const auto begun = FrameClock::now();
  panes.update();
  if (start.gesturePending()) resumeGesture();
  times.updateMs = millisecondsSince(begun);
  const auto sceneBegun = FrameClock::now();
  scenes.clear();
  if (startShown()) {
    if (const render::PlacedScene* picture = start.update(host.inspectorShown)) scenes.push_back(*picture);
  }
  for (render::PlacedScene& scene : panes.scenes())
    scenes.push_back(std::move(scene));
  times.sceneMs = millisecondsSince(sceneBegun);
  const auto imguiBegun = FrameClock::now();
  drawPanels(host);
  ImGui::Render();
  imgui.snapText(ImGui::GetDrawData());
  times.imguiMs = millisecondsSince(imguiBegun);
}

gpu::TargetStatus Workbench::frame(gpu::FrameTarget& target, HostFrame& host) {
  const FrameInProgress first;  // takes precedence over background work on the same cores
  const auto begun = std::chrono::steady_clock::now();
  advance(target.context(), target.extent(), host);
  if (impl_->window.options.updated) impl_->window.options.updated();
  const gpu::TargetStatus status = draw(target);
  impl_->times.totalMs = millisecondsSince(begun);
  host.wantsFrame = needsFrame();
  return status;
}

void Workbench::advance(gpu::Context& device, gpu::Extent extent, HostFrame& host) {
  impl_->window.gpu = &device;
  const std::uint32_t mostSide = device.info().mostImageSide;
  impl_->mostAtlasSide = static_cast<int>(std::min(mostSide, std::uint32_t{kMostAtlasSide}));
  impl_->advance(extent, host);
}

gpu::TargetStatus Workbench::draw(gpu::FrameTarget& target) {
  return impl_->paint(target);
}

void Workbench::tick(gpu::Extent extent, HostFrame& host) {
  impl_->advance(extent, host);
}

void Workbench::Impl::advance(gpu::Extent extent, HostFrame& host) try {
  const auto begun = FrameClock::now();
  followSettings();
  figures.step();
  files.update();
  beginImgui(extent, host);
  // An error is out of date when the document has changed since it was shown.
  if (window.history.revision() > window.messageRevision) chrome.dismissMessages();
  published.store(false, std::memory_order_release);
  runNews->store(false, std::memory_order_release);
  if (ownsRuns) {
    window.options.runs->update();
    offerRuns();
  }
  if (window.framed) lesson.before(host.seconds, host.events);
  if (ownsRuns) window.options.runs->setLessonRuns(lesson.hasFrame());
  if (window.framed && window.options.follows) follower.addEvents(host.events);
  presenter.before(host.events, window.scale);
  if (!host.events.empty()) window.redraw();
  dismissTransientMessages(host.events);
  expireTransientMessage();
  input.push(host.events);
  std::vector<InputEvent> events = input.feed(ImGui::GetIO(), window.scale);
  if (takesTab(events))
    ImGui::GetIO().KeysDown[static_cast<std::size_t>(Key::Tab)] = false;  // no field of a panel gets it
  ImGui::NewFrame();
  start.follow();
  arrange(host);
  const bool pointed = std::ranges::any_of(events, [](const InputEvent& event) {
    return std::holds_alternative<PointerMoved>(event) || std::holds_alternative<PointerPressed>(event);
  });
  if (pointed) reader.end();
  router.route(std::move(events), [this](const KeyPressed& press, bool text) { return takeKey(press, text); });
  window.controls.beginFrame();
  update(host);
  window.framed = true;
  if (drawnRevision != window.history.revision()) window.redraw();
  drawnRevision = window.history.revision();
  if (window.settling > 0) --window.settling;
  lesson.after();
  if (ownsRuns) window.options.runs->setLessonRuns(false);
  reportRefusedThreads();
  answer(host);
  times.recordMs = 0;
  times.totalMs = millisecondsSince(begun);
} catch (const std::bad_alloc&) {
  // Dear ImGui can neither be left nor shut down in the middle of a frame, so the program ends. Saved files are kept,
  // and a recovery file has the work until about a second ago.
  exitOutOfMemory();
}

/// Applies changed preferences at once. The host resolves "system".
void Workbench::Impl::followSettings() {
  Settings* const settings = window.options.settings;
  if (!settings) return;
  if (std::string saveFailure = settings->takeSaveFailure(); !saveFailure.empty()) window.error(std::move(saveFailure));
  if (std::exchange(settingsSeen, settings->revision()) == settings->revision()) return;
  const std::string languageSetting = toString(settings->get("settings.language"));
  if (std::exchange(languageWanted, languageSetting) != languageSetting) {
    if (const auto done = useLanguage(languageSetting); !done) window.error(done.error().message);
    window.redraw();
  }
  std::string wanted = toString(settings->get("settings.theme"));
  if (std::exchange(themeWanted, wanted) == wanted) return;  // another setting changed: a theme set by a flag stays
  if (const Theme* chosen = findTheme(wanted); chosen && chosen != window.theme) {
    window.theme = chosen;
    window.redraw();
  }
}

void Workbench::Impl::answer(HostFrame& host) {
  host.cursor = router.cursor();
  host.request = std::exchange(window.request, HostRequest::None);
  host.title = files.title();
  host.wantsFrame = self.needsFrame();
}

gpu::TargetStatus Workbench::Impl::paint(gpu::FrameTarget& target) {
  if (!painter) {
    auto made = ImguiPainter::create(target.context());
    if (!made) {
      window.error(made.error().message);
      return gpu::TargetStatus::Lost;
    }
    painter = std::move(*made);
    // Without the fonts, lines and areas are still drawn; panels then have small built-in letters.
    if (const auto& fonts = render::fontFiles(); !fonts) window.error(fonts.error().message);
  }
  const bool split = panes.places().size() > 1;
  const render::Color ground = split ? window.theme->border : window.theme->background;  // visible between panes
  gpu::TargetStatus status = gpu::TargetStatus::NotReady;
  if (window.options.follows) {
    std::vector<render::PlacedScene> placed = scenes;
    float pixels = window.scale;
    const render::Color behind = magnify(placed, pixels, ground);
    status = painter->paint(target, Painting{placed, pixels, behind, fontGeneration}, times.recordMs);
  } else {
    status = painter->paint(target, Painting{scenes, window.scale, ground, fontGeneration}, times.recordMs);
  }
  if (std::string problem = painter->takeProblem(); !problem.empty()) window.error(std::move(problem));
  if (status == gpu::TargetStatus::Lost) {
    window.error(tr("The graphics device was lost. The picture is being rebuilt."));
    self.releaseGpu();
  } else if (status == gpu::TargetStatus::NotReady) {
    window.redraw(1);  // to be drawn again once there is a target
  }
  return status;
}

bool Workbench::Impl::settledWithoutLesson() {
  if (!window.framed || input.pending() || !jobs.idle() || published.load(std::memory_order_acquire)) return false;
  if (drawnRevision != window.history.revision() || window.settling > 0) return false;
  if (window.options.runs->busy()) return false;
  return files.opening().empty() && start.complete() && panes.complete();
}

/// The name of a control in the panel. A key of the active pane loses its number; keys of no pane (buttons, keys of the
/// window) are unchanged. Empty optional for a key of another pane.
std::optional<std::string> Workbench::Impl::controlName(std::string_view key) {
  const std::string_view bare = key.substr(0, key.find('#'));
  const auto whose = splitPaneKey(key);
  if (!whose) return std::nullopt;
  if (whose->pane == panes.activeNumber()) return whose->key;
  if (whose->pane > 1 || (panes.active().properties().find(bare) && !isWindowKey(bare))) return std::nullopt;
  return std::string(key);
}

}  // namespace sepx::ui
