// SPDX-License-Identifier: Apache-2.0
// A file written piece by piece, for what is too large to be made in memory first. The pieces go to a temporary file in
// the same folder that commit() syncs and renames into place; without a commit nothing is left and the old file stands.
// One thread at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace sepx {

/// The permissions that this process gives new files: all may read and write but for the umask. The owner's alone where
/// that is not known. Of use to writers that keep a file to its owner until it is whole.
unsigned modeOfNewFiles();

class FileWriter {
 public:
  /// OutputFailed with path and reason. A pipe or device is written in place.
  static Result<std::unique_ptr<FileWriter>> begin(const std::string& path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  Result<void> write(std::string_view piece);  ///< OutputFailed; what was written goes when this is destroyed
  Result<void> commit();                       ///< once, at the end; OutputFailed: the old file stands

 private:
  FileWriter();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sepx
