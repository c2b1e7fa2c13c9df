// SPDX-License-Identifier: Apache-2.0
// Builds the studio's menus from the workbench's commands and the few that only a desktop window has. Keys with a
// modifier and function keys are shortcuts of the window. Plain keys reach the workbench through the viewport, so that
// typing in a field of the inspector never triggers them; their menu entries only show them.
#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <memory>
#include <system_error>
#include <thread>

#include "app/data_files.h"
#include "app/machine.h"
#include "app/machine_text.h"
#include "app/studio/icons.h"
#include "app/studio/main_window.h"
#include "app/studio/mnemonics.h"
#include "app/studio/text.h"
#include "engine/core/references.h"
#include "engine/core/resource_limits.h"
#include "engine/core/thread_name.h"
#include "ui/canvas/theme.h"
#include "ui/properties/tr.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QDateTime>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QSysInfo>
#include <QToolBar>

namespace sepx::app {

namespace {

constexpr std::string_view kNextTheme = "view.theme";  // shown in the menu of themes

/// Lists the lessons at the end of `menu`, and again when it opens after the user's folder has changed.
void listLessons(QMenu* menu, const std::function<void(const QString&)>& open) {
  struct Listed {
    QList<QAction*> actions;
    QDateTime changed;
  };
  const auto list = [menu, open, listed = std::make_shared<Listed>()] {
    const QDateTime changed = QFileInfo(QString::fromStdString(ownLessonsFolder())).lastModified();
    if (!listed->actions.isEmpty() && changed == listed->changed) return;
    const bool again = !listed->actions.isEmpty();
    listed->changed = changed;
    qDeleteAll(listed->actions);
    listed->actions.clear();
    for (const LessonFile& one : lessons())
      listed->actions.append(menu->addAction(asLabel(QString::fromStdString(one.title)), menu,
                                             [open, path = QString::fromStdString(one.path)] { open(path); }));
    if (again) assignMnemonics(menu);
  };
  list();
  QObject::connect(menu, &QMenu::aboutToShow, menu, list);
}
constexpr std::array<const char*, 8> kMenus{N_("File"), N_("Edit"),   N_("View"),   N_("Exhibit"),
                                            N_("Run"),  N_("Lesson"), N_("Window"), N_("Help")};
constexpr char kInside = '/';
/// Commands with a separator above them in their menu.
constexpr std::array<std::string_view, 11> kSections{
    "file.save",      "file.export", "file.quit",   "edit.copy-number", "edit.copy-state", "edit.preferences",
    "view.split-one", "view.theme",  "view.chrome", "lesson.close",     "help.errata"};

/// Whether a key may be a shortcut of the window, whichever widget has the focus.
bool isWindowChord(const std::string& chord) {
  const bool function = chord.size() >= 2 && chord[0] == 'F' && std::isdigit(static_cast<unsigned char>(chord[1]));
  return function || chord.find("Ctrl+") != std::string::npos || chord.find("Alt+") != std::string::npos;
}

/// The menu entry of the theme with this key.
QString themeName(const std::string& key) {
  const ui::Theme* theme = ui::findTheme(key);
  return theme && !theme->name.empty() ? QString::fromStdString(ui::tr(theme->name)) : QString::fromStdString(key);
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
    if (name.find(kInside) == std::string::npos) delete menu;  // and its submenus
  menus_.clear();
  actions_.clear();
  for (QAction* action : hostActions_)
    delete action;
  hostActions_.clear();
  const auto commands = session_.workbench().commands();
  commandKeys_ = keysOf(commands);
  for (const char* name : kMenus)
    menus_[ui::tr(name)] = menuBar()->addMenu(text(name));
  for (const auto& command : commands) {
    if (command.menu.empty()) continue;
    QMenu* const menu = menuOf(command.menu);
    const bool section = std::count(kSections.begin(), kSections.end(), command.key) > 0;
    if (section && !menu->isEmpty()) menu->addSeparator();
    if (command.key == kNextTheme) {
      buildThemeMenu(menu);
      continue;
    }
    auto* action = menu->addAction(QString::fromStdString(command.label));
    action->setObjectName(QString::fromStdString(command.key));
    action->setIcon(commandIcon(command.key));
    action->setIconVisibleInMenu(false);
    if (isWindowChord(command.shortcut)) action->setShortcut(QKeySequence(QString::fromStdString(command.shortcut)));
    connect(action, &QAction::triggered, this, [this, key = command.key] { runCommand(key); });
    actions_[command.key] = action;
    if (command.key == "file.open") buildRecent();
  }
  buildHostActions();
  buildWindowMenu();
  // Actions of a hidden menu bar have no shortcuts, so the window itself gets all actions.
  for (const auto& [key, action] : actions_)
    addAction(action);
  fillToolBar();
  refreshMenus();
  for (auto& [name, menu] : menus_)
    menu->menuAction()->setVisible(!menu->isEmpty());
  addPaletteField();
}

/// The menu "Exhibit", or "Exhibit/Points" for a submenu; created when it is first requested.
QMenu* MainWindow::menuOf(const std::string& path) {
  QMenu*& menu = menus_[path];
  if (menu) return menu;
  const auto inside = path.rfind(kInside);
  if (inside != std::string::npos) {
    menu = menuOf(path.substr(0, inside))->addMenu(QString::fromStdString(path.substr(inside + 1)));
  } else {
    menu = new QMenu(QString::fromStdString(path), this);
    menuBar()->insertMenu(menus_[ui::tr("Window")]->menuAction(), menu);
  }
  return menu;
}

void MainWindow::buildRecent() {
  recent_ = menus_[ui::tr("File")]->addMenu(text(N_("Open recent")));
  recent_->setObjectName(QStringLiteral("file.recent"));
  connect(recent_, &QMenu::aboutToShow, this, &MainWindow::fillRecent);
  fillRecent();
}

void MainWindow::fillRecent() {
  recent_->clear();
  const auto files = session_.settings().recent();
  int number = 1;
  for (const auto& file : files) {
    const QString path = QString::fromStdString(file.path);
    const QString title = file.title.empty() ? QFileInfo(path).fileName() : QString::fromStdString(file.title);
    const QString digit = QString::number(number % 10);
    auto* action = recent_->addAction(digit + QStringLiteral("  ") + asLabel(title));
    action->setToolTip(path);
    action->setStatusTip(path);
    connect(action, &QAction::triggered, this, [this, path] { openFiles({path}); });
    ++number;
  }
  if (files.empty()) recent_->addAction(text(N_("No recent files")))->setEnabled(false);
  recent_->addSeparator();
  auto* clear = recent_->addAction(text(N_("Clear the list")));
  clear->setEnabled(!files.empty());
  connect(clear, &QAction::triggered, this, [this] { session_.settings().clearRecent(); });
  assignMnemonics(recent_);
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
      // The user's choice is stored; if that fails, it still applies to this window.
      static_cast<void>(session_.settings().set("settings.theme", key, ui::OnFailure::Ignore));
      if (const auto done = session_.workbench().setTheme(key); !done) return failed(done.error());
      wake();
    });
  }
  menu->addSeparator();
  QAction* next = menu->addAction(text(N_("Next theme")), this, [this] { runCommand(std::string(kNextTheme)); });
  next->setObjectName(QString::fromUtf8(kNextTheme.data(), int(kNextTheme.size())));
  next->setShortcut(QKeySequence(QStringLiteral("Ctrl+T")));
  addAction(next);
}

QAction* MainWindow::addHostAction(QMenu* menu, const char* name, const QString& label, const QKeySequence& key,
                                   void (MainWindow::*slot)()) {
  auto* action = new QAction(label, this);
  action->setObjectName(QString::fromLatin1(name));
  action->setShortcut(key);
  connect(action, &QAction::triggered, this, slot);
  menu->addAction(action);
  addAction(action);
  hostActions_.push_back(action);
  return action;
}

void MainWindow::buildWindowMenu() {
  QMenu* menu = menus_[ui::tr("Window")];
  for (const Fold& fold : folds_)
    menu->addAction(fold.dock->toggleViewAction());
  menu->addAction(tools_->toggleViewAction());
  menu->addSeparator();
  addHostAction(menu, "window.picture", text(N_("Go to the picture")), Qt::Key_F7, &MainWindow::goToPicture);
  addHostAction(menu, "window.parameters", text(N_("Go to the inspector")), Qt::Key_F8, &MainWindow::goToInspector);
  addHostAction(menu, "window.search", text(N_("Search the inspector")), QKeySequence(QStringLiteral("Ctrl+F")),
                &MainWindow::searchInspector);
  addHostAction(menu, "window.reset", text(N_("Reset the panel layout")), {}, &MainWindow::resetLayout);
}

void MainWindow::buildHostActions() {
  QMenu* file = menus_[ui::tr("File")];
  // After "Open…": a checkpoint in shards, or a run, is a folder, which a file dialog cannot choose.
  auto* folder = addHostAction(file, "file.open-folder", text(N_("Open a folder…")),
                               QKeySequence(QStringLiteral("Ctrl+Shift+O")), &MainWindow::openFolder);
  file->removeAction(folder);
  file->insertAction(recent_->menuAction(), folder);
  auto* close = new QAction(text(N_("Close window")), this);
  close->setObjectName(QStringLiteral("window.close"));
  close->setShortcut(QKeySequence(QStringLiteral("Ctrl+W")));
  connect(close, &QAction::triggered, this, &QWidget::close);
  const auto quit = actions_.find("file.quit");
  file->insertAction(quit == actions_.end() ? nullptr : quit->second, close);
  addAction(close);
  hostActions_.push_back(close);

  QMenu* lesson = menus_[ui::tr("Lesson")];
  addHostAction(lesson, "lesson.editor", text(N_("Lesson editor…")), {}, &MainWindow::showLessonEditor);
  addHostAction(lesson, "lesson.grade", text(N_("Grade homework…")), {}, &MainWindow::gradeHomework);
  if (!lesson->isEmpty()) lesson->addSeparator();
  listLessons(lesson, [this](const QString& path) { openFiles({path}); });
  QMenu* help = menus_[ui::tr("Help")];
  if (!help->isEmpty()) help->addSeparator();
  addHostAction(help, "help.report", text(N_("Copy a report on this machine")), {}, &MainWindow::copyReport);
  addHostAction(help, "help.messages", text(N_("Messages…")), {}, &MainWindow::showMessages);
  addHostAction(help, "help.about", text(N_("About Separatrix")), {}, &MainWindow::showAbout);
}

QString MainWindow::aboutText() const {
  return text(N_("%1\nDevice: %2\nQt %3 on %4\nLicence: Apache-2.0, without warranty"))
      .arg(QString::fromStdString(version()), QString::fromStdString(session_.deviceName()),
           QString::fromLatin1(qVersion()), QSysInfo::prettyProductName());
}

QString MainWindow::papersText() {
  QString papers = text(N_("The papers that it covers:"));
  for (const Reference& one : sepx::papers())
    papers += QStringLiteral("\n%1: %2").arg(one.name, QString::fromStdString(citation(one)));
  return papers + "\n" + text(N_("docs/references.md lists them with third-party code and data."));
}

/// Copies the output of `sepx doctor`. Examining the machine takes a moment, so it runs in a thread of its own.
void MainWindow::copyReport() {
  if (reporting_) return;
  const auto look = [this] {
    nameThread("report");
    const std::string report = machineText(examineMachine({}));
    const auto tell = [this, report] {
      reporting_ = false;
      session_.workbench().options().copy({report, {}, {}});
      session_.workbench().say(
          {.text = ui::tr("The report on this machine is on the clipboard: paste it into an issue."), .passes = true});
      wake();
    };
    QMetaObject::invokeMethod(this, tell, Qt::QueuedConnection);
  };
  try {
    reporter_ = std::jthread(look);
    reporting_ = true;
  } catch (const std::system_error& error) {
    if (!isThreadRefused(error)) throw;
    failed({ErrorKind::Internal, noThread()});
  }
}

void MainWindow::showAbout() {
  QMessageBox box(this);
  box.setWindowTitle(text(N_("About Separatrix")));
  box.setIconPixmap(QApplication::windowIcon().pixmap(64, 64));
  box.setText(text(N_("A desktop laboratory for the learning dynamics of transformers.")));
  box.setInformativeText(aboutText() + QStringLiteral("\n\n") + papersText());
  box.exec();
}

void MainWindow::refreshMenus() {
  const auto commands = session_.workbench().commands();
  if (keysOf(commands) != commandKeys_) {
    buildMenus();
    return;
  }
  bool renamed = false;
  for (const auto& command : commands) {
    const auto at = actions_.find(command.key);
    if (at == actions_.end()) continue;
    QAction& action = *at->second;
    const QString words = QString::fromStdString(command.label);
    if (withoutMnemonic(action.text()) != words || action.data().isNull()) {
      QString label = asLabel(words);
      if (!command.shortcut.empty() && !isWindowChord(command.shortcut)) {
        label += QStringLiteral("\t") + QString::fromStdString(command.shortcut);
      }
      action.setText(label);
      action.setData(true);  // the label was set
      const QString key = command.shortcut.empty() ? QString() : QString::fromStdString(" (" + command.shortcut + ")");
      action.setToolTip(words + key);
      renamed = true;
    }
    if (action.isEnabled() != command.enabled) action.setEnabled(command.enabled);
    if (action.isCheckable() != command.checked.has_value()) action.setCheckable(command.checked.has_value());
    if (command.checked && action.isChecked() != *command.checked) action.setChecked(*command.checked);
  }
  const QString theme = QString::fromStdString(session_.workbench().theme());
  if (themes_) {
    for (QAction* action : themes_->actions())
      action->setChecked(action->data().toString() == theme);
  }
  if (renamed) assignMnemonics(menuBar());
}

void MainWindow::runCommand(const std::string& key) {
  // Commands that need a dialog or the window are run here, all others by the workbench.
  if (key == "file.new") return static_cast<void>(newSession());
  if (key == "file.open") return open();
  if (key == "file.save") return static_cast<void>(save());
  if (key == "file.save-as") return static_cast<void>(saveAs());
  if (key == "file.quit") return static_cast<void>(close());
  const auto done = session_.workbench().run(key);
  wake();
  if (!done) return failed(done.error());
}

}  // namespace sepx::app
