// SPDX-License-Identifier: Apache-2.0
// The jobs behind the form page.
#include "ui/exhibits/weights/form/form_data.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr const char* kLane = "weights.form";
constexpr const char* kWordsLane = "weights.form.words";
constexpr std::size_t kKeys = 6, kMostKeys = 24;

/// What a job needs to know.
struct FormOrder {
  std::shared_ptr<const checkpoint::Model> model;
  checkpoint::AttentionLayer layer;
  checkpoint::FactorOptions options;
  std::int64_t query = 0, key = 0;
  int offset = 0, head = -1;
  std::vector<std::int64_t> keys;
};

/// The result, or why not.
Result<FormResult> made(const FormOrder& order) {
  const checkpoint::Checkpoint& file = *order.model->checkpoint;
  const auto factors = checkpoint::loadFactors(file, order.layer, order.options);
  if (!factors) return tl::unexpected(factors.error());
  const auto leftOut = checkpoint::loadLeftOut(file, order.layer);
  if (!leftOut) return tl::unexpected(leftOut.error());
  const auto embedding = [&](std::int64_t token) { return checkpoint::loadEmbedding(file, order.model->map, token); };
  const auto query = embedding(order.query), key = embedding(order.key);
  if (!query) return tl::unexpected(query.error());
  if (!key) return tl::unexpected(key.error());
  if (query->size() != factors->rows() || key->size() != factors->columns())
    return fail(ErrorKind::BadInput,
                fmt::format("{} {} {} {} × {}", tr("token embeddings are"), query->size(),
                            tr("wide, so they do not go into W_qk of"), factors->rows(), factors->columns()));
  FormResult result;
  result.heads = attention::formTerms(*factors, *leftOut, *query, *key, order.offset);
  result.hasNorm = leftOut->hasNorm;
  result.hasBias = leftOut->b_Q.size() > 0 || leftOut->b_K.size() > 0;
  result.hasRope = leftOut->ropeBase > 0;
  result.scale = leftOut->scale;
  result.d_h = factors->d_h;
  result.keys = order.keys;
  std::vector<double> raw;
  for (const std::int64_t token : order.keys) {
    const auto x = embedding(token);
    if (!x) return tl::unexpected(x.error());
    double sum = 0;
    for (int h = 0; h < factors->heads; ++h)
      if (order.head < 0 || order.head == h)
        sum += (factors->query(h).transpose() * *query).dot(factors->key(h).transpose() * *x);
    raw.push_back(sum);
  }
  result.ranking = attention::ranking(raw, leftOut->scale);
  return result;
}

}  // namespace

attention::HeadTerms FormResult::total(int head) const {
  attention::HeadTerms sum;
  for (std::size_t h = 0; h < heads.size(); ++h) {
    if (head >= 0 && head != static_cast<int>(h)) continue;
    sum.form += heads[h].form;
    sum.norm += heads[h].norm;
    sum.queryBias += heads[h].queryBias;
    sum.keyBias += heads[h].keyBias;
    sum.bothBiases += heads[h].bothBiases;
    sum.rope += heads[h].rope;
    sum.score += heads[h].score;
  }
  return sum;
}

std::vector<std::int64_t> nearestTokens(const checkpoint::Vocabulary& words, std::string text, std::size_t most) {
  while (!text.empty()) {
    std::vector<std::int64_t> found = words.complete(text, most);
    if (!found.empty()) return found;
    do {
      const bool inside = (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80;
      text.pop_back();
      if (!inside) break;
    } while (!text.empty());
  }
  return {};
}

FormData::FormData()
    : words_(std::make_shared<Exchange<Words>>()),
      exchange_(std::make_shared<Exchange<Published>>()),
      vocabulary_(std::make_shared<const checkpoint::Vocabulary>()) {}

std::string FormData::nameOf(std::int64_t token) const {
  const auto& words = vocabulary_->tokens;
  if (token < 0 || static_cast<std::size_t>(token) >= words.size() || words[static_cast<std::size_t>(token)].empty())
    return fmt::format("{} {}", tr("token"), token);
  return fmt::format("“{}” ({})", vocabulary_->shown(token), token);
}

void FormData::readWords(const WeightsShared& shared, ExhibitContext& context) {
  if (words_->refresh() && words_->latest().ticket == wordsTicket_) {
    vocabulary_ = words_->latest().vocabulary;
    if (!words_->latest().failure.empty()) context.editor.say(words_->latest().failure);
    readingWords_ = false;
    ++revision_;
  }
  if (!shared.model || vocabularyOf_ == shared.modelRevision) return;
  vocabularyOf_ = shared.modelRevision;
  vocabulary_ = std::make_shared<const checkpoint::Vocabulary>();
  readingWords_ = true;
  ++revision_;
  tokens_ = 0;
  if (const checkpoint::TensorInfo* tensor = shared.model->checkpoint->find(shared.model->map.tokenEmbedding))
    if (!tensor->shape.empty()) tokens_ = tensor->shape.front();
  context.jobs.start(
      kWordsLane, tr("words of tokens"),
      [exchange = words_, model = shared.model, ticket = ++wordsTicket_](JobContext& job) -> Result<void> {
        Result<checkpoint::Vocabulary> read = checkpoint::readVocabulary(*model->checkpoint);
        exchange->slot() = {
            ticket, std::make_shared<const checkpoint::Vocabulary>(read ? std::move(*read) : checkpoint::Vocabulary{}),
            read ? std::string() : read.error().sentence};
        exchange->publish();
        job.published();
        return {};
      });
}

std::vector<std::int64_t> FormData::keysOf(const WeightsState& state, const std::string& others) const {
  std::vector<std::int64_t> keys{state.formKey};
  const auto add = [&](std::int64_t token) {
    const bool known = token >= 0 && token < tokens_;
    if (known && keys.size() < kMostKeys && std::find(keys.begin(), keys.end(), token) == keys.end())
      keys.push_back(token);
  };
  std::size_t at = 0;
  while (at < others.size()) {
    const std::size_t end = std::min(others.find(' ', at), others.size());
    const std::string word = others.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    if (const auto token = vocabulary_->find(word))
      add(*token);
    else if (const auto number = parseNumber(word); number && *number >= 0 && *number < 1e15)
      add(static_cast<std::int64_t>(*number));
  }
  if (keys.size() > 1) return keys;
  // Spread over the vocabulary, past its first places, which are often unused or special.
  for (std::size_t k = 1; k < kKeys; ++k)
    add(tokens_ * static_cast<std::int64_t>(2 * k + 1) / static_cast<std::int64_t>(2 * kKeys));
  return keys;
}

void FormData::update(const WeightsShared& shared, const std::string& others, ExhibitContext& context) {
  readWords(shared, context);
  if (exchange_->refresh() && exchange_->latest().ticket == ticket_) {
    result_ = exchange_->latest().result;
    running_ = false;
    ++revision_;
  }
  const WeightsState& state = shared.state;
  std::string wanted;
  FormOrder order;
  if (shared.model && shared.layer && tokens_ > 0 && !readingWords_) {
    order = {shared.model,
             *shared.layer,
             {state.pairing, -1, false},
             state.formQuery,
             state.formKey,
             state.formOffset,
             state.head < shared.layer->heads ? state.head : -1,
             keysOf(state, others)};
    wanted = fmt::format("{} {} {} {} {} {} {} {}", shared.modelRevision, static_cast<int>(state.stack), state.layer,
                         order.head, static_cast<int>(state.pairing), order.query, order.key, order.offset);
    for (const std::int64_t key : order.keys)
      wanted += " " + std::to_string(key);
  }
  if (wanted == wanted_) return;
  wanted_ = wanted;
  ++ticket_;
  running_ = !wanted.empty();
  if (!running_) {
    result_.reset();
    ++revision_;
    return;
  }
  context.jobs.start(
      kLane, tr("the bilinear form of two tokens"),
      [exchange = exchange_, order = std::move(order), ticket = ticket_](JobContext& job) -> Result<void> {
        Result<FormResult> done = made(order);
        if (job.cancelled()) return {};
        FormResult result;
        if (done)
          result = std::move(*done);
        else
          result.failure = done.error().sentence;
        exchange->slot() = {ticket, std::make_shared<const FormResult>(std::move(result))};
        exchange->publish();
        job.published();
        return {};
      });
}

}  // namespace sepx::ui
