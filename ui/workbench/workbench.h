// SPDX-License-Identifier: Apache-2.0
// The entry point of the user interface. Hosts pass input and a target; the workbench returns a frame and requests.
// Headless, stage and studio hosts differ only in their targets and events. Frame thread only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/job.h"
#include "engine/core/result.h"
#include "engine/gpu/frame_target.h"
#include "engine/render/scene.h"
#include "ui/canvas/input.h"
#include "ui/document/document.h"
#include "ui/document/history.h"
#include "ui/document/lesson.h"
#include "ui/page/exhibit_context.h"
#include "ui/page/figure_choice.h"
#include "ui/page/readable.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

class Exhibit;
class Presenter;
class Runs;
class Settings;
struct Presented;
struct Clip;
struct FigureRequest;
struct ScriptStep;

struct WorkbenchOptions {
  Compute compute = Compute::Auto;
  bool scripted = false;  ///< simulated time; CPU in double precision unless compute is Gpu
  std::uint64_t seed = 0;
  int threads = 0;  ///< 0: all cores
  std::string theme = "dark";
  bool stage = false;                   ///< large type, no chrome
  bool figure = false;                  ///< the exhibit's picture alone fills the target, as setFigure(true)
  bool legend = true;                   ///< of a figure
  std::vector<FigureChoice> choices{};  ///< of a figure, by pane; empty: whole pages
  std::optional<Document> document{};   ///< initial document, instead of an empty one
  std::optional<ColorLimits> limits{};  ///< of a figure of one pane: those that its window's panes share
  std::string version;                  ///< of the program, for the recipe of pictures
  std::vector<std::string> without;     ///< commands that this host does not support; they are left out
  /// Keys that the host itself handles, for the list of keys: chord and description, N_("…").
  std::vector<std::pair<std::string, std::string>> hostKeys;
  std::function<void()> wake;             ///< called from worker threads when a frame is worth drawing
  Settings* settings = nullptr;           ///< outlives the workbench; null: there are no user preferences (headless)
  std::function<void(const Clip&)> copy;  ///< puts something on the clipboard; empty: there is none
  std::function<std::string()> paste;     ///< the text on the clipboard; empty: there is none
  /// Opens a file or folder with the desktop's default program; empty: not possible.
  std::function<void(const std::string& path)> openExternally{};
  std::vector<std::pair<std::string, std::string>> lessons;  ///< path and title of bundled lessons, for the start page
  std::string assets;  ///< folder of the files that ship with the program; empty: none
  std::string rules;   ///< folder of the user's rules for checkpoints; empty: none
  /// Recovery files, for the start page: path (as restore() takes it), and title with its time.
  std::vector<std::pair<std::string, std::string>> recoveryFiles;
  /// Called with the recovery file when restore() has opened it; may be empty.
  std::function<void(const std::string& file)> restored;
  /// Runs of the window that a figure is made of; null: the workbench has its own.
  std::shared_ptr<Runs> runs{};
  /// Folder in which its own `runs` make new runs; empty: train::defaultRunsFolder(), or under a script a folder that
  /// is removed at the end.
  std::string runsFolder{};
  /// Folder that records which runs train here (RunsOptions::marks), so that the next start offers those that were
  /// interrupted by a kill or by the end of the window; empty: not recorded.
  std::string runMarks{};
  /// The window shows what another one shows (follow()). It has no pointer, lesson player or panels of its own.
  bool follows = false;
  bool presents = false;  ///< the host can open a stage on a second screen
  /// Called in frame() after the update and before drawing, so that a following window need not wait for the drawing.
  std::function<void()> updated{};
};

/// What the workbench requests from the host.
enum class HostRequest {
  None,
  OpenDialog,
  ConfirmOpening,  ///< ask whether what was read may replace the document, and call finishOpening()
  SaveDialog,
  ExportDialog,
  Preferences,
  Palette,
  FullScreen,
  Present,        ///< open the stage on the second screen, or bring it back
  EndPresenting,  ///< close the stage
  SaveAnswers,    ///< ask for a file name, and write homeworkAnswers() there
  Quit
};

/// What the host passes for this frame, and what the workbench returns.
struct HostFrame {
  std::vector<InputEvent> events;
  double seconds = 0;           ///< time since start; simulated under a script
  float scale = 1;              ///< pixels per point
  bool inspectorShown = false;  ///< a native inspector shows the parameters, so the ImGui panel is hidden

  // What the workbench returns.
  Cursor cursor = Cursor::Arrow;
  bool wantsFrame = false;  ///< something moves by itself: draw again without waiting for an event
  std::string title;
  HostRequest request = HostRequest::None;  ///< one at a time
};

/// When the document changes to what was read.
enum class ApplyOpened {
  WhenRead,
  WhenConfirmed,  ///< HostRequest::ConfirmOpening first, where the document would be replaced
  ByCaller        ///< by finishOpening()
};

struct FrameTimes {
  double updateMs = 0, sceneMs = 0, imguiMs = 0, recordMs = 0, totalMs = 0;
};

struct Message {
  enum class Level { Note, Error } level = Level::Note;
  std::string text;
  std::string command{}, action{};  ///< a command that is offered as a button, and what the button says; empty: none
  std::vector<std::pair<std::string, std::string>> more{};  ///< further such commands
  bool passes = false;  ///< transient: over the picture until a press, a key or some seconds; needs no answer
};

class Workbench {
 public:
  explicit Workbench(WorkbenchOptions options);
  ~Workbench();

  /// Processes the events, updates, and draws into the target. With a NotReady target events and update are processed
  /// all the same.
  gpu::TargetStatus frame(gpu::FrameTarget& target, HostFrame& host);
  /// Like frame() without the drawing, which draw() does until the next frame; for hosts that look at few of their
  /// frames. `extent`: size of the picture, pixels; without draw() it may be larger than the images of the device.
  void advance(gpu::Context& device, gpu::Extent extent, HostFrame& host);
  gpu::TargetStatus draw(gpu::FrameTarget& target);
  /// Events and update without a device, for hosts that have no target.
  void tick(gpu::Extent extent, HostFrame& host);
  /// False when a frame now would show the same picture as the last one; hosts then sleep.
  bool needsFrame() const;
  /// Frees the resources of a device before it goes away (loss, shutdown).
  void releaseGpu();

  const Document& document() const;
  const History& history() const;
  /// Declarations of the active pane, with keys without a pane number, and the document that belongs to them. Both
  /// include what belongs to the window ("panes.", "workbench.").
  const PropertyRegistry& properties() const;
  const Document& paneDocument() const;
  /// The declaration of a full key ("flow@2.p"); empty optional where there is none or its pane is not shown.
  std::optional<PropertyRegistry::Found> find(std::string_view key) const;

  /// Sets a parameter by its key through the registry (validated, undoable, named). This is the only entry for Qt,
  /// scripts and panels. Consecutive calls with the same non-empty `group` are one undo step, until seal().
  Result<void> set(std::string_view key, const Value& value, std::string group = {});
  void seal();
  /// A parameter or read-out by key: "flow.p", "flow.points[0].limit.kind". BadInput when there is no such key.
  Result<Value> get(std::string_view key) const;
  bool undo();
  bool redo();
  /// Commands by name, the same for menus, keys and scripts: "flow.add-point", "view.reset", "play" … See commands().
  struct Command {
    std::string key;
    std::string label;     ///< translated
    std::string shortcut;  ///< "Ctrl+Z"
    std::string menu;      ///< "Edit"; "Exhibit/Points" is a menu inside a menu
    bool enabled = true;
    std::optional<bool> checked{};  ///< for a command that is on or off
  };
  std::vector<Command> commands() const;
  /// The commands of an exhibit of the active pane, also while another exhibit is shown. The exhibit has to be shown
  /// before one of them is run.
  std::vector<Command> commandsOf(std::string_view exhibit) const;
  /// The command whose control in the active pane's picture is at a place of the window, pixels.
  std::optional<Command> commandAt(render::Point place) const;
  /// Those of WorkbenchOptions.
  const std::vector<std::pair<std::string, std::string>>& hostKeys() const;
  Result<void> run(std::string_view command);

  std::string exhibitKey() const;  ///< of the active pane's exhibit, "flow"

  /// Panes, from 1. A window has 1, 2 or 4 (`panes.layout`), one of them active (`panes.active`): panels, the inspector
  /// and commands apply to that one. The keys of pane 1 are as declared; those of another pane have its number after
  /// the first name: "flow@2.p". "panes.linked": cameras move together; "panes.limits": own|shared colour limits.
  int panes() const;
  int activePane() const;
  void activatePane(int pane);
  /// "flow.p" in pane 2 is "flow@2.p"; keys that belong to the window ("panes.layout", "workbench.theme") stay as they
  /// are.
  std::string inPane(std::string_view key, int pane) const;
  /// The pictures of all panes and their positions in the window, points.
  const std::vector<render::PlacedScene>& scenes() const;
  /// Adds an initial point to the exhibit of a pane; 0: of the active one.
  Result<void> addPoint(const std::vector<double>& theta, int pane = 0);

  /// Opens anything that a user may drop (file_kind.h). For what cannot be used, the error says in one sentence what it
  /// is, and the document is unchanged. Blocks until the file was read: for scripts, and hosts without a window.
  Result<void> open(const std::string& path);
  /// The same for windows: one or more files are read in a job, and the document changes only when all of them were
  /// read. A later call replaces one that is still reading. Under a script the files are read at once, and the result
  /// says what was wrong.
  Result<void> startOpening(std::vector<std::string> paths, ApplyOpened take = ApplyOpened::WhenRead);
  /// Shows the curves of a training run that was chosen as a run, whereas open() shows the weights that it saved.
  /// Undoable.
  void showRun(const std::string& folder);
  /// Name of what startOpening() reads; empty: nothing.
  std::string opening() const;
  /// Everything was read, and waits for finishOpening().
  bool openingRead() const;
  /// Takes what was read, or discards it; Usage when nothing was read.
  Result<void> finishOpening(bool take);
  /// False when nothing was being opened.
  bool cancelOpening();
  /// CheckFailed when another program has changed the file since it was opened or saved here, or when the file was
  /// written by a newer version of this program. `anyway`: saves all the same (the host has asked the user).
  Result<void> save(const std::string& path, bool anyway = false);
  /// Why the open session cannot be saved under its own name; empty: it can.
  std::string readOnly() const;
  bool modified() const;
  /// Opens a recovery file: its document, marked as modified, under the name that it had.
  Result<void> restore(const std::string& recoveryFile);
  std::string path() const;  ///< of the open session, empty if none
  /// The current document with a note of the file that it belongs to; written as a session file, restore() takes it.
  Document recoveryDocument() const;

  /// Converts data coordinates to window pixels, on a canvas ("flow", in pane 2 "flow@2") or a view of readable()
  /// ("training.curves.loss", "training@2.curves.loss"; in the active pane also "curves.loss"); nullopt before the
  /// first frame and where the pane shows another exhibit or is not shown.
  std::optional<render::Point> toPixels(std::string_view canvas, render::Point data) const;
  /// What can be read of the active pane's picture without seeing it. Boxes and places in points of the window; valid
  /// until the next frame.
  std::vector<ReadableView> readable() const;
  /// The cell that is read by keyboard, or else the selected element of those that the user placed. Empty optional:
  /// neither.
  std::optional<ReadingPlace> reading() const;
  /// Reads a cell of readable(), which the picture then shows as if the pointer were on it. False: there is none.
  bool read(const ReadingPlace& place);

  /// Centre of the ImGui control of a registry key, in window pixels; nullopt when it is not on screen. The panel is
  /// the active pane's: "flow@2.p" is on screen while pane 2 is active.
  std::optional<render::Point> controlAt(std::string_view key) const;
  /// False where the control exists but is scrolled out of its panel; the next frame scrolls to it.
  bool bringIntoView(std::string_view key);
  /// The message under a control into which an invalid value was typed.
  std::optional<std::string> refusal(std::string_view key) const;

  const Lesson* lesson() const;    ///< the open lesson, or null
  std::size_t lessonStep() const;  ///< from 0
  /// Shows a step of the open lesson. `run`: its script lines run live; otherwise a ScriptRunner runs them.
  void enterLessonStep(std::size_t step, bool run);
  /// Begins the open homework (homework.h) under the name of the user: sets the values that belong to the name and
  /// restarts the lesson. Usage, with a message, if nothing in the lesson varies, or if the name is empty or too long.
  Result<void> beginHomework(const std::string& name);
  /// The file with the answers so far, and a name for it. Usage: no homework was begun.
  struct HomeworkFile {
    std::string text, name;
  };
  Result<HomeworkFile> homeworkAnswers() const;

  /// What this window shows, for a window that follows it, including what the lecturer does to it (presenter.h).
  Presented presented() const;
  /// Shows what another window shows. `lesson`: read from presented.lesson; null where it could not be read. BadInput
  /// names the field of the document that is refused; the picture then stays as it was. Only with
  /// WorkbenchOptions::follows.
  Result<void> follow(const Presented& presented, std::shared_ptr<const Lesson> lesson);
  /// Keys and state of the second screen.
  Presenter& presenter();
  const Presenter& presenter() const;
  /// A sentence that is shown unobtrusively in a corner of a window that follows, because no user works there. Empty:
  /// none.
  void setQuietSentence(std::string sentence);

  /// Whether a lesson may do this, by the list of ui/exhibits/lesson_list.h; Usage names what is not on it. An event is
  /// judged by what it would do in the next frame.
  Result<void> allowedInLesson(const ScriptStep& step) const;
  Result<void> allowedInLesson(const InputEvent& event) const;

  /// On: the exhibit's picture alone fills the target, without panels, lesson, pointer and hints to the user; off: as
  /// before. For exported pictures.
  void setFigure(bool on);

  /// Starts a figure (figure.h). It is made step by step in the following frames and is listed as a job. A note says
  /// when it is written, an error when it is not.
  Result<void> exportFigure(FigureRequest request);

  /// Opens the card that explains a read-out or parameter. Usage when there is no such key.
  Result<void> explain(std::string_view key);
  /// The same card as plain text, for screen readers and the clipboard.
  Result<std::string> explanation(std::string_view key) const;

  /// The recipe of the current picture, as JSON: program, version, seed, document.
  std::string recipe() const;
  /// The active pane's scene of the last update, for exporters and tests.
  const render::Scene& scene() const;
  /// The exhibit of a pane (1 to panes()), for its numbers and captions.
  const Exhibit& exhibit(int pane) const;
  /// All exhibits of the active pane, in the order of the tabs.
  std::vector<const Exhibit*> exhibits() const;
  /// The colour limits that the panes share; empty optional while each pane has its own.
  std::optional<ColorLimits> sharedLimits() const;
  const WorkbenchOptions& options() const;
  /// Device of the target of the last frame; null before the first frame and without a target.
  gpu::Context* gpu() const;

  std::vector<JobStatus> jobs() const;
  Jobs& jobLanes();
  /// Trainers and open runs of the window; in a figure, those of the window that it is made of.
  Runs& runs() const;
  /// Cancels one of jobs() by its lane, also a figure that is being made.
  void cancelJob(std::string_view lane);
  /// No job and no animation runs, play is paused, the last picture is complete, and every opened run was read. A run
  /// that trains is not waited for.
  bool settled() const;

  const std::vector<Message>& messages() const;
  void say(Message message);
  /// Whether the start page shows a picture that is not of the active pane, so that the pane's parameters and numbers
  /// are not visible.
  bool paneHidden() const;
  std::string statusLine() const;   ///< which device computed what, what is under the pointer
  std::string runningLine() const;  ///< running jobs, their progress and remaining time; empty: none
  const FrameTimes& times() const;

  /// Usage, with the known themes, when there is none of that name.
  Result<void> setTheme(std::string_view name);
  std::string theme() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sepx::ui
