// SPDX-License-Identifier: Apache-2.0
// Session files (.sepx): the document's JSON, indented so that people can read and diff it. What the fields mean is
// checked by the property registry, not here. Any thread.
#include "ui/document/session.h"

#include <fmt/format.h>

#include "engine/core/file.h"
#include "ui/document/json_text.h"

namespace sepx::ui {
namespace {

tl::unexpected<Error> named(const std::string& path, const Error& error) {
  return fail(error.kind, fmt::format("{}: {}", path, error.message));
}

}  // namespace

Result<Session> parseSession(std::string_view text) {
  Result<Json> json = parseJson(text);
  if (!json) return tl::unexpected(json.error());
  Session session;
  session.stamp = stampOf(text);
  if (json->is_object()) {
    const auto version = json->find("version");
    if (version != json->end() && version->is_number_integer() && version->get<std::int64_t>() > Document::kVersion) {
      session.version = version->get<std::int64_t>();
      *version = Document::kVersion;
    }
  }
  Result<Document> document = Document::fromJson(*json);
  if (!document) return tl::unexpected(document.error());
  session.document = std::move(*document);
  return session;
}

Result<Session> readSessionFile(const std::string& path) {
  const Result<std::string> text = readFile(path, kLargestSession);
  if (!text) return tl::unexpected(text.error());
  Result<Session> session = parseSession(*text);
  if (!session) return named(path, session.error());
  return session;
}

Result<Document> readSession(const std::string& path) {
  const Result<std::string> text = readFile(path, kLargestSession);
  if (!text) return tl::unexpected(text.error());
  const Result<Json> json = parseJson(*text);
  if (!json) return named(path, json.error());
  Result<Document> document = Document::fromJson(*json);
  if (!document) return named(path, document.error());
  return document;
}

std::string sessionText(const Document& document) {
  return indentedText(document.toJson()) + "\n";
}

Result<void> writeSession(const Document& document, const std::string& path) {
  return writeFile(path, sessionText(document));
}

}  // namespace sepx::ui
