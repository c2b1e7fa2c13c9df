// SPDX-License-Identifier: Apache-2.0
// See window_session.h.
#include "app/window_session.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "app/data_files.h"
#include "app/headless.h"
#include "app/milestone.h"
#include "engine/core/clock.h"
#include "engine/core/local_time.h"
#include "engine/core/log.h"
#include "engine/core/xdg.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::app {

namespace {

constexpr double kFrameSeconds = 1.0 / 60;
constexpr std::size_t kToMinutes = 16;  // characters of a time, up to the minutes
constexpr int kCaptureTries = 3;        // a resized window needs a frame to create a new swapchain

/// Adds the host's own keys to the sheet of keys, and lists the commands that this host does not support.
void describeHost(ui::WorkbenchOptions& settings, bool stage, bool follows) {
  if (!stage) {
    settings.hostKeys.emplace_back("F7", N_("Go to the picture"));
    settings.hostKeys.emplace_back("F8", N_("Go to the inspector"));
    settings.hostKeys.emplace_back("Ctrl+F", N_("Search the inspector"));
    settings.hostKeys.emplace_back("Ctrl+W", N_("Close window"));
    settings.hostKeys.emplace_back("Shift+F10", N_("Menu of the picture"));
    return;
  }
  if (follows) {
    settings.hostKeys.emplace_back("PageUp, PageDown, ← →", N_("Previous or next step of the lesson in the studio"));
    settings.hostKeys.emplace_back("B, .", N_("Blank the stage"));
  } else {
    settings.hostKeys.emplace_back("← →", N_("Previous or next step of a lesson"));
  }
  // The audience sees no dialogs.
  for (const char* command :
       {"file.new", "file.open", "file.save-as", "file.export", "edit.preferences", "view.palette"})
    settings.without.emplace_back(command);
}

/// Applies the user's settings where no flag overrides them.
void prefer(ui::WorkbenchOptions& result, const Options& options, const ui::Settings& settings) {
  const auto text = [&settings](const char* key) { return ui::toString(settings.get(key)); };
  if (options.theme.empty() && text("settings.theme") != "system") result.theme = text("settings.theme");
  if (options.compute == ui::Compute::Auto) {
    if (text("settings.compute") == "cpu") result.compute = ui::Compute::Cpu;
    if (text("settings.compute") == "gpu") result.compute = ui::Compute::Gpu;
  }
  const ui::Value threads = settings.get("settings.threads");
  if (const double* number = std::get_if<double>(&threads); number && options.threads == 0)
    result.threads = static_cast<int>(*number);
}

}  // namespace

WindowSession::WindowSession(const Options& options, std::unique_ptr<gpu::Context> context, bool stage,
                             std::function<void()> wake, bool follows)
    : options_(options), context_(std::move(context)), simulated_(!options.script.empty() || !options.shot.empty()) {
  // A script gives the same result on every machine, whatever the user's settings are, and changes nothing there.
  settings_ = simulated_ ? std::make_unique<ui::Settings>("", "")
                         : std::make_unique<ui::Settings>(configFolder(), stateFolder(), wake);
  const bool keeps = !simulated_ && !stage;  // nothing is edited on the stage
  if (keeps) recoveryFiles_ = app::recoveryFiles(autosaveFolder());
  autosave_ = std::make_unique<Autosave>(keeps ? autosaveFolder() : std::string());
  workbench_ = std::make_unique<ui::Workbench>(describe(stage, follows, std::move(wake)));
  if (!settings_->problem().empty()) workbench_->say({ui::Message::Level::Error, settings_->problem()});
}

ui::WorkbenchOptions WindowSession::describe(bool stage, bool follows, std::function<void()> wake) {
  ui::WorkbenchOptions result = workbenchOptions(options_, simulated_);
  if (!simulated_) prefer(result, options_, *settings_);
  result.stage = stage;
  result.follows = follows;
  result.presents = !stage;
  result.updated = [this] {
    if (updated_) updated_(std::chrono::nanoseconds(begun_.time_since_epoch()).count());
  };
  describeHost(result, stage, follows);
  result.wake = std::move(wake);
  // The stage does not offer interrupted training runs.
  if (!simulated_ && !stage) result.runMarks = stateFolder() + "/training";
  result.settings = settings_.get();
  result.copy = [this](const ui::Clip& clip) {
    if (copy_) copy_(clip);
  };
  result.paste = [this] { return paste_ ? paste_() : std::string(); };
  // The stage opens no other programs.
  if (!stage)
    result.openExternally = [this](const std::string& path) {
      if (openOutside_) openOutside_(path);
    };
  for (const LessonFile& lesson : lessons())
    result.lessons.emplace_back(lesson.path, lesson.title);
  for (const RecoveryFile& recovery : recoveryFiles_)
    result.recoveryFiles.emplace_back(
        recovery.file, fmt::format("{} · {}", recovery.title, localTime(recovery.when).substr(0, kToMinutes)));
  result.restored = [this](const std::string& file) {
    autosave_->adopt(file);
    forget(file);
  };
  return result;
}

void WindowSession::forget(const std::string& recovery) {
  std::erase_if(recoveryFiles_, [&recovery](const RecoveryFile& one) { return one.file == recovery; });
}

Result<void> WindowSession::restore(const RecoveryFile& recovery) {
  return workbench_->restore(recovery.file);
}

void WindowSession::discard(const RecoveryFile& recovery) {
  const std::string file = recovery.file;  // the argument may be an element of the list
  if (const auto done = app::discard(recovery); !done) {
    workbench_->say({ui::Message::Level::Error, done.error().message});
  }
  forget(file);
}

WindowSession::InitialContent WindowSession::initialContent(const std::string& file) const {
  if (!file.empty() || !options_.script.empty()) return {file, false};
  if (simulated_) return {{}, true};
  if (ui::isTrue(settings_->get("settings.reopen"))) {
    for (const ui::RecentFile& recent : settings_->recent()) {
      std::error_code ignored;
      if (recent.kind == "session" && std::filesystem::exists(recent.path, ignored)) return {recent.path, false};
    }
  }
  if (ui::isTrue(settings_->get("settings.start"))) return {{}, true};
  return {openingLesson().value_or(std::string()), false};
}

std::string WindowSession::deviceName() const {
  if (!context_) return {};
  const gpu::DeviceInfo& info = context_->info();
  // A driver that computes on the CPU appends its compiler in parentheses.
  return info.software ? info.name.substr(0, info.name.find(" (")) + ui::tr(std::string(N_(" (software)"))) : info.name;
}

WindowSession::~WindowSession() {
  runner_.reset();
  workbench_->releaseGpu();
  detach();
  workbench_.reset();
}

Result<void> WindowSession::attach(VkSurfaceKHR surface, std::function<gpu::Extent()> extent) {
  auto target = gpu::SwapchainTarget::create(*context_, surface, extent);
  if (!target) return tl::unexpected(target.error());
  swapchain_ = std::move(*target);
  extent_ = std::move(extent);
  return {};
}

Result<void> WindowSession::attachOffscreen(std::function<gpu::Extent()> extent) {
  extent_ = std::move(extent);
  return fitOffscreen();
}

Result<void> WindowSession::fitOffscreen() {
  const gpu::Extent wanted = extent_();
  if (wanted.width == 0 || wanted.height == 0) return {};
  if (offscreen_ && offscreen_->extent() == wanted) return {};
  if (offscreen_) return offscreen_->resize(wanted);
  auto target = gpu::OffscreenTarget::create(*context_, wanted);
  if (!target) return tl::unexpected(target.error());
  offscreen_ = std::move(*target);
  return {};
}

void WindowSession::detach() {
  swapchain_.reset();
  offscreen_.reset();
  extent_ = {};
}

gpu::FrameTarget* WindowSession::target() {
  if (swapchain_) return swapchain_.get();
  if (extent_) {
    if (const auto fits = fitOffscreen(); !fits) spdlog::error("{}", fits.error().message);
  }
  return offscreen_.get();
}

gpu::TargetStatus WindowSession::frame(float scale, bool inspectorShown) {
  using Seconds = std::chrono::duration<double>;
  const auto begun = begun_ = std::chrono::steady_clock::now();
  ui::HostFrame host;
  host.scale = scale;
  host.inspectorShown = inspectorShown;
  host.seconds = simulated_ ? static_cast<double>(ticks_++) * kFrameSeconds
                            : Seconds(std::chrono::steady_clock::now() - start_).count();
  const bool scripted = scriptRunning();
  // While a script runs, the user's own pointer must not disturb it.
  host.events = scripted ? std::vector<ui::InputEvent>() : std::move(events_);
  events_.clear();
  if (scripted) {
    runner_->beforeFrame(host);
  } else if (simulated_) {
    workbench_->jobLanes().waitForPublications();
  }
  gpu::TargetStatus status = gpu::TargetStatus::NotReady;
  if (simulated_ && swapchain_) swapchain_->requestCapture();  // a script may ask for any frame
  if (gpu::FrameTarget* into = target()) {
    const gpu::Extent laidOut = into->extent();
    status = workbench_->frame(*into, host);
    if (status == gpu::TargetStatus::Ready && into->extent() != laidOut) status = drawAgain(*into, host);
  } else {
    workbench_->tick(extent_ ? extent_() : gpu::Extent{}, host);
  }
  lastReady_ = status == gpu::TargetStatus::Ready;
  answer_ = std::move(host);
  answer_.events.clear();
  if (scripted) runner_->afterFrame();
  const ui::Value keepEvery = settings_->get("settings.autosave");
  if (const double* seconds = std::get_if<double>(&keepEvery)) autosave_->follow(*workbench_, *seconds);
  if (status == gpu::TargetStatus::Ready) {
    ++drawn_;
    logFrame(millisecondsSince(begun));
  }
  return status;
}

gpu::TargetStatus WindowSession::drawAgain(gpu::FrameTarget& into, ui::HostFrame& host) {
  // The size of the window changed between layout and drawing.
  host.events.clear();
  if (simulated_ && swapchain_) swapchain_->requestCapture();
  return workbench_->frame(into, host);
}

void WindowSession::logFrame(double milliseconds) const {
  if (drawn_ == 1) logMilestone("first frame");
  spdlog::debug("{} frame {} in {:.1f} ms", workbench_->options().stage ? "stage:" : "studio:", drawn_, milliseconds);
}

bool WindowSession::needsFrame() const {
  return !events_.empty() || answer_.wantsFrame || workbench_->needsFrame() || scriptRunning();
}

Result<gpu::Pixels> WindowSession::capture() {
  if (offscreen_) return offscreen_->readback();
  if (!swapchain_) return fail(ErrorKind::NoDevice, ui::tr("there is no picture yet: the window is not on the screen"));
  if (simulated_ && lastReady_) return swapchain_->capture();
  // A presented image cannot be read any more, so the same picture is drawn once more and kept.
  for (int tries = 0; tries < kCaptureTries; ++tries) {
    swapchain_->requestCapture();
    ui::HostFrame again = answer_;
    if (workbench_->frame(*swapchain_, again) == gpu::TargetStatus::Ready) return swapchain_->capture();
  }
  return fail(ErrorKind::NoDevice, ui::tr("the window shows no picture because it is hidden or minimised"));
}

Result<void> WindowSession::renewDevice() {
  if (std::exchange(renewed_, true)) {
    return fail(ErrorKind::NoDevice,
                ui::tr("The graphics device was lost again. Save the session and restart the program; --device "
                       "chooses another device."));
  }
  workbench_->releaseGpu();
  detach();
  context_.reset();
  auto context = gpu::Context::create(contextOptions(options_, true));
  if (!context) return tl::unexpected(context.error());
  context_ = std::move(*context);
  return {};
}

Result<void> WindowSession::startScript(ui::ScriptHost& host) {
  auto runner = makeRunner(options_.script, *workbench_, host, options_.outDir);
  if (!runner) return tl::unexpected(runner.error());
  runner_ = std::move(*runner);
  return {};
}

Result<void> WindowSession::scriptOutcome() const {
  return runner_ ? runner_->outcome() : Result<void>();
}

bool WindowSession::settled() const {
  // Two frames first: a control or a job that the last change requires appears only after it was drawn once.
  return drawn_ >= 2 && workbench_->settled() && !workbench_->needsFrame();
}

Result<void> WindowSession::validationOutcome() const {
  if (!context_) return {};
  const auto& messages = context_->validationMessages();
  if (messages.empty()) return {};
  for (const auto& message : messages)
    spdlog::error("{}", message);
  return fail(ErrorKind::Internal,
              ui::trFormat("{} Vulkan validation messages; the first: {}", messages.size(), messages.front()));
}

}  // namespace sepx::app
