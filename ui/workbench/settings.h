// SPDX-License-Identifier: Apache-2.0
// The user's preferences on this machine, in all hosts. They are declared once like every parameter (registry.h) and
// stored in settings.json in the configuration folder; the recent files are in recent.json in the state folder. If a
// file cannot be read or written, one message says so, and the values last until the program ends (shared_json_file.h).
// Frame thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/exchange.h"
#include "engine/core/job.h"
#include "engine/core/result.h"
#include "ui/document/document.h"
#include "ui/properties/registry.h"
#include "ui/workbench/shared_json_file.h"

namespace sepx::ui {

struct RecentFile {
  std::string path;   ///< absolute
  std::string title;  ///< of a lesson; else the file's name
  std::string kind;   ///< word of FileKind: "session", "lesson", …
};

class Settings {
 public:
  /// Folders as in engine/core/xdg.h; empty: nothing is read or written (headless, tests). `wake`: called after each
  /// write, possibly from another thread, so that takeSaveFailure() can be called; may be empty.
  Settings(std::string configFolder, std::string stateFolder, std::function<void()> wake = {});

  /// settings.theme (choice of themes and "system"), settings.language (language.h, and "system"), settings.scale (1 to
  /// 3), settings.reopen (toggle), settings.start (toggle: start page), settings.autosave (seconds, 0 off),
  /// settings.compute (auto|cpu|gpu), settings.threads, settings.figure.preset, settings.figure.theme,
  /// settings.figure.caption.
  const PropertyRegistry& properties() const { return registry_; }
  const Document& document() const { return values_; }
  Value get(std::string_view key) const { return registry_.get(values_, key); }
  /// Usage for what the registry refuses.
  Result<void> set(std::string_view key, const Value& value, OnFailure onFailure = OnFailure::Report);
  /// Why settings are not on disk, one sentence; empty when all are, or are being written. Unsaved settings apply all
  /// the same.
  std::string saveFailure() const;
  /// To call once per frame: returns saveFailure() if a change with OnFailure::Report failed, or why the list of recent
  /// files could not be cleared. Each failure is returned once.
  std::string takeSaveFailure();
  /// Waits until all changes are on disk.
  void flush();
  /// Increases with every change.
  std::uint64_t revision() const { return revision_; }

  /// Recent files, latest first, at most kRecent, without those that were missing when a job last checked. The
  /// constructor and each call start such a job, so that no frame waits for a drive that does not respond. revision()
  /// changes when the job finds a difference.
  std::vector<RecentFile> recent();
  void opened(RecentFile file);
  void clearRecent();
  static constexpr std::size_t kRecent = 10;

  /// Opaque text of a host under a name (window geometry), kept with the recent files.
  std::string kept(std::string_view name) const;
  void keep(std::string_view name, std::string text);

  /// What could not be read at the start; empty when all is well.
  const std::string& problem() const { return problem_; }

 private:
  void declare();
  void changeRecent(SharedJsonFile::Change change, OnFailure onFailure);
  void look(const std::vector<RecentFile>& files);

  SharedJsonFile settingsFile_, recentFile_;
  PropertyRegistry registry_;
  Document values_;
  std::uint64_t revision_ = 0;
  std::string problem_;
  Exchange<std::vector<std::string>> missing_;  ///< paths of recent files that are missing
  std::vector<std::string> publishedMissing_;   ///< what the job published last; only the job uses it
  Jobs looking_;
};

}  // namespace sepx::ui
