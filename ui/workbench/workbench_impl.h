// SPDX-License-Identifier: Apache-2.0
// The insides of the Workbench, shared by its own .cpp files and nobody else. Members stand in the order of dependency:
// what is destroyed last stands first; jobs end before what they publish into goes away. Frame thread only, but for
// `published`.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ui/exhibit/exhibit.h"
#include "ui/properties/widgets.h"
#include "ui/workbench/chrome.h"
#include "ui/workbench/errata_sheet.h"
#include "ui/workbench/explain_card.h"
#include "ui/workbench/figure.h"
#include "ui/workbench/file_kind.h"
#include "ui/workbench/imgui_context.h"
#include "ui/workbench/imgui_input.h"
#include "ui/workbench/imgui_painter.h"
#include "ui/workbench/layout.h"
#include "ui/workbench/lesson_panel.h"
#include "ui/workbench/lesson_player.h"
#include "ui/workbench/open_file.h"
#include "ui/workbench/start_page.h"
#include "ui/workbench/workbench.h"

namespace sepx::ui {

inline constexpr int kSettlingFrames = 3;  ///< ImGui after an event: to act, to lay out what appeared, to settle hover

struct Workbench::Impl {
  struct Pane;
  using Commands = std::vector<Command>;

  Impl(Workbench& owner, WorkbenchOptions wishes);
  ~Impl();

  // workbench.cpp: one frame.
  void advance(gpu::Extent extent, HostFrame& host);
  void beginImgui(gpu::Extent extent, const HostFrame& host);
  void update(HostFrame& host);
  void drawPanels(const HostFrame& host);
  void drawBars();
  void answer(HostFrame& host);
  gpu::TargetStatus paint(gpu::FrameTarget& target);
  void followSettings();
  std::optional<std::string> controlName(std::string_view key);
  bool settledWithoutLesson();

  // workbench_input.cpp: where things stand, and whose an event is.
  float pixelsPerPoint(gpu::Extent extent, float hostScale) const;
  void arrange(const HostFrame& host);
  void route(std::vector<InputEvent> events);
  void routePress(const PointerPressed& press, bool forCanvas);
  void routePointer(const InputEvent& event, bool forCanvas);
  int paneAt(render::Point at) const;  ///< 0: over none
  void leavePane();
  Cursor cursor();

  // workbench_panes.cpp: the panes of the window.
  int shown() const;         ///< how many panes, as the document says
  int activeNumber() const;  ///< from 1
  Pane& pane(int number);    ///< made when it is asked for first
  Pane& active() { return pane(activeNumber()); }
  /// Calls visit(Pane&) for every pane that has a place in this frame.
  template <class Visit>
  void eachShown(Visit visit);
  void activate(int number);
  ExhibitContext context(int number);
  void shareLimits();
  void drawPaneEdges();
  void drawPaneTitles();
  void drawPaneTitle(int own, bool isActive, ImVec2 strip);
  Result<void> split(const std::string& layoutKey);
  Result<void> setWindow(std::string_view key, const Value& value, std::string group);
  void replaced(Document next, int by);
  Document linkedTo(Document document, int by);
  void nextPane();
  Result<PaneKey> resolve(std::string_view key);

  // workbench_document.cpp: changes and read-outs.
  void declare(Pane& into);
  void declareWindow(PropertyRegistry& registry);
  void declareReadOuts(PropertyRegistry& registry);
  Result<void> set(std::string_view key, const Value& value, std::string group);
  Document withoutCarried(const Document& document) const;
  void say(std::string errorSentence);

  // workbench_figures.cpp: figures and the clipboard.
  void stepFigures();
  void figureEnded(const FigureMaker& ended);
  std::vector<JobStatus> figureJobs() const;
  void cancelFigures();
  Result<void> copy(std::string_view command);

  // workbench_files.cpp: sessions and lessons.
  void startAnew();
  Result<void> openSession(const std::string& path, Session session);
  void openLesson(Lesson opened);
  void openRecreated(const std::string& path, Recreated recreated);
  Result<void> takeTable(const Table& table, const std::string& path);
  Result<void> takeModel(const std::string& path, OpenedModel opened);
  void askForMissing();
  void chooseFile(std::string key);
  Result<void> check(const Document& document);
  void begin(Document document, std::uint64_t seed);
  void remember(const std::string& path, const std::string& titled, FileKind kind);
  Document withSeed(Document document) const;

  // workbench_explain.cpp: cards.
  std::optional<render::Point> selectedPlace(int number);
  std::string keyToExplain();
  std::vector<std::string> keysToExplain();
  Result<void> turnCard(int step);
  Result<void> runHelp(std::string_view command);
  void drawCards();
  bool dismissCards();

  // workbench_start.cpp: the start page.
  std::vector<StartEntry> startEntries();
  void showStart();
  void followStart();
  bool startKey(const KeyPressed& press, bool textActive);
  void updateStart(bool parametersShown);
  Result<void> enterExhibit(const std::string& key);
  void drawStart();
  bool startMayReplace(const StartEntry& entry);
  void chooseStart(const StartEntry& entry);

  // workbench_commands.cpp: commands and the keys that mean them.
  Commands commands();
  void addFileCommands(Commands& to);
  void addViewCommands(Commands& to);
  void addExhibitCommands(Commands& to);
  void addLessonCommands(Commands& to);
  const std::vector<JobHandle>& awaited();
  Result<void> run(std::string_view command);
  Result<void> runFile(std::string_view command);
  Result<void> runView(std::string_view command);
  Result<void> nextTheme();
  Result<void> runLesson(std::string_view command);
  bool newIsMeant();
  bool runShortcut(const KeyPressed& press, bool textActive);

  Workbench& self;
  WorkbenchOptions options;
  History history;
  std::vector<std::string> carried;  ///< keys that undo leaves alone, of all panes
  std::array<std::unique_ptr<Pane>, kMostPanes> panes;
  std::atomic<bool> published{false};  ///< set by worker threads
  ThreadPool pool;
  Jobs jobs;

  ImguiContext imgui;
  ImguiInput input;
  ControlMap controls;
  Chrome chrome;
  LessonPlayer lesson;
  LessonPanel lessonPanel;
  StartPage startPage;
  ErrataSheet errataSheet;
  ExplainCard card;
  std::uint64_t startRevision = 0;  ///< of the document when the page was shown
  std::string startAsked;           ///< what was chosen while it would have cost unsaved work
  std::unique_ptr<ImguiPainter> painter;
  gpu::Context* gpu = nullptr;  ///< of the last target

  const Theme* theme;
  std::uint64_t settingsSeen = 0;
  std::string themeWanted;  ///< settings.theme when it was looked at last
  bool chromeShown = true;
  bool figure = false;
  Layout layout;
  std::vector<PanePlace> places;  ///< of the panes in this frame
  std::vector<render::PlacedScene> scenes;
  std::optional<ColorLimits> sharedLimits;
  render::Point window;  ///< points
  float scale = 1;       ///< pixels per point, as the interface uses it
  double seconds = 0;
  bool framed = false;               ///< there was a frame: positions on the canvas mean something
  const render::Scene empty;         ///< before the first frame
  std::optional<Button> canvasOwns;  ///< the button that went down on a canvas and is still down
  int gesturePane = 0;               ///< in which pane it went down
  int pointerPane = 0;               ///< over whose picture the pointer is, 0: over none
  render::Point pointerAt;           ///< points
  int controlsOf = 1;                ///< the pane whose panel `controls` knows
  int fontGeneration = 0;

  int settling = kSettlingFrames;  ///< frames that ImGui still needs
  std::uint64_t drawnRevision = ~0ull;
  std::optional<std::uint64_t> newAsked;  ///< the revision at which a key asked for a new document
  HostFrame::Wish wish = HostFrame::Wish::None;
  std::string fileFor;  ///< the key that waits for a file of the host's dialog
  OpenedModel model;    ///< the checkpoint opened last: its exhibit need not read the headers once more
  std::vector<Message> messages;
  std::string file;      ///< of the open session
  FileStamp stamp;       ///< what it held when it was opened or saved here
  std::string readOnly;  ///< why it cannot be saved under its own name
  std::string title;     ///< of a state without a file: the figure or lost window it came from
  Document saved;        ///< as last opened or saved, without carried keys
  bool unsaved = false;  ///< came back after a kill: modified whatever it holds
  std::uint64_t programSeed = 0;
  std::uint64_t modifiedAt = ~0ull;  ///< revision of the history that `isModified` belongs to
  bool isModified = false;
  FrameTimes times;
  std::vector<std::unique_ptr<FigureMaker>> figures;  ///< that are being made
};

/// One pane: its exhibits with their results, its declarations, and its view of the document. As the Editor of its
/// exhibits it knows keys without a pane's number.
struct Workbench::Impl::Pane final : Editor {
  Pane(Impl& owner, int number);

  const Document& document() const override;
  std::uint64_t revision() const override;
  const PropertyRegistry& properties() const override { return registry; }
  Result<void> set(std::string_view key, const Value& value, std::string group = {}) override;
  void commit(Document next, std::string label, std::string group = {}) override;
  void replace(Document next) override;
  void seal() override { owner.history.seal(); }
  void say(std::string errorSentence) override { owner.say(std::move(errorSentence)); }

  Exhibit& exhibit() const;
  Exhibit* find(std::string_view key) const;  ///< null: there is none of that name
  const Document& withWindow() const;         ///< document() and what belongs to the window
  bool playing() const;
  bool complete() const;
  /// It is no longer shown: what a device holds for it goes. Its jobs end by themselves, for when it comes back.
  void hide();

  Impl& owner;
  const int number;
  PropertyRegistry registry;
  std::vector<std::unique_ptr<Exhibit>> exhibits;
  const render::Scene* scene = nullptr;
  std::vector<JobHandle> awaited;  ///< jobs that the page in view waits for, as of the last update
  CanvasInput canvas;              ///< events of this frame
  Cursor cursor = Cursor::Arrow;

 private:
  void refresh() const;
  mutable Document document_, withWindow_;
  mutable std::uint64_t seen_ = ~0ull, revision_ = 0;
};

template <class Visit>
void Workbench::Impl::eachShown(Visit visit) {
  for (std::size_t i = 0; i < places.size(); ++i)
    visit(pane(static_cast<int>(i) + 1));
}

}  // namespace sepx::ui
