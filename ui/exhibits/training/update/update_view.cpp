// SPDX-License-Identifier: Apache-2.0
// See update_view.h.
#include "ui/exhibits/training/update/update_view.h"

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

/// The sequence that is probed, and its words.
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
  std::vector<double> exactRatios;  ///< by place
};

/// mu_c/mu_p of a token. That of a bidirectional model does not depend on the share of masked places.
double exactRatio(const std::vector<double>& P, bool causal) {
  constexpr double kAnyShare = 0.5;
  return (causal ? attention::autoregressiveCounts(P) : attention::bidirectionalCounts(P, kAnyShare)).ratio();
}

Result<Sequence> readSequence(const UpdateRequest& request) {
  return request.model.data->with(
      request.model.config.data, request.model.reach, [&](const data::Source& source) -> Result<Sequence> {
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

void addTokens(UpdateView& view, const Sequence& sequence, const train::UpdateProbe& probe) {
  for (std::size_t i = 0; i < sequence.tokens.size(); ++i)
    view.tokens.push_back({sequence.words[static_cast<std::size_t>(sequence.tokens[i])],
                           sequence.words[static_cast<std::size_t>(probe.tokens[i])], sequence.tokens[i], false,
                           sequence.exactRatios[i]});
  for (const std::int32_t row : probe.targets)
    view.tokens[static_cast<std::size_t>(row)].predicted = true;
}

/// One head of a layer.
attention::FormUpdate updateOf(const train::UpdateProbe& probe, int head) {
  const attention::LayerFactors one = attention::headOf(probe.factors, head);
  return attention::formUpdate(one.W_Q, attention::keysOfHeads(one), probe.gradient[static_cast<std::size_t>(head)]);
}

double symmetryOf(const attention::Matrix& matrix) {
  return attention::symmetry(attention::momentsOf(matrix));
}

void addGradient(UpdateView& view, const train::UpdateProbe& probe) {
  const auto head = static_cast<std::size_t>(view.head);
  const attention::Matrix& G = probe.gradient[head];
  view.cosine = attention::cosine(updateOf(probe, view.head).first, G);
  const attention::GradientParts parts = attention::gradientParts(probe.X, probe.beta[head]);
  view.gradient = symmetryOf(G);
  view.own = symmetryOf(parts.own);
  view.both = symmetryOf(parts.mirrored);
  view.single = symmetryOf(parts.single);
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

int UpdateView::predicted() const {
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
  auto view = std::make_shared<UpdateView>();
  view->step = whole.step;
  view->layer = request.layer;
  view->head = request.head;
  view->isForm = probe.isForm;
  view->masks = nn::objectiveInfo(whole.config.objective.kind).masks;
  view->loss = probe.loss;
  addTokens(*view, sequence, probe);
  if (probe.isForm) {
    addGradient(*view, probe);
    view->change = stepOf(probe, view->head,
                          train::learningRateAt(whole.config.optimisation, whole.step, whole.config.schedule.steps));
  }
  view->X = std::move(probe.X);
  view->beta = std::move(probe.beta[static_cast<std::size_t>(request.head)]);
  view->symmetry = attention::betaSymmetry(view->beta);
  view->mirrored = attention::mirroredTerms(view->beta);
  const double N = view->places();
  if (view->masks) view->paperShare = attention::maskedPairs(N, view->predicted() / N).share;
  view->rowSum = attention::rowSums(view->beta).cwiseAbs().maxCoeff();
  if (view->isForm) view->strongest = attention::strongestPairs(view->X, view->beta, kStrongest);
  view->entries = entriesOf(view->beta);
  attention::Histogram histogram;
  histogram.add(std::span<const float>(*view->entries));
  if (const double limit = histogram.percentileOfModulus(kPercentile); limit > 0) view->limit = limit;
  return UpdatePointer(std::move(view));
}

namespace {

std::vector<int> placesOf(const UpdateView& of, int place) {
  std::vector<int> places;
  for (int i = 0; i < of.places(); ++i)
    if (of.tokens[static_cast<std::size_t>(i)].id == of.tokens[static_cast<std::size_t>(place)].id) places.push_back(i);
  return places;
}

TokenView tokenOf(const UpdateView& of, int place, std::span<const int> places) {
  const UpdateToken& chosen = of.tokens[static_cast<std::size_t>(place)];
  const attention::TokenUpdate update = attention::tokenUpdate(of.X, of.beta, places);
  return {chosen.word,           update.contextTerms,     update.predictedTerms,
          update.context.norm(), update.predicted.norm(), chosen.exactRatio};
}

std::vector<double> listOf(const Eigen::VectorXd& of) {
  return {of.data(), of.data() + of.size()};
}

/// `norms`: of all columns (rows) of the step.
int chosenLine(int asked, const Eigen::VectorXd& norms) {
  Eigen::Index most = 0;
  norms.maxCoeff(&most);
  return asked < 0 ? static_cast<int>(most) : std::min(asked, static_cast<int>(norms.size()) - 1);
}

void addLines(PairView& view, const UpdateView& of, const PairRequest& request, std::span<const int> places) {
  const UpdateStep& step = of.change;
  const int k = view.column.at = chosenLine(request.column, step.ofEngine.colwise().norm().transpose());
  const int m = view.row.at = chosenLine(request.row, step.ofEngine.rowwise().norm());
  std::vector<int> all(static_cast<std::size_t>(of.places()));
  std::iota(all.begin(), all.end(), 0);
  const attention::TokenLines context = attention::contextLines(of.X, of.beta, places, k, m),
                              target = attention::targetLines(of.X, of.beta, places, k, m),
                              whole = attention::contextLines(of.X, of.beta, all, k, m);
  view.column = {k,
                 listOf(context.column),
                 listOf(target.column),
                 listOf(whole.column),
                 listOf(step.byTokens.col(k)),
                 listOf(step.ofEngine.col(k))};
  view.row = {m,
              listOf(context.row),
              listOf(target.row),
              listOf(whole.row),
              listOf(step.byTokens.row(m).transpose()),
              listOf(step.ofEngine.row(m).transpose())};
}

}  // namespace

PairPointer makePair(const PairRequest& request) {
  const UpdateView& of = *request.of;
  auto made = std::make_shared<PairView>();
  PairView& view = *made;
  view.of = request.of;
  const std::vector<int> places = placesOf(of, request.j);
  view.token = tokenOf(of, request.j, places);
  if (of.change.ofEngine.size() > 0) addLines(view, of, request, places);
  view.pair = attention::pairOf(of.X, of.beta, request.i, request.j);
  if (request.i > request.j) {
    std::swap(view.pair.i, view.pair.j);
    std::swap(view.pair.beta_ij, view.pair.beta_ji);
  }
  if (request.i == request.j) {  // one term, which is symmetric
    view.pair.norm = std::abs(view.pair.beta_ij) * of.X.row(request.i).squaredNorm();
    view.pair.symmetry = view.pair.norm > 0 ? 1 : std::nan("");
  }
  const attention::Matrix term = attention::pairTerm(of.X, of.beta, request.i, request.j);
  view.side = static_cast<int>(term.rows());
  view.entries = entriesOf(term);
  if (const double limit = term.cwiseAbs().maxCoeff(); limit > 0) view.limit = limit;
  return made;
}

}  // namespace sepx::ui
