// SPDX-License-Identifier: Apache-2.0
// Compares singular values and eigenvalues with dense decompositions by Eigen and with known spectra, and tests
// stopping.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include <catch2/catch.hpp>
#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include "engine/attention/spectrum.h"
#include "engine/attention/spectrum_steps.h"
#include "tests/engine/attention/random_factors.h"

using namespace sepx::attention;

namespace {

using Complex = std::complex<double>;

bool go(double) {
  return true;
}

/// Checks that every value of `theirs` has a partner of its own in `ours`.
void checkSameSet(std::vector<Complex> ours, const Eigen::VectorXcd& theirs, double margin) {
  REQUIRE(ours.size() == static_cast<std::size_t>(theirs.size()));
  for (const Complex& value : theirs) {
    const auto nearest = std::min_element(ours.begin(), ours.end(), [&value](const Complex& a, const Complex& b) {
      return std::abs(a - value) < std::abs(b - value);
    });
    CAPTURE(value);
    CHECK(std::abs(*nearest - value) <= margin);
    ours.erase(nearest);
  }
}

void checkSpectrum(const Spectrum& ours, const Matrix& M) {
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd{Eigen::MatrixXd(M)};
  const double largest = svd.singularValues()(0);
  double squares = 0;
  for (std::size_t i = 0; i < ours.singular.size(); ++i) {
    CHECK(ours.singular[i] == Approx(svd.singularValues()(static_cast<Eigen::Index>(i))).margin(1e-13 * largest));
    squares += ours.singular[i] * ours.singular[i];
  }
  CHECK(ours.stableRank == Approx(M.squaredNorm() / (largest * largest)).epsilon(1e-12));
  CHECK(squares == Approx(M.squaredNorm()).epsilon(1e-12));
  if (M.rows() != M.cols()) {
    CHECK(ours.eigenvalues.empty());
    return;
  }
  // Add the zero eigenvalues that the factors leave out.
  std::vector<Complex> all = ours.eigenvalues;
  all.resize(static_cast<std::size_t>(M.rows()));
  checkSameSet(all, Eigen::EigenSolver<Eigen::MatrixXd>(Eigen::MatrixXd(M)).eigenvalues(), 1e-8 * largest);
  Complex sum = 0, sumOfSquares = 0;
  for (const Complex& value : ours.eigenvalues) {
    sum += value;
    sumOfSquares += value * value;
  }
  CHECK(std::abs(sum - M.trace()) <= 1e-11 * M.norm());
  CHECK(std::abs(sumOfSquares - (M * M).trace()) <= 1e-11 * M.squaredNorm());  // the numerator of s
  for (std::size_t i = 1; i < ours.eigenvalues.size(); ++i)
    CHECK(std::abs(ours.eigenvalues[i]) <= std::abs(ours.eigenvalues[i - 1]));
}

}  // namespace

TEST_CASE("The spectrum computed from factors equals that of the product", "[attention][spectrum]") {
  const auto factors = GENERATE(
      randomFactors(1, 1, 1, 1, 1, 1), randomFactors(6, 6, 1, 1, 2, 2), randomFactors(40, 40, 1, 1, 5, 3),
      randomFactors(40, 40, 4, 2, 4, 4), randomFactors(30, 30, 3, 3, 10, 5), randomFactors(20, 20, 2, 2, 16, 6),
      randomFactors(25, 40, 2, 2, 4, 7), randomFactors(40, 25, 2, 2, 20, 8), randomFactors(90, 90, 2, 2, 30, 9));
  const auto ours = spectrum(factors);
  REQUIRE(ours);
  const int expected = rankOf(factors);
  CHECK(ours->rank == expected);
  CHECK(ours->singular.size() == static_cast<std::size_t>(expected));
  checkSpectrum(*ours, literal(factors));
}

TEST_CASE("Matrices with known spectra give these spectra", "[attention][spectrum]") {
  LayerFactors factors = randomFactors(30, 30, 1, 1, 6, 11);
  factors.W_K = factors.W_Q;  // symmetric and positive semidefinite
  const auto symmetric = spectrum(factors);
  for (const Complex& value : symmetric->eigenvalues) {
    CHECK(value.imag() == Approx(0).margin(1e-10));
    CHECK(value.real() > 0);
  }
  std::mt19937_64 generator(12);
  const Matrix A = gaussian(generator, 6, 6);
  factors.W_K = factors.W_Q * (A - A.transpose());  // skew: the eigenvalues lie on the imaginary axis
  const auto skew = spectrum(factors);
  REQUIRE(skew);
  for (std::size_t i = 0; i < 6; i += 2) {
    CHECK(skew->eigenvalues[i].real() == Approx(0).margin(1e-9 * skew->singular[0]));
    CHECK(skew->eigenvalues[i] == std::conj(skew->eigenvalues[i + 1]));
    CHECK(skew->eigenvalues[i].imag() > 0);
  }
  factors.W_K.setZero();
  const auto zero = spectrum(factors);
  REQUIRE(zero);
  CHECK(zero->rank == 0);
  CHECK(zero->singular == std::vector<double>(6, 0.0));
  factors.W_K = factors.W_Q;
  factors.W_K.rightCols(4).setZero();
  CHECK(spectrum(factors)->rank == 2);
  factors.W_K(3, 3) = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(spectrum(factors));
}

TEST_CASE("Matrices that stall simple QR iterations have correct spectra", "[attention][spectrum]") {
  // A cyclic permutation has all its eigenvalues on the unit circle, and the unshifted sweep maps it to itself.
  for (const int n : {2, 3, 4, 7, 24}) {
    Matrix cycle = Matrix::Zero(n, n);
    for (int i = 0; i < n; ++i)
      cycle(i, (i + 1) % n) = 1;
    const auto values = eigenvaluesOf(cycle, go);
    REQUIRE(values);
    Eigen::VectorXcd roots(n);
    for (int k = 0; k < n; ++k)
      roots(k) = std::polar(1.0, 2 * M_PI * k / n);
    checkSameSet(*values, roots, 1e-13);
    const auto singular = singularValues(cycle, go);
    for (const double value : *singular)
      CHECK(value == Approx(1).epsilon(1e-13));
  }
  Matrix jordan = Matrix::Zero(8, 8);
  for (int i = 0; i < 7; ++i)
    jordan(i, i + 1) = 1;
  const auto nilpotent = eigenvaluesOf(jordan, go);
  for (const Complex& value : *nilpotent)
    CHECK(std::abs(value) <= 1e-1);  // (epsilon)^(1/8)
  Matrix graded = Matrix::Zero(12, 12);
  for (int i = 0; i < 12; ++i)
    graded(i, i) = std::pow(10.0, -i);
  const auto singular = singularValues(graded, go);
  for (int i = 0; i < 12; ++i)
    CHECK((*singular)[static_cast<std::size_t>(i)] == Approx(std::pow(10.0, -i)).margin(1e-15));
  CHECK(eigenvaluesOf(Matrix::Identity(9, 9), go)->size() == 9);
}

TEST_CASE("Eigenvalues of a large matrix agree with those of Eigen", "[attention][spectrum]") {
  std::mt19937_64 generator(31);
  const Matrix M = gaussian(generator, 220, 220);
  const auto values = eigenvaluesOf(M, go);
  REQUIRE(values);
  checkSameSet(*values, Eigen::EigenSolver<Eigen::MatrixXd>(Eigen::MatrixXd(M)).eigenvalues(), 1e-9);
}

TEST_CASE("The spectrum can be stopped at any stage", "[attention][spectrum]") {
  const auto factors = GENERATE(randomFactors(60, 60, 1, 1, 8, 21), randomFactors(30, 30, 1, 1, 30, 22));
  int calls = 0;
  double last = 0;
  REQUIRE(spectrum(factors, [&](double share) {
    CHECK(share >= last);
    CHECK(share <= 1);
    last = share;
    ++calls;
    return true;
  }));
  for (int stop = 0; stop < calls; stop += std::max(1, calls / 12)) {
    int left = stop;
    CHECK_FALSE(spectrum(factors, [&](double) { return left-- > 0; }));
  }
}
