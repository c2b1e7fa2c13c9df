// SPDX-License-Identifier: Apache-2.0
#include "engine/data/text_source.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "engine/core/try.h"
#include "engine/data/sequence_stream.h"
#include "engine/data/tokeniser.h"

namespace sepx::data {
namespace {

constexpr int kBytePairs = 1024;         ///< default number of byte-pair tokens
constexpr std::size_t kPairTable = 512;  ///< largest vocabulary for which pairs of adjacent tokens are counted

class Text final : public TokenisedSource {
 public:
  Text(std::uint64_t seed, std::unique_ptr<Tokeniser> tokeniser, std::vector<Token> train,
       std::vector<Token> validation)
      : seed_(seed),
        tokeniser_(std::move(tokeniser)),
        train_(std::move(train)),
        validation_(std::move(validation)),
        bounds_(countedBounds()) {}

  int vocabulary() const override { return tokeniser_->size() + 1; }
  std::int32_t maskToken() const override { return tokeniser_->size(); }
  std::int32_t lastWord() const override { return tokeniser_->size(); }
  std::string word(std::int32_t token) const override {
    return token == maskToken() ? std::string("[MASK]") : byteLevel(tokeniser_->bytes(static_cast<Token>(token)));
  }
  std::vector<Bound> bounds() const override { return bounds_; }
  const Tokeniser& tokeniser() const override { return *tokeniser_; }
  std::size_t tokens(Split split) const override { return split == Split::Train ? train_.size() : validation_.size(); }

  int sequence(Split split, std::uint64_t index, int length, std::span<std::int32_t> out) const override {
    const std::vector<Token>& text = split == Split::Train ? train_ : validation_;
    const auto wanted = static_cast<std::size_t>(length);
    std::size_t start = 0;
    if (text.size() > wanted) {
      start = split == Split::Train
                  ? static_cast<std::size_t>(sequenceStream(seed_, split, index).below(text.size() - wanted + 1))
                  : static_cast<std::size_t>(index % (text.size() / wanted)) * wanted;
    }
    const std::size_t valid = std::min(wanted, text.size() - start);
    const auto from = text.begin() + static_cast<std::ptrdiff_t>(start);
    std::copy(from, from + static_cast<std::ptrdiff_t>(valid), out.begin());
    std::fill(out.begin() + static_cast<std::ptrdiff_t>(valid), out.begin() + length, 0);
    return static_cast<int>(valid);
  }

 private:
  /// Entropy of a token, and of a token given the one before it, as counted in the training split.
  std::vector<Bound> countedBounds() const {
    const auto V = static_cast<std::size_t>(tokeniser_->size());
    const auto entropy = [](const std::vector<std::int64_t>& counts, double all) {
      double sum = 0;
      for (const std::int64_t count : counts)
        if (count > 0) sum -= static_cast<double>(count) / all * std::log(static_cast<double>(count) / all);
      return sum;
    };
    std::vector<std::int64_t> singles(V, 0);
    for (const Token token : train_)
      ++singles[token];
    std::vector<Bound> bounds{{"H(unigram)", entropy(singles, static_cast<double>(train_.size()))}};
    if (V > kPairTable || train_.size() < 2) return bounds;
    std::vector<std::int64_t> pairs(V * V, 0);
    for (std::size_t n = 0; n + 1 < train_.size(); ++n)
      ++pairs[train_[n] * V + train_[n + 1]];
    --singles[train_.back()];  // the last token has no successor
    const auto all = static_cast<double>(train_.size() - 1);
    bounds.push_back({"H(bigram)", entropy(pairs, all) - entropy(singles, all)});
    return bounds;
  }

  std::uint64_t seed_;
  std::unique_ptr<Tokeniser> tokeniser_;
  std::vector<Token> train_, validation_;
  std::vector<Bound> bounds_;
};

/// Length of the training split in bytes, extended to the start of the next character.
std::size_t trainBytes(const std::string& text, double validationShare) {
  auto cut = static_cast<std::size_t>(static_cast<double>(text.size()) * (1 - validationShare));
  cut = std::min(cut, text.size());
  while (cut < text.size() && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80)
    ++cut;
  return cut;
}

}  // namespace

Result<void> checkText(const SourceConfig& config) {
  if (!(config.validationShare > 0 && config.validationShare < 1))
    return fail(ErrorKind::Usage, fmt::format("data.validation_share = {} must be between 0 and 1, both excluded",
                                              formatShortest(config.validationShare)));
  const bool pairs = config.tokens == Tokens::BytePairs;
  if (pairs && config.vocabulary != 0 && (config.vocabulary < 257 || config.vocabulary > kMostTokens))
    return fail(ErrorKind::Usage,
                fmt::format("data.vocabulary = {} must be from 257 (256 bytes and [MASK]) to {}, or 0 for {}",
                            config.vocabulary, kMostTokens, kBytePairs));
  if (!pairs && config.vocabulary != 0)
    return fail(ErrorKind::Usage, "data.vocabulary belongs to data.tokens = \"byte_pairs\"; leave it out");
  return {};
}

Result<std::unique_ptr<Source>> makeTextSource(std::string text, const SourceConfig& config, const std::string& name) {
  SEPX_TRY(checkText(config));
  const auto wrong = [&name](const std::string& what) {
    return fail(ErrorKind::BadInput, fmt::format("{}: {}", name, what));
  };
  const std::size_t cut = trainBytes(text, config.validationShare);
  const int vocabulary = config.vocabulary == 0 ? kBytePairs : config.vocabulary;
  Result<std::unique_ptr<Tokeniser>> tokeniser = makeTokeniser(config.tokens, vocabulary, text, cut);
  if (!tokeniser) return wrong(tokeniser.error().message);
  const std::string_view whole = text;
  Result<std::vector<Token>> train = (*tokeniser)->encode(whole.substr(0, cut));
  Result<std::vector<Token>> validation = (*tokeniser)->encode(whole.substr(cut));
  if (!train) return wrong(train.error().message);
  if (!validation) return wrong(validation.error().message);
  if (train->size() < 2 || validation->size() < 2)
    return wrong(
        fmt::format("is too short: {} tokens to train and {} to validate, but at least 2 of each are needed; give "
                    "more text or another data.validation_share",
                    train->size(), validation->size()));
  return std::make_unique<Text>(config.seed, std::move(*tokeniser), std::move(*train), std::move(*validation));
}

}  // namespace sepx::data
