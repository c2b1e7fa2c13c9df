// SPDX-License-Identifier: Apache-2.0
// Parses a catalogue: a header, then a table of texts and one of translations, each entry a length and an offset. Every
// text ends with a NUL byte. NUL bytes also separate plural forms and the two English forms; a context precedes the
// text, separated by a byte 4.
#include "ui/properties/catalogue.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "engine/core/file.h"
#include "engine/core/try.h"
#include "engine/core/utf8.h"

namespace sepx::ui {
namespace {

constexpr std::size_t kLargest = std::size_t{64} << 20;
constexpr std::uint32_t kMagic = 0x950412de;
constexpr char kContext = '\4';

/// Splits a text at NUL bytes.
std::vector<std::string_view> partsOf(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find('\0');
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

Result<std::unique_ptr<Catalogue>> Catalogue::read(const std::string& path) {
  SEPX_ASSIGN(std::string bytes, readFile(path, kLargest));
  auto made = parse(std::move(bytes));
  if (!made) return fail(ErrorKind::BadInput, path + ": " + made.error().message);
  return made;
}

Result<std::unique_ptr<Catalogue>> Catalogue::parse(std::string bytes) {
  std::unique_ptr<Catalogue> made(new Catalogue);
  made->bytes_ = std::move(bytes);
  SEPX_TRY(made->index());
  return made;
}

Result<void> Catalogue::index() {
  const std::string_view all = bytes_;
  const auto broken = [] { return fail(ErrorKind::BadInput, "this is not a whole catalogue of translations"); };
  const auto number = [all](std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, all.data() + at, sizeof value);
    return value;
  };
  constexpr std::size_t kHead = 20, kRow = 8;
  if (all.size() < kHead || number(0) != kMagic || number(4) >> 16 > 1) return broken();
  const std::size_t count = number(8), texts = number(12), translations = number(16);
  const auto fits = [&](std::size_t at) { return at <= all.size() && count <= (all.size() - at) / kRow; };
  if (!fits(texts) || !fits(translations)) return broken();
  const auto textAt = [&](std::size_t row) -> std::optional<std::string_view> {
    const std::size_t size = number(row), at = number(row + 4);
    if (at >= all.size() || size >= all.size() - at || all[at + size] != '\0') return std::nullopt;
    return all.substr(at, size);
  };
  for (std::size_t i = 0; i < count; ++i) {
    const auto text = textAt(texts + i * kRow), translated = textAt(translations + i * kRow);
    if (!text || !translated) return broken();
    if (text->empty()) {
      header_ = *translated;
      continue;
    }
    if (text->find(kContext) != std::string_view::npos || translated->empty()) continue;
    const auto english = partsOf(*text);
    Entry entry{english[0], english.size() > 1 ? english[1] : std::string_view()};
    for (const std::string_view form : partsOf(*translated))
      entry.forms.push_back(form.data());
    places_.emplace(entry.text, entries_.size());
    entries_.push_back(std::move(entry));
  }
  if (const std::string rule = header("Plural-Forms"); !rule.empty()) {
    SEPX_ASSIGN(plurals_, PluralRule::parse(rule));
  }
  return {};
}

const char* Catalogue::find(std::string_view text) const {
  const auto found = places_.find(text);
  return found == places_.end() ? nullptr : entries_[found->second].forms.front();
}

const char* Catalogue::findPlural(std::string_view one, std::uint64_t n) const {
  const auto found = places_.find(one);
  if (found == places_.end()) return nullptr;
  const auto& forms = entries_[found->second].forms;
  const std::size_t form = plurals_.formOf(n);
  return form < forms.size() ? forms[form] : nullptr;
}

std::string Catalogue::header(std::string_view name) const {
  std::string_view rest = header_;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (!line.starts_with(name) || line.size() <= name.size() || line[name.size()] != ':') continue;
    const auto from = line.find_first_not_of(' ', name.size() + 1);
    return from == std::string_view::npos ? std::string() : std::string(line.substr(from));
  }
  return {};
}

std::set<char32_t> Catalogue::characters() const {
  std::set<char32_t> all;
  for (const Entry& entry : entries_) {
    for (const char* form : entry.forms) {
      for (const char32_t code : decodeUtf8(form))
        if (code >= 0x80) all.insert(code);
    }
  }
  return all;
}

}  // namespace sepx::ui
