// SPDX-License-Identifier: Apache-2.0
// Reads text from an untrusted file: one column of a .csv or .tsv file, one member of each line of a .jsonl or .ndjson
// file, and the whole content of any other file. Each row ends with a line end. Files may be plain or gzip, which is
// detected from the content. Any thread; at most a few copies of the text are in memory.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "engine/data/gzip_file.h"

namespace sepx::data {

/// A quarter of the memory that this process may use (machine, control group, ulimit -v).
std::size_t textLimit();

/// BadInput, with one sentence that names the file, the place and the remedy, if the file is missing, not a regular
/// file, empty, longer than `limit` bytes (plain or unpacked), a table with more cells than fit into `limit`, binary
/// (has a zero byte) or truncated or damaged gzip, if a row cannot be read, or if the field does not exist (the nearest
/// is named). Usage if `field` is missing or does not apply to the file. Interrupted if `whileReading` cancels.
Result<std::string> readText(const std::string& path, const std::string& field, std::size_t limit,
                             const WhileReading& whileReading = {});

/// Extracts the field from a text in memory; error messages use `name` as the name of the file.
Result<std::string> textOfJsonLines(std::string_view text, const std::string& field, const std::string& name);
Result<std::string> textOfCsv(std::string_view text, const std::string& field, const std::string& name,
                              std::size_t limit);

/// What data.field refers to in this kind of file: "column" (.csv, .tsv), "member" (.jsonl, .ndjson), otherwise "".
std::string_view fieldWord(const std::string& path);

}  // namespace sepx::data
