// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/pre_tokenizer.h"

#include <fmt/format.h>

#include "engine/core/json.h"
#include "engine/core/try.h"
#include "engine/core/utf8.h"
#include "engine/tokenizer/characters.h"
#include "engine/tokenizer/patterns_known.h"
#include "engine/tokenizer/tokenizer.h"

namespace sepx::tokenizer {

namespace {

/// What happens to the matches of a pattern.
enum class Behaviour { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };

void addPiece(std::vector<Piece>& into, std::size_t begin, std::size_t end) {
  if (begin < end) into.push_back({begin, end, -1});
}

void mergeWithNext(const std::vector<Span>& spans, std::vector<Piece>& into) {
  const std::size_t first = into.size();
  bool match = false;
  for (auto span = spans.rbegin(); span != spans.rend(); ++span) {
    if (span->match && !match && into.size() > first)
      into.back().begin = span->begin;
    else
      into.push_back({span->begin, span->end, -1});
    match = span->match;
  }
  std::reverse(into.begin() + static_cast<std::ptrdiff_t>(first), into.end());
}

void addPieces(const std::vector<Span>& spans, Behaviour behaviour, std::vector<Piece>& into) {
  if (behaviour == Behaviour::MergedWithNext) return mergeWithNext(spans, into);
  const std::size_t first = into.size();
  bool match = false;
  for (const Span& span : spans) {
    const bool joins = (behaviour == Behaviour::MergedWithPrevious && span.match && !match) ||
                       (behaviour == Behaviour::Contiguous && span.match == match);
    if (behaviour == Behaviour::Removed && span.match) continue;
    if (joins && into.size() > first)
      into.back().end = span.end;
    else
      addPiece(into, span.begin, span.end);
    match = span.match;
  }
}

class SplitAt final : public PreTokenizer {
 public:
  SplitAt(Pattern pattern, Behaviour behaviour, bool invert = false)
      : pattern_(std::move(pattern)), behaviour_(behaviour), invert_(invert) {}

  Result<void> apply(Pieces& pieces, const Budget& budget) const override {
    std::vector<Piece> out;
    out.reserve(pieces.pieces.size());
    std::vector<Span> spans;
    std::size_t steps = 0;
    for (const Piece& piece : pieces.pieces) {
      if (++steps % kStepsBetween == 0) SEPX_TRY(budget.check());
      if (piece.token >= 0) {
        out.push_back(piece);
        continue;
      }
      spans.clear();
      const auto text = std::string_view(pieces.text.bytes).substr(piece.begin, piece.end - piece.begin);
      SEPX_TRY(pattern_.find(text, piece.begin, budget, spans));
      for (Span& span : spans)
        span.match = span.match != invert_;
      addPieces(spans, behaviour_, out);
    }
    pieces.pieces = std::move(out);
    return {};
  }

 private:
  Pattern pattern_;
  Behaviour behaviour_;
  bool invert_;
};

/// Changes the text of every piece that is not an added token; `change` appends the new text.
template <class Change>
void rewrite(Pieces& pieces, Change change) {
  AlignedText out;
  out.bytes.reserve(pieces.text.bytes.size() * 2);
  out.places.reserve(pieces.text.bytes.size() * 2);
  for (Piece& piece : pieces.pieces) {
    const std::size_t begin = out.bytes.size();
    if (piece.token >= 0)
      out.append(pieces.text, piece.begin, piece.end);
    else
      change(piece, out);
    piece.begin = begin;
    piece.end = out.bytes.size();
  }
  pieces.text = std::move(out);
}

void appendInBytes(const AlignedText& text, std::size_t begin, std::size_t end, AlignedText& out) {
  for (std::size_t at = begin; at < end; ++at)
    out.append(byteCharacter(static_cast<unsigned char>(text.bytes[at])), text.places[at]);
}

class ByteLevel final : public PreTokenizer {
 public:
  ByteLevel(bool prefix, std::unique_ptr<const SplitAt> split) : prefix_(prefix), split_(std::move(split)) {}

  Result<void> apply(Pieces& pieces, const Budget& budget) const override {
    if (prefix_) {
      rewrite(pieces, [&](const Piece& piece, AlignedText& out) {
        if (pieces.text.bytes[piece.begin] != ' ') {
          const std::uint32_t at = pieces.text.places[piece.begin].begin;
          out.append(" ", {at, at});
        }
        out.append(pieces.text, piece.begin, piece.end);
      });
    }
    if (split_) SEPX_TRY(split_->apply(pieces, budget));
    rewrite(pieces,
            [&](const Piece& piece, AlignedText& out) { appendInBytes(pieces.text, piece.begin, piece.end, out); });
    return {};
  }

 private:
  bool prefix_;
  std::unique_ptr<const SplitAt> split_;
};

class Metaspace final : public PreTokenizer {
 public:
  enum class Prefix { Always, First, Never };
  Metaspace(std::string mark, Prefix prefix, bool split)
      : mark_(mark), prefix_(prefix), split_(split), parts_(Pattern::text(mark), Behaviour::MergedWithNext) {}

  Result<void> apply(Pieces& pieces, const Budget& budget) const override {
    rewrite(pieces, [&](const Piece& piece, AlignedText& out) { mark(pieces.text, piece, out); });
    return split_ ? parts_.apply(pieces, budget) : Result<void>();
  }

 private:
  void mark(const AlignedText& text, const Piece& piece, AlignedText& out) const {
    const std::string_view bytes = std::string_view(text.bytes).substr(piece.begin, piece.end - piece.begin);
    const std::uint32_t at = text.places[piece.begin].begin;
    const bool marked = bytes.starts_with(' ') || bytes.starts_with(mark_);
    const bool wanted = prefix_ == Prefix::Always || (prefix_ == Prefix::First && (at == 0 || piece.begin == 0));
    if (wanted && !marked) out.append(mark_, {at, at});
    for (std::size_t i = piece.begin; i < piece.end; ++i) {
      if (text.bytes[i] == ' ')
        out.append(mark_, text.places[i]);
      else
        out.append(text, i, i + 1);
    }
  }

  std::string mark_;
  Prefix prefix_;
  bool split_;
  SplitAt parts_;
};

/// Words of \w, and runs of characters that are neither word characters nor whitespace.
class WordsAndSigns final : public PreTokenizer {
 public:
  Result<void> apply(Pieces& pieces, const Budget&) const override {
    std::vector<Piece> out;
    for (const Piece& piece : pieces.pieces) {
      if (piece.token >= 0) {
        out.push_back(piece);
        continue;
      }
      int before = 0;  // 0: whitespace, 1: word, 2: symbol
      for (std::size_t at = piece.begin; at < piece.end;) {
        const Character character = characterAt(pieces.text.bytes, at);
        const int kind = isWord(character.code) ? 1 : isBlank(character.code) ? 0 : 2;
        if (kind != 0 && kind == before)
          out.back().end += character.length;
        else if (kind != 0)
          out.push_back({at, at + character.length, -1});
        before = kind;
        at += character.length;
      }
    }
    pieces.pieces = std::move(out);
    return {};
  }
};

class FixedLength final : public PreTokenizer {
 public:
  explicit FixedLength(std::size_t length) : length_(length) {}
  Result<void> apply(Pieces& pieces, const Budget&) const override {
    std::vector<Piece> out;
    for (const Piece& piece : pieces.pieces) {
      if (piece.token >= 0) {
        out.push_back(piece);
        continue;
      }
      std::size_t count = 0;
      for (std::size_t at = piece.begin; at < piece.end; ++count) {
        const std::size_t end = at + characterAt(pieces.text.bytes, at).length;
        if (count % length_ == 0)
          out.push_back({at, end, -1});
        else
          out.back().end = end;
        at = end;
      }
    }
    pieces.pieces = std::move(out);
    return {};
  }

 private:
  std::size_t length_;
};

class SplitsInOrder final : public PreTokenizer {
 public:
  explicit SplitsInOrder(std::vector<PreTokenizerOf> all) : all_(std::move(all)) {}
  Result<void> apply(Pieces& pieces, const Budget& budget) const override {
    for (const PreTokenizerOf& one : all_) {
      SEPX_TRY(budget.check());
      if (one) SEPX_TRY(one->apply(pieces, budget));
      if (pieces.text.bytes.size() > budget.most()) return tooLongInside(budget.most());
    }
    return {};
  }

 private:
  std::vector<PreTokenizerOf> all_;
};

Result<Behaviour> behaviourOf(const Fields& fields, const char* otherwise) {
  SEPX_ASSIGN(const std::string word, fields.text("behavior", otherwise));
  if (word == "Removed") return Behaviour::Removed;
  if (word == "Isolated") return Behaviour::Isolated;
  if (word == "MergedWithPrevious") return Behaviour::MergedWithPrevious;
  if (word == "MergedWithNext") return Behaviour::MergedWithNext;
  if (word == "Contiguous") return Behaviour::Contiguous;
  return fields.refuse(fmt::format("its behavior {} is not supported", inQuotes(word)));
}

PreTokenizerOf splitAtCharacters(bool (*is)(char32_t), Behaviour behaviour) {
  return std::make_unique<SplitAt>(Pattern::characters(is), behaviour);
}

Result<PreTokenizerOf> makeByteLevel(const Fields& fields) {
  SEPX_ASSIGN(const bool prefix, fields.flag("add_prefix_space", true));
  SEPX_ASSIGN(const bool split, fields.flag("use_regex", true));
  std::unique_ptr<const SplitAt> words;
  if (split) {
    SEPX_ASSIGN(Pattern pattern, Pattern::regex(kGpt2Words));
    words = std::make_unique<const SplitAt>(std::move(pattern), Behaviour::Isolated);
  }
  return std::make_unique<ByteLevel>(prefix, std::move(words));
}

Result<PreTokenizerOf> makeMetaspace(const Fields& fields) {
  SEPX_ASSIGN(const std::string mark, fields.text("replacement", "\xE2\x96\x81"));
  if (decodeUtf8(mark).size() != 1) return fields.refuse("its replacement is not one character");
  SEPX_ASSIGN(const bool old, fields.flag("add_prefix_space", true));
  SEPX_ASSIGN(const std::string scheme, fields.text("prepend_scheme", old ? "always" : "never"));
  SEPX_ASSIGN(const bool split, fields.flag("split", true));
  if (scheme != "always" && scheme != "first" && scheme != "never")
    return fields.refuse(fmt::format("its prepend_scheme {} is not supported", inQuotes(scheme)));
  return std::make_unique<Metaspace>(mark,
                                     scheme == "always"  ? Metaspace::Prefix::Always
                                     : scheme == "first" ? Metaspace::Prefix::First
                                                         : Metaspace::Prefix::Never,
                                     split);
}

Result<PreTokenizerOf> makeSplit(const Fields& fields) {
  SEPX_ASSIGN(Pattern pattern, fields.pattern("pattern"));
  SEPX_ASSIGN(const Behaviour behaviour, behaviourOf(fields, "Removed"));
  SEPX_ASSIGN(const bool invert, fields.flag("invert", false));
  return std::make_unique<SplitAt>(std::move(pattern), behaviour, invert);
}

Result<PreTokenizerOf> makeSplitsInOrder(const Fields& fields, int depth) {
  SEPX_ASSIGN(const Json* list, fields.list("pretokenizers"));
  std::vector<PreTokenizerOf> all;
  for (const Json& one : *list) {
    SEPX_ASSIGN(PreTokenizerOf made, makePreTokenizer(one, depth + 1));
    all.push_back(std::move(made));
  }
  return std::make_unique<SplitsInOrder>(std::move(all));
}

Result<PreTokenizerOf> makeBertWords() {
  std::vector<PreTokenizerOf> all;
  all.push_back(splitAtCharacters(isBlank, Behaviour::Removed));
  all.push_back(splitAtCharacters(isPunctuation, Behaviour::Isolated));
  return std::make_unique<SplitsInOrder>(std::move(all));
}

Result<PreTokenizerOf> makeDigits(const Fields& fields) {
  SEPX_ASSIGN(const bool single, fields.flag("individual_digits", false));
  return splitAtCharacters(isNumber, single ? Behaviour::Isolated : Behaviour::Contiguous);
}

Result<PreTokenizerOf> makeFixedLength(const Fields& fields) {
  SEPX_ASSIGN(const auto length, fields.number("length", 5, kLongestText));
  if (length == 0) return fields.refuse("its length is 0");
  return std::make_unique<FixedLength>(static_cast<std::size_t>(length));
}

}  // namespace

Result<PreTokenizerOf> makePreTokenizer(const Json& json, int depth) {
  if (json.is_null()) return PreTokenizerOf();
  SEPX_ASSIGN(const Fields fields, Fields::of("pre_tokenizer", json));
  if (depth > kDeepestComponent) return fields.refuse("components are nested too deep");
  const std::string& type = fields.type();
  if (type == "ByteLevel") return makeByteLevel(fields);
  if (type == "Split") return makeSplit(fields);
  if (type == "Digits") return makeDigits(fields);
  if (type == "Metaspace") return makeMetaspace(fields);
  if (type == "BertPreTokenizer") return makeBertWords();
  if (type == "Whitespace") return std::make_unique<WordsAndSigns>();
  if (type == "WhitespaceSplit") return splitAtCharacters(isBlank, Behaviour::Removed);
  if (type == "FixedLength") return makeFixedLength(fields);
  if (type == "Sequence") return makeSplitsInOrder(fields, depth);
  if (type == "Punctuation") {
    SEPX_ASSIGN(const Behaviour behaviour, behaviourOf(fields, "Isolated"));
    return splitAtCharacters(isPunctuation, behaviour);
  }
  if (type == "CharDelimiterSplit") {
    SEPX_ASSIGN(std::string delimiter, fields.shortText("delimiter"));
    if (delimiter.empty()) return fields.refuse("its delimiter is empty");
    return std::make_unique<SplitAt>(Pattern::text(std::move(delimiter)), Behaviour::Removed);
  }
  return fields.unknown();
}

}  // namespace sepx::tokenizer
