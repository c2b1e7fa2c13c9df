// SPDX-License-Identifier: Apache-2.0
// Whole files in and out. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/file_writer.h"
#include "engine/core/result.h"

namespace sepx {

/// Called once by main(): a file that reaches the size its owner allows is a failed write with a sentence, not the end
/// of the process.
void expectFullDisks();

/// BadInput with the path and the reason: the system's, not a regular file (engine/core/regular_file.h), more than
/// `limit` bytes.
Result<std::string> readFile(const std::string& path, std::size_t limit = std::size_t{1} << 30);
/// At most the first `most` bytes, else as readFile(). Files of /proc too, whose length the system does not say.
Result<std::string> readHead(const std::string& path, std::size_t most);
/// Writes to a temporary file in the same folder, syncs it and renames it into place. OutputFailed with path and
/// reason; the old file is untouched then.
Result<void> writeFile(const std::string& path, std::string_view content, Links links = Links::Follow);
/// Makes a folder and those above it, for its owner only; fine when it is there. OutputFailed with path and reason.
Result<void> makeFolders(const std::string& path);

}  // namespace sepx
