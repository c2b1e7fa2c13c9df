// SPDX-License-Identifier: Apache-2.0
// Files that are being read in a job, for Files to take when all of them were. The latest request wins. Frame thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/core/job.h"
#include "ui/workbench/open_file.h"

namespace sepx::ui {

class Opening {
 public:
  explicit Opening(Jobs& jobs) : jobs_(jobs) {}

  /// Reads `paths`, at least one; what was read for a request before is forgotten. `rules`: as of readAnything.
  void start(std::vector<std::string> paths, const std::string& rules);
  /// False when nothing was being opened.
  bool cancel();

  /// Name of what is read, or was read and not yet taken; empty: nothing.
  const std::string& name() const { return name_; }
  /// Once a frame. True: all files were read.
  bool refresh();
  /// What refresh() announced, one a path in their order.
  const std::vector<Result<Opened>>& files() const;
  /// The same; nothing is being opened any more.
  std::vector<Result<Opened>> take();

 private:
  struct Work;

  Jobs& jobs_;
  std::shared_ptr<Work> work_;
  std::string name_;
};

}  // namespace sepx::ui
