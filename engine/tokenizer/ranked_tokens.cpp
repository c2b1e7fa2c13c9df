// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/ranked_tokens.h"

#include <fmt/format.h>

#include "engine/core/try.h"
#include "engine/tokenizer/characters.h"
#include "engine/tokenizer/patterns_known.h"

namespace sepx::tokenizer {

Result<void> RankedTokens::add(std::string_view base64, std::uint64_t rank) {
  const auto bytes = fromBase64(base64);
  if (!bytes || bytes->empty())
    return fail(ErrorKind::BadInput, fmt::format("the token of rank {} is not base64", rank));
  if (rank != count()) return fail(ErrorKind::BadInput, fmt::format("the rank {} is out of order", rank));
  std::string token;
  for (const char byte : *bytes)
    token += byteCharacter(static_cast<unsigned char>(byte));
  scores_.push_back(-static_cast<double>(rank));
  return vocab_.add(std::move(token), first_ + rank);
}

Result<std::unique_ptr<Parts>> RankedTokens::parts(std::string from, const std::string& expression,
                                                   std::vector<AddedToken> added) && {
  if (count() == 0) return fail(ErrorKind::BadInput, "it has no tokens");
  SEPX_TRY(vocab_.finish());
  Components components;
  components.added = std::move(added);
  components.preTokenizer = splitIntoBytes(expression.c_str());
  components.decoder = {{"type", "ByteLevel"}};
  BpeRules rules;
  rules.wholeFirst = true;
  SEPX_ASSIGN(ModelOf model, makeScoredBpe(std::move(vocab_), std::move(scores_), std::move(rules), {}));
  return assemble(std::move(from), std::move(model), std::move(components));
}

}  // namespace sepx::tokenizer
