// SPDX-License-Identifier: Apache-2.0
// A JSON object in a file that several programs change. A change takes effect in memory at once. A background job then
// reads the file, applies the changes that are not on disk yet, and writes it. So no frame waits for the disk, and
// changes by other programs and fields of other versions are preserved. A change that could not be written is kept
// until the program ends, and is written again with the next one. Frame thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/job.h"
#include "ui/document/document.h"

namespace sepx::ui {

/// Whether the user is told that a change could not be written.
enum class OnFailure { Report, Ignore };

class SharedJsonFile {
 public:
  /// Must be idempotent; any thread may call it.
  using Change = std::function<void(Json& content)>;

  /// Reads the file. An empty folder: nothing is read or written. `wake` is called after each write, also from another
  /// thread; it may be empty.
  SharedJsonFile(std::string folder, std::string name, std::function<void()> wake);
  /// Waits as finish() does.
  ~SharedJsonFile();
  SharedJsonFile(const SharedJsonFile&) = delete;
  SharedJsonFile& operator=(const SharedJsonFile&) = delete;

  std::string path() const { return folder_ + "/" + name_; }
  /// A sentence about why the file could not be read at the start; empty: no problem.
  const std::string& problem() const { return problem_; }
  const Json& content() const { return content_; }

  void change(Change change, OnFailure onFailure);
  /// Adopts the result of the last write. True: content() now has changes by other programs.
  bool follow();
  /// Waits until nothing is being written, then does the same as follow().
  bool finish();
  /// A sentence about why a change is not on disk; empty if all changes are, or are being written.
  std::string failure() const { return written_ ? std::string() : failure_; }
  /// failure(), once for each change with OnFailure::Report.
  std::string takeFailure();

 private:
  struct Pending {
    Change change;
    OnFailure onFailure;
  };

  void write();
  bool settle(std::string failure);

  std::string folder_, name_, problem_;
  Json content_ = Json::object();
  std::vector<Pending> pending_;   ///< changes not known to be on disk, in order
  std::shared_ptr<Json> written_;  ///< of the running write; its job uses it until it ends; null: none
  JobHandle writing_;
  std::string failure_;  ///< of the last write
  Jobs jobs_;
};

}  // namespace sepx::ui
