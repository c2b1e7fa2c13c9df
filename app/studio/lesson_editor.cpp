// SPDX-License-Identifier: Apache-2.0
// See lesson_editor.h.
#include "app/studio/lesson_editor.h"

#include <algorithm>
#include <utility>

#include "app/data_files.h"
#include "app/studio/figure_path.h"
#include "app/studio/main_window.h"
#include "app/studio/presenting.h"
#include "app/studio/text.h"
#include "engine/core/file.h"
#include "ui/document/lesson_file.h"
#include "ui/exhibits/lesson_recorder.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/workbench/script_value.h"
#include "ui/workbench/state_share.h"

#include <QCloseEvent>
#include <QCoreApplication>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QListWidget>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextBlock>
#include <QUrl>
#include <QVBoxLayout>

namespace sepx::app {
namespace {

constexpr int kFollowMs = 60, kPatience = 1000;  // kPatience: ticks, one minute
constexpr int kLineRole = Qt::UserRole;

/// Number of UTF-8 bytes before a position of the UTF-16 text, and the reverse.
std::size_t bytesBefore(const QString& text, int place) {
  return static_cast<std::size_t>(text.left(place).toUtf8().size());
}
int placeOf(const std::string& text, std::size_t bytes) {
  return static_cast<int>(QString::fromStdString(text.substr(0, bytes)).size());
}

/// The line in "file:12: reason".
int lineIn(const std::string& message) {
  const std::size_t first = message.find(':');
  return first == std::string::npos ? 1 : std::max(1, std::atoi(message.c_str() + first + 1));
}

/// Whether lines reproduce everything that was recorded: a comment line describes what lines cannot do.
bool whole(const std::vector<std::string>& lines) {
  return std::ranges::none_of(lines, [](const std::string& line) { return line.starts_with('#'); });
}

/// Keys and values of the numbers and texts that the window knows now; of a list, only the first elements.
std::vector<std::pair<std::string, ui::Value>> shownReadOuts(const ui::Workbench& workbench) {
  constexpr int kMostElements = 8;
  std::vector<std::pair<std::string, ui::Value>> found;
  for (const ui::ReadOut& readOut : workbench.properties().readOuts()) {
    const std::size_t list = readOut.key.find("[]");
    for (int i = 0; i < (list == std::string::npos ? 1 : kMostElements); ++i) {
      std::string key = readOut.key;
      if (list != std::string::npos) key.replace(list, 2, "[" + std::to_string(i) + "]");
      const auto value = ui::scriptValue(workbench, workbench.inPane(key, workbench.activePane()));
      if (!value || std::holds_alternative<std::monostate>(*value)) break;
      if (!ui::expectationLine(key, *value).empty())
        found.emplace_back(workbench.inPane(key, workbench.activePane()), *value);
    }
  }
  return found;
}

}  // namespace

LessonEditor::LessonEditor(ui::Workbench& workbench, QWidget* parent) : QDialog(parent), workbench_(workbench) {
  setObjectName(QStringLiteral("lesson-editor"));
  build();
  playing_.setInterval(kFollowMs);
  connect(&playing_, &QTimer::timeout, this, &LessonEditor::follow);
  connect(&page_, &QProcess::finished, this, &LessonEditor::takePage);
  edit({});
}

LessonEditor::~LessonEditor() {
  page_.disconnect(this);
  page_.kill();
  page_.waitForFinished();
}

QPushButton* LessonEditor::button(const char* name, const char* label, const char* help) {
  auto* made = new QPushButton(text(label));
  made->setObjectName(QStringLiteral("lesson-editor.") + QLatin1String(name));
  made->setToolTip(text(help));
  made->setAutoDefault(false);
  return made;
}

void LessonEditor::build() {
  auto* column = new QVBoxLayout(this);
  auto* row = new QHBoxLayout;
  addButtons(row);
  column->addLayout(row);
  auto* previews = new QHBoxLayout;
  addPreviews(previews);
  column->addLayout(previews);
  text_ = new QPlainTextEdit;
  text_->setObjectName(QStringLiteral("lesson-editor.text"));
  text_->setAccessibleName(text(N_("Text of the lesson")));
  text_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  connect(text_, &QPlainTextEdit::textChanged, this, &LessonEditor::check);
  column->addWidget(text_, 5);
  faults_ = new QListWidget;
  faults_->setObjectName(QStringLiteral("lesson-editor.faults"));
  faults_->setAccessibleName(text(N_("What is wrong with the lesson")));
  faults_->setWordWrap(true);
  connect(faults_, &QListWidget::itemActivated, this, [this](QListWidgetItem* item) {
    const QTextBlock block = text_->document()->findBlockByNumber(item->data(kLineRole).toInt() - 1);
    if (block.isValid()) text_->setTextCursor(QTextCursor(block));
    text_->setFocus();
  });
  column->addWidget(faults_, 1);
  resize(fontMetrics().horizontalAdvance(u'0') * 100, fontMetrics().height() * 36);
}

void LessonEditor::addButtons(QHBoxLayout* row) {
  record_ = button("record", N_("Record"), N_("Record what you do in the window as lines of the step with the cursor"));
  record_->setCheckable(true);
  connect(record_, &QPushButton::clicked, this, &LessonEditor::toggleRecording);
  auto* expect = button("expect", N_("Expect…"), N_("Insert a line that checks a number that is shown now"));
  connect(expect, &QPushButton::clicked, this, &LessonEditor::addExpectation);
  auto* add = button("step", N_("New step"), N_("Insert a step after the one with the cursor"));
  connect(add, &QPushButton::clicked, this, &LessonEditor::addStep);
  auto* up = button("up", N_("Step up"), N_("Move the step with the cursor before the one above"));
  connect(up, &QPushButton::clicked, this, [this] { moveStep(-1); });
  auto* down = button("down", N_("Step down"), N_("Move the step with the cursor after the one below"));
  connect(down, &QPushButton::clicked, this, [this] { moveStep(1); });
  for (QPushButton* one : {record_, expect, add, up, down})
    row->addWidget(one);
  row->addStretch();
  auto* open = button("open", N_("Open…"), N_("Edit another lesson"));
  connect(open, &QPushButton::clicked, this, &LessonEditor::open);
  auto* save = button("save", N_("Save"), N_("Save the lesson"));
  save->setShortcut(QKeySequence::Save);
  connect(save, &QPushButton::clicked, this, &LessonEditor::save);
  row->addWidget(open);
  row->addWidget(save);
}

void LessonEditor::addPreviews(QHBoxLayout* row) {
  auto* play = button("play", N_("Play from here"), N_("Save the lesson, and play it from the step with the cursor"));
  connect(play, &QPushButton::clicked, this, [this] { this->play(false); });
  auto* stage =
      button("stage", N_("Play on the stage"),
             N_("Play it as the projector shows it: on the second monitor if there is one, else in a window"));
  connect(stage, &QPushButton::clicked, this, [this] { this->play(true); });
  auto* page = button("page", N_("Show as page"),
                      N_("Save the lesson, write it as a page into a private folder, and open it in the browser"));
  connect(page, &QPushButton::clicked, this, &LessonEditor::makePage);
  for (QPushButton* one : {play, stage, page})
    row->addWidget(one);
  row->addStretch();
}

QString LessonEditor::markdown() const {
  return text_->toPlainText();
}

std::size_t LessonEditor::step() const {
  const QString all = markdown();
  return ui::stepAt(ui::stepsIn(all.toStdString()), bytesBefore(all, text_->textCursor().position()));
}

/// Replaces the text as one change, which the editor's undo reverts.
void LessonEditor::take(const ui::EditedText& edited) {
  QTextCursor cursor(text_->document());
  cursor.select(QTextCursor::Document);
  cursor.insertText(QString::fromStdString(edited.text));
  cursor.setPosition(placeOf(edited.text, edited.place));
  text_->setTextCursor(cursor);
  text_->ensureCursorVisible();
}

void LessonEditor::check() {
  const auto lesson = ui::parseLesson(markdown().toStdString(), "lesson");
  faults_->clear();
  const auto say = [this](const std::string& message) {
    auto* item = new QListWidgetItem(QString::fromStdString(message), faults_);
    item->setData(kLineRole, lineIn(message));
  };
  if (!lesson) return say(lesson.error().message);
  for (const std::string& message : lesson->messages)
    say(message);
}

void LessonEditor::toggleRecording() {
  if (!recordedFrom_) {
    if (shownByLesson()) known_ = Known{workbench_.document(), linesUntil()};
    recordedFrom_ = workbench_.document();
    record_->setChecked(true);
    record_->setText(text(N_("Stop recording")));
    return;
  }
  record_->setChecked(false);
  record_->setText(text(N_("Record")));
  const ui::Document from = *std::exchange(recordedFrom_, std::nullopt), now = workbench_.document();
  auto recorded = ui::recordedLines(from, now, workbench_.properties());
  if (recorded.empty() && linesUntil() > 0) return;
  std::vector<std::string> lines = whole(recorded) ? linesToBegin(from) : stateLines(now);
  if (whole(recorded)) lines.insert(lines.end(), recorded.begin(), recorded.end());
  if (lines.empty()) return;
  take(ui::withLines(markdown().toStdString(), step(), lines));
  known_ = Known{now, linesUntil()};
}

/// Lines that lead from the state of the lesson before the recorded lines to the state where recording began: the
/// changes in between, or the whole state if the state of the lesson is not known.
std::vector<std::string> LessonEditor::linesToBegin(const ui::Document& from) {
  if (!known_ || known_->lines != linesUntil()) return stateLines(from);
  std::vector<std::string> lines = ui::recordedLines(known_->document, from, workbench_.properties());
  return whole(lines) ? lines : stateLines(from);
}

/// A whole state as one line; none if it is the state in which every lesson begins.
std::vector<std::string> LessonEditor::stateLines(const ui::Document& of) {
  const auto state = ui::lessonStateText(workbench_, of);
  if (!state) say(state.error().message);
  if (!state || state->empty()) return {};
  return {"open " + *state};
}

/// Number of script lines of the lesson, up to and including the step with the cursor.
std::size_t LessonEditor::linesUntil() const {
  const auto lesson = ui::parseLesson(markdown().toStdString(), "lesson");
  std::size_t lines = 0;
  for (std::size_t i = 0; lesson && i < lesson->steps.size() && i <= step(); ++i)
    lines += lesson->steps[i].steps.size();
  return lines;
}

/// Whether the window shows the result of the saved lines, up to the end of the step with the cursor.
bool LessonEditor::shownByLesson() const {
  const ui::Lesson* const lesson = workbench_.lesson();
  return lesson && lesson->name == path_.toStdString() && !text_->document()->isModified() && !workbench_.modified() &&
         workbench_.settled() && workbench_.lessonStep() == step();
}

void LessonEditor::addExpectation() {
  QStringList items;
  const auto found = shownReadOuts(workbench_);
  for (const auto& [key, value] : found)
    items << QString::fromStdString(key + " = " + ui::toString(value));
  if (items.isEmpty()) return;
  bool chosen = false;
  const QString item =
      QInputDialog::getItem(this, text(N_("Expect a number")), text(N_("Number shown now")), items, 0, false, &chosen);
  const auto index = items.indexOf(item);
  if (!chosen || index < 0) return;
  const auto& [key, value] = found[static_cast<std::size_t>(index)];
  take(ui::withLines(markdown().toStdString(), step(), {ui::expectationLine(key, value)}));
}

void LessonEditor::addStep() {
  take(ui::withNewStep(markdown().toStdString(), step(), ui::tr("Step")));
}

void LessonEditor::moveStep(int by) {
  take(ui::withMovedStep(markdown().toStdString(), step(), by));
}

void LessonEditor::play(bool presents) {
  target_ = step();
  presents_ = presents;
  if (!save()) return;
  patience_ = kPatience;
  opened_ = false;
  check();  // removes the messages of the last time
  emit opens(path_);
  playing_.start();
}

/// Advances to the requested step, because the steps before it do what it needs.
void LessonEditor::follow() {
  // While a file is being read, the window may still show the previous version of this lesson.
  if (!workbench_.opening().empty()) return;
  const ui::Lesson* const lesson = workbench_.lesson();
  const bool ours = lesson && lesson->name == path_.toStdString();
  // If the user chose to keep their changes, nothing was opened.
  const bool stayed = !std::exchange(opened_, true) && workbench_.modified();
  if (!ours || stayed) return stopPlaying(ui::tr("Playing stopped: the lesson is not open in the window."));
  const std::size_t step = workbench_.lessonStep(), last = std::min(target_, lesson->steps.size() - 1);
  if (step >= last) {
    playing_.stop();
    if (presents_) emit this->presents();
    return;
  }
  if (--patience_ < 0) return stopPlaying(ui::trFormat("Playing stopped after a minute, at step {}.", step + 1));
  (void)workbench_.run("lesson.next");
}

void LessonEditor::stopPlaying(const std::string& why) {
  playing_.stop();
  say(why);
}

/// Adds a message below the text.
void LessonEditor::say(const std::string& sentence) {
  auto* item = new QListWidgetItem(QString::fromStdString(sentence), faults_);
  item->setData(kLineRole, text_->textCursor().blockNumber() + 1);
  faults_->scrollToItem(item);
}

/// A separate process plays and draws every step, while the window remains usable.
void LessonEditor::makePage() {
  if (page_.state() != QProcess::NotRunning || !save()) return;
  check();
  say(ui::tr("The page is being written."));
  page_.setProcessChannelMode(QProcess::MergedChannels);
  page_.start(QCoreApplication::applicationDirPath() + QStringLiteral("/sepx"),
              {QStringLiteral("render"), path_, QStringLiteral("--out"),
               private_.filePath(QFileInfo(path_).completeBaseName() + QStringLiteral(".html"))});
}

void LessonEditor::takePage() {
  const QString page = page_.arguments().back();
  const std::string output = QString::fromUtf8(page_.readAll()).trimmed().toStdString();
  if (page_.exitStatus() != QProcess::NormalExit || page_.exitCode() != 0)
    return say(output.empty() ? ui::tr("The page could not be written.") : output);
  say(ui::trFormat("The page is {}; it is deleted when the editor closes.", page.toStdString()));
  emit pageWritten(page);
}

void LessonEditor::edit(const QString& path) {
  const auto content =
      path.isEmpty() ? Result<std::string>(std::string("# ") + ui::tr("Title") + "\n\n## " + ui::tr("Step") + "\n\n")
                     : readFile(path.toStdString());
  if (!content) {
    QMessageBox::warning(this, text(N_("Lesson editor")), QString::fromStdString(content.error().message));
    return;
  }
  playing_.stop();
  known_.reset();
  path_ = path;
  text_->setPlainText(QString::fromStdString(*content));
  text_->document()->setModified(false);
  text_->moveCursor(QTextCursor::End);
  setWindowTitle(path.isEmpty() ? text(N_("Lesson editor"))
                                : text(N_("Lesson editor: %1")).arg(QFileInfo(path).fileName()));
}

void LessonEditor::editCopy(const QString& path) {
  edit(path);
  if (path_ != path) return;  // it could not be read
  path_.clear();
  setWindowTitle(text(N_("Lesson editor: copy of %1")).arg(QFileInfo(path).fileName()));
}

void LessonEditor::open() {
  if (!confirmDiscard()) return;
  const QString path = QFileDialog::getOpenFileName(
      this, text(N_("Edit a lesson")), QString::fromStdString(ownLessonsFolder()), text(N_("Lessons (*.md)")));
  if (!path.isEmpty()) edit(path);
}

bool LessonEditor::save() {
  if (!path_.isEmpty()) return saveTo(path_);
  const QString folder = QString::fromStdString(ownLessonsFolder());
  QDir().mkpath(folder);
  QFileDialog dialog(this, text(N_("Save the lesson")), folder, text(N_("Lessons (*.md)")));
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setDefaultSuffix(QStringLiteral("md"));
  const auto lesson = ui::parseLesson(markdown().toStdString(), "lesson");
  if (lesson && !lesson->title.empty())
    dialog.selectFile(fileNameOf(QString::fromStdString(lesson->title)) + QStringLiteral(".md"));
  if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) return false;
  return saveTo(dialog.selectedFiles().front());
}

bool LessonEditor::saveTo(const QString& path) {
  const auto written = writeFile(path.toStdString(), markdown().toStdString());
  if (!written) {
    QMessageBox::warning(this, text(N_("Lesson editor")), QString::fromStdString(written.error().message));
    return false;
  }
  path_ = path;
  text_->document()->setModified(false);
  setWindowTitle(text(N_("Lesson editor: %1")).arg(QFileInfo(path).fileName()));
  return true;
}

bool LessonEditor::confirmDiscard() {
  if (!text_->document()->isModified()) return true;
  QMessageBox box(QMessageBox::NoIcon, text(N_("Lesson editor")), text(N_("Save the lesson?")),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
  box.button(QMessageBox::Save)->setText(text(N_("Save")));
  box.button(QMessageBox::Discard)->setText(text(N_("Discard")));
  box.button(QMessageBox::Cancel)->setText(text(N_("Cancel")));
  const int answer = box.exec();
  return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save());
}

void LessonEditor::closeEvent(QCloseEvent* event) {
  if (!confirmDiscard()) return event->ignore();
  playing_.stop();
  event->accept();
}

void MainWindow::showLessonEditor() {
  if (!lessonEditor_) {
    lessonEditor_ = new LessonEditor(session_.workbench(), this);
    lessonEditor_->setAttribute(Qt::WA_DeleteOnClose);
    connect(lessonEditor_, &LessonEditor::opens, this, [this](const QString& path) { openFiles({path}); });
    connect(lessonEditor_, &LessonEditor::presents, presenting_.get(), &Presenting::start);
    connect(lessonEditor_, &LessonEditor::pageWritten, this,
            [](const QString& path) { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); });
    const ui::Lesson* const lesson = session_.workbench().lesson();
    if (lesson) {
      const QString path = QString::fromStdString(lesson->name);
      ui::isInFolder(lesson->name, ownLessonsFolder()) ? lessonEditor_->edit(path) : lessonEditor_->editCopy(path);
    }
  }
  lessonEditor_->show();
  lessonEditor_->raise();
  lessonEditor_->activateWindow();
}

}  // namespace sepx::app
