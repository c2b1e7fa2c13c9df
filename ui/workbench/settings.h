// SPDX-License-Identifier: Apache-2.0
// What a person prefers, on this machine, in all hosts: declared once like every parameter (registry.h), kept in
// settings.json of the configuration folder with fields of other versions left as they are; and the recent files, in
// recent.json of the state folder. A file that cannot be read or written costs one sentence, never the program: the
// values then last as long as it runs. Frame thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "ui/document/document.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

struct RecentFile {
  std::string path;   ///< absolute
  std::string title;  ///< of a lesson; else the file's name
  std::string kind;   ///< word of FileKind: "session", "lesson", …
};

class Settings {
 public:
  /// Folders as of engine/core/xdg.h; empty: nothing is read or written (headless, tests).
  Settings(std::string configFolder, std::string stateFolder);

  /// settings.theme (choice of themes and "system"), settings.language (language.h, and "system"), settings.scale (1 to
  /// 3), settings.reopen (toggle), settings.start (toggle: start page), settings.autosave (seconds, 0 off),
  /// settings.compute (auto|cpu|gpu), settings.threads, settings.figure.preset, settings.figure.theme,
  /// settings.figure.caption.
  const PropertyRegistry& properties() const { return registry_; }
  const Document& document() const { return values_; }
  Value get(std::string_view key) const { return registry_.get(values_, key); }
  /// Written at once. Usage for what the registry refuses; OutputFailed when it could not be kept: the value is set all
  /// the same.
  Result<void> set(std::string_view key, const Value& value);
  /// Increases with every change.
  std::uint64_t revision() const { return revision_; }

  /// Latest first, at most kRecent, those that are gone left out.
  std::vector<RecentFile> recent() const;
  Result<void> opened(RecentFile file);
  Result<void> clearRecent();
  static constexpr std::size_t kRecent = 10;

  /// Opaque text of a host under a name (window geometry), kept with the recent files.
  std::string kept(std::string_view name) const;
  Result<void> keep(std::string_view name, std::string text);

  /// What could not be read at the start; empty when all is well.
  const std::string& problem() const { return problem_; }

 private:
  void declare();
  /// Reads recent.json again, changes it and writes it.
  Result<void> changeState(const std::function<void(Json& state)>& change);

  std::string configFolder_, stateFolder_;
  PropertyRegistry registry_;
  Document values_;
  Json state_;
  std::uint64_t revision_ = 0;
  std::string problem_;
};

}  // namespace sepx::ui
