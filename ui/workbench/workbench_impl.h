// SPDX-License-Identifier: Apache-2.0
// The implementation of Workbench: the state that its parts share, the parts, and the frame that runs through them. For
// the workbench's own .cpp files only. Frame thread only, except for `published` and `runNews`.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ui/workbench/cards.h"
#include "ui/workbench/chrome.h"
#include "ui/workbench/figures.h"
#include "ui/workbench/files.h"
#include "ui/workbench/follower.h"
#include "ui/workbench/imgui_context.h"
#include "ui/workbench/imgui_input.h"
#include "ui/workbench/imgui_painter.h"
#include "ui/workbench/input_router.h"
#include "ui/workbench/lesson_panel.h"
#include "ui/workbench/picture_places.h"
#include "ui/workbench/presenter.h"
#include "ui/workbench/reader.h"
#include "ui/workbench/start_choices.h"
#include "ui/workbench/state_sheet.h"
#include "ui/workbench/wake_timer.h"

namespace sepx::ui {

/// Members are in the order of dependency: the first is destroyed last. Jobs end before the members that they publish
/// into are destroyed.
struct Workbench::Impl {
  Impl(Workbench& owner, WorkbenchOptions options);
  ~Impl();

  // workbench_frame.cpp: one frame.
  void advance(gpu::Extent extent, HostFrame& host);
  void beginImgui(gpu::Extent extent, const HostFrame& host);
  float pixelsPerPoint(gpu::Extent extent, float hostScale) const;
  bool takesTab(const std::vector<InputEvent>& events);
  void dismissTransientMessages(const std::vector<InputEvent>& events);
  void expireTransientMessage();
  void arrange(const HostFrame& host);
  void update(HostFrame& host);
  void resumeGesture();
  void drawPanels(const HostFrame& host);
  void answer(HostFrame& host);
  gpu::TargetStatus paint(gpu::FrameTarget& target);
  void followSettings();
  void makeRuns();
  void offerRuns();
  void reportRefusedThreads();
  std::optional<std::string> controlName(std::string_view key);
  bool settledWithoutLesson();
  bool startShown() const { return start.shown() && !window.figure; }

  // workbench_commands.cpp: commands, their keys, and read-outs of the window itself.
  Commands commands();
  bool takeKey(const KeyPressed& press, bool textActive);
  void addEditCommands(Commands& to);
  void addExhibitCommands(Commands& to);
  void addViewCommands(Commands& to);
  void addRunCommands(Commands& to);
  Result<void> resumeRuns();
  void declareReadOuts(PropertyRegistry& registry);
  Result<void> nextTheme();

  // workbench_lessons.cpp: what a lesson may do.
  Result<void> allowedStep(const ScriptStep& step);
  Result<void> allowedPress(const PointerPressed& press);
  Result<void> allowedPicture(int number);
  Result<void> allowedTyping();
  Result<void> allowedKey(const KeyPressed& press);

  // workbench_presented.cpp: two screens.
  Presented presented();
  Result<void> follow(const Presented& presented, const std::shared_ptr<const Lesson>& lesson);
  void followLanguage(const std::string& wanted);
  bool followsMoves();
  render::Color magnify(std::vector<render::PlacedScene>& placed, float& pixelsPerPoint, render::Color ground);

  Workbench& self;
  WindowState window;
  Panes panes;
  std::atomic<bool> published{false};  ///< set by worker threads
  /// Set by trainer threads; shared with the runs, which may outlive this object.
  const std::shared_ptr<std::atomic<bool>> runNews = std::make_shared<std::atomic<bool>>(false);
  bool runsOffered = false;     ///< interrupted runs were offered
  bool threadsRefused = false;  ///< in the last frame, and reported
  bool ownsRuns = false;        ///< false in a figure: its window updates the runs
  ThreadPool pool;
  Jobs jobs;
  ImguiContext imgui;
  ImguiInput input;
  std::unique_ptr<ImguiPainter> painter;
  LessonPlayer lesson;
  Files files;
  Figures figures;
  StartChoices start;
  Cards cards;
  StateSheet stateSheet;
  InputRouter router;
  Reader reader;
  PicturePlaces places;
  Presenter presenter;
  Follower follower;
  Document followed;             ///< last document that follow() took, unchanged
  std::string languageFollowed;  ///< last language requested from follow()
  Chrome chrome;
  LessonPanel lessonPanel;

  std::uint64_t settingsSeen = 0;
  std::optional<std::string> languageWanted;  ///< settings.language at the last check; empty: no settings
  std::string themeWanted;                    ///< settings.theme at the last check
  std::vector<render::PlacedScene> scenes;
  const render::Scene empty;  ///< before the first frame
  int controlsOf = 1;         ///< the pane whose panel the controls belong to
  int fontGeneration = 0;
  int mostAtlasSide = kMostAtlasSide;  ///< largest that the device supports
  std::uint64_t drawnRevision = ~0ull;
  FrameTimes times;
  std::size_t passing = 0;   ///< number of messages when the transient one was shown
  double passingSince = 0;   ///< host time
  bool passingHeld = false;  ///< the pointer was over it in the last frame
  WakeTimer passingWake{[this] {
    published.store(true, std::memory_order_release);
    window.options.wake();
  }};  ///< requests the frame in which the message disappears
};

}  // namespace sepx::ui
