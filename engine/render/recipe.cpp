// SPDX-License-Identifier: Apache-2.0
// PNG through libpng as far as its head, SVG through pugixml (which knows no entities of a document's own), PDF by its
// XMP packet, which is made to be found by a scan: nothing of a stranger's file is unpacked.
#include "engine/render/recipe.h"

#include <algorithm>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "engine/core/file.h"
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

Found brokenXml(const char* what, const pugi::xml_parse_result& parsed) {
  return fail(ErrorKind::BadInput,
              fmt::format("not a readable {}: byte {}: {}", what, parsed.offset, parsed.description()));
}

Found recipeInSvg(std::string_view bytes) {
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
  pugi::xml_document document;
  if (!document.load_buffer(bytes.data() + begin, end + kEnd.size() - begin, pugi::parse_default, pugi::encoding_utf8))
    return std::nullopt;
  const pugi::xml_node all = childNamed(childNamed(document, "xmpmeta"), "RDF");
  for (const pugi::xml_node& description : all.children()) {
    if (auto text = textOf(description, kRecipeKey)) return text;
  }
  return std::nullopt;
}

}  // namespace

std::optional<FigureFormat> figureFormat(std::string_view bytes) {
  const auto begins = [&](std::string_view with) { return bytes.substr(0, with.size()) == with; };
  if (begins("\x89PNG\r\n\x1A\n")) return FigureFormat::Png;
  if (begins("%PDF-")) return FigureFormat::Pdf;
  // XML may begin with a mark, a declaration, comments and a document type.
  constexpr std::size_t kHead = 4096;
  std::string_view head = bytes.substr(0, kHead);
  if (head.substr(0, 3) == "\xEF\xBB\xBF") head.remove_prefix(3);
  const auto first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || head[first] != '<') return std::nullopt;
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
  }
  if (found && *found && (*found)->empty()) return std::nullopt;
  return found;
}

Result<std::optional<std::string>> readRecipe(const std::string& path) {
  const Result<std::string> bytes = readFile(path, kLargestFigure);
  if (!bytes) return tl::unexpected<Error>(bytes.error());
  Found found = recipeIn(*bytes);
  if (!found) return fail(found.error().kind, path + ": " + found.error().sentence);
  return found;
}

}  // namespace sepx::render
