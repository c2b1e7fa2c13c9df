// SPDX-License-Identifier: Apache-2.0
// Writes a file piece by piece, for content that is too large for memory. The pieces go to a temporary file in the same
// folder, which commit() syncs and renames into place. Without a commit the temporary file is removed and the old file
// is unchanged. One thread at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/core/descriptor.h"
#include "engine/core/result.h"

namespace sepx {

/// What to do with a symbolic link at the path of the file to write.
enum class Links {
  /// Replaces the target and keeps the link: for files that the user names. A link that another user created in a
  /// world-writable folder (/tmp) is refused, because it may point to any file of the user.
  Follow,
  /// Replaces the link itself, and also a pipe or a device: for files whose names the program chooses, in a folder that
  /// may be untrusted.
  Replace
};

/// The permissions of new files of this process: read and write for all, less the umask; for the owner only if the
/// umask is unknown. For writers that restrict a file to its owner until it is complete.
unsigned modeOfNewFiles();

class FileWriter {
 public:
  /// Opens the file. OutputFailed with path and reason. A pipe or device that the user names is written in place.
  static Result<std::unique_ptr<FileWriter>> begin(const std::string& path, Links links = Links::Follow);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  Result<void> write(std::string_view piece);  ///< OutputFailed; the destructor removes what was written
  Result<void> commit();                       ///< once, at the end; OutputFailed: the old file is unchanged

 private:
  FileWriter();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A complete file under a temporary unique name, for a caller that links or renames it into place.
struct TemporaryFile {
  std::string path;
  Descriptor file;  ///< open for writing
};
/// Creates a file beside `path`, synced to disk and with the permissions of new files. Existing files are never written
/// to, not even through a link. OutputFailed with path and reason; then no file is left.
Result<TemporaryFile> writeTemporaryFile(const std::string& path, std::string_view content);

}  // namespace sepx
