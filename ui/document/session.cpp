// SPDX-License-Identifier: Apache-2.0
// Session files (.sepx): the document's JSON, indented so that people can read and diff it. What the fields mean is
// checked by the property registry, not here. Any thread.
#include <fmt/format.h>

#include "engine/core/file.h"
#include "ui/document/document.h"
#include "ui/document/json_text.h"

namespace sepx::ui {
namespace {

constexpr std::size_t kLargestSession = std::size_t{64} << 20;

}  // namespace

Result<Document> readSession(const std::string& path) {
  const Result<std::string> text = readFile(path, kLargestSession);
  if (!text) return tl::unexpected(text.error());
  const auto named = [&path](const Error& error) {
    return fail(error.kind, fmt::format("{}: {}", path, error.sentence));
  };
  const Result<Json> json = parseJson(*text);
  if (!json) return named(json.error());
  Result<Document> document = Document::fromJson(*json);
  if (!document) return named(document.error());
  return document;
}

Result<void> writeSession(const Document& document, const std::string& path) {
  return writeFile(path, indentedText(document.toJson()) + "\n");
}

}  // namespace sepx::ui
