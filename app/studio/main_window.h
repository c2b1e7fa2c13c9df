// SPDX-License-Identifier: Apache-2.0
// The studio's window: menus from the workbench's commands, library and inspector docks, status bar, dialogs for files,
// and the viewport in the middle. It shows the workbench's state and holds none of its own. GUI thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/studio/viewport.h"
#include "app/window_session.h"

#include <QMainWindow>

class QAction;
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
  /// Under a script nothing may ask.
  void setAsking(bool asking) { asking_ = asking; }
  void setInspectorShown(bool shown);
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
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;

 private:
  void buildMenus();
  void buildHostActions();
  void refreshMenus();
  void addDocks();
  void placeViewport();
  void refresh();
  void grantWish();
  void recover();
  void applyTheme();
  void runCommand(const std::string& key);
  void toggleFullScreen();
  void open();
  bool hasOwnChanges() const;
  /// True when nothing would be lost, or the person agreed.
  bool mayDiscard();
  void failed(const Error& error);

  WindowSession& session_;
  std::unique_ptr<Viewport> viewport_;
  Inspector* inspector_ = nullptr;
  Library* library_ = nullptr;
  QDockWidget* inspectorDock_ = nullptr;
  QDockWidget* libraryDock_ = nullptr;
  QLabel* status_ = nullptr;
  std::map<std::string, QMenu*> menus_;
  std::map<std::string, QAction*> actions_;
  std::vector<std::string> commandKeys_;
  std::string theme_;
  bool asking_ = true;
  bool chrome_ = true;
  bool inspectorWanted_ = true, libraryWanted_ = true;
};

}  // namespace sepx::app
