// SPDX-License-Identifier: Apache-2.0
// See own_data.h.
#include "ui/exhibits/training/own/own_data.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include "engine/core/file.h"
#include "engine/core/json.h"
#include "engine/core/try.h"
#include "engine/data/text_file.h"
#include "engine/data/text_source.h"
#include "ui/exhibits/training/own/own_config.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

namespace {

constexpr std::size_t kHead = std::size_t{1} << 16;  // bytes that are searched for the first line of .jsonl

const char* unitOf(data::Tokens tokens) {
  return tokens == data::Tokens::Bytes        ? tr("bytes")
         : tokens == data::Tokens::Characters ? tr("characters")
                                              : tr("byte pairs");
}

std::string countOf(std::size_t count) {
  return stepText(static_cast<std::int64_t>(count));
}

}  // namespace

Result<std::string> textColumn(const Table& table, const std::string& path) {
  const Column* best = nullptr;
  std::size_t most = 0;
  std::string names;
  for (const Column& column : table.columns) {
    names += (names.empty() ? "" : ", ") + column.name;
    const auto* const cells = std::get_if<std::vector<std::string>>(&column.values);
    if (!cells) continue;
    std::size_t size = 0;
    for (const std::string& cell : *cells)
      size += cell.size();
    if (size <= most) continue;
    best = &column;
    most = size;
  }
  if (best) return best->name;
  return fail(ErrorKind::Usage,
              trFormat("{}: no column contains text ({}); a run needs a column with text", path, names));
}

std::string textMember(const std::string& path) {
  if (data::fieldWord(path) != "member") return {};
  const Result<std::string> head = readHead(path, kHead);
  if (!head) return {};
  const auto line = sepx::parseJson<nlohmann::json>(std::string_view(*head).substr(0, head->find('\n')));
  if (!line || !line->is_object()) return {};
  std::string name;
  std::size_t most = 0;
  for (const auto& [member, value] : line->items()) {
    if (!value.is_string() || value.get_ref<const std::string&>().size() < most) continue;
    name = member;
    most = value.get_ref<const std::string&>().size();
  }
  return name;
}

Document withOwnText(const Document& document, const std::string& path, const std::string& field) {
  Document next =
      document.with("training.page", "own").with(ownKey("data.kind"), "text").with(ownKey("data.path"), path);
  const auto without = [&next](const std::string& key) {
    if (next.has(key)) next = next.without(key);
  };
  if (field.empty())
    without(ownKey("data.field"));
  else
    next = next.with(ownKey("data.field"), field);
  without(ownKey("model.vocabulary"));
  without("training.own.parent_step");  // the text has another vocabulary than the parent run
  const Json input = next.at(ownKey("model.input"));
  if (input == "patches")
    for (const char* const place : {"objective.kind", "model.causal", "model.length", "model.output"})
      without(ownKey(place));
  if (input == "bit" || input == "patches") without(ownKey("model.input"));
  return next;
}

bool TextFacts::isShort(int length) const {
  const auto context = static_cast<std::size_t>(std::max(0, length));
  return train < context || validation < context;
}

std::string TextFacts::sentence(const std::string& path, int length) const {
  const std::string name = std::filesystem::path(path).filename().string();
  std::string text = trFormat("{}: {} {} to train and {} to validate, {} different ones.", name, countOf(train),
                              unitOf(tokens), countOf(validation), countOf(static_cast<std::size_t>(vocabulary)));
  if (!isShort(length)) return text;
  const bool both = train < static_cast<std::size_t>(length);
  return text + " " +
         trEither(both,
                  N_("The text is shorter than the context of {}: each sequence is the whole text and ends early."),
                  N_("The validation part is shorter than the context of {}: its sequence ends early. A larger "
                     "data.validation_share makes it longer."),
                  length);
}

Result<TextFacts> readTextFacts(const data::SourceConfig& config) {
  SEPX_ASSIGN(const std::unique_ptr<data::Source> source, data::makeSource(config));
  const auto* const text = dynamic_cast<const data::TokenisedSource*>(source.get());
  if (!text) return fail(ErrorKind::Usage, tr("the data are not text"));
  return TextFacts{text->tokens(data::Split::Train), text->tokens(data::Split::Validation), text->tokeniser().size(),
                   config.tokens};
}

}  // namespace sepx::ui
