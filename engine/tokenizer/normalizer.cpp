// SPDX-License-Identifier: Apache-2.0
// The normalizers of a tokenizer.json, except the Unicode forms and Precompiled (normalizer_forms.cpp).
#include "engine/tokenizer/normalizer.h"

#include <functional>

#include "engine/core/try.h"
#include "engine/core/utf8.h"
#include "engine/tokenizer/characters.h"
#include "engine/tokenizer/tokenizer.h"

namespace sepx::tokenizer {

namespace {

/// Appends the replacement of one character.
using Change = void (*)(char32_t, std::string&);

class EachCharacter final : public Normalizer {
 public:
  explicit EachCharacter(Change change) : change_(change) {}
  Result<void> apply(AlignedText& text, const Budget& budget) const override {
    AlignedText out;
    out.bytes.reserve(text.bytes.size());
    out.places.reserve(text.bytes.size());
    std::string made;
    std::size_t steps = 0;
    for (std::size_t at = 0; at < text.bytes.size();) {
      if (++steps % kStepsBetween == 0) SEPX_TRY(budget.check());
      const Character character = characterAt(text.bytes, at);
      const std::size_t end = at + character.length;
      made.clear();
      change_(character.code, made);
      if (std::string_view(text.bytes).substr(at, character.length) == made)
        out.append(text, at, end);
      else
        out.append(made, text.place(at, end));
      at = end;
    }
    text = std::move(out);
    return {};
  }

 private:
  Change change_;
};

void lowered(char32_t code, std::string& out) {
  appendLower(out, code);
}
void withoutMarks(char32_t code, std::string& out) {
  if (!isMark(code)) appendUtf8(out, code);
}
void withoutNonspacing(char32_t code, std::string& out) {
  if (!isNonspacingMark(code)) appendUtf8(out, code);
}
void cleaned(char32_t code, std::string& out) {
  if (code == 0 || code == 0xFFFD || isControl(code)) return;
  appendUtf8(out, isBlank(code) ? U' ' : code);
}
void chineseApart(char32_t code, std::string& out) {
  if (isChinese(code)) out += ' ';
  appendUtf8(out, code);
  if (isChinese(code)) out += ' ';
}
/// Nmt: removes control characters and turns every kind of whitespace into a space.
void forTranslation(char32_t code, std::string& out) {
  const auto within = [code](char32_t least, char32_t most) { return code >= least && code <= most; };
  if (within(1, 8) || code == 0xB || within(0xE, 0x1F) || code == 0x7F || code == 0x8F || code == 0x9F) return;
  const bool blank = within(9, 0xD) || code == 0x1680 || within(0x200B, 0x200F) || code == 0x2028 || code == 0x2029 ||
                     code == 0x2581 || code == 0xFEFF || code == 0xFFFD;
  appendUtf8(out, blank ? U' ' : code);
}
void inBytes(char32_t code, std::string& out) {
  std::string bytes;
  appendUtf8(bytes, code);
  for (const char byte : bytes)
    out += byteCharacter(static_cast<unsigned char>(byte));
}

class NormalizersInOrder final : public Normalizer {
 public:
  explicit NormalizersInOrder(std::vector<NormalizerOf> all) : all_(std::move(all)) {}
  Result<void> apply(AlignedText& text, const Budget& budget) const override {
    for (const NormalizerOf& one : all_) {
      SEPX_TRY(budget.check());
      if (one) SEPX_TRY(one->apply(text, budget));
      // Every step may make the text longer, and a few steps of an untrusted file must not fill the memory.
      if (text.bytes.size() > budget.most()) return tooLongInside(budget.most());
    }
    return {};
  }

 private:
  std::vector<NormalizerOf> all_;
};

class Prepended final : public Normalizer {
 public:
  explicit Prepended(std::string prefix) : prefix_(std::move(prefix)) {}
  Result<void> apply(AlignedText& text, const Budget&) const override {
    if (!text.bytes.empty()) text.prepend(prefix_);
    return {};
  }

 private:
  std::string prefix_;
};

class Replaced final : public Normalizer {
 public:
  Replaced(Pattern pattern, std::string content) : pattern_(std::move(pattern)), content_(std::move(content)) {}
  Result<void> apply(AlignedText& text, const Budget& budget) const override {
    std::vector<Span> spans;
    SEPX_TRY(pattern_.find(text.bytes, 0, budget, spans));
    if (spans.empty() || (spans.size() == 1 && !spans.front().match)) return {};
    std::size_t length = 0;
    for (const Span& span : spans)
      length += span.match ? content_.size() : span.end - span.begin;
    if (length > budget.most()) return tooLongInside(budget.most());
    AlignedText out;
    out.bytes.reserve(length);
    out.places.reserve(length);
    for (const Span& span : spans) {
      if (span.match)
        out.append(content_, text.place(span.begin, span.end));
      else
        out.append(text, span.begin, span.end);
    }
    text = std::move(out);
    return {};
  }

 private:
  Pattern pattern_;
  std::string content_;
};

class Stripped final : public Normalizer {
 public:
  Stripped(bool left, bool right) : left_(left), right_(right) {}
  Result<void> apply(AlignedText& text, const Budget& budget) const override {
    std::size_t begin = 0, end = 0, at = 0, steps = 0;
    bool inFront = left_;
    for (; at < text.bytes.size();) {
      if (++steps % kStepsBetween == 0) SEPX_TRY(budget.check());
      const Character character = characterAt(text.bytes, at);
      at += character.length;
      if (isBlank(character.code)) {
        if (inFront) begin = at;
        continue;
      }
      inFront = false;
      end = at;
    }
    if (!right_) end = at;
    AlignedText out;
    out.append(text, begin, std::max(begin, end));
    text = std::move(out);
    return {};
  }

 private:
  bool left_, right_;
};

NormalizerOf each(Change change) {
  return std::make_unique<EachCharacter>(change);
}

Result<NormalizerOf> makeBert(const Fields& fields) {
  SEPX_ASSIGN(const bool clean, fields.flag("clean_text", true));
  SEPX_ASSIGN(const bool chinese, fields.flag("handle_chinese_chars", true));
  SEPX_ASSIGN(const bool lower, fields.flag("lowercase", true));
  SEPX_ASSIGN(const bool accents, fields.flag("strip_accents", lower));
  std::vector<NormalizerOf> all;
  if (clean) all.push_back(each(cleaned));
  if (chinese) all.push_back(each(chineseApart));
  if (accents) {
    all.push_back(makeForm(false, false));
    all.push_back(each(withoutNonspacing));
  }
  if (lower) all.push_back(each(lowered));
  return std::make_unique<NormalizersInOrder>(std::move(all));
}

Result<NormalizerOf> makeReplaced(const Fields& fields) {
  SEPX_ASSIGN(Pattern pattern, fields.pattern("pattern"));
  SEPX_ASSIGN(std::string content, fields.shortText("content"));
  return std::make_unique<Replaced>(std::move(pattern), std::move(content));
}

Result<NormalizerOf> makeNormalizersInOrder(const Fields& fields, int depth) {
  SEPX_ASSIGN(const Json* list, fields.list("normalizers"));
  std::vector<NormalizerOf> all;
  for (const Json& one : *list) {
    SEPX_ASSIGN(NormalizerOf made, makeNormalizer(one, depth + 1));
    all.push_back(std::move(made));
  }
  return std::make_unique<NormalizersInOrder>(std::move(all));
}

Result<NormalizerOf> makePrecompiled(const Fields& fields) {
  if (!fields.find("precompiled_charsmap")) return NormalizerOf();
  SEPX_ASSIGN(const std::string text, fields.text("precompiled_charsmap"));
  if (text.empty()) return NormalizerOf();
  auto bytes = fromBase64(text);
  if (!bytes) return fields.refuse("its map of characters is not base64");
  return makeCharsmap(*std::move(bytes));
}

Result<NormalizerOf> makeStripped(const Fields& fields) {
  SEPX_ASSIGN(const bool left, fields.flag("strip_left", true));
  SEPX_ASSIGN(const bool right, fields.flag("strip_right", true));
  return std::make_unique<Stripped>(left, right);
}

Result<NormalizerOf> makePrepended(const Fields& fields) {
  SEPX_ASSIGN(std::string prefix, fields.shortText("prepend"));
  return std::make_unique<Prepended>(std::move(prefix));
}

}  // namespace

NormalizerOf bothNormalizers(NormalizerOf first, NormalizerOf second) {
  std::vector<NormalizerOf> all;
  all.push_back(std::move(first));
  all.push_back(std::move(second));
  return std::make_unique<NormalizersInOrder>(std::move(all));
}

Result<NormalizerOf> makeNormalizer(const Json& json, int depth) {
  if (json.is_null()) return NormalizerOf();
  SEPX_ASSIGN(const Fields fields, Fields::of("normalizer", json));
  if (depth > kDeepestComponent) return fields.refuse("components are nested too deep");
  const std::string& type = fields.type();
  if (type == "NFC") return makeForm(true, false);
  if (type == "NFD") return makeForm(false, false);
  if (type == "NFKC") return makeForm(true, true);
  if (type == "NFKD") return makeForm(false, true);
  if (type == "Lowercase") return each(lowered);
  if (type == "StripAccents") return each(withoutMarks);
  if (type == "Nmt") return each(forTranslation);
  if (type == "ByteLevel") return each(inBytes);
  if (type == "Replace") return makeReplaced(fields);
  if (type == "Prepend") return makePrepended(fields);
  if (type == "Strip") return makeStripped(fields);
  if (type == "BertNormalizer") return makeBert(fields);
  if (type == "Precompiled") return makePrecompiled(fields);
  if (type == "Sequence") return makeNormalizersInOrder(fields, depth);
  return fields.unknown();
}

}  // namespace sepx::tokenizer
