// SPDX-License-Identifier: Apache-2.0
// A zip of files that a stranger may have made: unpacked into a folder within bounds, or not at all. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/result.h"

namespace sepx {

struct ZipBounds {  ///< of an archive from a stranger
  std::size_t files = 500;
  std::uint64_t bytes = std::uint64_t{512} << 20;  ///< of all files, unpacked
  std::size_t nameBytes = 200;
};

/// Unpacks every file of `path` into `folder`, which is there and empty, and answers their names. BadInput with the
/// path, what is wrong and where: not a zip, damaged, more than the bounds, a name that leaves the folder, is there
/// twice or is no file's. What was unpacked until then stays in the folder, which the caller removes. OutputFailed: a
/// file cannot be written.
Result<std::vector<std::string>> unpackZip(const std::string& path, const std::string& folder,
                                           const ZipBounds& bounds = {});

/// Writes a zip of files: name in the zip and file, in this order. Equal files make equal bytes. BadInput: a file
/// cannot be read, or a name is one that unpackZip() refuses; OutputFailed with path and reason, the old file stands.
Result<void> packZip(const std::vector<std::pair<std::string, std::string>>& files, const std::string& path,
                     const ZipBounds& bounds = {});

}  // namespace sepx
