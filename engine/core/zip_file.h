// SPDX-License-Identifier: Apache-2.0
// Unpacks a zip of files from an untrusted source into a folder, within limits, and packs files into a zip. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/result.h"

namespace sepx {

struct ZipBounds {  ///< limits for an untrusted archive
  std::size_t files = 500;
  std::uint64_t bytes = std::uint64_t{512} << 20;  ///< total unpacked size of all files
  std::size_t nameBytes = 200;
};

/// Unpacks every file of `path` into `folder`, which must exist and be empty, and returns their names. BadInput with
/// the path, the reason and the entry: not a zip, damaged, beyond the limits, or a name that leaves the folder, is
/// duplicate or is not that of a regular file. Files unpacked before an error stay in the folder, which the caller
/// removes. OutputFailed: a file cannot be written.
Result<std::vector<std::string>> unpackZip(const std::string& path, const std::string& folder,
                                           const ZipBounds& bounds = {});

/// Writes a zip of `files`, which are pairs of the name in the zip and the path of the file. Equal files yield equal
/// bytes. BadInput: a file cannot be read, there are too many files or bytes, or unpackZip() would refuse a name.
/// OutputFailed with path and reason; the old file is unchanged.
Result<void> packZip(const std::vector<std::pair<std::string, std::string>>& files, const std::string& path,
                     const ZipBounds& bounds = {});

}  // namespace sepx
