// SPDX-License-Identifier: Apache-2.0
// Creates a folder atomically: its files are written to a temporary folder next to the target and reach the disk
// together (one wait, not one per file), then the folder is renamed. Without commit() nothing is left. Private to
// engine/train. One thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/descriptor.h"
#include "engine/core/result.h"

namespace sepx::train {

class NewFolder {
 public:
  /// Fails with OutputFailed (path and reason). Here and in what follows messages name `target`, not the temporary
  /// folder.
  static Result<std::unique_ptr<NewFolder>> begin(const std::string& target);
  ~NewFolder();
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  /// Begins the next file; write() appends to the last one.
  Result<void> file(const std::string& name);
  Result<void> write(std::string_view piece);
  /// Replaces an existing folder. If the file system can exchange names, one of the two has the name at every moment.
  Result<void> commit();

 private:
  NewFolder(std::string target, std::string temporaryPath)
      : target_(std::move(target)), temporaryPath_(std::move(temporaryPath)) {}
  Result<void> putInPlace();
  tl::unexpected<Error> notWritten(const std::string& name, int error) const;

  std::string target_, temporaryPath_;  ///< aside: the temporary folder, removed at the end
  std::vector<std::string> names_;
  std::vector<Descriptor> files_;
};

/// A temporary name next to `target` that no reader mistakes for a finished folder.
std::string temporaryPathFor(const std::string& target);

}  // namespace sepx::train
