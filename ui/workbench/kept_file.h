// SPDX-License-Identifier: Apache-2.0
// A JSON object in a file that several programs change. A change takes effect in memory at once; a job in the
// background reads the file, applies what is not on the disk yet and writes it. So no frame waits for the disk, changes
// of other programs stay, and so do fields of other versions. A change that could not be written lasts as long as the
// program and is tried again with the next one. Frame thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/job.h"
#include "ui/document/document.h"

namespace sepx::ui {

/// Whether a person is told that a change could not be written.
enum class OnFailure { Say, Ignore };

class KeptFile {
 public:
  /// Any thread may call it; what it does twice is the same as once.
  using Change = std::function<void(Json& content)>;

  /// Reads the file. An empty folder: nothing is read or written. `wake` is called after each write, also from another
  /// thread; it may be empty.
  KeptFile(std::string folder, std::string name, std::function<void()> wake);
  /// As finish().
  ~KeptFile();
  KeptFile(const KeptFile&) = delete;
  KeptFile& operator=(const KeptFile&) = delete;

  std::string path() const { return folder_ + "/" + name_; }
  /// Why the file could not be read at the start: a sentence; empty when all is well.
  const std::string& problem() const { return problem_; }
  const Json& content() const { return content_; }

  void change(Change change, OnFailure onFailure);
  /// Takes over what the last write found. True: other programs' changes are in content() now.
  bool follow();
  /// Waits until nothing is being written, then as follow().
  bool finish();
  /// Why a change is not on the disk: a sentence; empty when all are, or are being written.
  std::string failure() const { return written_ ? std::string() : failure_; }
  /// failure() of changes that a person is told of, once for each change.
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
  std::vector<Pending> pending_;   ///< not known to be on the disk, in their order
  std::shared_ptr<Json> written_;  ///< of the write under way, whose job has it until its end; null: none
  JobHandle writing_;
  std::string failure_;  ///< of the last write
  Jobs jobs_;
};

}  // namespace sepx::ui
