// SPDX-License-Identifier: Apache-2.0
// Compares W_qk on the device with the CPU implementations: every part, both kinds of pixel, moments, grouped and cross
// attention heads, sizes that do not fill blocks, bindings too small for a factor, invalid weights. Errors are measured
// relative to the rounding of an entry: epsilon times the sum of its |terms|.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/gpu/kernels/qk_kernel.h"
#include "engine/gpu/kernels/qk_prepare.h"
#include "engine/gpu/kernels/qk_tiles.h"
#include "tests/engine/attention/random_factors.h"
#include "tests/engine/gpu/gpu_test.h"

using namespace sepx;
using namespace sepx::gpu;
using attention::Crop;
using attention::LayerFactors;
using attention::Matrix;
using attention::Part;
using attention::Picture;
using attention::Pool;
using Eigen::Index;

namespace {

using Shared = std::shared_ptr<const LayerFactors>;

Shared shared(LayerFactors factors) {
  return std::make_shared<const LayerFactors>(std::move(factors));
}

std::unique_ptr<QkKernel> make(Context& context, const Shared& factors, std::uint64_t mostBytes = 0,
                               const std::vector<int>& rows = {}, const std::vector<int>& columns = {}) {
  auto kernel =
      QkKernel::create(context, *prepareQk(factors, nullptr, rows, columns), QkOptions{.mostBindingBytes = mostBytes});
  if (!kernel) FAIL(kernel.error().message);
  return std::move(*kernel);
}

/// A bound for the rounding error of an entry in single precision, from the largest sum of |terms|.
double roundingOf(const LayerFactors& factors) {
  LayerFactors absolute = factors;
  absolute.W_Q = factors.W_Q.cwiseAbs();
  absolute.W_K = factors.W_K.cwiseAbs();
  return 4.0 * std::numeric_limits<float>::epsilon() * attention::literal(absolute).maxCoeff();
}

std::vector<int> shuffled(Index n, unsigned seed) {
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  return order;
}

double worstPixel(const Picture& a, const Picture& b) {
  REQUIRE(a.rows == b.rows);
  REQUIRE(a.columns == b.columns);
  REQUIRE(a.values.size() == b.values.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    REQUIRE(std::isfinite(a.values[i]));
    // The last bit may decide which of two entries with almost equal modulus is the stronger. Then their moduli agree.
    const double x = a.values[i], y = b.values[i];
    worst = std::max(worst, std::min(std::abs(x - y), std::abs(std::abs(x) - std::abs(y))));
  }
  return worst;
}

struct Form {
  const char* name;
  int rows, columns, heads, kvHeads, d_h;
};
constexpr Form kForms[] = {
    {"one number", 1, 1, 1, 1, 1},  {"one term", 130, 130, 1, 1, 1},      {"grouped", 200, 200, 6, 2, 24},
    {"crossed", 100, 67, 2, 2, 33}, {"whole blocks", 128, 128, 2, 2, 32}, {"several tiles", 700, 700, 1, 1, 16},
};

}  // namespace

TEST_CASE("Entries computed on the device agree with cropOf", "[qk]") {
  const auto context = makeContext();
  for (const Form& form : kForms) {
    const Shared factors =
        shared(attention::randomFactors(form.rows, form.columns, form.heads, form.kvHeads, form.d_h, 1));
    const auto kernel = make(*context, factors);
    const double rounding = roundingOf(*factors);
    for (const Part part : {Part::Full, Part::Symmetric, Part::Skew}) {
      if (part != Part::Full && form.rows != form.columns) continue;
      for (const Crop& crop : {Crop{0, form.rows, 0, form.columns},
                               Crop{form.rows / 3, form.rows / 3 + 1, form.columns / 2, form.columns}}) {
        INFO(form.name << " part " << static_cast<int>(part));
        const Result<Matrix> entries = kernel->crop(part, crop);
        REQUIRE(entries);
        REQUIRE(entries->rows() == crop.rows());
        REQUIRE(entries->cols() == crop.columns());
        CHECK((*entries - attention::cropOf(*factors, part, crop)).cwiseAbs().maxCoeff() < rounding);
      }
    }
  }
  requireClean(*context);
}

TEST_CASE("Pictures computed on the device agree with those of the CPU", "[qk]") {
  const auto context = makeContext();
  for (const Form& form : kForms) {
    const Shared factors =
        shared(attention::randomFactors(form.rows, form.columns, form.heads, form.kvHeads, form.d_h, 2));
    const auto kernel = make(*context, factors);
    const auto twin = attention::makeTileSource(factors, nullptr);
    const double rounding = roundingOf(*factors);
    for (const Part part : {Part::Full, Part::Skew}) {
      if (part != Part::Full && form.rows != form.columns) continue;
      for (const Pool pool : {Pool::Mean, Pool::Extreme})
        for (const Index step : {2, 7, 100, 1000}) {
          INFO(form.name << " part " << static_cast<int>(part) << " pool " << static_cast<int>(pool) << " step "
                         << step);
          const Crop crop{form.rows / 5, form.rows, 0, form.columns - form.columns / 7};
          kernel->start(crop, step, part, pool);
          REQUIRE(kernel->finish());
          CHECK(kernel->progress() == 1.0);
          CHECK(worstPixel(kernel->picture(), twin->picture(crop, step, part, pool)) < rounding);
        }
    }
  }
  requireClean(*context);
}

TEST_CASE("Ordered rows and columns, and bindings that hold only a part of a factor, give correct pictures and moments",
          "[qk]") {
  const auto context = makeContext();
  const Shared factors = shared(attention::randomFactors(333, 333, 4, 2, 20, 3));
  const auto rows = shuffled(333, 4), columns = shuffled(333, 5);
  const auto twin = attention::makeTileSource(factors, nullptr, rows, columns);
  const double rounding = roundingOf(*factors);
  const Crop all{0, 333, 0, 333};
  // A row has 48 terms of 4 bytes, so that 80 rows fit into a binding.
  for (const std::uint64_t mostBytes : {std::uint64_t{0}, std::uint64_t{80 * 48 * 4}}) {
    const auto kernel = make(*context, factors, mostBytes, rows, columns);
    for (const Part part : {Part::Full, Part::Symmetric})
      for (const Pool pool : {Pool::Mean, Pool::Extreme}) {
        INFO("binding " << mostBytes << " part " << static_cast<int>(part) << " pool " << static_cast<int>(pool));
        kernel->start(all, 5, part, pool);
        REQUIRE(kernel->finish());
        CHECK(worstPixel(kernel->picture(), twin->picture(all, 5, part, pool)) < rounding);
      }
    const Result<attention::Moments> moments = kernel->moments();
    REQUIRE(moments);
    const Matrix M = attention::literal(*factors);
    INFO("binding " << mostBytes);
    CHECK(moments->frobenius2 == Approx(M.squaredNorm()).epsilon(1e-5));
    CHECK(moments->rowNorms.isApprox(M.rowwise().norm(), 1e-5));
    CHECK(moments->columnNorms.isApprox(M.colwise().norm().transpose(), 1e-5));
    CHECK(std::abs(moments->traceMM - (M * M).trace()) < 1e-5 * M.squaredNorm());
  }
  const auto tooSmall = QkKernel::create(*context, *prepareQk(factors, nullptr), QkOptions{.mostBindingBytes = 4096});
  REQUIRE(!tooSmall);
  CHECK(tooSmall.error().kind == ErrorKind::NoDevice);
  CHECK(tooSmall.error().message.find("--compute cpu") != std::string::npos);
  requireClean(*context);
}

TEST_CASE("Moments computed on the device agree with those of the matrix", "[qk]") {
  const auto context = makeContext();
  for (const Form& form : kForms) {
    INFO(form.name);
    const Shared factors =
        shared(attention::randomFactors(form.rows, form.columns, form.heads, form.kvHeads, form.d_h, 6));
    const Matrix M = attention::literal(*factors);
    const Result<attention::Moments> moments = make(*context, factors)->moments();
    REQUIRE(moments);
    CHECK(moments->rowNorms.isApprox(M.rowwise().norm(), 1e-5));
    CHECK(moments->columnNorms.isApprox(M.colwise().norm().transpose(), 1e-5));
    CHECK(moments->frobenius2 == Approx(M.squaredNorm()).epsilon(1e-5));
    CHECK(moments->nonfinite == 0);
    if (form.rows == form.columns)
      CHECK(std::abs(moments->traceMM - (M * M).trace()) < 1e-5 * M.squaredNorm());
    else
      CHECK(std::isnan(moments->traceMM));
  }
  requireClean(*context);
}

TEST_CASE("NaN and infinite weights show on the device at the same pixels as on the CPU", "[qk]") {
  const auto context = makeContext();
  LayerFactors bad = attention::randomFactors(90, 90, 1, 1, 8, 7);
  bad.W_Q(40, 3) = std::numeric_limits<double>::quiet_NaN();
  bad.W_K(11, 2) = std::numeric_limits<double>::infinity();
  const Shared factors = shared(bad);
  const auto kernel = make(*context, factors);
  const auto twin = attention::makeTileSource(factors, nullptr);
  for (const Pool pool : {Pool::Mean, Pool::Extreme}) {
    kernel->start({0, 90, 0, 90}, 4, Part::Full, pool);
    REQUIRE(kernel->finish());
    const Picture expected = twin->picture({0, 90, 0, 90}, 4, Part::Full, pool);
    for (std::size_t i = 0; i < expected.values.size(); ++i) {
      CHECK(std::isfinite(kernel->picture().values[i]) == std::isfinite(expected.values[i]));
      CHECK(std::isnan(kernel->picture().values[i]) == std::isnan(expected.values[i]));
    }
  }
  const Result<attention::Moments> moments = kernel->moments();
  REQUIRE(moments);
  CHECK(moments->nonfinite == 2);
  CHECK(std::isnan(moments->rowNorms[40]));
  CHECK(std::isnan(moments->columnNorms[11]));
  requireClean(*context);
}

TEST_CASE("The latest picture wins, and pixels that are not computed yet are NaN", "[qk]") {
  const auto context = makeContext();
  const Shared factors = shared(attention::randomFactors(900, 900, 1, 1, 32, 8));
  const auto kernel = make(*context, factors);
  kernel->start({0, 900, 0, 900}, 1, Part::Full, Pool::Extreme);
  CHECK(std::isnan(kernel->picture().values.front()));
  CHECK(kernel->advance(0.001) == KernelState::Working);
  CHECK(kernel->progress() < 1);
  kernel->start({10, 60, 20, 90}, 1, Part::Full, Pool::Extreme);
  REQUIRE(kernel->finish());
  const auto twin =
      attention::makeTileSource(factors, nullptr)->picture({10, 60, 20, 90}, 1, Part::Full, Pool::Extreme);
  CHECK(worstPixel(kernel->picture(), twin) < roundingOf(*factors));
  kernel->start({5, 5, 0, 10}, 1, Part::Full, Pool::Mean);
  CHECK(kernel->advance(1) == KernelState::Done);
  CHECK(kernel->picture().values.empty());
  requireClean(*context);
}

TEST_CASE("A lost device is reported without waiting", "[qk]") {
  const auto context = makeContext();
  const Shared factors = shared(attention::randomFactors(100, 100, 1, 1, 8, 9));
  const auto kernel = make(*context, factors);
  context->markLost();
  CHECK(kernel->crop(Part::Full, {0, 100, 0, 100}).error().kind == ErrorKind::NoDevice);
  CHECK(kernel->moments().error().kind == ErrorKind::NoDevice);
  CHECK(!QkKernel::create(*context, factors));
}

TEST_CASE("Tiles of any size cover a picture exactly once", "[qk]") {
  for (const double entries : {0.0, 4096.0, 50000.0, 1e9})
    for (const auto& [rows, columns] : {std::pair<Index, Index>{1, 1}, {700, 65}, {64, 1300}}) {
      Eigen::MatrixXi covered = Eigen::MatrixXi::Zero(rows, columns);
      for (QkTileOrder order(rows, columns); !order.done();) {
        const Crop tile = order.next(entries);
        REQUIRE(tile.rows() > 0);
        REQUIRE(tile.columns() > 0);
        REQUIRE(tile.rows() <= QkTileOrder::kMostSide);
        REQUIRE(tile.columns() <= QkTileOrder::kMostSide);
        covered.block(tile.row0, tile.column0, tile.rows(), tile.columns()).array() += 1;
      }
      CHECK(covered.minCoeff() == 1);
      CHECK(covered.maxCoeff() == 1);
    }
  CHECK(QkTileOrder().done());
  CHECK(QkTileOrder(0, 5).done());
  CHECK(QkTileOrder(5, 0).done());
}
