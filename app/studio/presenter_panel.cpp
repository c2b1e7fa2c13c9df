// SPDX-License-Identifier: Apache-2.0
// See presenter_panel.h.
#include "app/studio/presenter_panel.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/studio/text.h"
#include "ui/properties/formula.h"
#include "ui/workbench/presenter.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QTextBrowser>
#include <QTime>
#include <QToolButton>
#include <QVBoxLayout>

namespace sepx::app {

namespace {

constexpr int kPanelWidth = 320, kPanelHeight = 480;  // points
constexpr int kNextWords = 160;                       // characters of the text of the next step
constexpr int kPictureWidth = 288, kPictureHeight = 162;

constexpr std::array<std::pair<int, const char*>, 8> kPresenterKeys{{{Qt::Key_F, "present.freeze"},
                                                                     {Qt::Key_B, "present.blank"},
                                                                     {Qt::Key_Period, "present.blank"},
                                                                     {Qt::Key_Z, "present.zoom"},
                                                                     {Qt::Key_L, "present.laser"},
                                                                     {Qt::Key_N, "present.numbers"},
                                                                     {Qt::Key_PageDown, "lesson.next"},
                                                                     {Qt::Key_PageUp, "lesson.previous"}}};

void setWords(QLabel* label, const QString& words) {
  if (label->text() != words) label->setText(words);
}

QLabel* label(QVBoxLayout* column, const char* name, double size, bool strong) {
  auto* made = new QLabel;
  made->setWordWrap(true);
  made->setAccessibleName(text(name));
  QFont font = made->font();
  font.setPointSizeF(font.pointSizeF() * size);
  font.setBold(strong);
  made->setFont(font);
  if (column) column->addWidget(made);
  return made;
}

/// Whether a span is a formula: `$…$` as code.
bool isFormula(const ui::Span& span) {
  return span.code && span.text.size() > 2 && span.text.front() == '$' && span.text.back() == '$';
}

/// The text of a span; a formula in plain characters, because these widgets cannot typeset it.
QString wordsOf(const ui::Span& span) {
  return QString::fromStdString(isFormula(span) ? ui::plainOfMixed(span.text) : span.text);
}

/// Gives a button that is on the highlight colour, so that it is noticed; the style alone makes it only a little
/// darker.
void showOn(QToolButton& button, bool on, const QPalette& palette) {
  QPalette wanted = palette;
  if (on) {
    wanted.setColor(QPalette::Button, palette.color(QPalette::Highlight));
    wanted.setColor(QPalette::ButtonText, palette.color(QPalette::HighlightedText));
  }
  if (button.palette().color(QPalette::Button) != wanted.color(QPalette::Button)) button.setPalette(wanted);
}

/// Title and beginning of the text of the next step.
QString nextWords(const ui::LessonStep& next) {
  QString words = text(N_("Next: %1")).arg(QString::fromStdString(next.title));
  if (next.prose.empty()) return words;
  QString prose;
  for (const ui::Span& span : next.prose.front().spans)
    prose += wordsOf(span);
  if (prose.size() > kNextWords) prose = prose.left(kNextWords).trimmed() + QStringLiteral("…");
  return words + QStringLiteral("\n") + prose;
}

QString minutes(qint64 milliseconds) {
  const qint64 seconds = milliseconds / 1000;
  return QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0'));
}

}  // namespace

PresenterPanel::PresenterPanel(ui::Workbench& workbench, const StageControl& stage, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      stage_(stage),
      pictures_(QCoreApplication::applicationDirPath() + QStringLiteral("/sepx")) {
  auto* column = new QVBoxLayout(this);
  auto* time = new QHBoxLayout;
  clock_ = label(nullptr, N_("Clock"), 1.6, true);
  passed_ = label(nullptr, N_("Time since the lesson or the presentation began"), 1.6, false);
  passed_->setObjectName(QStringLiteral("presenter.passed"));
  auto* again = new QToolButton;
  again->setObjectName(QStringLiteral("presenter.timer"));
  again->setText(text(N_("Restart the timer")));
  connect(again, &QToolButton::clicked, this, [this] {
    startTimer();
    refresh();
  });
  time->addWidget(clock_);
  time->addStretch(1);
  planned_ = label(nullptr, N_("Planned time"), 1, false);
  planned_->setWordWrap(false);
  planned_->setObjectName(QStringLiteral("presenter.planned"));
  time->addWidget(passed_);
  time->addWidget(planned_);
  time->addWidget(again);
  column->addLayout(time);
  now_ = label(column, N_("On the stage now"), 1.15, true);
  next_ = label(column, N_("Next step"), 1, false);
  picture_ = label(column, N_("Picture of the next step"), 1, false);
  picture_->setMinimumHeight(kPictureHeight);
  picture_->setObjectName(QStringLiteral("presenter.picture"));
  picture_->hide();
  notes_ = new QTextBrowser;
  notes_->setObjectName(QStringLiteral("presenter.notes"));
  notes_->setAccessibleName(text(N_("Speaker notes")));
  notes_->setOpenLinks(false);
  QFont font = notes_->font();
  font.setPointSizeF(font.pointSizeF() * 1.2);
  notes_->setFont(font);
  column->addWidget(notes_, 2);
  steps_ = new QListWidget;
  steps_->setObjectName(QStringLiteral("presenter.steps"));
  steps_->setAccessibleName(text(N_("Steps")));
  steps_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  steps_->setTextElideMode(Qt::ElideRight);
  connect(steps_, &QListWidget::itemActivated, this, [this] {
    workbench_.enterLessonStep(static_cast<std::size_t>(std::max(0, steps_->currentRow())), true);
    emit edited();
  });
  column->addWidget(steps_, 1);
  auto* steps = new QHBoxLayout;
  addButton(steps, "lesson.previous", N_("Back"), "PageUp");
  addButton(steps, "lesson.next", N_("Next"), "PageDown");
  column->addLayout(steps);
  auto* acts = new QHBoxLayout;
  addButton(acts, "present.freeze", N_("Freeze"), "F");
  addButton(acts, "present.blank", N_("Blank"), "B");
  addButton(acts, "present.zoom", N_("Zoom"), "Z");
  addButton(acts, "present.laser", N_("Laser"), "L");
  addButton(acts, "present.numbers", N_("Numbers"), "N");
  column->addLayout(acts);
  where_ = label(column, N_("The stage"), 0.9, false);
  where_->setProperty("role", "name");
  notes_->installEventFilter(this);
  steps_->installEventFilter(this);
  startTimer();
}

QSize PresenterPanel::sizeHint() const {
  return {kPanelWidth, kPanelHeight};
}

bool PresenterPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    const auto& key = *static_cast<QKeyEvent*>(event);
    for (const auto& [code, command] : kPresenterKeys) {
      if (key.key() != code || key.modifiers() != Qt::NoModifier) continue;
      run(command);
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

void PresenterPanel::startTimer() {
  timer_.start();
  const ui::Lesson* const lesson = workbench_.lesson();
  timedLesson_ = lesson ? lesson->name : std::string();
}

void PresenterPanel::addButton(QLayout* row, const char* command, const char* words, const char* key) {
  auto* button = new QToolButton;
  button->setObjectName(QStringLiteral("presenter.") + QString::fromLatin1(command));
  button->setText(text(words));
  button->setToolTip(QStringLiteral("%1 (%2)").arg(text(words), QString::fromLatin1(key)));
  button->setAccessibleName(text(words));
  button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  button->setFocusPolicy(Qt::TabFocus);
  connect(button, &QToolButton::clicked, this, [this, name = std::string(command)] { run(name); });
  row->addWidget(button);
  buttons_.emplace_back(command, button);
}

void PresenterPanel::run(const std::string& command) {
  const auto done = workbench_.run(command);
  // A key at the end of a lesson has no effect and shows no message.
  if (!done && done.error().kind != ErrorKind::CheckFailed)
    workbench_.say({ui::Message::Level::Error, done.error().message});
  emit edited();
}

QString PresenterPanel::notesOf(const std::vector<ui::Block>& notes) {
  QString html;
  for (const ui::Block& block : notes) {
    QString line;
    for (const ui::Span& span : block.spans) {
      QString words = wordsOf(span).toHtmlEscaped();
      words.replace(QLatin1Char('\n'), QStringLiteral("<br>"));
      if (span.strong) words = QStringLiteral("<b>%1</b>").arg(words);
      if (span.emphasis) words = QStringLiteral("<i>%1</i>").arg(words);
      if (span.code && !isFormula(span)) words = QStringLiteral("<code>%1</code>").arg(words);
      line += words;
    }
    if (block.kind == ui::Block::Kind::Item)
      line = (block.number > 0 ? QString::number(block.number) + QStringLiteral(". ") : QStringLiteral("• ")) + line;
    if (block.kind == ui::Block::Kind::Heading) line = QStringLiteral("<b>%1</b>").arg(line);
    html += QStringLiteral("<p style=\"margin-left:%1px\">%2</p>").arg(12 * block.depth).arg(line);
  }
  return html;
}

bool PresenterPanel::refreshLesson() {
  const ui::Lesson* const lesson = workbench_.lesson();
  if (!lesson) {
    if (lessonShown_.empty() && steps_->count() == 0 && !now_->text().isEmpty()) return false;
    lessonShown_.clear();
    stepsShown_ = nullptr;
    plan_.clear();
    setWords(now_, text(N_("The live exhibit")));
    setWords(next_, text(N_("No lesson is open. The Lesson menu opens one.")));
    notes_->clear();
    steps_->clear();
    return true;
  }
  const std::size_t step = workbench_.lessonStep();
  const bool another = std::exchange(stepsShown_, lesson->steps.data()) != lesson->steps.data() ||
                       lessonShown_ != lesson->name || steps_->count() != static_cast<int>(lesson->steps.size());
  if (!another && step == stepShown_) return false;
  lessonShown_ = lesson->name;
  stepShown_ = step;
  if (another) {
    if (timedLesson_ != lesson->name) startTimer();  // its plan starts now
    plan_ = ui::minutesAt(*lesson);
    steps_->clear();
    for (const ui::LessonStep& one : lesson->steps) {
      steps_->addItem(QStringLiteral("%1  %2").arg(steps_->count() + 1).arg(QString::fromStdString(one.title)));
      steps_->item(steps_->count() - 1)->setToolTip(QString::fromStdString(one.title));
    }
  }
  steps_->setCurrentRow(static_cast<int>(step));
  setWords(now_, QString::fromStdString(lesson->steps[step].title));
  setWords(next_,
           step + 1 < lesson->steps.size() ? nextWords(lesson->steps[step + 1]) : text(N_("This is the last step.")));
  const auto& notes = lesson->steps[step].notes;
  notes_->setHtml(notes.empty() ? text(N_("No notes for this step.")).toHtmlEscaped() : notesOf(notes));
  return true;
}

void PresenterPanel::refreshButtons() {
  const auto commands = workbench_.commands();
  for (const auto& [key, button] : buttons_) {
    const auto found =
        std::find_if(commands.begin(), commands.end(), [&key = key](const auto& one) { return one.key == key; });
    const bool possible = found != commands.end() && found->enabled;
    if (button->isEnabled() != possible) button->setEnabled(possible);
    const bool checkable = possible && found->checked.has_value();
    if (button->isCheckable() != checkable) button->setCheckable(checkable);
    if (checkable && button->isChecked() != *found->checked) button->setChecked(*found->checked);
    showOn(*button, button->isChecked(), palette());
  }
}

/// Shows the picture of the next step; its file may appear while the current step is shown.
void PresenterPanel::refreshPicture() {
  const ui::Lesson* const lesson = workbench_.lesson();
  pictures_.show(lesson ? lesson->name : std::string());
  const std::size_t next = workbench_.lessonStep() + 1;
  const QPixmap picture = lesson && next < lesson->steps.size() ? pictures_.picture(next) : QPixmap();
  if (picture.isNull()) return picture_->hide();
  picture_->show();
  if (pictureShown_ == picture.cacheKey()) return;
  pictureShown_ = picture.cacheKey();
  const double ratio = devicePixelRatioF();
  QPixmap scaled =
      picture.scaled(QSize(kPictureWidth, kPictureHeight) * ratio, Qt::KeepAspectRatio, Qt::SmoothTransformation);
  scaled.setDevicePixelRatio(ratio);
  picture_->setPixmap(scaled);
}

/// Shows the planned duration of the lesson, and by how much this step is late or early.
void PresenterPanel::refreshTime() {
  const std::size_t step = workbench_.lessonStep();
  if (plan_.empty() || step + 1 >= plan_.size()) return setWords(planned_, {});
  const double passed = static_cast<double>(timer_.elapsed()) / 60'000;
  QString words = text(N_("of %1 min")).arg(std::max(1, qRound(plan_.back())));
  // A step is on time from its planned beginning to its planned end.
  const double late = passed > plan_[step + 1] ? passed - plan_[step + 1] : std::min(0.0, passed - plan_[step]);
  if (const int by = qRound(late); by != 0)
    words +=
        QStringLiteral("  ") +
        text(N_("%1 min")).arg((by > 0 ? QStringLiteral("+") : QStringLiteral("−")) + QString::number(std::abs(by)));
  setWords(planned_, words);
}

void PresenterPanel::refreshStage() {
  if (!stage_.connected()) return setWords(where_, text(N_("The stage is not open yet.")));
  const HelloMessage& stage = *stage_.stage();
  QString words = stage.monitor.empty() ? text(N_("In a window, %1×%2")) : text(N_("On %3, %1×%2"));
  words = words.arg(stage.width).arg(stage.height);
  if (!stage.monitor.empty()) words = words.arg(QString::fromStdString(stage.monitor));
  if (const auto late = stage_.latencyQuantile(0.95))
    words += QStringLiteral(" · ") + text(N_("95 % of pictures within %1 ms")).arg(qRound(1000 * *late));
  setWords(where_, words);
}

void PresenterPanel::followFrame() {
  const ui::Presenter& presenter = workbench_.presenter();
  const std::array now{presenter.frozen(), presenter.blank(), presenter.zoomed(), presenter.laser(),
                       presenter.numbers()};
  const bool another = refreshLesson();
  if (another) {
    refreshPicture();
    refreshTime();
  }
  if (std::exchange(stateShown_, now) != now || another) refreshButtons();
}

void PresenterPanel::refresh() {
  setWords(clock_, QTime::currentTime().toString(QStringLiteral("HH:mm")));
  setWords(passed_, minutes(timer_.elapsed()));
  refreshLesson();
  refreshPicture();
  refreshTime();
  refreshButtons();
  refreshStage();
}

}  // namespace sepx::app
