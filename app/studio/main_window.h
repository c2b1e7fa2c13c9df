// SPDX-License-Identifier: Apache-2.0
// The studio's window: menus and tool bar from the workbench's commands, docks, status bar, dialogs, and the viewport
// in the middle. It shows the workbench's state and holds none of its own. GUI thread.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "app/studio/command_palette.h"
#include "app/studio/viewport.h"
#include "app/window_session.h"
#include "ui/workbench/figure.h"

#include <QMainWindow>
#include <QPointer>

class QAction;
class QActionGroup;
class QDockWidget;
class QLabel;
class QMenu;
class QToolBar;
class QToolButton;
class QTranslator;

namespace sepx::app {

class GradingDialog;
class Inspector;
class JobsPanel;
class Library;
class LessonEditor;
class MessagesDialog;
class Presenting;

class MainWindow final : public QMainWindow {
  Q_OBJECT

 public:
  /// `session` must outlive the window.
  explicit MainWindow(WindowSession& session);
  ~MainWindow() override;

  Viewport& viewport() { return *viewport_; }               ///< only if hasPicture()
  bool hasPicture() const { return viewport_ != nullptr; }  ///< false: the graphics device was lost twice
  Inspector& inspector() { return *inspector_; }
  Presenting& presenting() { return *presenting_; }

  /// Opens anything that a workbench opens, read in the background: first at most one file that replaces the open
  /// session, then those that are added to it. Asks before something is lost. A failure stays on screen and leaves the
  /// document unchanged.
  void openFiles(std::vector<std::string> paths);
  /// The same, with names from Qt's dialogs and drops.
  void openFiles(const QStringList& paths);
  /// Writes to the open session, or asks for a file; asks what to do when another program changed the file.
  bool save();
  bool saveAs();
  /// Asks for a file and writes the answers of the open homework to it. True when it was written.
  bool saveAnswers();
  /// Starts an empty session. False when the user cancels or it fails.
  bool newSession();
  /// Whether the window may ask questions. Under a script it must not.
  void setAsking(bool asking) { asking_ = asking; }
  /// Whether size and position of the last run were restored.
  bool recallsLayout() const { return arranged_; }
  /// Offers the recovery files. Call once the window is shown.
  void offerRecovery();
  /// The desktop session ends: unsaved work is kept, and no more questions are asked.
  void saveBeforeExit();
  /// The system asks the program to end: does the same and exits.
  void exitGracefully();
  /// Shows the parameters as a panel in the picture instead of the inspector, for scripts that operate controls by key.
  void showPanelInPicture();
  void setChromeShown(bool shown);
  /// Which settings apply: a setting given by a flag on the command line is not used in this run.
  void follow(bool theme, bool scale) {
    followsTheme_ = theme;
    followsScale_ = scale;
  }
  /// Whether the desktop is dark, which the theme "system" follows.
  void setSystemDark(bool dark) { systemIsDark_ = dark; }
  /// Scales type and picture by this factor; 1 to 3.
  void setZoom(double zoom);
  /// Makes the viewport this large, in pixels; CheckFailed when the window system does not allow it.
  Result<void> resizeViewport(gpu::Extent extent);
  /// The whole window as a picture: the widgets, and the viewport read back from its target (a widget grab leaves it
  /// blank).
  QImage picture();
  /// Everything the palette finds.
  std::vector<PaletteEntry> paletteEntries();
  /// The context menu of the picture. The caller owns the menu.
  QMenu* pictureMenu();

 public slots:
  /// Asks for a file and opens it.
  void open();
  /// Schedules a frame that is worth drawing.
  void wake() {
    if (viewport_) viewport_->schedule();
  }
  /// Opens the files that a second start of the program handed over. The names of files need not be UTF-8.
  void receive(std::vector<std::string> paths);

  void showPalette();
  void showPreferences();
  void showExport();
  void showMessages();
  void showLessonEditor();
  /// Asks for the folder of a class, and grades it.
  void gradeHomework();

 signals:
  /// Emitted before the device and all that belongs to it are freed: every receiver must release what it holds of it.
  void deviceLost();
  /// The first frame on the new device was drawn.
  void deviceRenewed();

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;

 private:
  /// A dock that is hidden in a narrow window to leave room for the picture.
  struct Fold {
    QDockWidget* dock = nullptr;
    int docks = 0;       ///< width of it and of the docks that are hidden later, at zoom 1, points; 0: always shown
    bool wanted = true;  ///< the user did not close it
    bool forcedOpen = false;  ///< the user opened it although there is little room
  };

  // menus.cpp
  void buildMenus();
  QMenu* menuOf(const std::string& path);
  void buildRecent();
  void fillRecent();
  void buildThemeMenu(QMenu* view);
  void buildWindowMenu();
  void buildHostActions();
  QAction* addHostAction(QMenu* menu, const char* name, const QString& label, const QKeySequence& key,
                         void (MainWindow::*slot)());
  void refreshMenus();
  void runCommand(const std::string& key);
  void copyReport();
  void showAbout();
  QString aboutText() const;
  static QString papersText();  ///< full citations, one per line
  // shell.cpp
  void buildToolBar();
  void fillToolBar();
  void addBanner();
  /// Titles of tool bar, banner and status bar.
  void nameBars();
  void addPaletteField();
  void refreshBanner();
  void serveRequest();
  void explain(const std::string& key);
  void showPictureMenu(QPoint global);
  bool pictureHasMenu() const;
  /// An action for a command that the current page does not have; null where none is needed.
  QAction* placeholderAction(const std::string& key);
  void showTip(QPointF pixels, QPoint global);
  // palette_entries.cpp
  void addParameters(std::vector<PaletteEntry>& entries);
  void addCommandsElsewhere(std::vector<PaletteEntry>& entries);
  void addFiles(std::vector<PaletteEntry>& entries);
  void addModel(std::vector<PaletteEntry>& entries);
  void addStudies(std::vector<PaletteEntry>& entries);
  void goToExhibit(const std::string& exhibit);
  /// Makes the changes that ui/page/requests.h gives for a page.
  void goTo(const std::vector<std::pair<std::string, ui::Value>>& changes);
  /// Shows the curves of a run, by its folder.
  void showRun(const std::string& folder);
  /// `page`: the page to show; empty: any.
  void goToParameter(const std::string& declared, const std::string& page);
  // docks.cpp
  void addDocks();
  QDockWidget* addDock(const char* name, Qt::DockWidgetArea area);
  /// Sets titles and contents.
  void fillDocks();
  void fillDock(QDockWidget* dock, const char* title, QWidget* content);
  void addStatusBar();
  void fitDocks();
  /// Sets the initial widths of the docks from the width of the window: those of both (anew), or that of a library
  /// whose width the user has not changed.
  void fitWidths(bool anew);
  double typeFactor() const;  ///< size of Qt's font relative to that at zoom 1
  /// Whether the window is wide enough for the dock beside the picture.
  bool hasRoom(const Fold& fold) const;
  void wantDock(QDockWidget* dock, bool wanted);
  void showDock(QDockWidget* dock);
  void refreshStatus();
  void keepLayout();
  void recallLayout();
  void resetLayout();
  // main_window.cpp
  void followLanguage();
  // files.cpp
  void openFolder();
  QString askClassFolder();
  // grading_dialog.cpp
  void gradeFolder(const QString& folder);
  /// Whether the path is one folder that contains answers to homework.
  static bool isClassFolder(const std::vector<std::string>& paths);
  void confirmOpening();
  bool saveTo(const std::string& path);
  QString suggestedFile() const;
  bool hasOwnChanges() const;
  /// True when nothing would be lost, or the user agreed.
  bool confirmDiscard();
  /// The same for the answers of the open homework.
  bool confirmDiscardAnswers();
  /// True when no run trains, or the user decided what happens to the runs that do.
  bool decideTrainingRuns();
  /// The same as confirmDiscard() when something else replaces what is open; changes in a lesson count too.
  bool confirmReplace();
  bool confirmLeaveLesson();
  /// The folder where the user chose a file last, stored under a name of the settings; else that of the session.
  QString lastFolder(const char* kept) const;
  void keepFolder(const char* kept, const QString& folder);
  QString askFigurePath(QString suffix, const QString& title);
  void exportFigure(ui::FigureRequest request);
  void dropAt(const QStringList& paths, QPointF at);

  void placeViewport();
  void refresh();
  void recover();
  void applyTheme();
  void applySettings();
  void toggleFullScreen();
  void leaveFullScreen();
  bool pictureTakesEscape() const;
  /// Handles shortcuts and menus while the picture has the keyboard focus.
  bool takeKey(const QKeyEvent& event);
  void goToPicture();
  void goToInspector();
  void searchInspector();
  void failed(const Error& error);
  QString openName() const;

  WindowSession& session_;
  std::unique_ptr<Viewport> viewport_;
  Inspector* inspector_ = nullptr;
  Library* library_ = nullptr;
  std::unique_ptr<Presenting> presenting_;
  JobsPanel* jobs_ = nullptr;
  std::array<Fold, 3> folds_;  ///< library, inspector, jobs
  QLabel* status_ = nullptr;   ///< status line of the workbench
  QToolButton* running_ = nullptr;
  QLabel* folded_ = nullptr;  ///< docks that are hidden for lack of room
  QLabel* place_ = nullptr;   ///< the open document, and the device
  QToolBar* tools_ = nullptr;
  QToolBar* banner_ = nullptr;  ///< why the session cannot be saved
  QLabel* bannerText_ = nullptr;
  QToolButton* bannerSave_ = nullptr;
  QToolButton* paletteField_ = nullptr;
  QMenu* recent_ = nullptr;
  QPointer<MessagesDialog> messages_;
  QPointer<LessonEditor> lessonEditor_;
  QPointer<GradingDialog> grading_;
  std::map<std::string, QMenu*> menus_;
  std::map<std::string, QAction*> actions_;
  std::vector<QAction*> hostActions_;
  std::vector<QAction*> placeholderActions_;  ///< of the tool bar
  QActionGroup* themes_ = nullptr;
  std::vector<std::string> commandKeys_;
  std::string theme_, language_;
  std::string savedAnswers_;  ///< text of the file of answers that was written last
  std::unique_ptr<QTranslator> qtWords_;
  std::vector<std::string> waiting_;  ///< files handed over while a question was open
  std::uint64_t listedAt_ = ~0ull;    ///< revision of the settings when the recent files were listed
  bool confirming_ = false;           ///< the question of confirmOpening() is open
  std::uint64_t settingsRevision_ = ~0ull;
  double zoom_ = 1;
  double typeSize_ = 0;  ///< points of the interface at zoom 1
  bool followsTheme_ = true, followsScale_ = true, systemIsDark_ = false;
  bool asking_ = true;
  bool ends_ = false;  ///< the system ends the program: ask nothing
  bool busy_ = false;  ///< a dialog is open: requests wait
  bool chrome_ = true;
  bool toolsWanted_ = true;  ///< before the chrome was hidden
  bool arranged_ = false;    ///< the widths of the docks were set by the user
  int libraryWidth_ = 0;     ///< as set by fitWidths(), pixels
  bool panelInPicture_ = false;
  bool renewing_ = false;   ///< nothing was drawn on the new device yet
  bool reporting_ = false;  ///< reporter_ is examining the machine
  std::jthread reporter_;   ///< last: it ends before the members that it uses
};

}  // namespace sepx::app
