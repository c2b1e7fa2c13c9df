// SPDX-License-Identifier: Apache-2.0
// The studio's menus, made from the workbench's commands and the few that only a desktop window has. Chords with a
// modifier and function keys are shortcuts of the window; plain keys reach the workbench through the viewport, so that
// typing in a field of the inspector never triggers them; their menu entries only name them.
#include <algorithm>
#include <array>

#include "app/data_files.h"
#include "app/studio/main_window.h"
#include "ui/properties/tr.h"

#include <QAction>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>

namespace sepx::app {

namespace {

constexpr std::array<const char*, 7> kMenus{N_("File"), N_("Edit"),   N_("View"), N_("Exhibit"),
                                            N_("Run"),  N_("Lesson"), N_("Help")};

QString text(const char* source) {
  return QString::fromUtf8(ui::tr(source));
}

/// Whether a chord may be taken from whatever widget has the focus.
bool isWindowChord(const std::string& chord) {
  return chord.find("Ctrl+") != std::string::npos || chord.find("Alt+") != std::string::npos;
}

std::vector<std::string> keysOf(const std::vector<ui::Workbench::Command>& commands) {
  std::vector<std::string> keys;
  for (const auto& command : commands)
    keys.push_back(command.key);
  return keys;
}

}  // namespace

void MainWindow::buildMenus() {
  menuBar()->clear();
  for (auto& [name, menu] : menus_)
    delete menu;
  menus_.clear();
  actions_.clear();
  const auto commands = session_.workbench().commands();
  commandKeys_ = keysOf(commands);
  for (const char* name : kMenus)
    menus_[name] = menuBar()->addMenu(text(name));
  for (const auto& command : commands) {
    auto& menu = menus_[command.menu];
    if (command.menu.empty()) continue;
    if (!menu) {
      menu = new QMenu(QString::fromStdString(ui::tr(command.menu)), this);
      menuBar()->insertMenu(menus_["Help"]->menuAction(), menu);
    }
    auto* action = menu->addAction(QString::fromStdString(command.label));
    action->setObjectName(QString::fromStdString(command.key));
    if (isWindowChord(command.shortcut)) action->setShortcut(QKeySequence(QString::fromStdString(command.shortcut)));
    connect(action, &QAction::triggered, this, [this, key = command.key] { runCommand(key); });
    actions_[command.key] = action;
  }
  buildHostActions();
  refreshMenus();
}

void MainWindow::buildHostActions() {
  QMenu* view = menus_["View"];
  view->addSeparator();
  view->addAction(libraryDock_->toggleViewAction());
  view->addAction(inspectorDock_->toggleViewAction());
  auto* full = view->addAction(text(N_("Full screen")), this, &MainWindow::toggleFullScreen);
  full->setShortcut(Qt::Key_F11);
  auto* focus = view->addAction(text(N_("Go to the picture")), this, [this] {
    if (viewport_) viewport_->activate();
  });
  focus->setShortcut(Qt::Key_F6);

  QMenu* lesson = menus_["Lesson"];
  if (!lesson->isEmpty()) lesson->addSeparator();
  for (const auto& file : lessons()) {
    lesson->addAction(QString::fromStdString(file.title), this, [this, path = QString::fromStdString(file.path)] {
      if (mayDiscard()) openFile(path);
    });
  }
  menus_["Help"]->addAction(text(N_("About Separatrix")), this, [this] {
    QMessageBox::about(this, text(N_("About Separatrix")),
                       QString::fromStdString(version()) + QStringLiteral("\n\n") +
                           text(N_("A desktop laboratory for the learning dynamics of transformers.\nApache-2.0.")));
  });
  // An action of a hidden menu bar has no shortcut; the window itself keeps them all.
  for (const auto& [key, action] : actions_)
    addAction(action);
  addAction(full);
  addAction(focus);
}

void MainWindow::refreshMenus() {
  const auto commands = session_.workbench().commands();
  if (keysOf(commands) != commandKeys_) {
    buildMenus();
    return;
  }
  for (const auto& command : commands) {
    const auto at = actions_.find(command.key);
    if (at == actions_.end()) continue;
    QString label = QString::fromStdString(command.label);
    if (!command.shortcut.empty() && !isWindowChord(command.shortcut)) {
      label += QStringLiteral("\t") + QString::fromStdString(command.shortcut);
    }
    QAction& action = *at->second;
    if (action.text() != label) action.setText(label);
    if (action.isEnabled() != command.enabled) action.setEnabled(command.enabled);
  }
}

void MainWindow::runCommand(const std::string& key) {
  // What needs a dialog or the window is the host's; all else is the workbench's.
  if (key == "file.open") return open();
  if (key == "file.save") return static_cast<void>(save());
  if (key == "file.save-as") return static_cast<void>(saveAs());
  if (key == "file.quit") return static_cast<void>(close());
  const auto done = session_.workbench().run(key);
  if (!done) return failed(done.error());
  wake();
}

}  // namespace sepx::app
