// SPDX-License-Identifier: Apache-2.0
// Reads a tokenizer.json of the tokenizers library. Vocabulary and merges, of which there may be half a million, are
// stored directly while parsing; the rest is kept as JSON.
#include <deque>

#include <fmt/format.h>

#include "engine/core/json.h"
#include "engine/core/try.h"
#include "engine/tokenizer/json_events.h"
#include "engine/tokenizer/parts.h"
#include "engine/tokenizer/tokenizer.h"

namespace sepx::tokenizer {

namespace {

constexpr std::size_t kDeepest = 32, kMostValues = 2'000'000;

/// The contents of a file. `rest` has everything except the three long lists.
struct Document {
  Json rest = Json::object();
  Vocab vocab;
  std::vector<double> scores;      ///< for Unigram, by id
  std::vector<NamedMerge> merges;  ///< views into the file's text or `escaped`
  std::deque<std::string> escaped;
  bool listed = false;  ///< the vocabulary is a list of tokens with scores
};

class TokenizerReader {
 public:
  Document document;
  std::string refusal;

  explicit TokenizerReader(std::string_view text) : text_(text) {}

  bool null() { return value(Json()); }
  bool boolean(bool given) { return value(given); }
  bool negative(std::int64_t given) {
    if (place_ == Place::Scores && depth_ == 4) return putScore(static_cast<double>(given));
    return inLong() ? refuse("a negative number among the merges or the tokens") : value(given);
  }
  bool whole(std::uint64_t given) {
    if (place_ == Place::Vocab && depth_ == 3) return put(std::move(token_), given);
    if (place_ == Place::Scores && depth_ == 4) return putScore(static_cast<double>(given));
    return inLong() ? refuse("a number among the merges or the tokens") : value(given);
  }
  bool number(double given) {
    if (place_ == Place::Scores && depth_ == 4) return putScore(given);
    return inLong() ? refuse("a number among the merges or the tokens") : value(given);
  }
  bool string(std::string_view given) {
    if (place_ == Place::Merges) return putMerge(given);
    if (place_ == Place::Scores && depth_ == 4) {
      token_ = given;
      return true;
    }
    return inLong() ? refuse("a text where an id should be") : value(std::string(given));
  }
  bool key(std::string_view given) {
    if (place_ == Place::Vocab) {
      token_ = given;
      return true;
    }
    if (!inLong() && open_.back()->is_object() && open_.back()->contains(given))
      return refuse(fmt::format("duplicate name {} in one object", inQuotes(given)));
    key_ = given;
    return true;
  }
  bool begin(bool array) { return enter(array ? Json::array() : Json::object()); }
  bool end() { return leave(); }

 private:
  enum class Place { Other, Vocab, Scores, Merges };

  bool inLong() const { return place_ != Place::Other; }
  bool refuse(std::string why) {
    refusal = std::move(why);
    return false;
  }

  bool put(std::string token, std::uint64_t id) {
    if (const auto added = document.vocab.add(std::move(token), id); !added) return refuse(added.error().message);
    return true;
  }
  bool putScore(double score) {
    document.scores.push_back(score);
    return put(std::move(token_), document.scores.size() - 1);
  }
  /// Returns a view that outlives the event.
  std::string_view kept(std::string_view given) {
    const std::less<const char*> before;
    if (!before(given.data(), text_.data()) && !before(text_.data() + text_.size(), given.data() + given.size()))
      return given;
    return document.escaped.emplace_back(given);
  }
  bool putMerge(std::string_view given) {
    auto& merges = document.merges;
    given = kept(given);
    if (depth_ == 4) {  // ["a", "b"]
      if (half_++ == 0)
        left_ = given;
      else
        merges.push_back({left_, given});
      if (half_ > 2) return refuse("a merge of more than two parts");
    } else {  // "a b"
      const auto blank = given.find(' ');
      if (blank == std::string_view::npos || given.find(' ', blank + 1) != std::string_view::npos)
        return refuse(fmt::format("the merge {} is not two parts with a space between them", inQuotes(given)));
      merges.push_back({given.substr(0, blank), given.substr(blank + 1)});
    }
    return merges.size() <= kMostMerges || refuse(fmt::format("more than {} merges", kMostMerges));
  }

  bool value(Json given) {
    if (open_.empty()) return refuse("it is not an object");
    if (++values_ > kMostValues) return refuse(fmt::format("more than {} values", kMostValues));
    place(std::move(given));
    return true;
  }
  Json* place(Json given) {
    Json& into = *open_.back();
    if (into.is_array()) {
      into.push_back(std::move(given));
      return &into.back();
    }
    return &(into[key_] = std::move(given));
  }

  bool enter(Json fresh) {
    if (++depth_ > kDeepest) return refuse(fmt::format("it is nested more than {} deep", kDeepest));
    half_ = 0;
    if (inLong()) return enterLong(fresh.is_array());
    if (open_.empty()) {
      if (!fresh.is_object()) return refuse("it is not an object");
      open_.push_back(&document.rest);
      return true;
    }
    if (depth_ == 2) section_ = key_;
    if (depth_ == 3 && section_ == "model" && open_.back()->is_object() && (key_ == "vocab" || key_ == "merges")) {
      if (open_.back()->contains(key_)) return refuse("the model has two vocabularies or lists of merges");
      place(Json());
      document.listed = document.listed || (key_ == "vocab" && fresh.is_array());
      place_ = key_ == "merges" ? Place::Merges : fresh.is_array() ? Place::Scores : Place::Vocab;
      return place_ != Place::Merges || fresh.is_array() || refuse("the merges are not a list");
    }
    if (++values_ > kMostValues) return refuse(fmt::format("more than {} values", kMostValues));
    open_.push_back(place(std::move(fresh)));
    return true;
  }
  bool enterLong(bool array) {
    if (place_ == Place::Vocab) return refuse("the vocabulary is not tokens with ids");
    return (array && depth_ == 4) || refuse("the merges or tokens are nested");
  }
  bool leave() {
    if (inLong() && depth_ == 4 && place_ == Place::Merges && half_ != 2) return refuse("a merge of one part");
    if (inLong() && depth_ == 3)
      place_ = Place::Other;
    else if (!inLong())
      open_.pop_back();
    --depth_;
    return true;
  }

  std::string_view text_, left_;
  std::vector<Json*> open_;
  std::size_t depth_ = 0, values_ = 0;
  int half_ = 0;
  Place place_ = Place::Other;
  std::string key_, section_, token_;
};

Result<BpeRules> bpeRulesOf(const Fields& fields) {
  BpeRules rules;
  SEPX_ASSIGN(rules.prefix, fields.shortText("continuing_subword_prefix", ""));
  SEPX_ASSIGN(rules.suffix, fields.shortText("end_of_word_suffix", ""));
  if (fields.find("unk_token")) {
    SEPX_ASSIGN(rules.unknown, fields.text("unk_token"));
  }
  SEPX_ASSIGN(rules.fuseUnknown, fields.flag("fuse_unk", false));
  SEPX_ASSIGN(rules.byteFallback, fields.flag("byte_fallback", false));
  SEPX_ASSIGN(rules.wholeFirst, fields.flag("ignore_merges", false));
  return rules;
}

Result<ModelOf> makeUnigramOf(const Fields& fields, Document& document) {
  if (!document.listed) return fields.refuse("its vocabulary is not a list of tokens with scores");
  SEPX_TRY(document.vocab.finish(true));
  UnigramRules rules;
  if (fields.find("unk_id")) {
    SEPX_ASSIGN(const auto id, fields.number("unk_id", std::nullopt, kMostTokens - 1));
    rules.unknown = static_cast<std::uint32_t>(id);
  }
  SEPX_ASSIGN(rules.byteFallback, fields.flag("byte_fallback", false));
  return makeUnigram(std::move(document.vocab), std::move(document.scores), std::move(rules));
}

Result<ModelOf> makeModelOf(Document& document) {
  if (!document.rest.contains("model")) return fail(ErrorKind::BadInput, "there is no \"model\"");
  SEPX_ASSIGN(const Fields fields, Fields::of("model", document.rest["model"]));
  if (document.vocab.count() == 0) return fields.refuse("its vocabulary is empty");
  std::string type = fields.type();
  // Old files do not give the type.
  const Json& model = document.rest["model"];
  if (type.empty()) {
    type = model.contains("merges")                     ? "BPE"
           : document.listed                            ? "Unigram"
           : model.contains("max_input_chars_per_word") ? "WordPiece"
                                                        : "WordLevel";
  }
  if (type == "Unigram") return makeUnigramOf(fields, document);
  if (document.listed) return fields.refuse("its vocabulary is a list");
  SEPX_TRY(document.vocab.finish());
  if (type == "BPE") {
    SEPX_ASSIGN(BpeRules rules, bpeRulesOf(fields));
    return makeBpe(std::move(document.vocab), document.merges, std::move(rules));
  }
  if (type == "WordPiece") {
    SEPX_ASSIGN(std::string prefix, fields.shortText("continuing_subword_prefix", "##"));
    SEPX_ASSIGN(std::string unknown, fields.text("unk_token", "[UNK]"));
    SEPX_ASSIGN(const auto most, fields.number("max_input_chars_per_word", 100, kLongestText));
    return makeWordPiece(std::move(document.vocab), std::move(prefix), std::move(unknown), most);
  }
  if (type == "WordLevel") {
    SEPX_ASSIGN(std::string unknown, fields.text("unk_token", "<unk>"));
    return makeWordLevel(std::move(document.vocab), std::move(unknown));
  }
  return fields.unknown();
}

Result<std::vector<AddedToken>> addedTokensOf(const Json& list) {
  std::vector<AddedToken> tokens;
  if (list.is_null()) return tokens;
  if (!list.is_array()) return fail(ErrorKind::BadInput, "\"added_tokens\" is not a list");
  if (list.size() > kMostAdded)
    return fail(ErrorKind::BadInput, fmt::format("{} added tokens; at most {} are supported", list.size(), kMostAdded));
  for (const Json& one : list) {
    SEPX_ASSIGN(const Fields fields, Fields::of("added token", one));
    AddedToken token;
    SEPX_ASSIGN(token.content, fields.text("content"));
    SEPX_ASSIGN(const auto id, fields.number("id", std::nullopt, kMostTokens - 1));
    token.id = static_cast<std::uint32_t>(id);
    SEPX_ASSIGN(token.special, fields.flag("special", false));
    SEPX_ASSIGN(token.normalized, fields.flag("normalized", !token.special));
    SEPX_ASSIGN(token.leftStrip, fields.flag("lstrip", false));
    SEPX_ASSIGN(token.rightStrip, fields.flag("rstrip", false));
    SEPX_ASSIGN(token.singleWord, fields.flag("single_word", false));
    tokens.push_back(std::move(token));
  }
  return tokens;
}

Result<Opened> openedOf(Document& document) {
  const auto part = [&](const char* name) {
    const auto at = document.rest.find(name);
    return at == document.rest.end() ? Json() : std::move(*at);
  };
  Components components;
  components.normalizer = part("normalizer");
  components.preTokenizer = part("pre_tokenizer");
  components.postProcessor = part("post_processor");
  components.decoder = part("decoder");
  SEPX_ASSIGN(components.added, addedTokensOf(part("added_tokens")));
  SEPX_ASSIGN(ModelOf model, makeModelOf(document));
  SEPX_ASSIGN(auto parts, assemble("tokenizer.json", std::move(model), std::move(components)));
  return std::make_shared<const Tokenizer>(std::move(parts));
}

}  // namespace

Result<Opened> readTokenizerJson(std::string_view text, const std::string& name) {
  TokenizerReader reader(text);
  JsonEvents events(text, reader);
  if (const auto wrong = events.run())
    return fail(ErrorKind::BadInput, fmt::format("{}: byte {}: is not JSON from here on", name, *wrong));
  if (events.stopped()) return fail(ErrorKind::BadInput, fmt::format("{}: {}", name, reader.refusal));
  auto opened = openedOf(reader.document);
  if (!opened) return fail(opened.error().kind, fmt::format("{}: {}", name, opened.error().message));
  return opened;
}

}  // namespace sepx::tokenizer
