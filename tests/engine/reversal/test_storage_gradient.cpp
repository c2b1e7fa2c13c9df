// SPDX-License-Identifier: Apache-2.0
// The gradient with respect to the storage Y: compares its factors with outer products and central differences, and
// tests the values that a pass reads from a model and the signs of Proposition 4.1.
#include <catch2/catch.hpp>

#include <cmath>
#include <numeric>

#include <Eigen/Core>

#include "engine/reversal/alignment.h"
#include "engine/reversal/storage_gradient.h"
#include "tests/engine/reversal/reversal_models.h"

using namespace sepx;
using namespace sepx::reversal;
using sepx::test::randomModel;
using sepx::test::smallPairsModel;

namespace {

/// Loss of z = sum alpha_k Y_{x_k}. Y is [length, vocabulary] here, one column of the paper's Y for each place.
double storageLoss(std::span<const double> alpha, const std::vector<double>& Y, std::size_t words, std::size_t target) {
  std::vector<double> z(words, 0.0);
  for (std::size_t k = 0; k < alpha.size(); ++k)
    for (std::size_t word = 0; word < words; ++word)
      z[word] += alpha[k] * Y[k * words + word];
  double sum = 0;
  for (const double logit : z)
    sum += std::exp(logit);
  return std::log(sum) - z[target];
}

std::vector<double> softmax(std::span<const double> scores, double scale) {
  std::vector<double> alpha;
  double sum = 0;
  for (const double score : scores)
    sum += alpha.emplace_back(std::exp(scale * score));
  for (double& one : alpha)
    one /= sum;
  return alpha;
}

}  // namespace

TEST_CASE("masked pass: prediction, attention and masses are those of the model") {
  ThreadPool pool(1);
  for (const nn::Positions positions : {nn::Positions::Rope, nn::Positions::Learned}) {
    nn::Transformer<double> model = randomModel(smallPairsModel(positions), pool, 31);
    const Pair pair{7, 1, 4, 6};
    const MaskedPass pass = maskedPass(model, maskedQuery(pair, Direction::Reverse));
    CHECK(pass.loss == Approx(model.evaluate(queryBatch(std::span(&pair, 1), Direction::Reverse))).epsilon(1e-12));
    CHECK(std::accumulate(pass.p.begin(), pass.p.end(), 0.0) == Approx(1));
    CHECK(std::accumulate(pass.error.begin(), pass.error.end(), 0.0) == Approx(0).margin(1e-15));
    CHECK(pass.error[7] == Approx(pass.p[7] - 1).epsilon(1e-12));
    CHECK(std::accumulate(pass.alpha.begin(), pass.alpha.end(), 0.0) == Approx(1));
    CHECK(pass.evidenceMass() == pass.alpha[1]);
    CHECK(pass.mass[data::kPairMask] == pass.alpha[4]);
    CHECK(pass.mass[data::kPairPlaceholder] == Approx(1 - pass.alpha[1] - pass.alpha[4]));
    // A common shift of all scores has no effect.
    CHECK(std::accumulate(pass.scoreGradient.begin(), pass.scoreGradient.end(), 0.0) == Approx(0).margin(1e-14));
  }
}

TEST_CASE("masked pass: 1 - p(A) stays accurate where p(A) rounds to 1") {
  ThreadPool pool(1);
  const nn::ModelConfig config = smallPairsModel(nn::Positions::Rope);
  nn::Transformer<double> model = randomModel(config, pool, 32);
  const nn::Parameter* const bias = model.layout().find(nn::ParameterRole::OutputBias, nn::ParameterKind::Bias);
  REQUIRE(bias != nullptr);
  model.of(*bias)[7] = 60;
  const MaskedPass pass = maskedPass(model, maskedQuery({7, 1, 4, 6}, Direction::Forward));
  CHECK(pass.p[7] == 1);
  CHECK(pass.error[7] < 0);
  CHECK(pass.loss > 0);
  CHECK(pass.loss == Approx(-pass.error[7]));
}

TEST_CASE("storage factors: the products of both gradients are correct, and the cosine of the errors is at least 1/2") {
  ThreadPool pool(1);
  for (const double size : {0.2, 0.6, 1.5}) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      nn::Transformer<double> model = randomModel(smallPairsModel(nn::Positions::Rope), pool, 40 + seed, size);
      const Pair pair{static_cast<std::int32_t>(5 * seed), 1, 4, 6};
      const MaskedPass forward = maskedPass(model, maskedQuery(pair, Direction::Forward)),
                       reverse = maskedPass(model, maskedQuery(pair, Direction::Reverse));
      const StorageFactors found = storageFactors(forward, reverse);
      double product = 0, forward2 = 0, reverse2 = 0, column = 0;
      for (std::size_t c = 0; c < forward.error.size(); ++c)
        for (std::size_t x = 0; x < forward.mass.size(); ++x) {
          const double f = forward.error[c] * forward.mass[x], r = reverse.error[c] * reverse.mass[x];
          product += f * r;
          forward2 += f * f;
          reverse2 += r * r;
          if (static_cast<std::int32_t>(x) == pair.capital()) column += f * r;
        }
      CHECK(found.cosine() == Approx(product / std::sqrt(forward2 * reverse2)).margin(1e-9));
      CHECK(found.columnProduct() == Approx(column).epsilon(1e-9));
      CHECK(found.columnProduct() > 0);
      CHECK(found.errorCosine >= 0.5);
    }
  }
}

TEST_CASE("storage gradient: it equals central differences with respect to Y and to the scores of an idealised layer") {
  ThreadPool pool(1);
  nn::Transformer<double> model = randomModel(smallPairsModel(nn::Positions::Rope), pool, 51);
  MaskedPass pass = maskedPass(model, maskedQuery({9, 0, 3, 6}, Direction::Forward));
  const std::size_t words = pass.p.size(), target = 9;
  // p - e_A of the idealised layer with this attention and storage.
  const double whole = storageLoss(pass.alpha, pass.storage, words, target);
  std::vector<double> z(words, 0.0), error;
  for (std::size_t k = 0; k < pass.alpha.size(); ++k)
    for (std::size_t word = 0; word < words; ++word)
      z[word] += pass.alpha[k] * pass.storage[k * words + word];
  for (std::size_t word = 0; word < words; ++word)
    error.push_back(std::exp(z[word] - z[target] - whole) - (word == target ? 1 : 0));
  constexpr double h = 1e-5;
  const auto slope = [&](auto change) { return (change(h) - change(-h)) / (2 * h); };
  for (const std::size_t k : {0UL, 3UL})
    for (const std::size_t word : {9UL, 30UL}) {
      const double found = slope([&](double by) {
        std::vector<double> Y = pass.storage;
        Y[k * words + word] += by;
        return storageLoss(pass.alpha, Y, words, target);
      });
      CHECK(found == Approx(error[word] * pass.alpha[k]).margin(1e-9));
    }
  // dL/dS_k = scale alpha_k (mu_k - mean). These scores give this alpha.
  const double scale = model.config().scale();
  std::vector<double> scores, mu;
  for (std::size_t k = 0; k < pass.alpha.size(); ++k) {
    scores.push_back(std::log(pass.alpha[k]) / scale);
    mu.push_back(std::inner_product(error.begin(), error.end(),
                                    pass.storage.begin() + static_cast<std::ptrdiff_t>(k * words), 0.0));
  }
  const double mean = std::inner_product(mu.begin(), mu.end(), pass.alpha.begin(), 0.0);
  for (std::size_t k = 0; k < scores.size(); ++k) {
    const double found = slope([&](double by) {
      std::vector<double> moved = scores;
      moved[k] += by;
      return storageLoss(softmax(moved, scale), pass.storage, words, target);
    });
    CHECK(found == Approx(scale * pass.alpha[k] * (mu[k] - mean)).margin(1e-9));
  }
}

TEST_CASE("storage: without other paths, sum over k of alpha_k Y is the contribution of attention to the logits") {
  ThreadPool pool(1);
  nn::ModelConfig config = smallPairsModel(nn::Positions::Rope);
  config.norm = nn::Norm::None;
  config.d_ff = 0;
  config.outputBias = false;
  nn::Transformer<double> model = randomModel(config, pool, 52);
  // The residual path of [M] adds nothing to the logits.
  const nn::Parameter* const table = model.layout().find(nn::ParameterRole::Embedding, nn::ParameterKind::Embedding);
  for (double& value : model.of(*table).subspan(static_cast<std::size_t>(data::kPairMask * config.d_model)))
    value = 0;
  const MaskedPass pass = maskedPass(model, maskedQuery({9, 0, 3, 6}, Direction::Forward));
  const std::size_t words = pass.p.size();
  CHECK(pass.loss == Approx(storageLoss(pass.alpha, pass.storage, words, 9)).epsilon(1e-12));
  for (std::size_t k = 0; k < pass.alpha.size(); ++k)
    CHECK(pass.idealScoreGradient[k] == Approx(pass.scoreGradient[k]).margin(1e-12));
}

TEST_CASE(
    "storage: with norms, attention changes the differences of logits by those of (1/s) sum over k of alpha_k Y") {
  ThreadPool pool(1);
  nn::ModelConfig config = smallPairsModel(nn::Positions::Rope);
  config.d_ff = 0;
  config.attentionBias = true;
  nn::Transformer<double> model = randomModel(config, pool, 54);
  const Query query = maskedQuery({9, 0, 3, 6}, Direction::Forward);
  const MaskedPass pass = maskedPass(model, query);
  const auto logitsOf = [&] {
    std::vector<double> logits(pass.p.size());
    nn::Batch batch = queryBatch(std::vector{Pair{9, 0, 3, 6}}, Direction::Forward);
    const std::int32_t rows[] = {query.hidden};
    model.logits(batch, rows, logits);
    return logits;
  };
  // W_O scaled by h: to first order in h, attention changes the logits by the terms of the storage and of the shift
  // that all places share. The mean and deviation of the last norm stay those of the residual path.
  const auto at = [&](nn::ParameterRole role, nn::ParameterKind kind, int layer) {
    return model.of(*model.layout().find(role, kind, layer));
  };
  const std::span<double> W_O = at(nn::ParameterRole::Projection, nn::ParameterKind::Weight, 0);
  const std::vector<double> whole(W_O.begin(), W_O.end());
  const auto scaled = [&](double h) {
    for (std::size_t i = 0; i < whole.size(); ++i)
      W_O[i] = h * whole[i];
    return logitsOf();
  };
  constexpr double h = 1e-5;
  const std::vector<double> up = scaled(h), down = scaled(-h);
  std::fill(W_O.begin(), W_O.end(), 0.0);
  const std::span<double> x = at(nn::ParameterRole::Embedding, nn::ParameterKind::Embedding, -1)
                                  .subspan(static_cast<std::size_t>(data::kPairMask * config.d_model),
                                           static_cast<std::size_t>(config.d_model));
  double mean = 0, square = 0;
  for (const double one : x)
    mean += one / config.d_model;
  for (const double one : x)
    square += (one - mean) * (one - mean) / config.d_model;
  const double s = std::sqrt(square + config.normEpsilon);
  // d logits/dh = (1/s) J sum_k alpha_k (W_O v_k), where J is the derivative of the norm. J removes the component along
  // the normed x, which Y with its fixed deviation keeps. So the difference is a multiple of g_f U (x - mean), plus the
  // shift.
  std::vector<double> left;
  for (std::size_t word = 0; word < up.size(); ++word) {
    double storage = 0;
    for (std::size_t k = 0; k < pass.alpha.size(); ++k)
      storage += pass.alpha[k] * pass.storage[k * up.size() + word];
    left.push_back((up[word] - down[word]) / (2 * h) - storage / s);
  }
  const std::span<double> b_V = at(nn::ParameterRole::Value, nn::ParameterKind::Bias, 0),
                          b_1 = at(nn::ParameterRole::AttentionNorm, nn::ParameterKind::NormBias, 0),
                          W_V = at(nn::ParameterRole::Value, nn::ParameterKind::Weight, 0),
                          U = at(nn::ParameterRole::Output, nn::ParameterKind::Embedding, -1),
                          gain = at(nn::ParameterRole::FinalNorm, nn::ParameterKind::NormGain, -1);
  const Eigen::Index d = config.d_model;
  using MappedRows = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
  using Column = Eigen::Map<const Eigen::VectorXd>;
  const Eigen::VectorXd shift =
      MappedRows(whole.data(), d, d) * (MappedRows(W_V.data(), d, d) * Column(b_1.data(), d) + Column(b_V.data(), d));
  const auto through = [&](const Eigen::VectorXd& v) {
    return Eigen::VectorXd(
        MappedRows(U.data(), config.vocabulary, d) *
        Column(gain.data(), d).cwiseProduct(v.array().matrix() - Eigen::VectorXd::Constant(d, v.mean())));
  };
  const Eigen::VectorXd residual = Column(left.data(), static_cast<Eigen::Index>(left.size())) - through(shift) / s,
                        along = through(Column(x.data(), d));
  const double factor = residual.dot(along) / along.squaredNorm();
  CHECK((residual - factor * along).norm() < 1e-7 * residual.norm());
}

TEST_CASE("signs: the counts of a step are in range, and a step in the opposite direction reverses them") {
  ThreadPool pool(1);
  nn::ModelConfig config = smallPairsModel(nn::Positions::Alibi);
  nn::Transformer<double> model = randomModel(config, pool, 53);
  StorageSigns signs;
  for (const Pair& pair : {Pair{2, 0, 3, 6}, Pair{11, 1, 5, 6}, Pair{25, 2, 3, 6}})
    countSigns(model, pair, 1e-3, signs);
  CHECK(signs.pairs == 3);
  CHECK(signs.others == 3 * (data::kPairVocabulary - 1));
  CHECK(signs.scores == 3 * 2 * 6);
  CHECK(signs.rate == 1e-3);
  for (const std::int64_t count : {signs.rises, signs.forwardHelps, signs.reverseHelps, signs.sameSign}) {
    CHECK(count >= 0);
    CHECK(count <= 3);
  }
  CHECK(signs.falls <= signs.others);
  // A step of the opposite sign turns rises into falls.
  StorageSigns back;
  for (const Pair& pair : {Pair{2, 0, 3, 6}, Pair{11, 1, 5, 6}, Pair{25, 2, 3, 6}})
    countSigns(model, pair, -1e-3, back);
  CHECK(back.rises == 3 - signs.rises);
  CHECK(std::abs(back.falls - (signs.others - signs.falls)) <= signs.others / 20);
}

TEST_CASE("storage: a model of several heads is refused") {
  nn::ModelConfig config = smallPairsModel(nn::Positions::Rope);
  CHECK(checkOneHead(config));
  config.heads = 2;
  const Result<void> refused = checkOneHead(config);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("heads: 2") != std::string::npos);
}
