// SPDX-License-Identifier: Apache-2.0
// See grading_dialog.h.
#include "app/studio/grading_dialog.h"

#include <filesystem>
#include <system_error>

#include "app/homework.h"
#include "app/studio/main_window.h"
#include "app/studio/text.h"
#include "ui/properties/language.h"
#include "ui/properties/tr.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QProcessEnvironment>
#include <QProgressBar>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

namespace sepx::app {
namespace {

constexpr int kPatienceMs = 2000;      // time that a program has to end after it was asked to
constexpr int kLongestSentence = 600;  // characters
constexpr int kName = 0, kRight = 1, kFirstQuestion = 2;

QTableWidgetItem* item(const QString& words, const QString& tip = {}) {
  auto* made = new QTableWidgetItem(words);
  made->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
  made->setToolTip(tip);
  return made;
}

/// A grade, as `sepx grade` names it, as one character.
QString sign(const QString& grade) {
  if (grade == QLatin1String("right")) return QStringLiteral("✓");
  if (grade == QLatin1String("wrong")) return QStringLiteral("✗");
  if (grade == QLatin1String("missing")) return QStringLiteral("–");
  return grade == QLatin1String("forged") ? QStringLiteral("!") : QStringLiteral("?");
}

QTableWidget* table(const char* name, const char* accessible) {
  auto* made = new QTableWidget;
  made->setObjectName(QLatin1String(name));
  made->setAccessibleName(text(accessible));
  made->verticalHeader()->hide();
  made->setEditTriggers(QAbstractItemView::NoEditTriggers);
  made->setSelectionBehavior(QAbstractItemView::SelectRows);
  made->setWordWrap(false);
  return made;
}

}  // namespace

GradingDialog::GradingDialog(QWidget* parent) : QDialog(parent) {
  setObjectName(QStringLiteral("grading"));
  setWindowTitle(text(N_("Grade homework")));
  build();
  patience_.setSingleShot(true);
  patience_.setInterval(kPatienceMs);
  connect(&patience_, &QTimer::timeout, &process_, &QProcess::kill);
  process_.setProcessChannelMode(QProcess::SeparateChannels);
  connect(&process_, &QProcess::readyReadStandardError, this, &GradingDialog::takeProgress);
  connect(&process_, &QProcess::finished, this, &GradingDialog::takeEnd);
  connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;
    progress_->hide();
    say(text(N_("%1 cannot be started; it must be in the folder of the studio")).arg(process_.program()));
  });
}

GradingDialog::~GradingDialog() {
  process_.disconnect(this);
  process_.kill();
  process_.waitForFinished();
}

QPushButton* GradingDialog::button(const char* name, const char* label, const char* help) {
  auto* made = new QPushButton(text(label));
  made->setObjectName(QStringLiteral("grading.") + QLatin1String(name));
  made->setToolTip(text(help));
  made->setAutoDefault(false);
  return made;
}

void GradingDialog::build() {
  auto* column = new QVBoxLayout(this);
  state_ = new QLabel;
  state_->setObjectName(QStringLiteral("grading.state"));
  state_->setWordWrap(true);
  column->addWidget(state_);
  progress_ = new QProgressBar;
  progress_->setObjectName(QStringLiteral("grading.progress"));
  progress_->setFormat(QStringLiteral("%v / %m"));
  column->addWidget(progress_);
  questions_ = table("grading.questions", N_("How many answered each question correctly"));
  column->addWidget(questions_, 2);
  students_ = table("grading.students", N_("The students, and the grade of each answer"));
  column->addWidget(students_, 3);
  auto* row = new QHBoxLayout;
  auto* lesson = button("lesson", N_("Lesson…"), N_("Choose the lesson that was given as homework"));
  connect(lesson, &QPushButton::clicked, this, &GradingDialog::chooseLesson);
  distribution_ = button("distribution", N_("Show the distribution"),
                         N_("Open the distribution, without names, in the window: F5 puts it on the stage"));
  connect(distribution_, &QPushButton::clicked, this, [this] { emit opens(private_.filePath("distribution.md")); });
  close_ = button("close", N_("Close"), N_("Close; grading in progress is stopped"));
  connect(close_, &QPushButton::clicked, this, &GradingDialog::reject);
  row->addWidget(lesson);
  row->addWidget(distribution_);
  row->addStretch();
  row->addWidget(close_);
  column->addLayout(row);
  resize(fontMetrics().horizontalAdvance(u'0') * 100, fontMetrics().height() * 32);
}

void GradingDialog::grade(const QString& folder, const QString& lesson) {
  process_.kill();
  process_.waitForFinished();
  folder_ = folder;
  lesson_ = lesson;
  errorOutput_.clear();
  cancelled_ = false;
  for (QTableWidget* one : {questions_, students_}) {
    one->clear();
    one->setRowCount(0);
    one->setColumnCount(0);
  }
  distribution_->setEnabled(false);
  progress_->setRange(0, 0);
  progress_->show();
  close_->setText(text(N_("Cancel")));
  say(text(N_("Grading %1: every answer is computed again.")).arg(folder));
  QStringList arguments{QStringLiteral("grade"),  folder,
                        QStringLiteral("--json"), QStringLiteral("--progress"),
                        QStringLiteral("--out"),  private_.filePath(QStringLiteral("distribution.md"))};
  if (!lesson.isEmpty()) arguments << QStringLiteral("--lesson") << lesson;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("SEPX_LANGUAGE"), QString::fromStdString(ui::language()));
  process_.setProcessEnvironment(environment);
  process_.start(QCoreApplication::applicationDirPath() + QStringLiteral("/sepx"), arguments);
}

void GradingDialog::chooseLesson() {
  const QString path =
      QFileDialog::getOpenFileName(this, text(N_("The homework")), folder_, text(N_("Lessons (*.md *.sepx-lesson)")));
  if (!path.isEmpty()) grade(folder_, path);
}

void GradingDialog::takeProgress() {
  errorOutput_ += process_.readAllStandardError();
  for (auto end = errorOutput_.indexOf('\n'); end >= 0; end = errorOutput_.indexOf('\n')) {
    const QByteArray line = errorOutput_.left(end);
    const QList<QByteArray> words = line.split(' ');
    bool done = false, of = false;
    const int value = words.front().toInt(&done), most = words.back().toInt(&of);
    if (!done || !of || words.size() != 2) return;  // the final message of the program
    errorOutput_.remove(0, end + 1);
    progress_->setRange(0, most);
    progress_->setValue(value);
  }
}

void GradingDialog::takeEnd() {
  patience_.stop();  // must not end the next run
  takeProgress();
  progress_->hide();
  close_->setText(text(N_("Close")));
  if (cancelled_) return say(text(N_("Grading was stopped.")));
  const QByteArray out = process_.readAllStandardOutput();
  const QJsonDocument document = QJsonDocument::fromJson(out);
  if (process_.exitStatus() != QProcess::NormalExit || process_.exitCode() != 0 || !document.isObject()) {
    QString sentence = QString::fromUtf8(errorOutput_).trimmed().left(kLongestSentence);
    if (sentence.startsWith(QLatin1String("sepx: "))) sentence.remove(0, 6);
    if (lesson_.isEmpty() && sentence.contains(QLatin1String("--lesson")))
      sentence = text(N_("%1 does not say which lesson its answers belong to: choose it with the button “Lesson…”."))
                     .arg(folder_);
    return say(sentence.isEmpty() ? text(N_("The grading program ended without a result.")) : sentence);
  }
  fill(document.object());
}

void GradingDialog::fill(const QJsonObject& graded) {
  const QJsonArray questions = graded.value(QStringLiteral("questions")).toArray();
  const QJsonArray students = graded.value(QStringLiteral("students")).toArray();
  const int count = int(questions.size());
  QStringList header{text(N_("Student")), text(N_("Right"))};
  for (int i = 0; i < count; ++i)
    header << QString::number(i + 1);
  header << text(N_("Remark"));
  students_->setColumnCount(int(header.size()));
  students_->setHorizontalHeaderLabels(header);
  students_->setRowCount(int(students.size()));
  std::vector<int> right(static_cast<std::size_t>(count));
  int files = 0;
  for (int row = 0; row < students.size(); ++row) {
    const QJsonObject student = students.at(row).toObject();
    const QString name = student.value(QStringLiteral("name")).toString(), file = student.value("file").toString();
    const QString refusal = student.value(QStringLiteral("refusal")).toString();
    QStringList remarks;
    if (!refusal.isEmpty()) remarks << refusal;
    files += refusal.isEmpty() ? 1 : 0;
    students_->setItem(row, kName, item(name.isEmpty() ? file : name, file));
    students_->setItem(row, kRight,
                       item(refusal.isEmpty() ? QString::number(student.value(QStringLiteral("right")).toInt())
                                              : QStringLiteral("–")));
    const QJsonArray answers = student.value(QStringLiteral("answers")).toArray();
    for (int i = 0; i < count; ++i) {
      const QJsonObject answer = answers.at(i).toObject();
      const QString grade = answer.value(QStringLiteral("grade")).toString();
      const QString why = answer.value(QStringLiteral("why")).toString();
      if (!why.isEmpty()) remarks << QString::number(i + 1) + QStringLiteral(": ") + why;
      if (grade == QLatin1String("right")) ++right[static_cast<std::size_t>(i)];
      const QString given = answer.value(QStringLiteral("given")).toString();
      QString tip = grade.isEmpty() ? QString() : text(grade.toStdString());
      if (!given.isEmpty()) tip += QStringLiteral(": ") + given;
      auto* cell = item(grade.isEmpty() ? QString() : sign(grade), tip);
      cell->setTextAlignment(Qt::AlignCenter);
      students_->setItem(row, kFirstQuestion + i, cell);
    }
    const QString remark = remarks.join(QStringLiteral("; "));
    students_->setItem(row, kFirstQuestion + count, item(remark, remark));
  }
  students_->resizeColumnsToContents();
  students_->horizontalHeader()->setStretchLastSection(true);
  questions_->setColumnCount(2);
  questions_->setHorizontalHeaderLabels({text(N_("Question")), text(N_("Right"))});
  questions_->setRowCount(count);
  for (int i = 0; i < count; ++i) {
    const QString words = QString::number(i + 1) + QStringLiteral(". ") + questions.at(i).toString();
    questions_->setItem(i, 0, item(words, words));
    auto* bar = new QProgressBar;
    bar->setRange(0, std::max(files, 1));
    bar->setValue(right[static_cast<std::size_t>(i)]);
    bar->setFormat(QStringLiteral("%1 / %2").arg(right[static_cast<std::size_t>(i)]).arg(files));
    questions_->setCellWidget(i, 1, bar);
  }
  questions_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  distribution_->setEnabled(files > 0);
  say(text(N_("%1: %2 of %3 files graded"))
          .arg(graded.value(QStringLiteral("lesson")).toString())
          .arg(files)
          .arg(students.size()));
}

void GradingDialog::say(const QString& sentence) {
  state_->setText(sentence);
}

/// While grading, stops it and keeps the dialog open, so that grading can start again.
void GradingDialog::reject() {
  if (!grading()) return QDialog::reject();
  cancelled_ = true;
  process_.terminate();
  patience_.start();
}

void MainWindow::gradeHomework() {
  const QString folder = askClassFolder();
  if (!folder.isEmpty()) gradeFolder(folder);
}

void MainWindow::gradeFolder(const QString& folder) {
  if (!grading_) {
    grading_ = new GradingDialog(this);
    connect(grading_, &GradingDialog::opens, this, [this](const QString& path) {
      openFiles({path});
      activateWindow();  // F5 and the keys for the stage work in this window
    });
  }
  grading_->show();
  grading_->raise();
  grading_->activateWindow();
  grading_->grade(folder);
}

bool MainWindow::isClassFolder(const std::vector<std::string>& paths) {
  std::error_code ignored;
  return paths.size() == 1 && std::filesystem::is_directory(paths.front(), ignored) && isClass(paths.front());
}

}  // namespace sepx::app
