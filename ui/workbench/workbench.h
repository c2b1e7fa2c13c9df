// SPDX-License-Identifier: Apache-2.0
// The one entry of the interface: hosts give it input and a target, it gives back a frame and requests. Headless, stage
// and studio differ only in what target and which events they bring. Frame thread only.
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
  bool scripted = false;  ///< simulated time, CPU doubles unless compute says Gpu
  std::uint64_t seed = 0;
  int threads = 0;  ///< 0: all cores
  std::string theme = "dark";
  bool stage = false;                   ///< large type, no chrome
  bool figure = false;                  ///< the exhibit's picture alone fills the target, as setFigure(true)
  bool legend = true;                   ///< of a figure
  std::vector<FigureChoice> choices{};  ///< of a figure, by pane; empty: whole pages
  std::optional<Document> document{};   ///< to begin with, instead of an empty one
  std::optional<ColorLimits> limits{};  ///< of a figure of one pane: what its window's panes share
  std::string version;                  ///< of the program, for the recipe of pictures
  std::vector<std::string> without;     ///< commands that this host cannot serve: they do not exist
  /// Keys that the host itself serves, for the sheet of keys: chord and what it does, N_("…").
  std::vector<std::pair<std::string, std::string>> hostKeys;
  std::function<void()> wake;    ///< called from worker threads when a frame is worth drawing
  Settings* settings = nullptr;  ///< outlives the workbench; null: the person's preferences are unknown (headless)
  std::function<void(const Clip&)> copy;  ///< puts something on the clipboard; empty: there is none
  std::function<std::string()> paste;     ///< the text on the clipboard; empty: there is none
  /// Opens a file or folder with the desktop's own program for it; empty: there is none.
  std::function<void(const std::string& path)> openOutside{};
  std::vector<std::pair<std::string, std::string>> lessons;  ///< path and title of those that ship, for the start page
  std::string assets;  ///< folder of what ships with the program; empty: nothing does
  std::string rules;   ///< folder of the person's rules for checkpoints; empty: none
  /// What a kill left behind, for the start page: file (as restore() takes it), and title with its time.
  std::vector<std::pair<std::string, std::string>> recoveryFiles;
  /// Called when restore() took over what a kill left behind, with its file; may be empty.
  std::function<void(const std::string& file)> restored;
  /// Of the window that a figure is made of; null: the workbench has its own.
  std::shared_ptr<Runs> runs{};
  /// Where its own makes new runs; empty: train::defaultRunsFolder(), under a script a folder that goes at the end.
  std::string runsFolder{};
  /// Folder that says which runs train here (RunsOptions::marks), so that the next start offers those that a kill or
  /// the end of the window interrupted; empty: nothing does.
  std::string runMarks{};
  /// The window shows what another one does (follow()): without a pointer, a lesson player and panels of its own.
  bool follows = false;
  bool presents = false;  ///< the host can open a stage on a second screen
  /// Called in frame() when what the window shows is known and before it is drawn: what follows it need not wait.
  std::function<void()> updated{};
};

/// What the workbench asks of the host.
enum class HostRequest {
  None,
  OpenDialog,
  ConfirmOpening,  ///< to call finishOpening(): may what was read take the place of the document?
  SaveDialog,
  ExportDialog,
  Preferences,
  Palette,
  FullScreen,
  Present,        ///< open the stage on the second screen, or bring it back
  EndPresenting,  ///< close it
  SaveAnswers,    ///< ask for a file name, and write homeworkAnswers() there
  Quit
};

/// What the host tells about this frame.
struct HostFrame {
  std::vector<InputEvent> events;
  double seconds = 0;           ///< time since start; simulated under a script
  float scale = 1;              ///< pixels per point
  bool inspectorShown = false;  ///< a native inspector shows the parameters: the ImGui parameter panel hides

  // What the workbench answers.
  Cursor cursor = Cursor::Arrow;
  bool wantsFrame = false;  ///< something moves by itself: draw again without waiting for an event
  std::string title;
  HostRequest request = HostRequest::None;  ///< one at a time
};

/// When the document changes to what was read.
enum class TakeOpened {
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
  bool passes = false;  ///< it stands over the picture and goes with the next press or key: nothing waits for an answer
};

class Workbench {
 public:
  explicit Workbench(WorkbenchOptions options);
  ~Workbench();

  /// Feeds the events, updates, draws into the target. A NotReady target still gets its events and update.
  gpu::TargetStatus frame(gpu::FrameTarget& target, HostFrame& host);
  /// As frame() but for the drawing, which draw() does until the next frame: for hosts that look at few of their
  /// frames. `extent`: of the picture, pixels; without draw() it may be larger than the images of the device.
  void advance(gpu::Context& device, gpu::Extent extent, HostFrame& host);
  gpu::TargetStatus draw(gpu::FrameTarget& target);
  /// Events and update without a device: hosts that have no target.
  void tick(gpu::Extent extent, HostFrame& host);
  /// False when a frame now would be the same picture as the last one: hosts then sleep.
  bool needsFrame() const;
  /// Frees what belongs to a device that is about to go (loss, shutdown).
  void releaseGpu();

  const Document& document() const;
  const History& history() const;
  /// Of the active pane: keys as declared, without a pane's number, and the document that goes with them. What belongs
  /// to the window ("panes.", "workbench.") is in it too.
  const PropertyRegistry& properties() const;
  const Document& paneDocument() const;
  /// The declaration of a full key ("flow@2.p"); nothing where there is none or its pane is not shown.
  std::optional<PropertyRegistry::Found> find(std::string_view key) const;

  /// Sets a parameter by its key through the registry (validated, undoable, named). The one way in for Qt, scripts and
  /// panels. Calls with the same non-empty `group` that follow each other are one undo step, until seal().
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
    std::optional<bool> checked{};  ///< of what is on or off
  };
  std::vector<Command> commands() const;
  /// Those of an exhibit of the active pane, also while another one is in sight: it is brought into sight before one of
  /// them is run.
  std::vector<Command> commandsOf(std::string_view exhibit) const;
  /// The command whose control in the active pane's picture is at a place of the window, pixels.
  std::optional<Command> commandAt(render::Point place) const;
  /// Of WorkbenchOptions.
  const std::vector<std::pair<std::string, std::string>>& hostKeys() const;
  Result<void> run(std::string_view command);

  std::string exhibitKey() const;  ///< of the active pane's exhibit, "flow"

  /// Panes, from 1: a window has 1, 2 or 4 (`panes.layout`), one of them active (`panes.active`): panels, the inspector
  /// and commands are about that one. The keys of pane 1 are as declared, those of another have its number behind the
  /// first name: "flow@2.p". "panes.linked": cameras move together; "panes.limits": own|shared colour limits.
  int panes() const;
  int activePane() const;
  void activatePane(int pane);
  /// "flow.p" in pane 2 is "flow@2.p"; keys that belong to the window ("panes.layout", "workbench.theme") stay as they
  /// are.
  std::string inPane(std::string_view key, int pane) const;
  /// The pictures of all panes and where they stand in the window, points.
  const std::vector<render::PlacedScene>& scenes() const;
  /// Adds an initial point to the exhibit of a pane; 0: of the active one.
  Result<void> addPoint(const std::vector<double>& theta, int pane = 0);

  /// Anything a person may drop (file_kind.h). What it cannot use it names in one sentence, and leaves the document.
  /// Waits until it was read: for scripts, and hosts without a window.
  Result<void> open(const std::string& path);
  /// The same for windows: one or more files are read in a job, and the document changes only when all of them were. A
  /// later call takes the place of one that still reads. At once under a script, and then with what was wrong.
  Result<void> startOpening(std::vector<std::string> paths, TakeOpened take = TakeOpened::WhenRead);
  /// The curves of a training run: for who chose it as a run. open() shows the weights that it saved. Undoable.
  void showRun(const std::string& folder);
  /// Name of what startOpening() reads; empty: nothing.
  std::string opening() const;
  /// Everything was read, and waits for finishOpening().
  bool openingRead() const;
  /// Takes what was read, or forgets it; Usage when nothing was.
  Result<void> finishOpening(bool take);
  /// False when nothing was being opened.
  bool cancelOpening();
  /// CheckFailed when the file was changed by another program since it was opened or saved here, or is of a newer
  /// version of this one; `anyway`: written all the same (the host asked).
  Result<void> save(const std::string& path, bool anyway = false);
  /// Why the open session cannot be saved under its own name; empty: it can.
  std::string readOnly() const;
  bool modified() const;
  /// What a kill left behind; takes its document, modified, under the name it had.
  Result<void> restore(const std::string& recoveryFile);
  std::string path() const;  ///< of the open session, empty if none
  /// The present document with a note of what it belongs to: what restore() takes, as a session file.
  Document recoveryDocument() const;

  /// Data to window pixels on a canvas ("flow", in pane 2 "flow@2") or a view of readable() ("training.curves.loss",
  /// "training@2.curves.loss"; of the active pane also "curves.loss"); nullopt before the first frame and where the
  /// pane shows another exhibit or is not shown.
  std::optional<render::Point> toPixels(std::string_view canvas, render::Point data) const;
  /// What of the active pane's picture can be read without seeing it, boxes and places in points of the window; valid
  /// until the next frame.
  std::vector<ReadableView> readable() const;
  /// What is read by keyboard; of what a person placed, the selected element. Nothing: nothing is.
  std::optional<ReadingPlace> reading() const;
  /// Reads a cell of readable(): the picture shows it as what is under the pointer. False: there is none.
  bool read(const ReadingPlace& place);

  /// Centre of the ImGui control of a registry key, in window pixels; nullopt when it is not on screen. The panel is
  /// the active pane's: "flow@2.p" is on screen while pane 2 is active.
  std::optional<render::Point> controlAt(std::string_view key) const;
  /// False where the control is there but scrolled out of its panel: the next frame scrolls to it.
  bool bringIntoView(std::string_view key);
  /// The sentence that stands under a control because what was typed into it is not a value.
  std::optional<std::string> refusal(std::string_view key) const;

  const Lesson* lesson() const;    ///< the open lesson, or null
  std::size_t lessonStep() const;  ///< from 0
  /// Shows a step of the open lesson; `run`: its script lines run as a person watches. Without, a ScriptRunner runs
  /// them.
  void enterLessonStep(std::size_t step, bool run);
  /// The name of who does the homework that is open (homework.h): its values are set, and it begins again. Usage with a
  /// sentence: nothing in the lesson varies, or the name is empty or too long.
  Result<void> beginHomework(const std::string& name);
  /// The file of what was answered so far, and what it may be called. Usage: no homework was begun.
  struct HomeworkFile {
    std::string text, name;
  };
  Result<HomeworkFile> homeworkAnswers() const;

  /// What this window shows, for one that follows it, with what the lecturer does to it (presenter.h).
  Presented presented() const;
  /// Shows what another window shows; `lesson`: of presented.lesson, null where it could not be read. BadInput names
  /// what of the document is refused: the picture is as before. Only where the options say so.
  Result<void> follow(const Presented& presented, std::shared_ptr<const Lesson> lesson);
  /// Keys and state of the second screen.
  Presenter& presenter();
  const Presenter& presenter() const;
  /// A sentence that stands quietly in a corner of a window that follows: nobody is there. Empty: none.
  void setQuietSentence(std::string sentence);

  /// Whether a lesson may do this, by the list of ui/exhibits/lesson_list.h: Usage with what is not on it. An event: as
  /// it would act in the next frame.
  Result<void> allowedInLesson(const ScriptStep& step) const;
  Result<void> allowedInLesson(const InputEvent& event) const;

  /// On: the exhibit's picture alone fills the target, without panels, lesson, pointer and advice to a person; off: as
  /// before. For pictures that leave the program.
  void setFigure(bool on);

  /// Starts a figure (figure.h): it is made step by step in the frames that follow, shows as a job, says a note when it
  /// is written and an error when it is not.
  Result<void> exportFigure(FigureRequest request);

  /// Opens the card that explains a read-out or parameter. Usage when there is no such key.
  Result<void> explain(std::string_view key);
  /// The same card as plain text, for screen readers and the clipboard.
  Result<std::string> explanation(std::string_view key) const;

  /// How the present picture came about, as JSON: program, version, seed, document.
  std::string recipe() const;
  /// The active pane's scene of the last update, for exporters and tests.
  const render::Scene& scene() const;
  /// The exhibit of a pane (1 to panes()), for its numbers and captions.
  const Exhibit& exhibit(int pane) const;
  /// All exhibits of the active pane, in the order of the tabs.
  std::vector<const Exhibit*> exhibits() const;
  /// What panes that share their colour limits show; nothing while each has its own.
  std::optional<ColorLimits> sharedLimits() const;
  const WorkbenchOptions& options() const;
  /// Of the target of the last frame; null before, and without one.
  gpu::Context* gpu() const;

  std::vector<JobStatus> jobs() const;
  Jobs& jobLanes();
  /// Trainers and open runs of the window; in a figure those of its window.
  Runs& runs() const;
  /// Ends one of jobs() by its lane, a figure that is being made too.
  void cancelJob(std::string_view lane);
  /// No job, no animation, play paused, last picture complete, every run that was opened read. A run that trains is
  /// not waited for.
  bool settled() const;

  const std::vector<Message>& messages() const;
  void say(Message message);
  /// The start page shows a picture that is not of the active pane: its parameters and numbers are out of sight.
  bool paneHidden() const;
  std::string statusLine() const;   ///< which device computed what, what is under the pointer
  std::string runningLine() const;  ///< what runs, how far it is and how long yet; empty: nothing does
  const FrameTimes& times() const;

  /// Usage with the themes there are when there is none of that name.
  Result<void> setTheme(std::string_view name);
  std::string theme() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sepx::ui
