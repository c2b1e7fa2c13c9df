// SPDX-License-Identifier: Apache-2.0
// See update_result.h.
#include "ui/exhibits/training/update/update_result.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "engine/attention/counts.h"
#include "engine/attention/histogram.h"
#include "engine/attention/scores.h"
#include "engine/attention/token_lines.h"
#include "engine/attention/update.h"
#include "engine/core/try.h"
#include "engine/data/encode.h"
#include "engine/train/update_probe.h"
#include "ui/exhibits/training/shared/shown_token.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

constexpr std::size_t kStrongest = 32;
constexpr double kPercentile = 99.5;

using Entries = std::shared_ptr<const std::vector<float>>;

Entries entriesOf(const attention::Matrix& matrix) {
  const attention::MatrixF narrow = matrix.cast<float>();
  return std::make_shared<const std::vector<float>>(narrow.data(), narrow.data() + narrow.size());
}

/// The tokens of the sequence that is probed.
Result<std::vector<std::int32_t>> sequenceOf(const UpdateRequest& request, const data::Source& source) {
  if (!request.text.empty()) return data::encodeText(source, request.text);
  const int length = request.model.config.model.length;
  std::vector<std::int32_t> tokens(static_cast<std::size_t>(length));
  const int valid = source.sequence(data::Split::Validation, 0, length, tokens);
  tokens.resize(static_cast<std::size_t>(valid));
  return tokens;
}

struct Sequence {
  std::vector<std::int32_t> tokens;
  std::vector<std::string> words;   ///< of the vocabulary
  std::vector<double> exactRatios;  ///< by position
};

/// mu_c/mu_p of a token. For a bidirectional model it does not depend on the share of masked positions.
double exactRatio(const std::vector<double>& P, bool causal) {
  constexpr double kAnyShare = 0.5;
  return (causal ? attention::autoregressiveCounts(P) : attention::bidirectionalCounts(P, kAnyShare)).ratio();
}

Result<Sequence> readSequence(const UpdateRequest& request) {
  return request.model.data->with(
      request.model.config.data, request.model.dataFolders, [&](const data::Source& source) -> Result<Sequence> {
        Sequence made;
        SEPX_ASSIGN(made.tokens, sequenceOf(request, source));
        for (std::int32_t token = 0; token < source.vocabulary(); ++token)
          made.words.push_back(shownToken(source.word(token)));
        for (const std::int32_t token : made.tokens)
          made.exactRatios.push_back(
              exactRatio(request.model.data->placeShares(token, static_cast<int>(made.tokens.size())),
                         request.model.config.model.causal));
        return made;
      });
}

void addTokens(UpdateResult& result, const Sequence& sequence, const train::UpdateProbe& probe) {
  for (std::size_t i = 0; i < sequence.tokens.size(); ++i)
    result.tokens.push_back({sequence.words[static_cast<std::size_t>(sequence.tokens[i])],
                             sequence.words[static_cast<std::size_t>(probe.tokens[i])], sequence.tokens[i], false,
                             sequence.exactRatios[i]});
  for (const std::int32_t row : probe.targets)
    result.tokens[static_cast<std::size_t>(row)].predicted = true;
}

/// The change of W_qk of one head of the layer.
attention::FormUpdate updateOf(const train::UpdateProbe& probe, int head) {
  const attention::LayerFactors one = attention::headOf(probe.factors, head);
  return attention::formUpdate(one.W_Q, attention::keysOfHeads(one), probe.gradient[static_cast<std::size_t>(head)]);
}

double symmetryOf(const attention::Matrix& matrix) {
  return attention::symmetry(attention::momentsOf(matrix));
}

void addGradient(UpdateResult& result, const train::UpdateProbe& probe) {
  const auto head = static_cast<std::size_t>(result.head);
  const attention::Matrix& G = probe.gradient[head];
  result.cosine = attention::cosine(updateOf(probe, result.head).first, G);
  const attention::GradientParts parts = attention::gradientParts(probe.X, probe.beta[head]);
  result.gradient = symmetryOf(G);
  result.own = symmetryOf(parts.own);
  result.both = symmetryOf(parts.mirrored);
  result.single = symmetryOf(parts.single);
}

UpdateStep stepOf(const train::UpdateProbe& probe, int head, double eta) {
  const auto made = [&](const Eigen::VectorXd& b_Q, const Eigen::VectorXd& b_K) {
    const attention::LayerFactors gradients =
        attention::gradientsByTokens(probe.factors, probe.X, probe.beta, b_Q, b_K);
    return attention::stepOfForm(probe.factors, gradients, head, eta);
  };
  UpdateStep step{made(probe.b_Q, probe.b_K), attention::stepOfForm(probe.factors, probe.gradients, head, eta), eta};
  const double norm = step.ofEngine.norm();
  step.difference = (step.byTokens - step.ofEngine).norm() / norm;
  step.biases = (step.byTokens - made({}, {})).norm() / norm;
  return step;
}

}  // namespace

int UpdateResult::predicted() const {
  return static_cast<int>(
      std::count_if(tokens.begin(), tokens.end(), [](const UpdateToken& t) { return t.predicted; }));
}

Result<UpdatePointer> makeUpdate(const UpdateRequest& request) {
  SEPX_ASSIGN(const Sequence sequence, readSequence(request));
  SEPX_ASSIGN(const WholeModel whole, readModel(request.model));
  const nn::ModelConfig& model = whole.config.model;
  if (request.head >= model.heads)
    return fail(ErrorKind::Usage,
                trFormat("there is no head {}: the model has heads 0 to {}", request.head, model.heads - 1));
  train::ProbeRequest wanted;
  wanted.layer = request.layer;
  wanted.tokens = sequence.tokens;
  wanted.seed = whole.config.seed;
  ThreadPool pool(1);
  SEPX_ASSIGN(train::UpdateProbe probe, train::probeUpdate(whole.config, whole.theta, wanted, pool));
  auto result = std::make_shared<UpdateResult>();
  result->step = whole.step;
  result->layer = request.layer;
  result->head = request.head;
  result->isForm = probe.isForm;
  result->masks = nn::objectiveInfo(whole.config.objective.kind).masks;
  result->loss = probe.loss;
  addTokens(*result, sequence, probe);
  if (probe.isForm) {
    addGradient(*result, probe);
    result->change = stepOf(probe, result->head,
                            train::learningRateAt(whole.config.optimisation, whole.step, whole.config.schedule.steps));
  }
  result->X = std::move(probe.X);
  result->beta = std::move(probe.beta[static_cast<std::size_t>(request.head)]);
  result->symmetry = attention::betaSymmetry(result->beta);
  result->mirrored = attention::mirroredTerms(result->beta);
  const double N = result->places();
  if (result->masks) result->paperShare = attention::maskedPairs(N, result->predicted() / N).share;
  result->rowSum = attention::rowSums(result->beta).cwiseAbs().maxCoeff();
  if (result->isForm) result->strongest = attention::strongestPairs(result->X, result->beta, kStrongest);
  result->entries = entriesOf(result->beta);
  attention::Histogram histogram;
  histogram.add(std::span<const float>(*result->entries));
  if (const double limit = histogram.percentileOfModulus(kPercentile); limit > 0) result->limit = limit;
  return UpdatePointer(std::move(result));
}

namespace {

std::vector<int> placesOf(const UpdateResult& of, int place) {
  std::vector<int> places;
  for (int i = 0; i < of.places(); ++i)
    if (of.tokens[static_cast<std::size_t>(i)].id == of.tokens[static_cast<std::size_t>(place)].id) places.push_back(i);
  return places;
}

TokenResult tokenOf(const UpdateResult& of, int place, std::span<const int> places) {
  const UpdateToken& chosen = of.tokens[static_cast<std::size_t>(place)];
  const attention::TokenUpdate update = attention::tokenUpdate(of.X, of.beta, places);
  return {chosen.word,           update.contextTerms,     update.predictedTerms,
          update.context.norm(), update.predicted.norm(), chosen.exactRatio};
}

std::vector<double> listOf(const Eigen::VectorXd& of) {
  return {of.data(), of.data() + of.size()};
}

/// The requested column (row), or the one that the step changes most. `norms`: of all columns (rows) of the step.
int chosenLine(int asked, const Eigen::VectorXd& norms) {
  Eigen::Index most = 0;
  norms.maxCoeff(&most);
  return asked < 0 ? static_cast<int>(most) : std::min(asked, static_cast<int>(norms.size()) - 1);
}

void addLines(PairResult& result, const UpdateResult& of, const PairRequest& request, std::span<const int> places) {
  const UpdateStep& step = of.change;
  const int k = result.column.at = chosenLine(request.column, step.ofEngine.colwise().norm().transpose());
  const int m = result.row.at = chosenLine(request.row, step.ofEngine.rowwise().norm());
  std::vector<int> all(static_cast<std::size_t>(of.places()));
  std::iota(all.begin(), all.end(), 0);
  const attention::TokenLines context = attention::contextLines(of.X, of.beta, places, k, m),
                              target = attention::targetLines(of.X, of.beta, places, k, m),
                              whole = attention::contextLines(of.X, of.beta, all, k, m);
  result.column = {k,
                   listOf(context.column),
                   listOf(target.column),
                   listOf(whole.column),
                   listOf(step.byTokens.col(k)),
                   listOf(step.ofEngine.col(k))};
  result.row = {m,
                listOf(context.row),
                listOf(target.row),
                listOf(whole.row),
                listOf(step.byTokens.row(m).transpose()),
                listOf(step.ofEngine.row(m).transpose())};
}

}  // namespace

PairPointer makePair(const PairRequest& request) {
  const UpdateResult& of = *request.of;
  auto made = std::make_shared<PairResult>();
  PairResult& result = *made;
  result.of = request.of;
  const std::vector<int> places = placesOf(of, request.j);
  result.token = tokenOf(of, request.j, places);
  if (of.change.ofEngine.size() > 0) addLines(result, of, request, places);
  result.pair = attention::pairOf(of.X, of.beta, request.i, request.j);
  if (request.i > request.j) {
    std::swap(result.pair.i, result.pair.j);
    std::swap(result.pair.beta_ij, result.pair.beta_ji);
  }
  if (request.i == request.j) {  // one term, which is symmetric
    result.pair.norm = std::abs(result.pair.beta_ij) * of.X.row(request.i).squaredNorm();
    result.pair.symmetry = result.pair.norm > 0 ? 1 : std::nan("");
  }
  const attention::Matrix term = attention::pairTerm(of.X, of.beta, request.i, request.j);
  result.side = static_cast<int>(term.rows());
  result.entries = entriesOf(term);
  if (const double limit = term.cwiseAbs().maxCoeff(); limit > 0) result.limit = limit;
  return made;
}

}  // namespace sepx::ui
