// SPDX-License-Identifier: Apache-2.0
// The studio's window apart from menus and docks: tool bar, banner, the palette and its field, the picture's context
// menu, and the dialogs that a frame may request.
#include <algorithm>
#include <array>
#include <utility>

#include "app/studio/export_dialog.h"
#include "app/studio/icons.h"
#include "app/studio/inspector.h"
#include "app/studio/main_window.h"
#include "app/studio/messages_dialog.h"
#include "app/studio/mnemonics.h"
#include "app/studio/preferences.h"
#include "app/studio/presenting.h"
#include "app/studio/restore_dialog.h"
#include "app/studio/text.h"
#include "ui/page/exhibit.h"
#include "ui/properties/tr.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>
#include <QToolButton>
#include <QToolTip>

namespace sepx::app {

namespace {

/// Empty: a separator. "exhibits": one button for each exhibit; "exhibit": the commands of the current exhibit that
/// have an icon. The latter come last, so that all others are at the same position on every page.
constexpr std::array<std::string_view, 26> kTools{"exhibits",
                                                  "",
                                                  "file.open",
                                                  "file.save",
                                                  "file.export",
                                                  "edit.copy-picture",
                                                  "",
                                                  "edit.undo",
                                                  "edit.redo",
                                                  "",
                                                  "play.toggle",
                                                  "jobs.cancel-page",
                                                  "",
                                                  "view.zoom-in",
                                                  "view.zoom-out",
                                                  "view.reset",
                                                  "",
                                                  "view.split-one",
                                                  "view.split-two",
                                                  "view.split-four",
                                                  "view.link-cameras",
                                                  "view.share-limits",
                                                  "",
                                                  "help.explain",
                                                  "",
                                                  "exhibit"};
constexpr std::string_view kOfExhibit = "exhibit", kExhibits = "exhibits", kExhibitCommand = "exhibit.";

/// Commands of the picture's context menu, where they exist, below the exhibit's own commands.
constexpr std::array<std::string_view, 18> kOnPicture{"",
                                                      "play.toggle",
                                                      "view.reset",
                                                      "view.zoom-in",
                                                      "view.zoom-out",
                                                      "",
                                                      "view.split-one",
                                                      "view.split-two",
                                                      "view.split-four",
                                                      "",
                                                      "edit.copy-number",
                                                      "edit.copy-picture",
                                                      "edit.copy-table",
                                                      "edit.copy-state",
                                                      "file.export",
                                                      "",
                                                      "help.explain",
                                                      "view.chrome"};

/// Commands that some pages do not have: their buttons stay in place, disabled.
constexpr std::array<std::pair<std::string_view, const char*>, 5> kAtTimes{
    {{"play.toggle", N_("Play or pause")},
     {"view.zoom-in", N_("Zoom in")},
     {"view.zoom-out", N_("Zoom out")},
     {"view.reset", N_("Reset view")},
     {"jobs.cancel-page", N_("Cancel the jobs of this page")}}};

}  // namespace

void MainWindow::buildToolBar() {
  tools_ = new QToolBar;
  addToolBar(tools_);
  tools_->setObjectName(QStringLiteral("tools"));
  tools_->setToolButtonStyle(Qt::ToolButtonIconOnly);  // a command without an icon shows its words
}

QAction* MainWindow::placeholderAction(const std::string& key) {
  const auto known = std::find_if(kAtTimes.begin(), kAtTimes.end(), [&](const auto& one) { return one.first == key; });
  if (known == kAtTimes.end()) return nullptr;
  auto* action = new QAction(commandIcon(key), text(known->second), tools_);
  action->setObjectName(QString::fromStdString(key + "#none"));
  action->setEnabled(false);
  placeholderActions_.push_back(action);
  return action;
}

void MainWindow::fillToolBar() {
  tools_->clear();
  qDeleteAll(placeholderActions_);
  placeholderActions_.clear();
  bool line = false;  // whether a separator comes before the next tool
  const auto add = [this, &line](const std::string& key) {
    const auto at = actions_.find(key);
    QAction* const action = at == actions_.end() ? placeholderAction(key) : at->second;
    if (!action) return;
    if (std::exchange(line, false) && !tools_->actions().isEmpty()) tools_->addSeparator();
    tools_->addAction(action);
  };
  for (const std::string_view key : kTools) {
    if (key.empty()) {
      line = true;
    } else if (key == kExhibits) {
      for (const std::string& name : commandKeys_)
        if (name.starts_with(kExhibitCommand)) add(name);
    } else if (key == kOfExhibit) {
      for (const auto& [name, action] : actions_) {
        if (name.rfind(session_.workbench().exhibitKey() + ".", 0) == 0 && !action->icon().isNull()) add(name);
      }
    } else {
      add(std::string(key));
    }
  }
  constexpr int kLeastSide = 24;  // points, for use with a pointer
  for (QAction* const action : tools_->actions()) {
    QWidget* const button = action->isSeparator() ? nullptr : tools_->widgetForAction(action);
    if (!button) continue;
    button->setMinimumHeight(kLeastSide);
    if (!action->icon().isNull()) button->setMinimumWidth(kLeastSide);  // buttons with text keep their width
  }
  for (auto* extension : tools_->findChildren<QToolButton*>(QStringLiteral("qt_toolbar_ext_button")))
    extension->setAccessibleName(text(N_("More tools")));
}

void MainWindow::addBanner() {
  addToolBarBreak();
  banner_ = new QToolBar;
  addToolBar(banner_);
  banner_->setObjectName(QStringLiteral("banner"));
  banner_->setMovable(false);
  banner_->toggleViewAction()->setVisible(false);
  auto* row = new QWidget;
  auto* across = new QHBoxLayout(row);
  across->setContentsMargins(6, 2, 6, 2);
  bannerText_ = new QLabel;
  bannerText_->setObjectName(QStringLiteral("banner.text"));
  bannerText_->setWordWrap(true);
  bannerSave_ = new QToolButton;
  connect(bannerSave_, &QToolButton::clicked, this, [this] { saveAs(); });
  across->addWidget(bannerText_, 1);
  across->addWidget(bannerSave_);
  banner_->addWidget(row);
  banner_->setVisible(false);
}

void MainWindow::refreshBanner() {
  const QString why = QString::fromStdString(session_.workbench().readOnly());
  const bool shown = !why.isEmpty() && chrome_;
  if (bannerText_->text() != why) bannerText_->setText(why);
  if (banner_->isHidden() == shown) banner_->setVisible(shown);
}

void MainWindow::addPaletteField() {
  if (!paletteField_) {
    paletteField_ = new QToolButton(menuBar());
    paletteField_->setObjectName(QStringLiteral("palette.open"));
    paletteField_->setText(text(N_("Find a command   Ctrl+K")));
    paletteField_->setIcon(commandIcon("view.palette"));
    paletteField_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    paletteField_->setAutoRaise(true);
    paletteField_->setAccessibleName(text(N_("Find a command")));
    connect(paletteField_, &QToolButton::clicked, this, &MainWindow::showPalette);
  }
  menuBar()->setCornerWidget(paletteField_, Qt::TopRightCorner);
}

void MainWindow::showPalette() {
  if (busy_) return;
  busy_ = true;
  CommandPalette palette(paletteEntries(), this);
  palette.adjustSize();
  const QPoint corner = mapToGlobal(QPoint(std::max(0, (width() - palette.width()) / 2), menuBar()->height() + 8));
  palette.QWidget::move(corner);
  palette.exec();
  activateWindow();
  busy_ = false;
}

void MainWindow::showPreferences() {
  if (busy_) return;
  busy_ = true;
  Preferences dialog(session_.settings(), this);
  connect(&dialog, &Preferences::changed, this, [this] {
    applySettings();
    wake();
  });
  connect(viewport_.get(), &Viewport::drawn, &dialog, &Preferences::showUnsaved);
  dialog.exec();
  busy_ = false;
}

void MainWindow::showExport() {
  if (busy_) return;
  if (!hasPicture()) return failed(session_.renewDevice().error());  // reports again that the device is lost
  busy_ = true;
  const auto asShown = ui::windowFigure(session_.workbench(), viewport_->extent(), viewport_->scale(), {});
  ExportDialog dialog(session_.workbench(), session_.settings(), asShown, this);
  connect(this, &MainWindow::deviceLost, &dialog, &ExportDialog::dropPreview);
  connect(this, &MainWindow::deviceRenewed, &dialog, &ExportDialog::refresh);
  const bool wanted = dialog.exec() == QDialog::Accepted;
  busy_ = false;
  if (!wanted) return;
  dialog.remember();
  ui::FigureRequest request = dialog.request();
  const std::string title = ui::figureTitle(session_.workbench(), request);
  const QString path = askFigurePath(dialog.suffix(), QString::fromStdString(title));
  if (path.isEmpty()) return;
  request.path = path.toStdString();
  exportFigure(std::move(request));
}

void MainWindow::showMessages() {
  if (!messages_) {
    messages_ = new MessagesDialog(session_.workbench(), aboutText(), this);
    messages_->setAttribute(Qt::WA_DeleteOnClose);
  }
  messages_->show();
  messages_->raise();
  messages_->activateWindow();
}

void MainWindow::offerRecovery() {
  if (!asking_ || session_.recoveryFiles().empty()) return;
  busy_ = true;
  RestoreDialog dialog(session_.recoveryFiles(), this);
  connect(&dialog, &RestoreDialog::discarded, this, [this](const RecoveryFile& one) { session_.discard(one); });
  dialog.QWidget::move(geometry().center() - dialog.rect().center());
  const bool wanted = dialog.exec() == QDialog::Accepted;
  busy_ = false;
  const auto chosen = dialog.chosen();
  if (wanted && chosen) static_cast<void>(session_.restore(*chosen));  // a failure is on screen already
  wake();
}

void MainWindow::explain(const std::string& key) {
  if (const auto done = session_.workbench().explain(key); !done) return failed(done.error());
  wake();
}

/// Shows the command of a tab or button in the picture, and its key, as a tool tip.
void MainWindow::showTip(QPointF pixels, QPoint global) {
  const auto command = session_.workbench().commandAt({pixels.x(), pixels.y()});
  if (!command || QApplication::activeModalWidget()) return;
  const QString key = command->shortcut.empty() ? QString() : QString::fromStdString(" (" + command->shortcut + ")");
  QToolTip::showText(global, QString::fromStdString(command->label) + key, viewport_->widget());
}

QMenu* MainWindow::pictureMenu() {
  auto* menu = new QMenu(this);
  const auto add = [&](const std::string& key) {
    if (key.empty()) {
      menu->addSeparator();
    } else if (const auto at = actions_.find(key); at != actions_.end()) {
      menu->addAction(at->second);
    }
  };
  const ui::Workbench& workbench = session_.workbench();
  for (const std::string& key : workbench.exhibit(workbench.activePane()).pictureCommands())
    add(key);
  for (const std::string_view key : kOnPicture)
    add(std::string(key));
  return menu;
}

/// Whether a menu is open inside the picture. Its entries report themselves as `<command>#menu`.
bool MainWindow::pictureHasMenu() const {
  const ui::Workbench& workbench = session_.workbench();
  for (const auto& command : workbench.commands())
    if (workbench.controlAt(workbench.inPane(command.key, workbench.activePane()) + "#menu")) return true;
  return false;
}

void MainWindow::showPictureMenu(QPoint global) {
  if (!asking_ || !viewport_) return;
  // The picture may have its own menu for what was clicked: it gets the press in one frame and the release in the next,
  // and ImGui shows the menu one frame later.
  constexpr int kFrames = 4;
  for (int i = 0; i < kFrames; ++i) {
    viewport_->drawNow();
    if (pictureHasMenu()) return;
  }
  const std::unique_ptr<QMenu> menu(pictureMenu());
  menu->exec(global);
}

void MainWindow::serveRequest() {
  using ui::HostRequest;
  const HostRequest request = session_.answer().request;
  if (!session_.simulated() && (request == HostRequest::Present || request == HostRequest::EndPresenting)) {
    const auto act = request == HostRequest::Present ? &Presenting::start : &Presenting::end;
    QMetaObject::invokeMethod(presenting_.get(), act, Qt::QueuedConnection);
    return;
  }
  if (busy_ || request == HostRequest::None) return;
  // Queued: a dialog runs its own event loop, and this is called from inside a frame.
  const auto later = [this](auto call) { QMetaObject::invokeMethod(this, call, Qt::QueuedConnection); };
  // Also if no question is asked: the files that were read are then opened.
  if (request == HostRequest::ConfirmOpening) later([this] { confirmOpening(); });
  if (!asking_) return;
  if (request == HostRequest::OpenDialog) later([this] { open(); });
  if (request == HostRequest::SaveDialog) later([this] { saveAs(); });
  if (request == HostRequest::SaveAnswers) later([this] { saveAnswers(); });
  if (request == HostRequest::ExportDialog) later([this] { showExport(); });
  if (request == HostRequest::Preferences) later([this] { showPreferences(); });
  if (request == HostRequest::Palette) later([this] { showPalette(); });
  if (request == HostRequest::FullScreen) later([this] { toggleFullScreen(); });
  if (request == HostRequest::Quit) later([this] { close(); });
}

}  // namespace sepx::app
