// SPDX-License-Identifier: Apache-2.0
// The studio's menus, made from the workbench's commands and the few that only a desktop window has. Chords with a
// modifier and function keys are shortcuts of the window; plain keys reach the workbench through the viewport, so that
// typing in a field of the inspector never triggers them; their menu entries only name them.
#include <algorithm>
#include <array>

#include "app/data_files.h"
#include "app/studio/main_window.h"
#include "ui/canvas/theme.h"
#include "ui/properties/tr.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>

namespace sepx::app {

namespace {

constexpr std::string_view kNextTheme = "view.theme";  // in the menu of themes
constexpr std::array<const char*, 7> kMenus{N_("File"), N_("Edit"),   N_("View"), N_("Exhibit"),
                                            N_("Run"),  N_("Lesson"), N_("Help")};

QString text(const char* source) {
  return QString::fromUtf8(ui::tr(source));
}

/// Whether a chord may be taken from whatever widget has the focus.
bool isWindowChord(const std::string& chord) {
  return chord.find("Ctrl+") != std::string::npos || chord.find("Alt+") != std::string::npos;
}

/// The key of a theme as a menu entry.
QString themeName(const std::string& key) {
  if (key == "dark") return text(N_("Dark"));
  if (key == "light") return text(N_("Light"));
  return QString::fromStdString(key);
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
    if (command.menu.empty() || command.key == kNextTheme) continue;
    auto& menu = menus_[command.menu];
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

void MainWindow::buildThemeMenu(QMenu* view) {
  QMenu* menu = view->addMenu(text(N_("Theme")));
  themes_ = new QActionGroup(menu);
  for (const std::string& key : ui::themeKeys()) {
    QAction* action = menu->addAction(themeName(key));
    action->setCheckable(true);
    action->setData(QString::fromStdString(key));
    themes_->addAction(action);
    connect(action, &QAction::triggered, this, [this, key] {
      const auto done = session_.workbench().setTheme(key);
      if (!done) return failed(done.error());
      wake();
    });
  }
  menu->addSeparator();
  QAction* next = menu->addAction(text(N_("Next theme")), this, [this] { runCommand(std::string(kNextTheme)); });
  next->setObjectName(QString::fromUtf8(kNextTheme.data(), int(kNextTheme.size())));
  next->setShortcut(QKeySequence(QStringLiteral("Ctrl+T")));
  addAction(next);
}

void MainWindow::buildHostActions() {
  QMenu* view = menus_["View"];
  view->addSeparator();
  buildThemeMenu(view);
  view->addSeparator();
  for (const Fold& fold : folds_)
    view->addAction(fold.dock->toggleViewAction());
  auto* full = view->addAction(text(N_("Full screen")), this, &MainWindow::toggleFullScreen);
  full->setShortcut(Qt::Key_F11);
  auto* focus = view->addAction(text(N_("Go to the picture")), this, [this] {
    if (viewport_) viewport_->activate();
  });
  focus->setShortcut(Qt::Key_F6);

  QMenu* lesson = menus_["Lesson"];
  if (!lesson->isEmpty()) lesson->addSeparator();
  for (const auto& file : lessons()) {
    lesson->addAction(QString::fromStdString(file.title), this,
                      [this, path = QString::fromStdString(file.path)] { openAsked(path); });
  }
  menus_["Help"]->addAction(text(N_("About Separatrix")), this, &MainWindow::showAbout);
  // An action of a hidden menu bar has no shortcut; the window itself keeps them all.
  for (const auto& [key, action] : actions_)
    addAction(action);
  addAction(full);
  addAction(focus);
}

void MainWindow::showAbout() {
  QMessageBox box(this);
  box.setWindowTitle(text(N_("About Separatrix")));
  box.setIconPixmap(QApplication::windowIcon().pixmap(64, 64));
  box.setTextFormat(Qt::PlainText);
  box.setText(QString::fromStdString(version()) + QStringLiteral("\n\n") +
              text(N_("A desktop laboratory for the learning dynamics of transformers.")));
  box.setInformativeText(text(N_("Device: %1\nQt %2\nLicence: Apache-2.0, without warranty"))
                             .arg(QString::fromStdString(session_.deviceName()), QString::fromLatin1(qVersion())));
  box.exec();
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
  const QString theme = QString::fromStdString(session_.workbench().theme());
  for (QAction* action : themes_->actions())
    action->setChecked(action->data().toString() == theme);
}

void MainWindow::runCommand(const std::string& key) {
  // What needs a dialog or the window is the host's; all else is the workbench's.
  if (key == "file.new") return static_cast<void>(startAnew());
  if (key == "file.open") return open();
  if (key == "file.save") return static_cast<void>(save());
  if (key == "file.save-as") return static_cast<void>(saveAs());
  if (key == "file.quit") return static_cast<void>(close());
  const auto done = session_.workbench().run(key);
  if (!done) return failed(done.error());
  wake();
}

}  // namespace sepx::app
