// SPDX-License-Identifier: Apache-2.0
// The projection of a transformer onto (e, w, a, b): canonical starts are recovered, networks of the canonical form
// have the loss of their projection for any hidden units, and noise of size eps leaves a residual of order eps.
#include <cmath>
#include <vector>

#include <Eigen/Dense>

#include <catch2/catch.hpp>

#include "engine/markov/canonical_model.h"
#include "engine/nn/canonical_projection.h"
#include "engine/nn/initialise.h"
#include "engine/nn/transformer.h"

namespace sepx::nn::projection_tests {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

constexpr int kPlaces = 3;  // predictions per sequence
constexpr int kSequences = 1 << (kPlaces + 1);

ModelConfig bitModel(int d = 6, AttentionKind attention = AttentionKind::Linear) {
  ModelConfig config;
  config.length = kPlaces;
  config.d_model = d;
  config.input = Input::Bit;
  config.attention = attention;
  config.norm = Norm::None;
  config.activation = Activation::Relu;
  config.attentionBias = config.projectionBias = config.feedForwardBias = false;
  config.outputBias = true;
  return config;
}

struct Point {
  double e = 0.5, w = -1, a = 0, b = 0;
};
const std::vector<Point> kPoints{
    {0.8, -1.2, 0, 0.3},           {-0.8, -1.2, 0, 0.3},     {1.1, 0.7, 0, -0.4}, {-1.1, 0.7, 0, -0.4},
    {1.1, -0.45, -1.2, -0.474446}, {-1.1, -0.45, -1.2, 0.2}, {1.3, 0.6, -2, 0.1}, {-1.3, -1.1, -2, 0.1},
    {0.9, -0.9, 1.5, 0},           {0, -1.2, 0.5, 0.7},      {0.8, 0, -0.5, 0.7}};

std::vector<double> embedded(const ModelConfig& config, const ParameterLayout& layout, const Point& at,
                             std::uint64_t seed = 1) {
  Initial initial;
  initial.scheme = InitialScheme::Canonical;
  initial.e = at.e;
  initial.w = at.w;
  initial.a = at.a;
  initial.b = at.b;
  REQUIRE(check(initial, config));
  std::vector<double> theta(layout.size());
  RandomStream random(seed);
  initialise<double>(initial, config, layout, random, theta);
  return theta;
}

Vector normals(Eigen::Index n, RandomStream& random) {
  return Vector::NullaryExpr(n, [&] { return random.normal(); });
}

void put(const ParameterLayout& layout, ParameterRole role, ParameterKind kind, int layer, const Matrix& M,
         std::vector<double>& theta) {
  const Parameter& parameter = *layout.find(role, kind, layer);
  REQUIRE(M.rows() == parameter.rows);
  REQUIRE(M.cols() == parameter.columns);
  Eigen::Map<Matrix>(theta.data() + parameter.offset, M.rows(), M.cols()) = M;
}

/// A network of the canonical form with the hidden vectors h, g and random directions.
std::vector<double> ofForm(const ModelConfig& config, const ParameterLayout& layout, double e, const Vector& h,
                           const Vector& g, double along, RandomStream& random) {
  const Vector alpha = normals(config.d_model, random).normalized();
  const Vector query = normals(config.d_h(), random), value = normals(config.d_h(), random);
  Vector v = normals(config.d_model, random);
  v += (along - v.dot(alpha)) * alpha;
  std::vector<double> theta(layout.size(), 0.0);
  using K = ParameterKind;
  using R = ParameterRole;
  put(layout, R::Embedding, K::Embedding, -1, e * alpha.transpose(), theta);
  put(layout, R::Position, K::Position, -1, Vector::Constant(config.length, -e / 2) * alpha.transpose(), theta);
  put(layout, R::Query, K::Weight, 0, query * alpha.transpose(), theta);
  put(layout, R::Key, K::Weight, 0, 2 * query * alpha.transpose(), theta);
  put(layout, R::Value, K::Weight, 0, value * v.transpose(), theta);
  put(layout, R::Projection, K::Weight, 0, alpha * value.transpose() / value.squaredNorm(), theta);
  put(layout, R::Up, K::Weight, 0, h * alpha.transpose(), theta);
  put(layout, R::Down, K::Weight, 0, alpha * g.transpose(), theta);
  put(layout, R::OutputBias, K::Bias, -1, Matrix::Constant(1, 1, 0.3), theta);
  return theta;
}

double exactLoss(const ModelConfig& config, const std::vector<double>& theta, const markov::Chain& chain) {
  ThreadPool pool(1);
  Transformer<double> model(config, pool);
  std::copy(theta.begin(), theta.end(), model.theta().begin());
  Batch batch;
  batch.sequences = kSequences;
  batch.length = kPlaces;
  const auto bit = [](int s, int n) { return s >> n & 1; };
  for (int s = 0; s < kSequences; ++s)
    for (int n = 0; n < kPlaces; ++n) {
      batch.tokens.push_back(bit(s, n));
      batch.targets.push_back({s * kPlaces + n, bit(s, n + 1), 1.0F / kPlaces});
    }
  std::vector<double> losses(batch.targets.size());
  model.evaluate(batch, losses);
  double sum = 0;
  for (int s = 0; s < kSequences; ++s) {
    double probability = bit(s, 0) == 1 ? chain.pi1() : chain.pi0();
    for (int n = 0; n < kPlaces; ++n) {
      const double toOne = bit(s, n) == 1 ? 1 - chain.q : chain.p;
      probability *= bit(s, n + 1) == 1 ? toOne : 1 - toOne;
    }
    for (int n = 0; n < kPlaces; ++n)
      sum += probability / kPlaces * losses[static_cast<std::size_t>(s * kPlaces + n)];
  }
  return sum;
}

CanonicalProjection projected(const ModelConfig& config, const ParameterLayout& layout,
                              const std::vector<double>& theta) {
  REQUIRE(checkProjection(config));
  return projectCanonical<double>(config, layout, theta);
}

double lossOf(const CanonicalProjection& at, const markov::Chain& chain) {
  const markov::State theta = Eigen::Vector4d(at.e, at.w, at.a, at.b);
  return markov::loss(chain, markov::Model::EWAB, theta);
}

const markov::Chain kChain{0.35, 0.6};

}  // namespace

TEST_CASE("The projection of an embedded (e, w, a, b) recovers it with residual 0") {
  const ModelConfig config = bitModel();
  const ParameterLayout layout(config);
  for (const Point& at : kPoints) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      INFO("e " << at.e << " w " << at.w << " a " << at.a << " b " << at.b << " seed " << seed);
      const CanonicalProjection found = projected(config, layout, embedded(config, layout, at, seed));
      // Without a feed-forward part the two signs of e cannot be distinguished.
      CHECK(found.e == Approx(at.w == 0 ? std::abs(at.e) : at.e).margin(1e-12));
      CHECK(found.w == Approx(at.w).margin(1e-12));
      CHECK(found.a == Approx(at.a).margin(1e-12));
      // The constant is odd in e.
      const double turned = at.w * std::abs(at.w) * at.e * (std::abs(at.e) - at.e) * std::abs(1 + at.a * at.e * at.e);
      CHECK(found.b == Approx(at.b + turned).margin(1e-12));
      CHECK(found.residual < 1e-12);
      CHECK(found.uneven < 1e-12);
      CHECK(found.positive == Approx(1));
      for (const CanonicalPart& part : found.parts)
        CHECK(part.residual < 1e-12);
      std::vector<float> single;
      for (const double value : embedded(config, layout, at, seed))
        single.push_back(static_cast<float>(value));
      CHECK(projectCanonical<float>(config, layout, single).residual < 1e-6);
    }
  }
}

TEST_CASE("A network of the canonical form has the loss of its projection for any hidden units") {
  RandomStream random(7);
  for (const AttentionKind kind : {AttentionKind::Linear, AttentionKind::Softmax}) {
    const ModelConfig config = bitModel(5, kind);
    const ParameterLayout layout(config);
    for (int trial = 0; trial < 20; ++trial) {
      const Vector h = 0.4 * normals(config.ff(), random), g = 0.4 * normals(config.ff(), random);
      const double e = random.uniform(-1.5, 1.5);
      const double along = kind == AttentionKind::Linear ? random.uniform(-1, 1) : 0;
      const std::vector<double> theta = ofForm(config, layout, e, h, g, along, random);
      const CanonicalProjection found = projected(config, layout, theta);
      INFO("trial " << trial << " e " << found.e << " w " << found.w << " a " << found.a << " b " << found.b);
      CHECK(std::abs(found.e) == Approx(std::abs(e)));
      CHECK(found.w * std::abs(found.w) == Approx(h.dot(g) / 4));
      CHECK(found.residual < 1e-12);
      CHECK(found.uneven > 0.1);
      CHECK(found.positive >= 0.5 - 1e-12);
      CHECK(found.positive < 1);
      CHECK(std::abs(exactLoss(config, theta, kChain) - lossOf(found, kChain)) < 1e-12);
    }
  }
}

TEST_CASE("Hidden units with reversed sign reverse e and keep the loss with the best bias") {
  const ModelConfig config = bitModel();
  const ParameterLayout layout(config);
  RandomStream random(8);
  const Vector h = normals(config.ff(), random).cwiseAbs(), g = normals(config.ff(), random).cwiseAbs();
  RandomStream one(9), other(9);
  const std::vector<double> plain = ofForm(config, layout, 0.7, h, g, 0.4, one),
                            turned = ofForm(config, layout, 0.7, -h, -g, 0.4, other);
  const CanonicalProjection a = projected(config, layout, plain), b = projected(config, layout, turned);
  CHECK(a.e == Approx(0.7));
  CHECK(b.e == Approx(-0.7));
  CHECK(b.w == Approx(a.w));
  CHECK(b.a == Approx(a.a));
  for (std::size_t i = 0; i < a.alpha.size(); ++i)
    CHECK(b.alpha[i] == Approx(-a.alpha[i]));
  CHECK(a.positive == Approx(1));
  CHECK(b.positive == Approx(1));
  CHECK(std::abs(exactLoss(config, plain, kChain) - exactLoss(config, turned, kChain)) >
        1e-3);  // both networks have the same bias
  const auto best = [](const CanonicalProjection& at) {
    return markov::loss(kChain, markov::Model::EWA, Eigen::Vector3d(at.e, at.w, at.a));
  };
  CHECK(best(a) == Approx(best(b)).epsilon(1e-12));
  // With half of the units reversed the sign of e has no meaning and is +.
  Vector half_h = h, half_g = g;
  const Eigen::Index r = h.size();
  half_h.setOnes();
  half_g.setOnes();
  half_h.tail(r / 2) *= -1;
  half_g.tail(r / 2) *= -1;
  for (const double e : {0.7, -0.7}) {
    RandomStream again(9);
    const CanonicalProjection half = projected(config, layout, ofForm(config, layout, e, half_h, half_g, 0.4, again));
    CHECK(half.e == Approx(0.7));
    CHECK(half.positive == Approx(0.5));
    CHECK(half.uneven < 1e-12);
  }
}

TEST_CASE("Rotations, reordering and rebalancing of the hidden units change only `uneven`") {
  const ModelConfig config = bitModel();
  const ParameterLayout layout(config);
  RandomStream random(10);
  const Vector h = Vector::Constant(config.ff(), 0.3), g = Vector::Constant(config.ff(), -0.3);
  RandomStream one(11), other(12);
  const CanonicalProjection a = projected(config, layout, ofForm(config, layout, 0.7, h, g, 0.4, one));
  CHECK(a.uneven < 1e-12);
  Vector c = normals(config.ff(), random).array().exp();
  const std::vector<double> theta = ofForm(config, layout, 0.7, h.cwiseProduct(c), g.cwiseQuotient(c), 0.4, other);
  const CanonicalProjection b = projected(config, layout, theta);
  CHECK(b.e == Approx(a.e));
  CHECK(b.w == Approx(a.w));
  CHECK(b.b == Approx(a.b));
  CHECK(b.residual < 1e-12);
  CHECK(b.uneven > 0.1);
}

TEST_CASE("Noise of size eps leaves a residual and an error of order eps") {
  const ModelConfig config = bitModel(8);
  const ParameterLayout layout(config);
  for (const Point& at : {kPoints[0], kPoints[5], kPoints[8]}) {
    const std::vector<double> exact = embedded(config, layout, at);
    const auto noisy = [&](double eps) {
      RandomStream random(13);
      std::vector<double> theta = exact;
      for (double& value : theta)
        value += eps * random.normal();
      return projected(config, layout, theta);
    };
    const CanonicalProjection rough = noisy(1e-3), fine = noisy(1e-6);
    INFO("e " << at.e << " w " << at.w << " a " << at.a);
    CHECK(rough.residual > 1e-3);
    CHECK(rough.residual < 3e-2);
    CHECK(rough.residual / fine.residual == Approx(1e3).epsilon(0.05));
    for (std::size_t i = 0; i + 1 < kCanonicalParts; ++i) {
      INFO(rough.parts[i].name);
      if (rough.parts[i].norm > 0.1)
        CHECK(rough.parts[i].residual / fine.parts[i].residual == Approx(1e3).epsilon(0.1));
    }
    CHECK(std::abs(fine.e - at.e) < 2e-5);
    CHECK(std::abs(fine.w - at.w) < 2e-5);
    CHECK(std::abs(fine.a - at.a) < 2e-5);
    CHECK(std::abs(fine.e - at.e) > 1e-9);
  }
}

TEST_CASE("Zero parameters have a projection, and non-finite parameters give a NaN residual") {
  const ModelConfig config = bitModel();
  const ParameterLayout layout(config);
  const std::vector<double> zero(layout.size(), 0.0);
  const CanonicalProjection none = projected(config, layout, zero);
  CHECK(none.e == 0);
  CHECK(none.w == 0);
  CHECK(none.residual == 0);
  std::vector<double> broken(layout.size(), 0.5);
  broken[3] = std::nan("");
  CHECK(std::isnan(projected(config, layout, broken).residual));
}

TEST_CASE("In a softmax model attention along alpha is part of the residual") {
  const ModelConfig config = bitModel(6, AttentionKind::Softmax);
  const ParameterLayout layout(config);
  RandomStream random(14);
  const Vector h = Vector::Constant(config.ff(), 0.3);
  const CanonicalProjection found = projected(config, layout, ofForm(config, layout, 0.7, h, h, 0.8, random));
  CHECK(found.a == 0);
  CHECK(found.parts[4].distance == Approx(0.8));
  CHECK(found.residual > 0.1);
}

TEST_CASE("A model that the canonical model does not describe is refused with a message") {
  const auto refused = [](auto change) {
    ModelConfig config = bitModel();
    change(config);
    const auto answer = checkProjection(config);
    REQUIRE_FALSE(answer);
    return answer.error().message;
  };
  CHECK(refused([](ModelConfig& c) { c.input = Input::Table; }).find("model.input") != std::string::npos);
  CHECK(refused([](ModelConfig& c) { c.layers = 2; }).find("one layer") != std::string::npos);
  CHECK(refused([](ModelConfig& c) { c.heads = 2; }).find("one head") != std::string::npos);
  CHECK(refused([](ModelConfig& c) { c.norm = Norm::Layer; }).find("norms") != std::string::npos);
  CHECK(refused([](ModelConfig& c) { c.activation = Activation::GeluErf; }).find("ReLU") != std::string::npos);
  CHECK(refused([](ModelConfig& c) { c.positions = Positions::None; }).find("positions") != std::string::npos);
}

}  // namespace sepx::nn::projection_tests
