// SPDX-License-Identifier: Apache-2.0
// Particles in fields with known orbits: their motion, density, lives and ends, and the vectorised field.
#include <cmath>
#include <limits>
#include <numeric>

#include <catch2/catch.hpp>

#include "engine/dynamics/particles.h"
#include "engine/markov/basin.h"
#include "engine/markov/canonical_field.h"
#include "engine/markov/canonical_many.h"
#include "engine/markov/canonical_model.h"
#include "engine/markov/flow.h"
#include "engine/markov/gaussian.h"

namespace sepx::dynamics {

namespace {

const FieldRegistry& fields() {
  static const FieldRegistry registry = [] {
    FieldRegistry all = textbookFields();
    markov::addCanonicalFields(all);
    return all;
  }();
  return registry;
}

const std::vector<double> kChain{0.5, 0.8};
constexpr BasinWindow kWindow{-2, 2, -2, 2, 64, 64};

std::uint32_t ended(const ParticlePicture& picture, LimitKind kind) {
  return picture.ends[static_cast<std::size_t>(kind)];
}

/// x' = -x, y' = 1: has closed-form orbits and no rest point.
class Drift : public VectorField {
 public:
  Drift() {
    info_.key = "drift";
    info_.variables = {"x", "y"};
  }
  const FieldInfo& info() const override { return info_; }
  State evaluate(const State& x, std::span<const double>) const override { return Eigen::Vector2d(-x[0], 1); }
  Jacobian jacobian(const State&, std::span<const double>) const override { return Eigen::Matrix2d::Zero(); }

 private:
  FieldInfo info_;
};

}  // namespace

TEST_CASE("The vectorised field equals the negative gradient at every SIMD level") {
  for (const auto& [p, q] :
       {std::pair{0.5, 0.8}, {0.2, 0.3}, {0.4, 0.6}, {1e-6, 1 - 1e-6}, {1 - 1e-6, 1e-6}, {0.3, 0.3}}) {
    const markov::Chain chain{p, q};
    std::vector<double> e, w;
    for (int i = 0; i < 203; ++i) {
      e.push_back(-3.1 + 0.031 * i);
      w.push_back(2.5 * std::sin(1.7 * i));
    }
    e.insert(e.end(), {0, 0, 1, 40, -40, 1e-9});
    w.insert(w.end(), {0, -1 / std::sqrt(2.0), 0, 3, -3, -1e-12});
    for (const GemmLevel level : {GemmLevel::Generic, GemmLevel::Avx2, GemmLevel::Avx512}) {
      std::vector<double> fe(e.size()), fw(e.size());
      markov::canonicalMany(chain, e, w, fe, fw, level);
      for (std::size_t i = 0; i < e.size(); ++i) {
        CAPTURE(p, q, e[i], w[i]);
        const State gradient = markov::gradient(chain, markov::Model::EW, Eigen::Vector2d(e[i], w[i]));
        const double margin = 1e-12 * (1 + std::abs(e[i] * e[i] * w[i] * w[i]) + gradient.norm());
        CHECK(fe[i] == Approx(-gradient[0]).margin(margin));
        CHECK(fw[i] == Approx(-gradient[1]).margin(margin));
      }
    }
  }
  // NaN propagates, and infinity is handled.
  std::vector<double> e{std::nan(""), 1e300, 1}, w{1, 1, std::numeric_limits<double>::infinity()}, fe(3), fw(3);
  markov::canonicalMany({0.5, 0.8}, e, w, fe, fw);
  CHECK(std::isnan(fe[0]));
}

TEST_CASE("Particles follow the orbits of their initial points") {
  ThreadPool pool(2);
  const Drift drift;
  const ParticleOptions options{.count = 1000, .sigma = 0.5, .seed = 9};
  ParticleCloud cloud(drift, options, {-50, 50, -50, 50, 50, 50}, pool);
  const ParticleStep step{.amount = 0.01, .respawn = false};
  for (int i = 0; i < 100; ++i)
    cloud.step({}, step, pool);
  for (std::uint32_t i = 0; i < 1000; i += 37) {
    const auto start = particleStart(options, kWindow, i, 0);
    // A step is a little shorter than its nominal time: h = t/(1 + t |f|/0.02), with |f| in window heights.
    const double t = cloud.y(i) - start[1];
    CHECK(t > 0.6);
    CHECK(t <= 1);
    CHECK(cloud.x(i) == Approx(start[0] * std::exp(-t)).epsilon(1e-4).margin(1e-9));
  }
}

TEST_CASE("The energy is conserved along the canonical flow") {
  ThreadPool pool(2);
  const VectorField& field = *fields().find("ew");
  const ParticleOptions options{.count = 2000, .sigma = 0.8, .seed = 1};
  ParticleCloud cloud(field, options, kWindow, pool);
  for (int i = 0; i < 200; ++i)
    cloud.step(kChain, {.clock = ParticleClock::UnitSpeed, .amount = 0.01, .respawn = false}, pool);
  const auto energy = [](double e, double w) { return e * e - (w * w + (w > 0 ? 1 : -1) * std::log(std::abs(w))); };
  int near = 0;
  for (std::uint32_t i = 0; i < 2000; ++i) {
    const auto start = particleStart(options, kWindow, i, 0);
    near += std::abs(energy(cloud.x(i), cloud.y(i)) - energy(start[0], start[1])) < 0.01;
  }
  CHECK(near > 1950);
}

TEST_CASE("The ends of first lives are an unbiased sample of the exact probability") {
  ThreadPool pool(2);
  const VectorField& field = *fields().find("ew");
  for (const auto& chain : {std::vector<double>{0.5, 0.8}, {0.2, 0.3}}) {
    const bool above = chain[0] + chain[1] > 1;
    constexpr int kCount = 10000;
    ParticleCloud cloud(field, {.count = kCount, .sigma = 1, .seed = 4}, kWindow, pool);
    for (int i = 0; i < 300; ++i)
      cloud.step(chain, {.clock = ParticleClock::UnitSpeed, .amount = 0.02}, pool);
    const ParticlePicture& picture = cloud.picture();
    CHECK(std::accumulate(picture.ends.begin(), picture.ends.end(), 0u) == kCount);
    CHECK(picture.ends[0] < kCount / 100);
    const double share = ended(picture, LimitKind::LocalMin) / static_cast<double>(kCount);
    const double exact = markov::probabilityLocalMinimum(1, above);
    CHECK(std::abs(share - exact) < 4 * std::sqrt(exact * (1 - exact) / kCount) + 0.002);
    // The labels of single particles agree with the theorem.
    int wrong = 0;
    for (std::uint32_t i = 0; i < kCount; ++i) {
      const auto start = particleStart({.count = kCount, .sigma = 1, .seed = 4}, kWindow, i, 0);
      const auto label = cloud.word(i).label;
      wrong += label != 0 &&
               label != static_cast<std::uint32_t>(markov::basinLabel({chain[0], chain[1]}, start[0], start[1]));
    }
    CHECK(wrong < kCount / 1000);
  }
}

TEST_CASE("Particles divide equally between the wells of the Duffing oscillator") {
  ThreadPool pool(2);
  const VectorField& field = *fields().find("duffing");
  ParticleCloud cloud(field, {.count = 1000, .start = ParticleStart::Uniform}, kWindow, pool);
  for (int i = 0; i < 1500; ++i)
    cloud.step(std::vector<double>{0.2}, {.clock = ParticleClock::UnitSpeed, .amount = 0.02}, pool);
  const auto first = static_cast<std::size_t>(LimitKind::Attractor);
  const double left = cloud.picture().ends[first], right = cloud.picture().ends[first + 1];
  CHECK(left + right > 980);
  CHECK(left / (left + right) == Approx(0.5).margin(4 * 0.5 / std::sqrt(1000)));
}

TEST_CASE("The density counts particles and fades") {
  ThreadPool pool(2);
  const Drift drift;
  // A uniform cloud with so many particles that each covers one pixel.
  const ParticleOptions options{.count = 200000, .start = ParticleStart::Uniform};
  ParticleCloud cloud(drift, options, kWindow, pool);
  const double share = std::log1p(1.0) / std::log1p(kDensityTop);
  double sum = 0;
  for (const std::uint8_t level : cloud.picture().levels)
    sum += level;
  CHECK(sum / 4096 == Approx(255 * share).margin(2));
  const ParticlePicture before = cloud.picture();
  cloud.step({}, {.fade = 0, .still = true}, pool);
  CHECK(cloud.picture().levels == before.levels);
  CHECK(cloud.picture().steps == 0);
  // A window that contains no particle.
  cloud.look({100, 101, 100, 101, 10, 10});
  cloud.step({}, {}, pool);
  CHECK(*std::max_element(cloud.picture().levels.begin(), cloud.picture().levels.end()) == 0);
  CHECK(densityGain(1000, kWindow, 0.5) == Approx(0.5 * 4096 / 1000));
  CHECK(splatSide(1000) == 3);
  CHECK(splatSide(1000000) == 1);
}

TEST_CASE("A cloud does not depend on the number of threads, and a new life begins elsewhere") {
  const VectorField& field = *fields().find("ew");
  ThreadPool one(1), two(2);
  const ParticleOptions options{.count = 10000, .start = ParticleStart::Uniform, .seed = 6};
  ParticleCloud a(field, options, kWindow, one), b(field, options, kWindow, two);
  const ParticleStep step{.clock = ParticleClock::UnitSpeed, .amount = 0.02};
  for (int i = 0; i < 250; ++i) {
    a.step(kChain, step, one);
    b.step(kChain, step, two);
  }
  CHECK(a.picture().levels == b.picture().levels);
  CHECK(a.picture().ends == b.picture().ends);
  std::uint32_t lives = 0, born = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    lives += a.word(i).life;
    born += a.word(i).life > 0;
  }
  CHECK(born > 2500);
  CHECK(lives >= born);
  CHECK(particleStart(options, kWindow, 5, 0) != particleStart(options, kWindow, 5, 1));
  const ParticleWord word{.life = 2047, .age = 4095, .label = 255, .resting = true};
  CHECK(ParticleWord::of(word.packed()).life == 2047);
  CHECK(ParticleWord::of(word.packed()).age == 4095);
  CHECK(ParticleWord::of(word.packed()).label == 255);
  CHECK(ParticleWord::of(word.packed()).resting);
}

TEST_CASE("Without new lives all particles come to rest") {
  ThreadPool pool(2);
  ParticleCloud cloud(*fields().find("ew"), {.count = 3000, .sigma = 1}, kWindow, pool);
  const ParticleStep step{.clock = ParticleClock::UnitSpeed, .amount = 0.02, .respawn = false};
  for (int i = 0; i < 400; ++i)
    cloud.step(kChain, step, pool);
  CHECK(cloud.picture().resting > 2970);
}

TEST_CASE("Particles handle invalid numbers") {
  ThreadPool pool(2);
  const VectorField& field = *fields().find("ew");
  for (const double bad : {std::nan(""), 1e300, -1.0, 0.0, std::numeric_limits<double>::infinity()})
    for (const auto clock : {ParticleClock::Flow, ParticleClock::UnitSpeed}) {
      ParticleCloud cloud(field, {.count = 500, .sigma = bad}, kWindow, pool);
      for (int i = 0; i < 5; ++i)
        cloud.step(kChain, {.clock = clock, .amount = bad, .fade = bad}, pool);
      CHECK(cloud.picture().levels.size() == 4096);
    }
  ParticleCloud none(field, {.count = 0}, {-1, 1, -1, 1, 0, 0}, pool);
  none.step(kChain, {}, pool);
  CHECK(none.size() == 1);
  ParticleCloud degenerate(field, {.count = 500, .sigma = 1}, kWindow, pool);
  for (int i = 0; i < 50; ++i)
    degenerate.step(std::vector<double>{0.4, 0.6}, {.clock = ParticleClock::UnitSpeed}, pool);
  CHECK(degenerate.picture().ends[0] == 500);
}

}  // namespace sepx::dynamics
