// SPDX-License-Identifier: Apache-2.0
// sepx tokens: converts a text to tokens with the tokenizer of a checkpoint, or tokens to a text.
#include <algorithm>
#include <ostream>

#include <CLI/CLI.hpp>

#include "app/cli/declare.h"
#include "app/cli/json_out.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "app/cli/verb.h"
#include "engine/core/file.h"
#include "engine/core/json.h"
#include "engine/core/terminal_text.h"
#include "engine/core/try.h"
#include "engine/core/utf8.h"
#include "engine/tokenizer/tokenizer.h"

namespace sepx::app::cli {
namespace {

using tokenizer::Token;
using tokenizer::Tokenizer;

Json begunWith(const Tokenizer& tokenizer) {
  Json json = beginDocument("tokens");
  json["tokenizer"] = tokenizer.from();
  json["size"] = tokenizer.size();
  json["notes"] = tokenizer.notes();
  return json;
}

void addTokens(const Tokenizer& tokenizer, const std::vector<std::uint32_t>& ids, Json& json) {
  json["ids"] = ids;
  json["tokens"] = Json::array();
  for (const std::uint32_t id : ids)
    json["tokens"].push_back(tokenizer.token(id).value_or(std::string()));
}

std::vector<std::uint32_t> idsOf(const std::vector<Token>& tokens) {
  std::vector<std::uint32_t> ids;
  ids.reserve(tokens.size());
  for (const Token& token : tokens)
    ids.push_back(token.id);
  return ids;
}

/// `text` in quotes, with escapes if it contains a control character or is not UTF-8.
std::string shown(const std::string& text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](unsigned char c) { return c >= ' ' && c != 0x7F; });
  return plain && !findInvalidUtf8(text) ? '"' + printable(text) + '"' : inQuotes(text);
}

void printTokens(std::ostream& out, const Tokenizer& tokenizer, const std::vector<Token>& tokens) {
  out << fmt::format("{:>8}  {:>15}  {}\n", tr(N_("id")), tr(N_("bytes")), tr(N_("token, and what it stands for")));
  for (const Token& token : tokens) {
    const std::string name = tokenizer.token(token.id).value_or(std::string());
    const std::string bytes = tokenizer.bytes(token.id).value_or(std::string());
    out << fmt::format("{:>8}  {:>15}  {}", token.id,
                       token.added ? tr(N_("added")) : fmt::format("{}-{}", token.begin, token.end), shown(name));
    if (bytes != name) out << "  " << shown(bytes);
    out << "\n";
  }
  out << counted(tokens.size(), N_("{} token"), N_("{} tokens")) << "\n";
}

class TokensVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    addOption(command, "checkpoint", path_, N_("a checkpoint, its folder, or a tokenizer's own file"), "CHECKPOINT")
        ->required();
    addOption(command, "--text", text_, N_("the text"), "T")->each([this](const std::string&) { given_ = true; });
    addOption(command, "--text-file", file_, N_("a file with the text, UTF-8"), "F");
    addOption(command, "--decode", ids_, N_("ids to decode into text, separated by commas"), "IDS");
    addFlag(command, "--no-special", plain_, N_("without the special tokens that the tokenizer adds to a text"));
    addJsonFlag(command, json_);
  }

  Result<Outcome> run(Console& console, const Options&) override {
    if (int{given_} + int{!file_.empty()} + int{!ids_.empty()} > 1)
      return failf(ErrorKind::Usage, N_("--text, --text-file and --decode are mutually exclusive"));
    SEPX_ASSIGN(const auto opened, tokenizer::openTokenizer(path_));
    if (!ids_.empty()) return decode(console.out, *opened);
    if (given_ || !file_.empty()) return encode(console.out, *opened);
    if (json_) {
      console.out << finishDocument(begunWith(*opened));
      return Outcome::Done;
    }
    console.out << trf(N_("tokenizer of {}, ids 0 to {}"), opened->from(), opened->size() - 1) << "\n";
    for (const std::string& note : opened->notes())
      console.out << note << "\n";
    return Outcome::Done;
  }

 private:
  Result<Outcome> encode(std::ostream& out, const Tokenizer& tokenizer) {
    if (!file_.empty()) {
      SEPX_ASSIGN(text_, readFile(file_, tokenizer::kLongestText));
    }
    SEPX_ASSIGN(const auto tokens, tokenizer.encode(text_, !plain_));
    if (!json_) {
      printTokens(out, tokenizer, tokens);
      return Outcome::Done;
    }
    Json json = begunWith(tokenizer);
    addTokens(tokenizer, idsOf(tokens), json);
    json["offsets"] = Json::array();
    for (const Token& token : tokens)
      json["offsets"].push_back(Json::array({token.begin, token.end}));
    out << finishDocument(std::move(json));
    return Outcome::Done;
  }

  Result<Outcome> decode(std::ostream& out, const Tokenizer& tokenizer) {
    std::vector<std::uint32_t> ids;
    for (const std::string& word : toWords(ids_)) {
      SEPX_ASSIGN(const long long id, toInteger("--decode", word, 0, tokenizer::kMostTokens - 1));
      ids.push_back(static_cast<std::uint32_t>(id));
    }
    SEPX_ASSIGN(const std::string text, tokenizer.decode(ids));
    if (!json_) {
      out << printableLines(text) << "\n";
      return Outcome::Done;
    }
    Json json = begunWith(tokenizer);
    addTokens(tokenizer, ids, json);
    json["text"] = text;
    out << finishDocument(std::move(json));
    return Outcome::Done;
  }

  std::string path_, text_, file_, ids_;
  bool given_ = false, plain_ = false, json_ = false;
};

}  // namespace

VerbEntry makeTokens() {
  return {"tokens", N_("Convert a text to the tokens of a model, or tokens to a text"), std::make_unique<TokensVerb>(),
          kReadsOnly};
}

}  // namespace sepx::app::cli
