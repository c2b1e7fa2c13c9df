// SPDX-License-Identifier: Apache-2.0
// PNG is read by libpng up to its pixels, SVG by pugixml (which does not expand a document's own entities), PDF by a
// scan for its XMP packet, which is designed to be found that way, NPZ by its first stored entry, films by the JSON of
// their comment, and pages by the element that holds the recipe.
#include "engine/render/recipe.h"

#include <algorithm>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "engine/core/ascii.h"
#include "engine/core/file.h"
#include "engine/core/try.h"
#include "engine/core/utf8.h"
#include "engine/render/png.h"

namespace sepx::render {

namespace {

constexpr std::size_t kLargestFigure = std::size_t{256} << 20;
constexpr std::size_t kLargestRecipe = std::size_t{64} << 20;

using Found = Result<std::optional<std::string>>;

std::string_view localName(std::string_view name) {
  return name.substr(name.find(':') == std::string_view::npos ? 0 : name.find(':') + 1);
}

/// The text of the first child named `name`, whatever its prefix.
std::optional<std::string> textOf(const pugi::xml_node& parent, std::string_view name) {
  for (const pugi::xml_node& child : parent.children()) {
    if (localName(child.name()) == name) return child.text().get();
  }
  return std::nullopt;
}

pugi::xml_node childNamed(const pugi::xml_node& parent, std::string_view name) {
  for (const pugi::xml_node& child : parent.children()) {
    if (localName(child.name()) == name) return child;
  }
  return {};
}

/// A parsed tree takes many times the memory of short elements and attributes, so they are counted before parsing.
Found tooManyElements(const char* what, std::string_view bytes) {
  constexpr std::ptrdiff_t kMost = 6'000'000;
  if (std::ranges::count_if(bytes, [](char c) { return c == '<' || c == '='; }) <= kMost) return std::nullopt;
  return fail(ErrorKind::BadInput, fmt::format("not a readable {}: more than {} elements and attributes", what, kMost));
}

Found brokenXml(const char* what, const pugi::xml_parse_result& parsed) {
  return fail(ErrorKind::BadInput,
              fmt::format("not a readable {}: byte {}: {}", what, parsed.offset, parsed.description()));
}

Found recipeInSvg(std::string_view bytes) {
  if (Found large = tooManyElements("SVG", bytes); !large) return large;
  pugi::xml_document document;
  const auto parsed = document.load_buffer(bytes.data(), bytes.size(), pugi::parse_default, pugi::encoding_auto);
  if (!parsed) return brokenXml("SVG", parsed);
  for (const pugi::xml_node& child : childNamed(document, "svg").children()) {
    if (localName(child.name()) != "metadata") continue;
    if (auto text = textOf(child, kRecipeKey)) return text;
  }
  return std::nullopt;
}

Found recipeInPdf(std::string_view bytes) {
  if (bytes.find("%%EOF") == std::string_view::npos)
    return fail(ErrorKind::BadInput, "not a readable PDF: its end is missing");
  constexpr std::string_view kBegin = "<x:xmpmeta", kEnd = "</x:xmpmeta>";
  const auto begin = bytes.rfind(kBegin);
  const auto end = begin == std::string_view::npos ? begin : bytes.find(kEnd, begin);
  if (end == std::string_view::npos || end - begin > kLargestRecipe) return std::nullopt;
  if (Found large = tooManyElements("PDF", bytes.substr(begin, end - begin)); !large) return large;
  pugi::xml_document document;
  if (!document.load_buffer(bytes.data() + begin, end + kEnd.size() - begin, pugi::parse_default, pugi::encoding_utf8))
    return std::nullopt;
  const pugi::xml_node all = childNamed(childNamed(document, "xmpmeta"), "RDF");
  for (const pugi::xml_node& description : all.children()) {
    if (auto text = textOf(description, kRecipeKey)) return text;
  }
  return std::nullopt;
}

constexpr std::string_view kZip = "PK\x03\x04", kNpzName = "Separatrix-Recipe.npy";
constexpr std::size_t kZipHeader = 30;

std::size_t little(std::string_view bytes, std::size_t at, std::size_t count) {
  std::size_t value = 0;
  for (std::size_t i = count; i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

/// The first entry of the zip, stored without compression: a zero-dimensional array of UTF-32 (engine/core/table.cpp).
Found recipeInNpz(std::string_view bytes) {
  const auto cut = [] { return fail(ErrorKind::BadInput, "not a readable NPZ: its end is missing"); };
  constexpr std::size_t kNpyHead = 10;
  const std::size_t size = little(bytes, 18, 4), from = kZipHeader + kNpzName.size() + little(bytes, 28, 2);
  if (little(bytes, 8, 2) != 0 || size > kLargestRecipe) return std::nullopt;
  if (from > bytes.size() || size > bytes.size() - from || size < kNpyHead) return cut();
  const std::string_view array = bytes.substr(from, size);
  const std::size_t data = kNpyHead + little(array, 8, 2);
  if (array.substr(0, 8) != std::string_view("\x93NUMPY\x01\x00", 8) || data > size) return std::nullopt;
  if (array.substr(kNpyHead, data - kNpyHead).find("'descr': '<U") == std::string_view::npos) return std::nullopt;
  std::string text;
  for (std::size_t at = data; at + 4 <= size; at += 4) {
    const std::size_t code = little(array, at, 4);
    if (code == 0) break;
    if (code > 0x10FFFF) return std::nullopt;
    appendUtf8(text, static_cast<char32_t>(code));
  }
  return text;
}

/// The data block as written in the pages of this program: JSON without a "<", so that it ends where the element ends.
Found recipeInHtml(std::string_view bytes) {
  const std::string begin = fmt::format("<script type=\"application/json\" id=\"{}\">", kRecipeKey);
  const auto from = bytes.find(begin);
  if (from == std::string_view::npos) return std::nullopt;
  const std::string_view rest = bytes.substr(from + begin.size());
  const auto end = rest.find('<');
  if (end == std::string_view::npos) return fail(ErrorKind::BadInput, "not a readable page: its end is missing");
  if (end > kLargestRecipe) return std::nullopt;
  return std::string(rest.substr(0, end));
}

/// The object that begins as all recipes of this program do, up to its closing brace.
Found recipeInFilm(std::string_view bytes) {
  constexpr std::string_view kBegin = "{\"program\":\"separatrix\"";
  const auto begin = bytes.find(kBegin);
  if (begin == std::string_view::npos) return std::nullopt;
  const std::string_view rest = bytes.substr(begin, kLargestRecipe);
  int depth = 0;
  bool text = false;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const char c = rest[i];
    if (text) {
      if (c == '\\') ++i;
      if (c == '"') text = false;
    } else if (c == '"') {
      text = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return std::string(rest.substr(0, i + 1));
    }
  }
  return fail(ErrorKind::BadInput, "not a readable film: its end is missing");
}

}  // namespace

std::optional<FigureFormat> figureFormat(std::string_view bytes) {
  const auto begins = [&](std::string_view with) { return bytes.substr(0, with.size()) == with; };
  if (begins("\x89PNG\r\n\x1A\n")) return FigureFormat::Png;
  if (begins("%PDF-")) return FigureFormat::Pdf;
  if (begins(kZip) && bytes.size() >= kZipHeader + kNpzName.size() && little(bytes, 26, 2) == kNpzName.size() &&
      bytes.substr(kZipHeader, kNpzName.size()) == kNpzName) {
    return FigureFormat::Npz;
  }
  if (bytes.size() >= 12 && bytes.substr(4, 4) == "ftyp") return FigureFormat::Film;
  if (begins("\x1A\x45\xDF\xA3")) return FigureFormat::Film;
  // XML may begin with a byte order mark, a declaration, comments and a document type.
  constexpr std::size_t kHead = 4096;
  std::string_view head = bytes.substr(0, kHead);
  if (head.substr(0, 3) == "\xEF\xBB\xBF") head.remove_prefix(3);
  const auto first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || head[first] != '<') return std::nullopt;
  constexpr std::string_view kPage = "<!doctype html";
  if (lowerCase(std::string(head.substr(first, kPage.size()))) == kPage) return FigureFormat::Html;
  const auto svg = head.find("<svg");
  const auto prefixed = head.find("<svg:svg");
  if (svg == std::string_view::npos && prefixed == std::string_view::npos) return std::nullopt;
  return FigureFormat::Svg;
}

Result<std::optional<std::string>> recipeIn(std::string_view bytes) {
  const auto format = figureFormat(bytes);
  if (!format) return std::nullopt;
  Found found = std::nullopt;
  switch (*format) {
    case FigureFormat::Png:
      found = textInPng(bytes, kRecipeKey);
      break;
    case FigureFormat::Svg:
      found = recipeInSvg(bytes);
      break;
    case FigureFormat::Pdf:
      found = recipeInPdf(bytes);
      break;
    case FigureFormat::Npz:
      found = recipeInNpz(bytes);
      break;
    case FigureFormat::Film:
      found = recipeInFilm(bytes);
      break;
    case FigureFormat::Html:
      found = recipeInHtml(bytes);
      break;
  }
  if (found && *found && (*found)->empty()) return std::nullopt;
  return found;
}

Result<std::optional<std::string>> readRecipe(const std::string& path) {
  SEPX_ASSIGN(const std::string bytes, readFile(path, kLargestFigure));
  Found found = recipeIn(bytes);
  if (!found) return fail(found.error().kind, path + ": " + found.error().message);
  return found;
}

}  // namespace sepx::render
