// SPDX-License-Identifier: Apache-2.0
// See step_pictures.h. The pictures end at a step that trains a run, because runs train only in the studio.
#include "app/studio/step_pictures.h"

#include <sys/resource.h>

#include "app/lesson_tour.h"
#include "engine/core/log.h"
#include "ui/properties/language.h"

#include <QDateTime>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>

namespace sepx::app {

namespace {

constexpr int kLowest = 19;  // priority: the largest nice value

}  // namespace

StepPictures::StepPictures(QString program, QObject* parent) : QObject(parent), program_(std::move(program)) {}

StepPictures::~StepPictures() {
  end();
}

void StepPictures::end() {
  if (!process_) return;
  process_->disconnect(this);
  // The process ends soon, and nothing waits for that.
  process_->setParent(nullptr);
  connect(process_, &QProcess::finished, process_, &QObject::deleteLater);
  process_->kill();
  process_ = nullptr;
}

void StepPictures::show(const std::string& lesson) {
  const QString file = QString::fromStdString(lesson);
  const QString of = lesson.empty() ? QString()
                                    : file + QLatin1Char('\n') +
                                          QString::number(QFileInfo(file).lastModified().toMSecsSinceEpoch()) +
                                          QLatin1Char('\n') + QString::fromStdString(ui::language());
  if (of == of_) return;
  of_ = of;
  end();
  read_.clear();
  folder_.reset();
  if (!lesson.empty()) begin(lesson);
}

void StepPictures::begin(const std::string& lesson) {
  folder_ = std::make_unique<QTemporaryDir>();
  if (!folder_->isValid()) return;
  process_ = new QProcess(this);
  process_->setChildProcessModifier([] { ::setpriority(PRIO_PROCESS, 0, kLowest); });
  process_->setStandardOutputFile(QProcess::nullDevice());
  process_->setStandardErrorFile(QProcess::nullDevice());
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("SEPX_LANGUAGE"), QString::fromStdString(ui::language()));
  environment.insert(QStringLiteral("LP_NUM_THREADS"), QStringLiteral("1"));  // threads of the software driver
  process_->setProcessEnvironment(environment);
  const auto done = [this] {
    process_->deleteLater();
    process_ = nullptr;
  };
  connect(process_, &QProcess::finished, this, done);
  connect(process_, &QProcess::errorOccurred, this, [this, done](QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;
    spdlog::warn("{}: {}", program_.toStdString(), process_->errorString().toStdString());
    done();
  });
  process_->start(program_, {QStringLiteral("lesson"), QStringLiteral("pictures"), QString::fromStdString(lesson),
                             QStringLiteral("--out"), folder_->path(), QStringLiteral("--room"),
                             QStringLiteral("--half"), QStringLiteral("--no-training"), QStringLiteral("--theme"),
                             QStringLiteral("projector"), QStringLiteral("--size"), QStringLiteral("960x540"),
                             QStringLiteral("--threads"), QStringLiteral("1")});
}

QPixmap StepPictures::picture(std::size_t step) {
  if (!folder_ || !folder_->isValid()) return {};
  if (const auto found = read_.find(step); found != read_.end()) return found->second;
  const QString file = folder_->filePath(QString::fromStdString(lessonPictureName(step)));
  if (!QFileInfo::exists(file)) return {};
  QPixmap picture;
  if (picture.load(file, "PNG")) read_[step] = picture;  // else the file is still being written
  return picture;
}

}  // namespace sepx::app
