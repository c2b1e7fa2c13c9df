// SPDX-License-Identifier: Apache-2.0
// Whole files of data, plain or gzip, told apart by content. Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace sepx::data {

/// BadInput with one sentence that names the file: missing, a folder, not a regular file, empty, longer than `limit`
/// (also unpacked), gzip that is cut off or damaged. `what` is in it, for the sentences: "text", "images".
Result<std::string> readPlainOrGzip(const std::string& path, std::size_t limit, std::string_view what);

/// That sentence: a file of `what` is longer than `limit` bytes.
tl::unexpected<Error> tooLong(const std::string& path, std::size_t limit, std::string_view what);

/// "64 MiB"; below one "100 bytes".
std::string sizeWords(std::size_t bytes);

}  // namespace sepx::data
