// SPDX-License-Identifier: Apache-2.0
// A file written piece by piece, for what is too large to be made in memory first. The pieces go to a temporary file in
// the same folder that commit() syncs and renames into place; without a commit nothing is left and the old file stands.
// One thread at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/core/descriptor.h"
#include "engine/core/result.h"

namespace sepx {

/// What becomes of a link that stands where a file is to be written.
enum class Links {
  /// The file behind it is replaced, and the link stays: of files that a person names. A link that another user made in
  /// a folder that everybody may write (/tmp) is refused: it may name any file of the person.
  Follow,
  /// The link itself is replaced, as is a pipe or a device: of files whose names the program chooses, in a folder that
  /// may come from somebody else.
  Replace
};

/// The permissions that this process gives new files: all may read and write but for the umask. The owner's alone where
/// that is not known. Of use to writers that keep a file to its owner until it is whole.
unsigned modeOfNewFiles();

class FileWriter {
 public:
  /// OutputFailed with path and reason. A pipe or device that a person names is written in place.
  static Result<std::unique_ptr<FileWriter>> begin(const std::string& path, Links links = Links::Follow);
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

/// A whole file under a name of its own, for a caller that links or renames it to its place.
struct FileBeside {
  std::string path;
  Descriptor file;  ///< to write
};
/// A new file beside `path`, on the disk and with the permissions of new files. What stands there already is never
/// written to, not even through a link. OutputFailed with path and reason: nothing is left then.
Result<FileBeside> writeBeside(const std::string& path, std::string_view content);

}  // namespace sepx
