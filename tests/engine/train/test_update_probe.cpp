// SPDX-License-Identifier: Apache-2.0
// The probe of one sequence: its gradients are those of the training pass and of finite differences, its betas satisfy
// the identities of softmax and of Proposition A.9, and invalid requests are refused.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/attention/counts.h"
#include "engine/attention/pair_terms.h"
#include "engine/data/source_config.h"
#include "engine/nn/initialise.h"
#include "engine/nn/transformer.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"
#include "engine/train/update_probe.h"

namespace sepx::train::probe_tests {
namespace {

using attention::Matrix;

struct Rig {
  RunConfig config;
  std::unique_ptr<data::Source> source;
  std::vector<float> theta;
  ThreadPool pool{1};

  Rig(nn::ObjectiveKind objective, const auto& change) {
    config.data.kind = data::SourceKind::Mirrored;
    config.model.vocabulary = 0;
    config.model.length = 12;
    config.model.layers = 2;
    config.model.d_model = 12;
    config.model.heads = 3;
    config.model.causal = objective == nn::ObjectiveKind::NextToken;
    config.model.attentionBias = false;
    config.objective.kind = objective;
    change(config);
    auto made = data::makeSource(config.data);
    REQUIRE(made);
    source = std::move(*made);
    const auto resolved = resolve(config, *source);
    INFO((resolved ? "" : resolved.error().message));
    REQUIRE(resolved);
    const nn::ParameterLayout layout(config.model);
    nn::Initial initial;
    initial.scheme = nn::InitialScheme::Gaussian;
    initial.sigma = 0.4;
    theta.resize(layout.size());
    RandomStream random(3);
    nn::initialise<float>(initial, config.model, layout, random, theta);
  }
  explicit Rig(nn::ObjectiveKind objective) : Rig(objective, [](RunConfig&) {}) {}

  ProbeRequest request(int layer) const {
    ProbeRequest one;
    one.layer = layer;
    one.tokens.resize(12);
    source->sequence(data::Split::Train, 5, 12, one.tokens);
    return one;
  }
  UpdateProbe probe(const ProbeRequest& one) {
    auto answer = probeUpdate(config, theta, one, pool);
    INFO((answer ? "" : answer.error().message));
    REQUIRE(answer);
    return std::move(*answer);
  }
  UpdateProbe probe(int layer) { return probe(request(layer)); }
};

/// Loss of the probed batch at theta, computed by the training code.
double lossOf(const Rig& rig, const UpdateProbe& seen, const ProbeRequest& request, std::span<const double> theta,
              std::vector<double>* gradient) {
  ThreadPool pool(1);
  nn::Transformer<double> model(rig.config.model, pool);
  std::copy(theta.begin(), theta.end(), model.theta().begin());
  nn::Batch batch;
  batch.sequences = 1;
  batch.length = static_cast<int>(seen.tokens.size());
  batch.tokens = seen.tokens;
  for (const std::int32_t row : seen.targets) {
    const bool next = rig.config.objective.kind == nn::ObjectiveKind::NextToken;
    batch.targets.push_back({row, request.tokens[static_cast<std::size_t>(row + (next ? 1 : 0))],
                             1.0F / static_cast<float>(seen.targets.size())});
  }
  if (rig.config.objective.kind == nn::ObjectiveKind::UnmaskedContext)
    for (int n = 0; n < batch.length; ++n)  // predicted places are not read by any place
      batch.readable.push_back(std::count(seen.targets.begin(), seen.targets.end(), n) == 0 ? 1 : 0);
  if (gradient == nullptr) return model.evaluate(batch);
  const double loss = model.accumulate(batch, {});
  gradient->assign(model.gradient().begin(), model.gradient().end());
  return loss;
}

void refuses(Rig& rig, const ProbeRequest& request, const std::string& part) {
  const auto answer = probeUpdate(rig.config, rig.theta, request, rig.pool);
  REQUIRE_FALSE(answer);
  CHECK(answer.error().kind == ErrorKind::Usage);
  INFO(answer.error().message);
  CHECK(answer.error().message.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("The form's gradient of a probe gives dL/dW_Q and dL/dW_K of the training pass and of finite differences") {
  using enum nn::ObjectiveKind;
  for (const nn::ObjectiveKind objective : {NextToken, Masked, UnmaskedContext})
    for (const nn::AttentionKind kind : {nn::AttentionKind::Softmax, nn::AttentionKind::Linear})
      for (const int kvHeads : {0, 1}) {
        Rig rig(objective, [&](RunConfig& config) {
          config.model.attention = kind;
          config.model.kvHeads = kvHeads;
        });
        for (const int layer : {0, 1}) {
          const ProbeRequest request = rig.request(layer);
          const UpdateProbe seen = rig.probe(request);
          CHECK(seen.isForm);
          std::vector<double> theta(rig.theta.begin(), rig.theta.end()), gradient;
          CHECK(lossOf(rig, seen, request, theta, &gradient) == Approx(seen.loss));
          const nn::ParameterLayout layout(rig.config.model);
          const int d_h = rig.config.model.d_h();
          const nn::Parameter& query = *layout.find(nn::ParameterRole::Query, nn::ParameterKind::Weight, layer);
          const nn::Parameter& key = *layout.find(nn::ParameterRole::Key, nn::ParameterKind::Weight, layer);
          const Eigen::Map<const Matrix> dQ(gradient.data() + query.offset, query.rows, query.columns);
          const Eigen::Map<const Matrix> dK(gradient.data() + key.offset, key.rows, key.columns);
          Matrix keys = Matrix::Zero(key.rows, key.columns);
          for (int h = 0; h < 3; ++h) {
            const Matrix& G = seen.gradient[static_cast<std::size_t>(h)];
            const Matrix fromForm = (G * seen.factors.key(h)).transpose();  // our weights are [out, in]
            CHECK((fromForm - dQ.middleRows(h * d_h, d_h)).norm() < 1e-12);
            const int at = seen.factors.keyHead[static_cast<std::size_t>(h)] * d_h;
            keys.middleRows(at, d_h) += (G.transpose() * seen.factors.query(h)).transpose();
          }
          CHECK((keys - dK).norm() < 1e-12);
          CHECK(dQ.norm() > 1e-4);
          // Central differences along a random direction of W_Q.
          RandomStream random(6);
          const double step = 1e-5;
          double slope = 0;
          std::vector<double> up = theta, down = theta;
          for (std::size_t k = query.offset; k < query.offset + query.size(); ++k) {
            const double direction = random.normal();
            slope += direction * gradient[k];
            up[k] += step * direction;
            down[k] -= step * direction;
          }
          const double measured =
              (lossOf(rig, seen, request, up, nullptr) - lossOf(rig, seen, request, down, nullptr)) / (2 * step);
          CHECK(measured == Approx(slope).epsilon(1e-5).margin(1e-9));
        }
      }
}

TEST_CASE("Rows of betas sum to 0 under softmax and not under linear attention, and the pairs add up to G") {
  Rig softmax(nn::ObjectiveKind::Masked);
  Rig linear(nn::ObjectiveKind::Masked, [](RunConfig& config) { config.model.attention = nn::AttentionKind::Linear; });
  const UpdateProbe a = softmax.probe(0), b = linear.probe(0);
  double largest = 0;
  for (std::size_t h = 0; h < 3; ++h) {
    CHECK(attention::rowSums(a.beta[h]).cwiseAbs().maxCoeff() < 1e-15);
    CHECK(a.beta[h].cwiseAbs().maxCoeff() > 1e-6);
    largest = std::max(largest, attention::rowSums(b.beta[h]).cwiseAbs().maxCoeff());
    Matrix sum = Matrix::Zero(12, 12);
    for (int i = 0; i < 12; ++i)
      for (int j = i; j < 12; ++j)
        sum += attention::pairTerm(a.X, a.beta[h], i, j);
    CHECK((sum - a.gradient[h]).norm() < 1e-12 * (1 + sum.norm()));
    for (int i = 0; i < 12; ++i)
      CHECK(a.attention[h].row(i).sum() == Approx(1));
  }
  CHECK(largest > 1e-5);
}

TEST_CASE(
    "The last layer of an encoder has the pairs of (S111), a decoder has none, and in the first layer all rows count") {
  Rig encoder(nn::ObjectiveKind::Masked), decoder(nn::ObjectiveKind::NextToken);
  ProbeRequest request = encoder.request(1);
  request.hidden = {2, 5, 9, 5};
  const UpdateProbe last = encoder.probe(request);
  CHECK(last.targets == std::vector<std::int32_t>{2, 5, 9});
  for (const std::int32_t place : last.targets)
    CHECK(last.tokens[static_cast<std::size_t>(place)] == encoder.config.objective.maskToken);
  const attention::MaskedPairs expected = attention::maskedPairs(12, 3.0 / 12);
  for (const Matrix& beta : last.beta) {
    const attention::MirroredTerms terms = attention::mirroredTerms(beta);
    CHECK(terms.ratio() == Approx(expected.ratio));
    CHECK(terms.share() == Approx(expected.share));
    CHECK(attention::betaSymmetry(beta).pairs == 3);
  }
  request.layer = 0;
  CHECK(attention::mirroredTerms(encoder.probe(request).beta[0]).share() == 1);
  for (const int layer : {0, 1})
    for (const Matrix& beta : decoder.probe(layer).beta) {
      CHECK(attention::mirroredTerms(beta).mirrored == 0);
      CHECK(attention::betaSymmetry(beta).score == 0);
    }
}

TEST_CASE("With the context of (S9) no layer reads masked places, so there are no pairs of two of them") {
  Rig rig(nn::ObjectiveKind::UnmaskedContext);
  for (const int layer : {0, 1}) {
    ProbeRequest request = rig.request(layer);
    request.hidden = {2, 5, 9};
    const UpdateProbe seen = rig.probe(request);
    CHECK(seen.targets == std::vector<std::int32_t>{2, 5, 9});
    for (std::size_t h = 0; h < 3; ++h) {
      for (const int place : request.hidden) {
        CHECK(seen.beta[h].col(place).cwiseAbs().maxCoeff() == 0);
        CHECK(seen.attention[h].col(place).maxCoeff() == 0);
      }
      CHECK(seen.attention[h].row(5).sum() == Approx(1));
      // Last layer: 3 places read the 9 others. In the layer before, all places read the 9, so pairs of them are
      // mirrored.
      const attention::MirroredTerms terms = attention::mirroredTerms(seen.beta[h]);
      CHECK(terms.mirrored == (layer == 1 ? 0 : 9 * 8));
      CHECK(terms.single == 27);
    }
    // Places that are drawn as in training are both masked and not read.
    request.hidden.clear();
    const UpdateProbe drawn = rig.probe(request);
    for (int n = 0; n < 12; ++n)
      CHECK((drawn.beta[0].col(n).cwiseAbs().maxCoeff() == 0) ==
            (std::count(drawn.targets.begin(), drawn.targets.end(), n) == 1));
  }
}

TEST_CASE("The number of times a token is context and query in a decoder's sequences is that of Proposition A.9") {
  Rig rig(nn::ObjectiveKind::NextToken);
  constexpr int kCounted = 40;
  const std::int32_t token = rig.request(0).tokens[3];
  const std::vector<double> P = placeShares(*rig.source, token, 12, kCounted);
  double context = 0, predicted = 0;
  for (int s = 0; s < kCounted; ++s) {
    ProbeRequest request = rig.request(0);
    rig.source->sequence(data::Split::Train, static_cast<std::uint64_t>(s), 12, request.tokens);
    std::vector<int> places;
    for (int k = 0; k < 12; ++k)
      if (request.tokens[static_cast<std::size_t>(k)] == token) places.push_back(k);
    const UpdateProbe seen = rig.probe(request);
    const attention::TokenUpdate update = attention::tokenUpdate(seen.X, seen.beta[0], places);
    context += static_cast<double>(update.contextTerms) / kCounted;
    predicted += static_cast<double>(update.predictedTerms) / kCounted;
  }
  // The last place predicts nothing, so it is not a query and no row reads it: one place fewer than in the sequence.
  const attention::TokenCounts exact = attention::autoregressiveCounts(std::span(P).first(11));
  CHECK(context > 0);
  CHECK(context == Approx(exact.context));
  CHECK(predicted == Approx(exact.predicted));
}

TEST_CASE("The scores of a rotary encoding are not a bilinear form, and a probe ignores dropout") {
  Rig rotary(nn::ObjectiveKind::Masked, [](RunConfig& config) { config.model.positions = nn::Positions::Rope; });
  CHECK_FALSE(rotary.probe(0).isForm);
  Rig dropped(nn::ObjectiveKind::Masked, [](RunConfig& config) {
    config.model.attentionDropout = config.model.residualDropout = config.model.embeddingDropout = 0.3;
  });
  Rig plain(nn::ObjectiveKind::Masked);
  CHECK(dropped.probe(1).beta[0] == plain.probe(1).beta[0]);
}

TEST_CASE("Requests that cannot be probed are refused with a message") {
  Rig rig(nn::ObjectiveKind::Masked), decoder(nn::ObjectiveKind::NextToken);
  Rig copies(nn::ObjectiveKind::LeaveOneOut);
  refuses(rig, rig.request(2), "there is no layer 2");
  refuses(rig, rig.request(-1), "layer -1");
  refuses(copies, copies.request(0), "leave_one_out");
  const auto changed = [&](const Rig& of, auto change) {
    ProbeRequest request = of.request(0);
    change(request);
    return request;
  };
  refuses(rig, changed(rig, [](ProbeRequest& r) { r.tokens.clear(); }), "0 tokens");
  refuses(rig, changed(rig, [](ProbeRequest& r) { r.tokens.resize(13); }), "13 tokens");
  refuses(rig, changed(rig, [](ProbeRequest& r) { r.tokens[0] = 1000; }), "token 1000");
  refuses(rig, changed(rig, [](ProbeRequest& r) { r.hidden = {12}; }), "position 12");
  refuses(decoder, changed(decoder, [](ProbeRequest& r) { r.hidden = {1}; }), "hides no tokens");
  rig.theta.pop_back();
  refuses(rig, rig.request(0), "parameters were given");
}

}  // namespace sepx::train::probe_tests
