// SPDX-License-Identifier: Apache-2.0
// Text from a stranger's file: .txt (and every other ending) as it stands, .csv and .tsv one column, .jsonl and .ndjson
// one member of every line, rows with a line end between them; each of them plain or gzip, told apart by content. Any
// thread; no more than a few copies of the text in memory.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "engine/data/gzip_file.h"

namespace sepx::data {

/// A quarter of the memory that this process may use (machine, control group, ulimit -v).
std::size_t textLimit();

/// BadInput with one sentence that names the file, the place and what to do: missing, not a regular file, empty, longer
/// than `limit` (also unpacked), a table of more cells than fit into it, binary (a zero byte), gzip that is cut off or
/// damaged, a row that cannot be read, a field that is not there (with the nearest). Usage when `field` is missing or
/// does not belong. Interrupted.
Result<std::string> readText(const std::string& path, const std::string& field, std::size_t limit,
                             const WhileReading& whileReading = {});

/// Of a text that is in memory, `name` standing for the file in sentences.
Result<std::string> textOfJsonLines(std::string_view text, const std::string& field, const std::string& name);
Result<std::string> textOfCsv(std::string_view text, const std::string& field, const std::string& name,
                              std::size_t limit);

/// What data.field names in such a file: "column" (.csv, .tsv), "member" (.jsonl, .ndjson), "" where it names nothing.
std::string_view fieldWord(const std::string& path);

}  // namespace sepx::data
