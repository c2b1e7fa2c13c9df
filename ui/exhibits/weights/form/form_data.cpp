// SPDX-License-Identifier: Apache-2.0
// The jobs of the form page, and the texts of tokens.
#include "ui/exhibits/weights/form/form_data.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/checkpoint/vocabulary_read.h"
#include "engine/core/number.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr std::size_t kKeys = 6, kMostKeys = 24;

/// A row of the stream.
Result<Eigen::VectorXd> placeOf(const StreamVectors& stream, std::int64_t place) {
  if (place < 0 || place >= stream.n)
    return fail(ErrorKind::Usage, fmt::format("{} {}: {} {}", tr("position"), place,
                                              tr("positions in the sentence are 0 to"), stream.n - 1));
  const Eigen::Map<const Eigen::VectorXf> row(stream.values.data() + place * stream.d, stream.d);
  return row.cast<double>();
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

bool FormData::Request::operator==(const Request& other) const {
  return model == other.model && layer.stack == other.layer.stack && layer.layer == other.layer.layer &&
         options == other.options && query == other.query && key == other.key && offset == other.offset &&
         head == other.head && keys == other.keys && embedding == other.embedding && stream == other.stream;
}

/// Computes the result, or returns why it cannot be computed.
Result<FormResult> FormData::made(const Request& request) {
  const checkpoint::Checkpoint& file = *request.model->checkpoint;
  const auto factors = checkpoint::loadFactors(file, request.layer, request.options);
  if (!factors) return tl::unexpected(factors.error());
  const auto leftOut = checkpoint::loadOmittedScoreParts(file, request.layer);
  if (!leftOut) return tl::unexpected(leftOut.error());
  checkpoint::AttentionMap map;
  map.tokenEmbedding = request.embedding;
  const auto embedding = [&](std::int64_t token) {
    return request.stream ? placeOf(*request.stream, token) : checkpoint::loadEmbedding(file, map, token);
  };
  const auto query = embedding(request.query), key = embedding(request.key);
  if (!query) return tl::unexpected(query.error());
  if (!key) return tl::unexpected(key.error());
  if (query->size() != factors->rows() || key->size() != factors->columns())
    return fail(ErrorKind::BadInput,
                fmt::format("{} {} {} {} × {}", tr("token embeddings are"), query->size(),
                            tr("wide, which does not match W_qk of"), factors->rows(), factors->columns()));
  FormResult result;
  result.heads = attention::formTerms(*factors, *leftOut, *query, *key, request.offset);
  result.hasNorm = leftOut->hasNorm;
  result.hasBias = leftOut->b_Q.size() > 0 || leftOut->b_K.size() > 0;
  result.hasRope = leftOut->ropeBase > 0;
  result.scale = leftOut->scale;
  result.d_h = factors->d_h;
  result.keys = request.keys;
  std::vector<double> raw;
  attention::Matrix keys(static_cast<Eigen::Index>(request.keys.size()), key->size());
  for (const std::int64_t token : request.keys) {
    const auto x = embedding(token);
    if (!x) return tl::unexpected(x.error());
    double sum = 0;
    for (int h = 0; h < factors->heads; ++h)
      if (request.head < 0 || request.head == h)
        sum += (factors->query(h).transpose() * *query).dot(factors->key(h).transpose() * *x);
    keys.row(static_cast<Eigen::Index>(raw.size())) = x->transpose();
    raw.push_back(sum);
  }
  result.ranking = attention::ranking(raw, leftOut->scale);
  if (factors->rows() == factors->columns())
    result.reading = attention::readForm(*factors, request.head, keys, result.ranking);
  return result;
}

std::string FormData::nameOf(std::int64_t token) const {
  if (stream_ && token >= 0 && token < stream_->n)
    return fmt::format("“{}” ({})", stream_->names[static_cast<std::size_t>(token)], token);
  const auto& words = vocabulary().tokens;
  if (token < 0 || static_cast<std::size_t>(token) >= words.size() || words[static_cast<std::size_t>(token)].empty())
    return fmt::format("{} {}", tr("token"), token);
  return fmt::format("“{}” ({})", vocabulary().shown(token), token);
}

std::string embeddingOf(const WeightsShared& shared) {
  if (!shared.model) return {};
  return shared.state.embedding.empty() ? shared.model->map.tokenEmbedding : shared.state.embedding;
}

void FormData::readWords(const WeightsShared& shared, ExhibitContext& context) {
  if (words_.refresh(context.jobs) && !words()) context.editor.say(words().error().message);
  if (!shared.model || words_.isFor(shared.model)) return;
  words_.clear();
  words_.start(context.jobs, shared.model, tr("vocabulary"),
               [](const ModelPointer& model, auto&) { return checkpoint::readVocabulary(*model->checkpoint); });
}

std::vector<std::int64_t> FormData::keysOf(const WeightsState& state, const std::string& others) {
  std::vector<std::int64_t> keys{state.formKey};
  unknown_.clear();
  const auto add = [&](std::int64_t token) {
    const bool known = token >= 0 && token < tokens_;
    if (known && keys.size() < kMostKeys && std::find(keys.begin(), keys.end(), token) == keys.end())
      keys.push_back(token);
    return known;
  };
  constexpr const char* kBetween = " ,;";
  for (std::size_t at = others.find_first_not_of(kBetween); at != std::string::npos;) {
    const std::size_t end = std::min(others.find_first_of(kBetween, at), others.size());
    const std::string word = others.substr(at, end - at);
    at = others.find_first_not_of(kBetween, end);
    const std::optional<double> number = parseNumber(word);
    const bool index = number && *number >= 0 && *number < 1e15;
    const std::optional<std::int64_t> token = stream_ ? std::nullopt : vocabulary().find(word);
    const bool known = token ? add(*token) : index && add(static_cast<std::int64_t>(*number));
    if (!known) unknown_.push_back(word);
  }
  for (std::int64_t place = 0; stream_ && place < tokens_; ++place)
    add(place);
  if (keys.size() > 1 || stream_) return keys;
  // Spread over the vocabulary, without its first tokens, which are often unused or special.
  for (std::size_t k = 1; k < kKeys; ++k)
    add(tokens_ * static_cast<std::int64_t>(2 * k + 1) / static_cast<std::int64_t>(2 * kKeys));
  return keys;
}

void FormData::update(const WeightsShared& shared, const std::string& others, ExhibitContext& context) {
  readWords(shared, context);
  form_.refresh(context.jobs);
  const WeightsState& state = shared.state;
  const std::string embedding = embeddingOf(shared);
  const checkpoint::TensorInfo* const tensor = shared.model ? shared.model->checkpoint->find(embedding) : nullptr;
  tokens_ = tensor && tensor->shape.size() == 2 ? tensor->shape.front() : 0;
  const bool fits = state.formStream && shared.stream && shared.layer && shared.stream->layer == shared.layer->layer &&
                    shared.stream->stack == shared.layer->stack;
  stream_ = fits ? shared.stream : nullptr;
  if (stream_) tokens_ = stream_->n;
  if (!shared.model || !shared.layer || tokens_ == 0 || words_.pending()) {
    unknown_.clear();
    form_.clear();
    return;
  }
  Request wanted{shared.model,
                 *shared.layer,
                 {state.pairing, -1, false},
                 state.formQuery,
                 state.formKey,
                 state.formOffset,
                 state.head < shared.layer->heads ? state.head : -1,
                 keysOf(state, others),
                 embedding,
                 stream_};
  form_.request(context.jobs, std::move(wanted), tr("the bilinear form of two tokens"),
                [](const Request& request, auto&) { return made(request); });
}

}  // namespace sepx::ui
