// SPDX-License-Identifier: Apache-2.0
// See jobs_panel.h.
#include "app/studio/jobs_panel.h"
#include "app/studio/text.h"

#include <algorithm>
#include <cmath>

#include "ui/properties/tr.h"
#include "ui/runs/state_words.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace sepx::app {

namespace {

constexpr int kBarSteps = 1000;

bool isActive(const JobStatus& job) {
  return job.state == JobState::Running || job.state == JobState::Queued;
}

QString stateOf(const JobStatus& job) {
  switch (job.state) {
    case JobState::Queued:
      return text(N_("waiting"));
    case JobState::Running:
      return job.secondsLeft ? JobsPanel::timeLeft(*job.secondsLeft) : text(N_("running"));
    case JobState::Done:
      return text(N_("done"));
    case JobState::Cancelled:
      return text(N_("cancelled"));
    case JobState::Failed:
      return QString::fromStdString(job.failure);
  }
  return {};
}

template <class Widget>
void setText(Widget* widget, const QString& words) {
  if (widget->text() != words) widget->setText(words);
}

}  // namespace

JobsPanel::JobsPanel(ui::Workbench& workbench, QWidget* parent) : QScrollArea(parent), workbench_(workbench) {
  setObjectName(QStringLiteral("jobs.list"));
  setAccessibleName(text(N_("Jobs")));
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* content = new QWidget;
  content->setAccessibleName(text(N_("Running jobs")));
  column_ = new QVBoxLayout(content);
  column_->setContentsMargins(12, 8, 12, 8);
  none_ = new QLabel(text(N_("No jobs are running.")));
  none_->setProperty("role", "name");
  column_->addWidget(none_);
  all_ = new QPushButton(text(N_("Cancel all")));
  all_->setObjectName(QStringLiteral("jobs.cancel.all"));
  all_->setVisible(false);
  connect(all_, &QPushButton::clicked, this, [this] {
    if (const auto done = workbench_.run("jobs.cancel"); !done)
      workbench_.say({ui::Message::Level::Error, done.error().message});
    emit edited();
  });
  column_->addWidget(all_, 0, Qt::AlignLeft);
  column_->addStretch(1);
  setWidget(content);
}

QSize JobsPanel::sizeHint() const {
  return {fontMetrics().horizontalAdvance(u'0') * 40, fontMetrics().height() * 8};
}

QString JobsPanel::timeLeft(double seconds) {
  return text(N_("%1 left")).arg(QString::fromStdString(ui::durationWords(seconds)));
}

JobsPanel::Row& JobsPanel::row(const std::string& lane) {
  auto [at, fresh] = rows_.try_emplace(lane);
  Row& made = at->second;
  if (!fresh) return made;
  made.box = new QWidget;
  auto* lines = new QVBoxLayout(made.box);
  lines->setContentsMargins(0, 0, 0, 0);
  lines->setSpacing(2);
  auto* across = new QHBoxLayout;
  made.name = new QLabel;
  made.name->setWordWrap(true);
  made.state = new QLabel;
  made.state->setProperty("role", "name");
  made.state->setWordWrap(true);
  across->addWidget(made.name, 1);
  across->addWidget(made.state);
  lines->addLayout(across);
  auto* below = new QHBoxLayout;
  made.bar = new QProgressBar;
  made.bar->setRange(0, kBarSteps);
  made.cancel = new QPushButton(text(N_("Cancel")));
  made.cancel->setObjectName(QString::fromStdString("jobs.cancel." + lane));
  connect(made.cancel, &QPushButton::clicked, this, [this, lane] {
    workbench_.cancelJob(lane);
    emit edited();
  });
  below->addWidget(made.bar, 1);
  below->addWidget(made.cancel);
  lines->addLayout(below);
  column_->insertWidget(column_->count() - 2, made.box);
  return made;
}

void JobsPanel::show(Row& made, const JobStatus& job) {
  const QString name = QString::fromStdString(job.name);
  setText(made.name, name);
  setText(made.state, stateOf(job));
  made.bar->setValue(int(std::lround(job.share * kBarSteps)));
  if (made.bar->accessibleName() != name) {
    made.bar->setAccessibleName(name);
    made.cancel->setAccessibleName(text(N_("Cancel %1")).arg(name));
  }
  made.bar->setVisible(isActive(job));
  made.cancel->setVisible(isActive(job));
  made.box->setVisible(true);
}

void JobsPanel::refresh() {
  const auto jobs = workbench_.jobs();
  for (auto& [name, row] : rows_) {
    const auto& lane = name;  // Clang 14 cannot capture a structured binding
    const bool there = std::any_of(jobs.begin(), jobs.end(), [&](const JobStatus& job) { return job.lane == lane; });
    if (!there) row.box->setVisible(false);
  }
  bool any = false;
  for (const JobStatus& job : jobs) {
    show(row(job.lane), job);
    any = any || isActive(job);
  }
  none_->setVisible(jobs.empty());
  all_->setVisible(any);
}

}  // namespace sepx::app
