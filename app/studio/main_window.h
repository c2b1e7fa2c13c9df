// SPDX-License-Identifier: Apache-2.0
// The studio's window: menus from the workbench's commands, library and inspector docks, status bar, dialogs for files,
// and the viewport in the middle. It shows the workbench's state and holds none of its own. GUI thread.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/studio/viewport.h"
#include "app/window_session.h"

#include <QMainWindow>

class QAction;
class QActionGroup;
class QDockWidget;
class QLabel;
class QMenu;

namespace sepx::app {

class Inspector;
class Library;

class MainWindow final : public QMainWindow {
  Q_OBJECT

 public:
  /// `session` outlives the window.
  explicit MainWindow(WindowSession& session);
  ~MainWindow() override;

  Viewport& viewport() { return *viewport_; }
  Inspector& inspector() { return *inspector_; }

  /// A session or a lesson. A failure stays on screen and leaves the document as it was.
  bool openFile(const QString& path);
  /// Writes to the open session, or asks where.
  bool save();
  bool saveAs();
  /// An empty session.
  bool startAnew();
  /// Under a script nothing may ask.
  void setAsking(bool asking) { asking_ = asking; }
  /// The parameters as a panel in the picture instead of the inspector: for scripts that operate controls by key.
  void showPanelInPicture();
  void setChromeShown(bool shown);
  /// Makes the viewport this large, in pixels; CheckFailed when the window system does not allow it.
  Result<void> resizeViewport(gpu::Extent extent);
  /// The whole window as a picture: the widgets, and the viewport read back from its target (a widget grab leaves it
  /// blank).
  QImage picture();

 public slots:
  /// A frame is worth drawing: called after wake().
  void wake() {
    if (viewport_) viewport_->schedule();
  }

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
    int room = 0;           ///< width of the window, points, from which on it is shown
    bool wanted = true;     ///< the person did not close it
    bool insisted = false;  ///< the person asked for it although there is little room
  };

  // menus.cpp
  void buildMenus();
  void buildThemeMenu(QMenu* view);
  void buildHostActions();
  void refreshMenus();
  void runCommand(const std::string& key);
  void showAbout();
  // docks.cpp
  void addDocks();
  void addStatusBar();
  void fitDocks();
  void wantDock(QDockWidget* dock, bool wanted);
  void refreshStatus();
  // files.cpp
  void open();
  void openAsked(const QString& path);
  QString suggestedFile() const;
  bool hasOwnChanges() const;
  /// True when nothing would be lost, or the person agreed.
  bool mayDiscard();
  /// The same where something else takes the place of what is open: a lesson that has begun counts too.
  bool mayReplace();
  bool mayLeaveLesson();

  void placeViewport();
  void refresh();
  void grantWish();
  void recover();
  void applyTheme();
  void toggleFullScreen();
  void failed(const Error& error);
  QString openName() const;

  WindowSession& session_;
  std::unique_ptr<Viewport> viewport_;
  Inspector* inspector_ = nullptr;
  Library* library_ = nullptr;
  std::array<Fold, 2> folds_;  ///< library, inspector
  QLabel* status_ = nullptr;   ///< what the exhibit says
  QLabel* folded_ = nullptr;   ///< which docks gave way
  QLabel* place_ = nullptr;    ///< what is open, and the device
  std::map<std::string, QMenu*> menus_;
  std::map<std::string, QAction*> actions_;
  QActionGroup* themes_ = nullptr;
  std::vector<std::string> commandKeys_;
  std::string theme_;
  bool asking_ = true;
  bool chrome_ = true;
  bool panelInPicture_ = false;
};

}  // namespace sepx::app
