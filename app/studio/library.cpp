// SPDX-License-Identifier: Apache-2.0
// See library.h.
#include "app/studio/library.h"

#include <algorithm>

#include "app/data_files.h"
#include "app/studio/icons.h"
#include "app/studio/newest_runs.h"
#include "app/studio/text.h"
#include "ui/document/lesson.h"
#include "ui/runs/runs.h"

#include <QDir>
#include <QFileInfo>
#include <QHeaderView>

namespace sepx::app {

namespace {
constexpr int kPathRole = Qt::UserRole, kRunRole = Qt::UserRole + 2;  // kRunRole: folder of a run; empty: all runs
constexpr std::size_t kMostRuns = 6;
constexpr int kNumberWidth = 7;           // in digits
constexpr int kWidth = 27, kHeight = 14;  // in digits and lines; the picture needs the room

void addFile(QTreeWidgetItem* group, const QString& title, const QString& path, std::string_view kind) {
  auto* item = new QTreeWidgetItem(group, {title});
  item->setData(0, kPathRole, path);
  item->setToolTip(0, title + u'\n' + path);
  item->setIcon(0, kindIcon(kind));
  item->setFirstColumnSpanned(true);
}

/// The name on the exhibit's tab.
QString exhibitName(const ui::Workbench& workbench, const std::string& key) {
  for (const ui::Exhibit* exhibit : workbench.exhibits())
    if (exhibit->key() == key) return QString::fromStdString(exhibit->name());
  return QString::fromStdString(key);
}

}  // namespace

Library::Library(ui::Workbench& workbench, QWidget* parent) : PlainList(parent), workbench_(workbench) {
  setObjectName(QStringLiteral("lessons"));
  setHeaderHidden(true);
  setColumnCount(2);
  header()->setStretchLastSection(false);
  header()->setSectionResizeMode(0, QHeaderView::Stretch);
  header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  header()->setMinimumSectionSize(fontMetrics().horizontalAdvance(u'0') * kNumberWidth);
  drawSparkLines(this);
  setIndentation(8);
  setRootIsDecorated(false);
  setFrameShape(QFrame::NoFrame);
  setTextElideMode(Qt::ElideRight);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setAutoFillBackground(false);  // a list, not a field to type in
  setAccessibleName(text(N_("Library")));
  lessons_ = addGroup(N_("Lessons"));
  listLessons();
  addModels();
  recent_ = addGroup(N_("Recent"));
  recent_->setHidden(true);
  connect(this, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item, int) { activate(item); });
  connect(this, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item, int) { activate(item); });
}

QTreeWidgetItem* Library::addGroup(const char* title) {
  auto* group = new QTreeWidgetItem(this, {text(title)});
  group->setFlags(Qt::ItemIsEnabled);
  group->setExpanded(true);
  QFont font = group->font(0);
  font.setWeight(QFont::DemiBold);
  group->setFont(0, font);
  return group;
}

/// Adds the open model with its layers, then the models that ship with the program.
void Library::addModels() {
  models_ = addGroup(N_("Models"));
  model_ = new ModelRows(workbench_, models_);
  model_->setParent(this);
  const QDir models(QString::fromStdString(workbench_.options().assets) + QStringLiteral("/models"));
  for (const QFileInfo& one : models.entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
    addFile(models_, modelWords(one.absoluteFilePath().toStdString(), workbench_.options().assets),
            one.absoluteFilePath(), "model");
}

void Library::listLessons() {
  lessonsChanged_ = QFileInfo(QString::fromStdString(ownLessonsFolder())).lastModified();
  qDeleteAll(lessons_->takeChildren());
  playing_.reset();
  for (const auto& lesson : lessons()) {
    addFile(lessons_, QString::fromStdString(lesson.title), QString::fromStdString(lesson.path), "lesson");
    if (lesson.minutes == 0) continue;
    QTreeWidgetItem* const row = lessons_->child(lessons_->childCount() - 1);
    row->setToolTip(0, QStringLiteral("%1\n%2, %3")
                           .arg(QString::fromStdString(lesson.title), exhibitName(workbench_, lesson.exhibit),
                                text(N_("%1 min")).arg(lesson.minutes)));
  }
}

void Library::refresh() {
  constexpr qint64 kLook = 1000;  // ms between checks, so that frames do not wait for a slow file system
  if (isVisible() && (!lastCheck_.isValid() || lastCheck_.elapsed() >= kLook)) {
    lastCheck_.start();
    refreshRuns();
    if (QFileInfo(QString::fromStdString(ownLessonsFolder())).lastModified() != lessonsChanged_) listLessons();
  }
  model_->refresh();
  hideOpenModel();
  markPlaying();
}

/// Lists the newest runs by day. The folder changes when a run begins or is removed, and a new run is complete only a
/// moment later.
void Library::refreshRuns() {
  constexpr int kMoment = 3;  // seconds
  const ui::Runs& runs = workbench_.runs();
  if (runs.folder().empty()) return;
  const QDateTime changed = QFileInfo(QString::fromStdString(runs.folder())).lastModified();
  const QDate today = QDate::currentDate();
  if (changed == runsChanged_ && today == runsDay_) return;
  if (changed.secsTo(QDateTime::currentDateTime()) > kMoment) runsChanged_ = changed;
  runsDay_ = today;
  const std::vector<NewestRun> all = newestRuns(runs);
  if (all.empty() && !runs_) return;
  if (!runs_) {  // above what ships: users who have runs look for them
    runs_ = addGroup(N_("Runs"));
    insertTopLevelItem(0, takeTopLevelItem(indexOfTopLevelItem(runs_)));
    runs_->setExpanded(true);
  }
  // The runs below the name of their day, and at the end a row that leads to all runs.
  struct Row {
    QString title;
    QVariant folder{};  ///< as kRunRole; invalid: the name of a day
    QString tip{};
  };
  std::vector<Row> rows;
  for (std::size_t i = 0; i < std::min(all.size(), kMostRuns); ++i) {
    const QString day = dayWords(all[i].begun);
    if (i == 0 || day != dayWords(all[i - 1].begun)) rows.push_back({day});
    rows.push_back({all[i].name, QString::fromStdString(all[i].folder),
                    text(N_("%1, started %2 at %3. Shows its curves."))
                        .arg(all[i].name, day, all[i].begun.time().toString(QStringLiteral("HH:mm")))});
  }
  if (!all.empty())
    rows.push_back(
        {text(N_("All runs…")), QString(), text(N_("All runs…\nThe page Library of the exhibit Training."))});
  bool same = runs_->childCount() == static_cast<int>(rows.size());
  for (int i = 0; same && i < runs_->childCount(); ++i) {
    const QTreeWidgetItem& now = *runs_->child(i);
    const Row& row = rows[static_cast<std::size_t>(i)];
    same = now.text(0) == row.title && now.data(0, kRunRole) == row.folder;
  }
  if (same) return;
  qDeleteAll(runs_->takeChildren());
  for (const Row& row : rows) {
    auto* item = new QTreeWidgetItem(runs_, {row.title});
    item->setFirstColumnSpanned(true);
    if (!row.folder.isValid()) {
      item->setFlags(Qt::ItemIsEnabled);
      item->setForeground(0, palette().placeholderText());
      continue;
    }
    item->setData(0, kRunRole, row.folder);
    item->setIcon(0, kindIcon("run"));
    item->setToolTip(0, row.tip);
  }
  runs_->setHidden(all.empty());
  openModel_.reset();  // a run that is listed here is not listed as a recent file too
}

/// Marks the lesson that plays, and makes it the current row unless the list has the focus.
void Library::markPlaying() {
  const ui::Lesson* const lesson = workbench_.lesson();
  const std::string now = lesson ? lesson->title : std::string();
  const bool other = playing_ != now;
  playing_ = now;
  for (int i = 0; i < lessons_->childCount(); ++i) {
    QTreeWidgetItem* const row = lessons_->child(i);
    const bool plays = lesson && row->text(0).toStdString() == now;
    if (plays && !hasFocus() && currentItem() != row) setCurrentItem(row);
    if (!other || row->font(0).bold() == plays) continue;
    QFont font = row->font(0);
    font.setBold(plays);
    row->setFont(0, font);
    row->setIcon(0, kindIcon(plays ? "playing" : "lesson"));
    row->setData(0, Qt::AccessibleTextRole, plays ? text(N_("%1, playing")).arg(row->text(0)) : row->text(0));
  }
  if (other && !lesson && currentItem() && currentItem()->parent() == lessons_) setCurrentItem(nullptr);
}

/// The model file of the active pane; empty: it shows none.
std::string Library::openModelFile() const {
  if (model_->title().empty()) return {};
  const ui::Document& document = workbench_.paneDocument();
  const auto keys = workbench_.exhibit(workbench_.activePane()).checkpoints(document);
  if (!keys) return {};
  const ui::Json& named = document.at(keys->key);
  if (named.is_string() && !named.get_ref<const std::string&>().empty()) return named.get<std::string>();
  // A document without a file name shows a model that ships with the program.
  return workbench_.options().assets + "/models/" + model_->title();
}

/// Hides what is listed elsewhere: the open model, which has rows with its layers, and the newest runs.
void Library::hideOpenModel() {
  std::string open = openModelFile();
  if (openModel_ == open) return;
  openModel_ = std::move(open);
  const QString file = QFileInfo(QString::fromStdString(*openModel_)).canonicalFilePath();
  const auto isNewestRun = [this](const QString& path) {
    for (int i = 0; runs_ && i < runs_->childCount(); ++i)
      if (runs_->child(i)->data(0, kRunRole).toString() == path) return true;
    return false;
  };
  for (QTreeWidgetItem* group : {models_, recent_}) {
    bool any = false;
    for (int i = 0; i < group->childCount(); ++i) {
      QTreeWidgetItem* row = group->child(i);
      const QString path = row->data(0, kPathRole).toString();
      if (path.isEmpty()) continue;
      const QString there = QFileInfo(path).canonicalFilePath();
      const bool inside = file.startsWith(there + u'/') || there.startsWith(file + u'/');
      const bool same = (!file.isEmpty() && (there == file || inside)) || isNewestRun(path);
      row->setHidden(same);
      any = any || !same;
    }
    if (group == recent_) group->setHidden(!any);
  }
}

void Library::setRecent(const std::vector<ui::RecentFile>& files) {
  qDeleteAll(recent_->takeChildren());
  for (const auto& file : files) {
    const QString path = QString::fromStdString(file.path), name = QFileInfo(path).fileName();
    QString title = file.title.empty() ? name : QString::fromStdString(file.title);
    const auto same = [&file](const ui::RecentFile& other) { return other.title == file.title; };
    // Several weight files of one model have the same title.
    if (title != name && std::count_if(files.begin(), files.end(), same) > 1) title += QStringLiteral(" · ") + name;
    addFile(recent_, title, path, file.kind == "checkpoint" ? "model" : std::string_view(file.kind));
  }
  recent_->setHidden(files.empty());
  openModel_.reset();  // compares the new rows with it
  hideOpenModel();
}

QSize Library::sizeHint() const {
  return {fontMetrics().horizontalAdvance(u'0') * kWidth, fontMetrics().height() * kHeight};
}

void Library::activate(QTreeWidgetItem* item) {
  if (model_->activate(item)) return emit edited();
  if (const QVariant run = item->data(0, kRunRole); run.isValid())
    return run.toString().isEmpty() ? emit allRunsRequested() : emit runChosen(run.toString());
  const QString path = item->data(0, kPathRole).toString();
  if (!path.isEmpty()) emit chosen(path);
}

}  // namespace sepx::app
