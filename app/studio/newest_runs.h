// SPDX-License-Identifier: Apache-2.0
// The runs in the runs folder, in the order in which users look for them: by the day on which they began. GUI thread;
// reads only names and times of files, no run.
#pragma once

#include <string>
#include <vector>

#include <QDateTime>
#include <QString>

namespace sepx::ui {
class Runs;
}

namespace sepx::app {

struct NewestRun {
  std::string folder;
  QString name;     ///< name of the folder
  QDateTime begun;  ///< local time
};

/// The runs of the runs folder and those that are open, newest first.
std::vector<NewestRun> newestRuns(const ui::Runs& runs);
/// "today", "yesterday", "2026-11-25".
QString dayWords(const QDateTime& begun);

}  // namespace sepx::app
