// SPDX-License-Identifier: Apache-2.0
// Small pictures of a lesson's steps as the stage will show them, made by the command-line program in a separate
// process with the lowest priority, so that nothing here waits for them. Each picture is available as soon as its file
// is. They are made once for a lesson, the time of its file and the language, and are deleted with this object. GUI
// thread.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <QObject>
#include <QPixmap>
#include <QString>

class QProcess;
class QTemporaryDir;

namespace sepx::app {

class StepPictures final : public QObject {
  Q_OBJECT

 public:
  /// `program`: path of the command-line program.
  explicit StepPictures(QString program, QObject* parent = nullptr);
  ~StepPictures() override;

  /// Sets the lesson; empty: none. Work on another lesson is cancelled.
  void show(const std::string& lesson);
  /// Null: there is none, or not yet.
  QPixmap picture(std::size_t step);
  /// More pictures may come.
  bool working() const { return process_ != nullptr; }

 private:
  void begin(const std::string& lesson);
  void end();

  QString program_;
  QProcess* process_ = nullptr;
  std::unique_ptr<QTemporaryDir> folder_;
  QString of_;  ///< lesson, time of its file, language
  std::map<std::size_t, QPixmap> read_;
};

}  // namespace sepx::app
