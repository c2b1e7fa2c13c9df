// SPDX-License-Identifier: Apache-2.0
#include "engine/data/text_file.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "engine/core/file.h"
#include "engine/core/json.h"
#include "engine/core/nearest_name.h"
#include "engine/core/number.h"
#include "engine/core/resource_limits.h"
#include "engine/core/table.h"
#include "engine/core/try.h"

namespace sepx::data {
namespace {

constexpr std::size_t kLongestLine = std::size_t{64} << 20;  ///< of .jsonl, bytes
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

tl::unexpected<Error> bad(const std::string& name, const std::string& what) {
  return fail(ErrorKind::BadInput, fmt::format("{}: {}", name, what));
}

Result<void> checkNoZero(const std::string& path, std::string_view text) {
  const std::size_t zero = text.find('\0');
  if (zero == std::string::npos) return {};
  return bad(path,
             fmt::format("is not text: there is a zero byte at offset {} (a binary file, or UTF-16: convert it to "
                         "UTF-8)",
                         zero));
}

/// Rejects a file that is too long by its size or has a zero byte in its first 4 KiB, before the rest is read.
Result<void> checkBeginning(const std::string& path, std::size_t limit) {
  SEPX_ASSIGN(DataFile file, DataFile::open(path, "text"));
  if (!file.packed() && file.size() > limit) return tooLong(path, limit, "text");
  std::string head(std::size_t{1} << 12, '\0');
  SEPX_ASSIGN(const std::size_t got, file.read(head.data(), head.size()));
  return checkNoZero(path, std::string_view(head).substr(0, got));
}

/// Reads the text without its byte order mark; fails if it is binary.
Result<std::string> readWhole(const std::string& path, std::size_t limit, const WhileReading& whileReading) {
  SEPX_TRY(checkBeginning(path, limit));
  SEPX_ASSIGN(std::string text, readPlainOrGzip(path, limit, "text", whileReading));
  if (std::string_view(text).starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  if (text.empty()) return bad(path, "is empty");
  SEPX_TRY(checkNoZero(path, text));
  return text;
}

/// The file extension, in lower case and without ".gz": ".csv" for "a/B.CSV.gz".
std::string endingOf(std::string path) {
  std::transform(path.begin(), path.end(), path.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (path.ends_with(".gz")) path.resize(path.size() - 3);
  const std::size_t slash = path.rfind('/');
  const std::size_t dot = path.rfind('.');
  if (dot == std::string::npos || (slash != std::string::npos && dot < slash)) return {};
  return path.substr(dot);
}

std::string noField(const std::string& field, const char* kind, const std::vector<std::string>& names) {
  if (names.empty()) return fmt::format("has no {} {}", kind, inQuotes(field));
  return fmt::format("has no {} {}; the nearest is {}", kind, inQuotes(field), inQuotes(nearestName(field, names)));
}

std::vector<std::string> membersOf(const nlohmann::json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items())
    names.push_back(name);
  return names;
}

/// Appends the field of one line to `out`.
Result<void> addLine(std::string_view line, std::size_t number, const std::string& field, const std::string& name,
                     std::string& out) {
  const auto wrong = [&](const std::string& what) { return bad(name, fmt::format("line {} {}", number, what)); };
  if (line.size() > kLongestLine)
    return wrong(fmt::format("is longer than the limit of {}; is it one value in many lines, or not a .jsonl file?",
                             sizeWords(kLongestLine)));
  const Result<nlohmann::json> value = parseJson<nlohmann::json>(line);
  if (!value) return wrong(fmt::format("is not JSON: {}", value.error().message));
  if (!value->is_object()) return wrong(fmt::format("is not a JSON object with the member {}", inQuotes(field)));
  const auto member = value->find(field);
  if (member == value->end()) return wrong(noField(field, "member", membersOf(*value)));
  if (!member->is_string())
    return wrong(
        fmt::format("has a value of type {} under {}; it must be a string", member->type_name(), inQuotes(field)));
  out += member->get_ref<const std::string&>();
  out += '\n';
  return {};
}

/// The smallest memory limit of the control group (version 2) and its parents, bytes; the largest size_t if there is
/// none.
std::size_t groupLimit() {
  std::size_t limit = std::numeric_limits<std::size_t>::max();
  const Result<std::string> group = readFile("/proc/self/cgroup", 1U << 16);
  if (!group || !group->starts_with("0::/")) return limit;
  std::string folder = "/sys/fs/cgroup" + group->substr(3, group->find('\n') - 3);
  while (folder.size() >= std::string_view("/sys/fs/cgroup").size()) {
    if (const Result<std::string> most = readFile(folder + "/memory.max", 64))
      if (const auto bytes = parseNumber(most->substr(0, most->find('\n'))); bytes && *bytes > 0 && *bytes < 1e18)
        limit = std::min(limit, static_cast<std::size_t>(*bytes));
    folder.resize(folder.rfind('/'));
  }
  return limit;
}

}  // namespace

std::size_t textLimit() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  const std::size_t machine =
      pages > 0 && size > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(size) : std::size_t{4} << 30;
  const std::size_t left = addressSpaceLeft().value_or(std::numeric_limits<std::size_t>::max());
  return std::min({machine, groupLimit(), left}) / 4;
}

Result<std::string> textOfJsonLines(std::string_view text, const std::string& field, const std::string& name) {
  std::string out;
  std::size_t number = 1;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    SEPX_TRY(addLine(line, number, field, name, out));
  }
  return out;
}

Result<std::string> textOfCsv(std::string_view text, const std::string& field, const std::string& name,
                              std::size_t limit) {
  // A table is stored cell by cell, which takes many times the bytes of short cells.
  if (text.size() > limit / 8) return tooLong(name, limit / 8, "text");
  const std::size_t most = std::max<std::size_t>(limit / 64, 1000);
  if (mostCells(text) > most)
    return bad(name, fmt::format("there are more cells than the {} that fit into memory; use only a part of it", most));
  const Result<Table> table = parseCsv(text, std::max<std::size_t>(limit / 128, 1000));
  if (!table) return bad(name, table.error().message);
  const Column* column = table->find(field);
  if (column == nullptr) {
    std::vector<std::string> names;
    for (const Column& one : table->columns)
      names.push_back(one.name);
    return bad(name, noField(field, "column", names));
  }
  const auto* rows = std::get_if<std::vector<std::string>>(&column->values);
  if (rows == nullptr) return bad(name, fmt::format("the column {} holds numbers and no text", inQuotes(field)));
  std::string out;
  for (const std::string& row : *rows)
    out.append(row).append(1, '\n');
  return out;
}

std::string_view fieldWord(const std::string& path) {
  const std::string ending = endingOf(path);
  if (ending == ".csv" || ending == ".tsv") return "column";
  return ending == ".jsonl" || ending == ".ndjson" ? "member" : "";
}

Result<std::string> readText(const std::string& path, const std::string& field, std::size_t limit,
                             const WhileReading& whileReading) {
  if (path.empty()) return fail(ErrorKind::Usage, "data.path must name a text file");
  const std::string_view word = fieldWord(path);
  const bool lines = word == "member", table = word == "column";
  if ((lines || table) && field.empty())
    return fail(ErrorKind::Usage, fmt::format("{}: data.field must name the {} that holds the text", path, word));
  if (!lines && !table && !field.empty())
    return fail(
        ErrorKind::Usage,
        fmt::format("{}: data.field = {} belongs to .csv, .tsv and .jsonl files; leave it out", path, inQuotes(field)));
  Result<std::string> whole = readWhole(path, limit, whileReading);
  if (!whole || (!lines && !table)) return whole;
  SEPX_ASSIGN(std::string text, lines ? textOfJsonLines(*whole, field, path) : textOfCsv(*whole, field, path, limit));
  if (text.find_first_not_of('\n') == std::string::npos)
    return bad(path, fmt::format("there is no text under {}", inQuotes(field)));
  if (const std::size_t zero = text.find('\0'); zero != std::string::npos)
    return bad(path, fmt::format("the text under {} has a zero byte (\\u0000) in it", inQuotes(field)));
  return text;
}

}  // namespace sepx::data
