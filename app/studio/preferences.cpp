// SPDX-License-Identifier: Apache-2.0
// See preferences.h.
#include "app/studio/preferences.h"
#include "app/studio/text.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "ui/properties/tr.h"

#include <QDialogButtonBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QMessageBox>
#include <QMetaObject>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

namespace sepx::app {

namespace {

/// Settings that are shown together, given by the beginnings of their keys; settings in no group come last.
struct Group {
  const char* title;
  std::array<std::string_view, 3> starts;
};
constexpr std::array<Group, 3> kGroups{
    {{N_("Appearance"), {"settings.theme", "settings.language", "settings.scale"}},
     {N_("Startup and recovery"), {"settings.start", "settings.reopen", "settings.autosave"}},
     {N_("Figures"), {"settings.figure.", "", ""}}}};
constexpr const char* kRest = N_("Computing");

std::size_t groupOf(const std::string& key) {
  for (std::size_t i = 0; i < kGroups.size(); ++i) {
    for (const std::string_view start : kGroups[i].starts) {
      if (!start.empty() && key.rfind(start, 0) == 0) return i;
    }
  }
  return kGroups.size();
}

}  // namespace

Preferences::Preferences(ui::Settings& settings, QWidget* parent) : QDialog(parent), settings_(settings) {
  setObjectName(QStringLiteral("preferences"));
  setWindowTitle(text(N_("Preferences")));
  auto* outer = new QVBoxLayout(this);
  // On a low screen with large type, the fields scroll and the buttons stay visible.
  scroll_ = new QScrollArea;
  scroll_->setAccessibleName(windowTitle());
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::NoFocus);
  auto* content = new QWidget;
  content->setAccessibleName(windowTitle());
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 8, 0);
  column->setSpacing(12);
  for (std::size_t group = 0; group <= kGroups.size(); ++group) {
    std::vector<std::string> keys;
    for (const auto& property : settings_.properties().properties()) {
      if (groupOf(property.key) == group) keys.push_back(property.key);
    }
    if (!keys.empty()) addGroup(column, group < kGroups.size() ? kGroups[group].title : kRest, keys);
  }
  refused_ = new QLabel;
  refused_->setObjectName(QStringLiteral("preferences.refused"));
  refused_->setWordWrap(true);
  refused_->setProperty("role", "error");
  refused_->setAccessibleName(text(N_("Rejected value")));
  refused_->setVisible(false);
  column->addStretch(1);
  scroll_->setWidget(content);
  outer->addWidget(scroll_, 1);
  outer->addWidget(refused_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close | QDialogButtonBox::RestoreDefaults);
  buttons->button(QDialogButtonBox::Close)->setText(text(N_("Close")));
  auto* defaults = buttons->button(QDialogButtonBox::RestoreDefaults);
  defaults->setText(text(N_("Restore defaults")));
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::accept);
  connect(defaults, &QPushButton::clicked, this, &Preferences::restoreDefaults);
  defaults->setAutoDefault(false);
  buttons->button(QDialogButtonBox::Close)->setDefault(true);
  outer->addWidget(buttons);
  refresh();
  fit();
  rows_.front().field.line->setFocus();
}

void Preferences::fit() {
  const QRect room = screen()->availableGeometry();
  const QSize content = scroll_->widget()->sizeHint().expandedTo(scroll_->widget()->minimumSizeHint());
  scroll_->setMinimumWidth(
      std::min(content.width() + scroll_->verticalScrollBar()->sizeHint().width(), room.width() / 2));
  constexpr int kFrame = 40;  // title bar and margins
  const int below = sizeHint().height() - scroll_->sizeHint().height();
  const int wide = content.width() + scroll_->verticalScrollBar()->sizeHint().width() + kFrame;
  resize(std::min(wide, room.width()), std::min(content.height() + below + kFrame / 2, room.height() - kFrame));
  // First centred on the window, then where the user moved it. If it grew, it is kept on the screen.
  const QPoint corner = placed_ || !parentWidget() ? pos() : parentWidget()->geometry().center() - rect().center();
  placed_ = true;
  move(std::clamp(corner.x(), room.left(), std::max(room.left(), room.right() - width())),
       std::clamp(corner.y(), room.top(), std::max(room.top(), room.bottom() - height())));
}

void Preferences::showEvent(QShowEvent* event) {
  QDialog::showEvent(event);
  // The fields get the application's font only when they are shown.
  QMetaObject::invokeMethod(this, &Preferences::fit, Qt::QueuedConnection);
}

void Preferences::changeEvent(QEvent* event) {
  QDialog::changeEvent(event);
  // A larger font takes effect while the dialog is open; the new sizes are known only after the event.
  if (event->type() == QEvent::FontChange && scroll_)
    QMetaObject::invokeMethod(this, &Preferences::fit, Qt::QueuedConnection);
}

void Preferences::addGroup(QVBoxLayout* column, const char* title, const std::vector<std::string>& keys) {
  auto* heading = new QLabel(text(title));
  heading->setProperty("role", "section");
  column->addWidget(heading);
  auto* form = makeForm();
  column->addLayout(form);
  for (const std::string& key : keys) {
    if (const auto found = settings_.properties().find(key); found && found->property) addRow(form, *found->property);
  }
}

void Preferences::addRow(QGridLayout* form, const ui::Property& property) {
  const std::string key = property.key;
  Row row;
  row.field =
      makeField(property, {.get = [this, key] { return settings_.get(key); },
                           .set = [this, key](const ui::Value& value, const std::string&) { return set(key, value); },
                           .seal = {}});
  row.name = placeField(form, row.field.line, helpOf(property.help, property.equation, property.unit));
  row.label = QString::fromStdString(ui::nameOf(property, settings_.document()));
  if (!property.unit.empty()) row.label += QStringLiteral(" [%1]").arg(text(property.unit.c_str()));
  rows_.push_back(std::move(row));
}

bool Preferences::set(const std::string& key, const ui::Value& value) {
  const auto done = settings_.set(key, value);
  say(done ? std::string() : done.error().message);
  if (!done) return false;
  emit changed();
  refresh();
  return true;
}

void Preferences::showUnsaved() {
  if (refused_->text().isEmpty()) say(settings_.saveFailure());
}

void Preferences::say(const std::string& sentence) {
  refused_->setText(QString::fromStdString(sentence));
  refused_->setVisible(!sentence.empty());
}

void Preferences::restoreDefaults() {
  const auto answer = QMessageBox::question(this, windowTitle(), text(N_("Reset all preferences to the defaults?")));
  if (answer != QMessageBox::Yes) return;
  for (const auto& property : settings_.properties().properties())
    set(property.key, property.fallback);
  refresh();
}

void Preferences::refresh() {
  for (const Row& row : rows_) {
    row.field.show();
    nameField(row.field.line, row.name, row.label);
  }
}

}  // namespace sepx::app
