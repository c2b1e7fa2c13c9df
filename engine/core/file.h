// SPDX-License-Identifier: Apache-2.0
// Reads and writes whole files, and creates folders. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/file_writer.h"
#include "engine/core/result.h"

namespace sepx {

/// Called once by main(). Ignores SIGXFSZ, so that exceeding the file size limit is a failed write with an error
/// message and does not end the process.
void ignoreFileSizeSignal();

/// Reads a file. BadInput with the path and the reason: the system's, not a regular file (engine/core/regular_file.h),
/// more than `limit` bytes.
Result<std::string> readFile(const std::string& path, std::size_t limit = std::size_t{1} << 30);
/// Reads at most the first `most` bytes, otherwise as readFile(). Also for files of /proc, whose length the system does
/// not report.
Result<std::string> readHead(const std::string& path, std::size_t most);
/// Writes to a temporary file in the same folder, syncs it and renames it into place. OutputFailed with path and
/// reason; the old file is then unchanged.
Result<void> writeFile(const std::string& path, std::string_view content, Links links = Links::Follow);
/// Creates a folder and its missing parents, accessible to the owner only. An existing folder is no error. OutputFailed
/// with path and reason.
Result<void> makeFolders(const std::string& path);

}  // namespace sepx
