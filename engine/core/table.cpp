// SPDX-License-Identifier: Apache-2.0
#include "engine/core/table.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "engine/core/file.h"
#include "engine/core/npy.h"
#include "engine/core/number.h"
#include "engine/core/terminal_text.h"
#include "engine/core/try.h"
#include "engine/core/utf8.h"
#include "engine/core/zip_archive.h"

namespace sepx {

std::size_t Column::size() const {
  return std::visit([](const auto& list) { return list.size(); }, values);
}

const Column* Table::find(std::string_view wanted) const {
  const auto at =
      std::find_if(columns.begin(), columns.end(), [&](const Column& column) { return column.name == wanted; });
  return at == columns.end() ? nullptr : &*at;
}

// Tables to text and back. Output follows RFC 4180. Input may also have the variations of users and spreadsheets: other
// separators, comments, and a decimal comma if the separator is not a comma. Pure; any thread.

namespace {

constexpr std::size_t kMostColumns = 1000;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string quotedCell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos && (text.empty() || text.front() != '#')) {
    return std::string(text);
  }
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

std::string field(const Column& column, std::size_t row) {
  if (const auto* texts = std::get_if<std::vector<std::string>>(&column.values)) {
    return row < texts->size() ? quotedCell(printableLines((*texts)[row])) : std::string();
  }
  const auto& numbers = std::get<std::vector<double>>(column.values);
  if (row >= numbers.size() || std::isnan(numbers[row])) return {};
  return formatShortest(numbers[row]);
}

struct Field {
  std::string text;
  bool quotedCell = false;
};

struct Record {
  std::vector<Field> fields;
  std::size_t line = 0;  ///< from 1
};

tl::unexpected<Error> wrong(std::size_t line, const std::string& what) {
  return fail(ErrorKind::BadInput, fmt::format("line {}: {}", line, what));
}

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && blank(text.back()))
    text.remove_suffix(1);
  return text;
}

/// Splits a text into records. A quoted field may contain separators and line ends.
class Reader {
 public:
  Reader(std::string_view text, char separator) : text_(text), separator_(separator) {}

  /// The next record that is neither blank nor a comment; empty optional at the end.
  Result<std::optional<Record>> next();

 private:
  Result<Field> field();
  bool atEnd() const { return at_ >= text_.size(); }
  bool atLineEnd() const { return atEnd() || text_[at_] == '\n'; }
  void skipLine() {
    while (!atLineEnd())
      ++at_;
    endLine();
  }
  void endLine() {
    if (!atEnd()) ++at_;
    ++line_;
  }

  std::string_view text_;
  char separator_;
  std::size_t at_ = 0, line_ = 1;
};

Result<Field> Reader::field() {
  Field result;
  std::size_t start = at_;
  while (start < text_.size() && (text_[start] == ' ' || (text_[start] == '\t' && separator_ != '\t')))
    ++start;
  if (start < text_.size() && text_[start] == '"') {
    const std::size_t opened = line_;
    result.quotedCell = true;
    for (at_ = start + 1;; ++at_) {
      if (atEnd()) return wrong(opened, "a quotation mark is opened and not closed");
      if (text_[at_] == '"') {
        if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') break;
        ++at_;
      } else if (text_[at_] == '\n') {
        ++line_;
      }
      result.text += text_[at_];
    }
    ++at_;
    const std::size_t after = at_;
    while (!atLineEnd() && text_[at_] != separator_)
      ++at_;
    if (!trimmed(text_.substr(after, at_ - after)).empty())
      return wrong(line_, "there is text behind a quotation mark");
    return result;
  }
  const std::size_t from = at_;
  while (!atLineEnd() && text_[at_] != separator_)
    ++at_;
  result.text = trimmed(text_.substr(from, at_ - from));
  return result;
}

Result<std::optional<Record>> Reader::next() {
  for (; !atEnd(); skipLine()) {
    const std::string_view rest = text_.substr(at_, text_.find('\n', at_) - at_);
    const std::string_view content = trimmed(rest);
    if (!content.empty() && content.front() != '#') break;
  }
  if (atEnd()) return std::nullopt;
  Record record;
  record.line = line_;
  for (;;) {
    SEPX_ASSIGN(Field one, field());
    record.fields.push_back(std::move(one));
    if (record.fields.size() > kMostColumns) {
      return wrong(record.line, fmt::format("there are more than {} columns", kMostColumns));
    }
    if (atLineEnd()) break;
    ++at_;  // the separator
  }
  endLine();
  return record;
}

/// The most frequent separator in the first line that is neither blank nor a comment.
char separatorOf(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = trimmed(text.substr(at, end - at));
    at = end + 1;
    if (line.empty() || line.front() == '#') continue;
    char best = ',';
    std::ptrdiff_t most = 0;
    for (const char one : {'\t', ';', ','}) {
      const auto count = std::count(line.begin(), line.end(), one);
      if (count > most) {
        most = count;
        best = one;
      }
    }
    return best;
  }
  return ',';
}

/// `comma`: accept a decimal comma, since the separator is not a comma.
std::optional<double> numberIn(const Field& field, bool comma) {
  if (field.quotedCell && field.text.empty()) return std::nullopt;
  if (comma && field.text.find('.') == std::string::npos) {
    std::string text = field.text;
    std::replace(text.begin(), text.end(), ',', '.');
    return parseNumber(text);
  }
  return parseNumber(field.text);
}

/// "loss (nats)" is a name and a unit.
Column named(const std::string& heading) {
  Column column;
  const auto open = heading.rfind(" (");
  if (open != std::string::npos && open > 0 && heading.size() > open + 3 && heading.back() == ')') {
    column.name = heading.substr(0, open);
    column.unit = heading.substr(open + 2, heading.size() - open - 3);
  } else {
    column.name = heading;
  }
  return column;
}

struct Body {
  std::vector<std::vector<Field>> columns;
  bool comma = false;
};

Column columnOf(std::vector<Field>& fields, bool comma) {
  Column column;
  std::vector<double> numbers;
  numbers.reserve(fields.size());
  for (const Field& field : fields) {
    if (!field.quotedCell && field.text.empty()) {
      numbers.push_back(std::nan(""));
      continue;
    }
    const auto value = numberIn(field, comma);
    if (!value) break;
    numbers.push_back(*value);
  }
  if (numbers.size() == fields.size()) {
    column.values = std::move(numbers);
    return column;
  }
  std::vector<std::string> texts;
  texts.reserve(fields.size());
  for (Field& field : fields)
    texts.push_back(std::move(field.text));
  column.values = std::move(texts);
  return column;
}

/// Whether a first line is a header: no field is a number, and not all fields are empty.
bool isHeader(const Record& record, bool comma) {
  bool any = false;
  for (const Field& field : record.fields) {
    if (numberIn(field, comma)) return false;
    any = any || !field.text.empty();
  }
  return any;
}

}  // namespace

std::string toCsv(const Table& table) {
  std::string out;
  for (const Column& column : table.columns) {
    if (!out.empty()) out += ',';
    out += quotedCell(
        printableLines(column.unit.empty() ? column.name : fmt::format("{} ({})", column.name, column.unit)));
  }
  out += "\r\n";
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (i > 0) out += ',';
      out += field(table.columns[i], row);
    }
    out += "\r\n";
  }
  return out;
}

std::size_t mostCells(std::string_view text) {
  std::size_t separators = 0;
  for (const char separator : {',', ';', '\t'})
    separators = std::max(separators, static_cast<std::size_t>(std::count(text.begin(), text.end(), separator)));
  return separators + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
}

Result<Table> parseCsv(std::string_view text, std::size_t most) {
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) text.remove_prefix(kByteOrderMark.size());
  const auto zero = text.find('\0');
  if (zero != std::string_view::npos) {
    return fail(ErrorKind::BadInput, fmt::format("byte {}: this is not text", zero));
  }
  const char separator = separatorOf(text);
  Reader reader(text, separator);
  Result<std::optional<Record>> record = reader.next();
  if (!record) return tl::unexpected(record.error());
  if (!*record) return fail(ErrorKind::BadInput, "there are no numbers in it");
  Body body;
  body.comma = separator != ',';
  const bool header = isHeader(**record, body.comma);
  const std::vector<Field> first = (*record)->fields;
  body.columns.resize(first.size());
  std::size_t rows = 0;
  if (header) record = reader.next();
  for (;; record = reader.next()) {
    if (!record) return tl::unexpected(record.error());
    if (!*record) break;
    std::vector<Field>& fields = (*record)->fields;
    if (fields.size() != body.columns.size()) {
      return wrong((*record)->line,
                   fmt::format("there are {} columns where the first line has {}", fields.size(), body.columns.size()));
    }
    if (++rows > most) return wrong((*record)->line, fmt::format("there are more than {} rows", most));
    for (std::size_t i = 0; i < fields.size(); ++i)
      body.columns[i].push_back(std::move(fields[i]));
  }
  if (rows == 0) return fail(ErrorKind::BadInput, "there is a line of names and no row of numbers");
  Table table;
  for (std::size_t i = 0; i < body.columns.size(); ++i) {
    Column column = columnOf(body.columns[i], body.comma);
    Column title = named(header ? first[i].text : std::to_string(i + 1));
    column.name = std::move(title.name);
    column.unit = std::move(title.unit);
    table.columns.push_back(std::move(column));
  }
  return table;
}

// NumPy's zip of arrays: every entry is an .npy file of format 1.0, little-endian, stored uncompressed with a fixed
// time stamp, so that equal numbers yield equal bytes. The archive is built in memory with minizip and written in one
// piece.

namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie in memory");

template <class T>
std::string bytesOf(const std::vector<T>& values) {
  std::string out(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(out.data(), values.data(), out.size());
  return out;
}

std::string npyTexts(const std::vector<std::string>& texts, const std::vector<std::size_t>& shape) {
  std::vector<std::vector<char32_t>> all;
  std::size_t longest = 1;
  for (const std::string& text : texts) {
    all.push_back(decodeUtf8(text));
    longest = std::max(longest, all.back().size());
  }
  std::string out = npyHeader(fmt::format("<U{}", longest), shape);
  for (std::vector<char32_t>& text : all) {
    text.resize(longest, U'\0');
    out.append(reinterpret_cast<const char*>(text.data()), text.size() * sizeof(char32_t));
  }
  return out;
}

std::string npy(const Column& column) {
  if (const auto* texts = std::get_if<std::vector<std::string>>(&column.values))
    return npyTexts(*texts, {texts->size()});
  const auto& numbers = std::get<std::vector<double>>(column.values);
  return npyHeader("<f8", {numbers.size()}) + bytesOf(numbers);
}

std::string npy(const Grid& grid) {
  if (const auto* labels = std::get_if<std::vector<std::uint8_t>>(&grid.values))
    return npyHeader("|u1", grid.shape) + bytesOf(*labels);
  return npyHeader("<f8", grid.shape) + bytesOf(std::get<std::vector<double>>(grid.values));
}

}  // namespace

Result<void> writeNpz(const Numbers& numbers, const std::string& recipe, const std::string& path) {
  ZipArchive archive;
  bool good = true;
  const auto add = [&](const std::string& name, const std::string& content) {
    good = good && archive.add(name, content, ZipPacking::Stored);
  };
  // First entry, so that the head of the file identifies its origin.
  if (!recipe.empty()) add("Separatrix-Recipe.npy", npyTexts({recipe}, {}));
  for (const Table& table : numbers.tables) {
    for (const Column& column : table.columns)
      add(fmt::format("{}.{}.npy", table.name, column.name), npy(column));
  }
  for (const Grid& grid : numbers.grids)
    add(grid.name + ".npy", npy(grid));
  const std::string bytes = archive.close();
  if (!good || bytes.empty()) {
    return fail(ErrorKind::OutputFailed, fmt::format("{}: cannot be written: the archive cannot be created", path));
  }
  return writeFile(path, bytes);
}

}  // namespace sepx
