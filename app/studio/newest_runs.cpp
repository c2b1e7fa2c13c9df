// SPDX-License-Identifier: Apache-2.0
// See newest_runs.h.
#include "app/studio/newest_runs.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "app/studio/text.h"
#include "engine/core/folder.h"
#include "ui/properties/tr.h"
#include "ui/runs/runs.h"

#include <QFileInfo>

namespace sepx::app {

std::vector<NewestRun> newestRuns(const ui::Runs& runs) {
  std::set<std::string> folders;
  for (const auto& run : runs.all())
    folders.insert(run->folder());
  if (!runs.folder().empty())
    for (const std::string& folder : folderPaths(runs.folder()))
      folders.insert(folder);
  std::vector<NewestRun> all;
  for (const std::string& folder : folders) {
    const QString path = QString::fromStdString(folder);
    // This file is written when a run begins.
    const QFileInfo config(path + QStringLiteral("/config.json"));
    if (!config.exists() || !QFileInfo::exists(path + QStringLiteral("/run.sqlite"))) continue;
    all.push_back({folder, QString::fromStdString(std::filesystem::path(folder).filename().string()),
                   config.lastModified().toLocalTime()});
  }
  std::ranges::stable_sort(all, [](const NewestRun& a, const NewestRun& b) { return a.begun > b.begun; });
  return all;
}

QString dayWords(const QDateTime& begun) {
  const QDate today = QDate::currentDate();
  if (begun.date() == today) return text(N_("today"));
  if (begun.date() == today.addDays(-1)) return text(N_("yesterday"));
  return begun.date().toString(Qt::ISODate);
}

}  // namespace sepx::app
