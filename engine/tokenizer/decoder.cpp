// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/decoder.h"

#include <array>
#include <functional>

#include "engine/core/replace_all.h"
#include "engine/core/try.h"
#include "engine/core/utf8.h"
#include "engine/tokenizer/characters.h"
#include "engine/tokenizer/tokenizer.h"

namespace sepx::tokenizer {

namespace {

using Tokens = std::vector<std::string>;

/// A decoder that cannot fail.
class DecodeBy final : public Decoder {
 public:
  explicit DecodeBy(std::function<void(Tokens&)> change) : change_(std::move(change)) {}
  Result<void> apply(Tokens& tokens, const Budget&) const override {
    change_(tokens);
    return {};
  }

 private:
  std::function<void(Tokens&)> change_;
};

DecoderOf decodeBy(std::function<void(Tokens&)> change) {
  return std::make_unique<DecodeBy>(std::move(change));
}

void fuse(Tokens& tokens) {
  std::string all;
  for (const std::string& token : tokens)
    all += token;
  tokens.assign(1, std::move(all));
}

void fromByteLevel(Tokens& tokens) {
  std::string all;
  for (const std::string& token : tokens)
    all += bytesOfCharacters(token).value_or(token);
  tokens.assign(1, replaceBroken(all));
}

void fromByteNames(Tokens& tokens) {
  Tokens out;
  std::string bytes;
  const auto flush = [&] {
    if (bytes.empty()) return;
    if (!findInvalidUtf8(bytes)) {
      out.push_back(bytes);
    } else {
      for (std::size_t i = 0; i < bytes.size(); ++i)
        out.emplace_back("\xEF\xBF\xBD");
    }
    bytes.clear();
  };
  for (std::string& token : tokens) {
    if (const auto byte = byteOfName(token)) {
      bytes += *byte;
      continue;
    }
    flush();
    out.push_back(std::move(token));
  }
  flush();
  tokens = std::move(out);
}

void tidy(std::string& text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kTidied = {{{" .", "."},
                                                                                      {" ?", "?"},
                                                                                      {" !", "!"},
                                                                                      {" ,", ","},
                                                                                      {" ' ", "'"},
                                                                                      {" n't", "n't"},
                                                                                      {" 'm", "'m"},
                                                                                      {" do not", " don't"},
                                                                                      {" 's", "'s"},
                                                                                      {" 've", "'ve"},
                                                                                      {" 're", "'re"}}};
  for (const auto& [from, to] : kTidied)
    replaceAll(text, from, to);
}

Result<DecoderOf> makeWordPieces(const Fields& fields) {
  SEPX_ASSIGN(const std::string prefix, fields.shortText("prefix", "##"));
  SEPX_ASSIGN(const bool cleanup, fields.flag("cleanup", true));
  return decodeBy([prefix, cleanup](Tokens& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (i > 0 && !prefix.empty() && tokens[i].starts_with(prefix))
        tokens[i].erase(0, prefix.size());
      else if (i > 0)
        tokens[i].insert(0, " ");
      if (cleanup) tidy(tokens[i]);
    }
  });
}

Result<DecoderOf> makeBlankMarks(const Fields& fields, Marks& marks) {
  SEPX_ASSIGN(const std::string mark, fields.shortText("replacement", "\xE2\x96\x81"));
  SEPX_ASSIGN(const bool old, fields.flag("add_prefix_space", true));
  SEPX_ASSIGN(const std::string scheme, fields.text("prepend_scheme", old ? "always" : "never"));
  if (mark.empty()) return fields.refuse("its replacement is empty");
  marks.blank = mark;
  return decodeBy([mark, drop = scheme != "never"](Tokens& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i)
      replaceAll(tokens[i], mark, i == 0 && drop ? "" : " ");
  });
}

class DecodeReplaced final : public Decoder {
 public:
  DecodeReplaced(Pattern pattern, std::string content) : pattern_(std::move(pattern)), content_(std::move(content)) {}
  Result<void> apply(Tokens& tokens, const Budget& budget) const override {
    std::vector<Span> spans;
    std::size_t length = 0;
    for (std::string& token : tokens) {
      spans.clear();
      SEPX_TRY(pattern_.find(token, 0, budget, spans));
      std::string out;
      for (const Span& span : spans) {
        if (out.size() > budget.most()) return tooLongInside(budget.most());
        out +=
            span.match ? std::string_view(content_) : std::string_view(token).substr(span.begin, span.end - span.begin);
      }
      length += out.size();
      if (length > budget.most()) return tooLongInside(budget.most());
      token = std::move(out);
    }
    return {};
  }

 private:
  Pattern pattern_;
  std::string content_;
};

Result<DecoderOf> makeDecodeReplaced(const Fields& fields, Marks& marks) {
  SEPX_ASSIGN(Pattern pattern, fields.pattern("pattern"));
  SEPX_ASSIGN(std::string content, fields.shortText("content"));
  const Json& given = *fields.find("pattern");
  if (content == " " && given.contains("String")) marks.blank = given["String"].get<std::string>();
  return std::make_unique<DecodeReplaced>(std::move(pattern), std::move(content));
}

/// Removes at most `start` times `content` at the beginning of every text, and at most `stop` times at its end.
Result<DecoderOf> makeDecodeStripped(const Fields& fields) {
  SEPX_ASSIGN(const std::string content, fields.shortText("content"));
  SEPX_ASSIGN(const auto start, fields.number("start", 0, kLongestToken));
  SEPX_ASSIGN(const auto stop, fields.number("stop", 0, kLongestToken));
  if (content.empty()) return fields.refuse("its content is empty");
  return decodeBy([content, start, stop](Tokens& tokens) {
    for (std::string& token : tokens) {
      std::string_view kept = token;
      for (std::uint64_t i = 0; i < start && kept.starts_with(content); ++i)
        kept.remove_prefix(content.size());
      for (std::uint64_t i = 0; i < stop && kept.ends_with(content); ++i)
        kept.remove_suffix(content.size());
      if (kept.size() < token.size()) token = std::string(kept);
    }
  });
}

Result<DecoderOf> makeSuffixes(const Fields& fields) {
  SEPX_ASSIGN(const std::string suffix, fields.shortText("suffix", "</w>"));
  return decodeBy([suffix](Tokens& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i)
      replaceAll(tokens[i], suffix, i + 1 == tokens.size() ? "" : " ");
  });
}

Result<DecoderOf> makeCtc(const Fields& fields) {
  SEPX_ASSIGN(const std::string pad, fields.shortText("pad_token", "<pad>"));
  SEPX_ASSIGN(const std::string delimiter, fields.shortText("word_delimiter_token", "|"));
  SEPX_ASSIGN(const bool cleanup, fields.flag("cleanup", true));
  return decodeBy([pad, delimiter, cleanup](Tokens& tokens) {
    tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
    for (std::string& token : tokens) {
      replaceAll(token, pad, "");
      if (!cleanup) continue;
      tidy(token);
      replaceAll(token, delimiter, " ");
    }
    std::erase(tokens, std::string());
  });
}

class DecodeInOrder final : public Decoder {
 public:
  explicit DecodeInOrder(std::vector<DecoderOf> all) : all_(std::move(all)) {}
  Result<void> apply(Tokens& tokens, const Budget& budget) const override {
    for (const DecoderOf& one : all_) {
      SEPX_TRY(budget.check());
      if (one) SEPX_TRY(one->apply(tokens, budget));
    }
    return {};
  }

 private:
  std::vector<DecoderOf> all_;
};

Result<DecoderOf> makeDecodeInOrder(const Fields& fields, Marks& marks, int depth) {
  SEPX_ASSIGN(const Json* list, fields.list("decoders"));
  std::vector<DecoderOf> all;
  for (const Json& one : *list) {
    SEPX_ASSIGN(DecoderOf made, makeDecoder(one, marks, depth + 1));
    all.push_back(std::move(made));
  }
  return std::make_unique<DecodeInOrder>(std::move(all));
}

}  // namespace

Result<DecoderOf> makeDecoder(const Json& json, Marks& marks, int depth) {
  if (json.is_null()) return DecoderOf();
  SEPX_ASSIGN(const Fields fields, Fields::of("decoder", json));
  if (depth > kDeepestComponent) return fields.refuse("components are nested too deep");
  const std::string& type = fields.type();
  if (type == "ByteLevel") {
    marks.byteLevel = true;
    return decodeBy(fromByteLevel);
  }
  if (type == "ByteFallback") {
    marks.byteNames = true;
    return decodeBy(fromByteNames);
  }
  if (type == "Fuse") return decodeBy(fuse);
  if (type == "WordPiece") return makeWordPieces(fields);
  if (type == "Metaspace") return makeBlankMarks(fields, marks);
  if (type == "Replace") return makeDecodeReplaced(fields, marks);
  if (type == "Strip") return makeDecodeStripped(fields);
  if (type == "BPEDecoder") return makeSuffixes(fields);
  if (type == "CTC") return makeCtc(fields);
  if (type == "Sequence") return makeDecodeInOrder(fields, marks, depth);
  return fields.unknown();
}

}  // namespace sepx::tokenizer
