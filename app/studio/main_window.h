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
  /// `session` outlives the window.
  explicit MainWindow(WindowSession& session);
  ~MainWindow() override;

  Viewport& viewport() { return *viewport_; }               ///< where it has a picture
  bool hasPicture() const { return viewport_ != nullptr; }  ///< false: the graphics device was lost twice
  Inspector& inspector() { return *inspector_; }
  Presenting& presenting() { return *presenting_; }

  /// Anything a workbench opens, read in the background: what takes the place of the open session first, and one of
  /// those, then what joins it. Asks before something is lost. A failure stays on screen and leaves the document as it
  /// was.
  void openFiles(std::vector<std::string> paths);
  /// The same, by names as Qt's dialogs and drops have them.
  void openFiles(const QStringList& paths);
  /// Writes to the open session, or asks where; asks what to do when another program changed the file.
  bool save();
  bool saveAs();
  /// Asks where, and writes what was answered of the homework that is open. True when it was written.
  bool saveAnswers();
  /// An empty session.
  bool startAnew();
  /// Under a script nothing may ask.
  void setAsking(bool asking) { asking_ = asking; }
  /// Size and place are those of the last run.
  bool recallsLayout() const { return arranged_; }
  /// What dead windows left: offered once the window is there.
  void offerRecovery();
  /// The session of the desktop ends: what is not saved is kept, and nothing is asked any more.
  void keepForEnd();
  /// The system asks the program to end: as above, and it ends.
  void endInOrder();
  /// The parameters as a panel in the picture instead of the inspector: for scripts that operate controls by key.
  void showPanelInPicture();
  void setChromeShown(bool shown);
  /// Which settings count: what a flag of the command line says is said for this run.
  void follow(bool theme, bool scale) {
    followsTheme_ = theme;
    followsScale_ = scale;
  }
  /// Whether the desktop is dark: what the theme "system" means.
  void setSystemDark(bool dark) { systemIsDark_ = dark; }
  /// Type and picture this much larger; 1 to 3.
  void setZoom(double zoom);
  /// Makes the viewport this large, in pixels; CheckFailed when the window system does not allow it.
  Result<void> resizeViewport(gpu::Extent extent);
  /// The whole window as a picture: the widgets, and the viewport read back from its target (a widget grab leaves it
  /// blank).
  QImage picture();
  /// Everything the palette finds.
  std::vector<PaletteEntry> paletteEntries();
  /// What can be done with the picture, for its context menu. The caller owns the menu.
  QMenu* pictureMenu();

 public slots:
  /// Asks for a file and opens it.
  void open();
  /// A frame is worth drawing: called after wake().
  void wake() {
    if (viewport_) viewport_->schedule();
  }
  /// A second program handed over what it was started with. The names of files need not be UTF-8.
  void receive(std::vector<std::string> paths);

  void showPalette();
  void showPreferences();
  void showExport();
  void showMessages();
  void showLessonEditor();
  /// Asks for the folder of a class, and grades it.
  void gradeHomework();

 signals:
  /// Before the device and all that belongs to it are freed: who holds something of it lets go of it here.
  void deviceLost();
  /// The first frame on the device that took its place was drawn.
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
  /// A dock that gives way to the picture in a narrow window.
  struct Fold {
    QDockWidget* dock = nullptr;
    int docks = 0;          ///< width that it and those that go before it take at zoom 1, points; 0: always shown
    bool wanted = true;     ///< the person did not close it
    bool insisted = false;  ///< the person asked for it although there is little room
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
  static QString papersText();  ///< full citations, a line each
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
  /// Of a command that the present page does not have; null where none is needed.
  QAction* standIn(const std::string& key);
  void showTip(QPointF pixels, QPoint global);
  // palette_entries.cpp
  void addParameters(std::vector<PaletteEntry>& entries);
  void addCommandsElsewhere(std::vector<PaletteEntry>& entries);
  void addFiles(std::vector<PaletteEntry>& entries);
  void addModel(std::vector<PaletteEntry>& entries);
  void addStudies(std::vector<PaletteEntry>& entries);
  void goToExhibit(const std::string& exhibit);
  /// What ui/page/requests.h says for a page.
  void goTo(const std::vector<std::pair<std::string, ui::Value>>& changes);
  /// The curves of a run, by its folder.
  void showRun(const std::string& folder);
  /// `page`: to be in sight; empty: any.
  void goToParameter(const std::string& declared, const std::string& page);
  // docks.cpp
  void addDocks();
  QDockWidget* addDock(const char* name, Qt::DockWidgetArea area);
  /// Titles and contents.
  void fillDocks();
  void fillDock(QDockWidget* dock, const char* title, QWidget* content);
  void addStatusBar();
  void fitDocks();
  /// The widths that docks have at first: those of both (anew), or that of a library which nobody has made wider or
  /// narrower, by the width of the window.
  void fitWidths(bool anew);
  double typeFactor() const;  ///< of Qt's type, to its size at zoom 1
  /// Whether the window is wide enough for the dock beside the picture.
  bool hasRoom(const Fold& fold) const;
  void wantDock(QDockWidget* dock, bool wanted);
  void showDock(QDockWidget* dock);
  void refreshStatus();
  void keepLayout();
  void recallLayout();
  void resetLayout();
  // retranslate.cpp
  void followLanguage();
  // files.cpp
  void openFolder();
  QString askClassFolder();
  // grading_dialog.cpp
  void gradeFolder(const QString& folder);
  /// One folder, with answers to homework in it.
  static bool isClassFolder(const std::vector<std::string>& paths);
  void confirmOpening();
  bool saveTo(const std::string& path);
  QString suggestedFile() const;
  bool hasOwnChanges() const;
  /// True when nothing would be lost, or the person agreed.
  bool mayDiscard();
  /// The same of the answers of the homework that is open.
  bool mayForgetAnswers();
  /// True when no run trains, or the person said what becomes of those that do.
  bool mayLeaveRuns();
  /// The same where something else takes the place of what is open: what a person changed in a lesson counts too.
  bool mayReplace();
  bool mayLeaveLesson();
  /// Where the person chose a file last, under a name of the settings; else beside the session.
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
  /// Shortcuts and menus while the picture has the keyboard.
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
  QLabel* status_ = nullptr;   ///< what the exhibit says
  QToolButton* running_ = nullptr;
  QLabel* folded_ = nullptr;  ///< which docks gave way
  QLabel* place_ = nullptr;   ///< what is open, and the device
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
  std::vector<QAction*> standIns_;  ///< of the tool bar
  QActionGroup* themes_ = nullptr;
  std::vector<std::string> commandKeys_;
  std::string theme_, language_;
  std::string savedAnswers_;  ///< the text of the file of answers that was written last
  std::unique_ptr<QTranslator> qtWords_;
  std::vector<std::string> waiting_;  ///< handed over while a question was open
  std::uint64_t listedAt_ = ~0ull;    ///< revision of the settings when the recent files were listed
  bool confirming_ = false;           ///< confirmOpening() asks
  std::uint64_t settingsRevision_ = ~0ull;
  double zoom_ = 1;
  double typeSize_ = 0;  ///< points of the interface at zoom 1
  bool followsTheme_ = true, followsScale_ = true, systemIsDark_ = false;
  bool asking_ = true;
  bool ends_ = false;  ///< there is nobody to ask
  bool busy_ = false;  ///< a dialog is open: wishes wait
  bool chrome_ = true;
  bool toolsWanted_ = true;  ///< before the chrome went away
  bool arranged_ = false;    ///< the widths of the docks are the person's
  int libraryWidth_ = 0;     ///< that fitWidths() gave, pixels
  bool panelInPicture_ = false;
  bool renewing_ = false;   ///< nothing was drawn on the new device yet
  bool reporting_ = false;  ///< reporter_ looks at the machine
  std::jthread reporter_;   ///< last: it ends before what it speaks to
};

}  // namespace sepx::app
