// SPDX-License-Identifier: Apache-2.0
// Compares the matrices of a layer with the embedding: rank one, the direction of the embedding and a corner of the
// hypercube are found in each matrix on the side of the residual stream.
#include <cmath>

#include <catch2/catch.hpp>

#include "engine/attention/factors.h"
#include "engine/core/random.h"
#include "engine/nn/parameters.h"
#include "engine/train/layer_matrices.h"
#include "engine/train/metrics.h"

using namespace sepx;
using namespace sepx::train;
using attention::MatrixF;

namespace {

nn::ModelConfig smallModel() {
  return {.vocabulary = 7, .length = 8, .layers = 2, .d_model = 8, .heads = 4, .kvHeads = 2, .d_ff = 12};
}

/// Random entries for every parameter.
NamedMatrices randomParameters(const nn::ModelConfig& model, std::vector<float>* theta = nullptr) {
  NamedMatrices all;
  RandomStream random(4);
  const nn::ParameterLayout layout(model);
  if (theta) theta->resize(layout.size());
  for (const nn::Parameter& parameter : layout.all()) {
    MatrixF values(parameter.rows, parameter.columns);
    for (Eigen::Index i = 0; i < values.size(); ++i)
      values.data()[i] = static_cast<float>(random.normal());
    if (theta)
      std::copy(values.data(), values.data() + values.size(),
                theta->begin() + static_cast<std::ptrdiff_t>(parameter.offset));
    all.emplace(parameter.name, std::move(values));
  }
  return all;
}

Eigen::VectorXf corner(int d) {
  Eigen::VectorXf e(d);
  for (int i = 0; i < d; ++i)
    e[i] = i % 3 == 0 ? -0.3F : 0.3F;
  return e;
}

}  // namespace

TEST_CASE("The matrices of a canonical network have rank one along its embedding, on the side of the residual stream") {
  const nn::ModelConfig model{.vocabulary = 2,
                              .length = 8,
                              .layers = 1,
                              .d_model = 8,
                              .heads = 1,
                              .d_ff = 32,
                              .input = nn::Input::Bit,
                              .activation = nn::Activation::Relu};
  const Eigen::VectorXf e = corner(8), h = Eigen::VectorXf::LinSpaced(32, -1, 2);
  NamedMatrices all;
  all[kEmbeddingName] = e.transpose();
  all["layers.0.feed_forward.W_1.weight"] = h * e.transpose();
  all["layers.0.feed_forward.W_2.weight"] = e * h.transpose();
  const EmbeddingVector vector = embeddingVector(model, all[kEmbeddingName]);
  CHECK(vector.kind == EmbeddingVector::Kind::Vector);
  CHECK(cornerRatio(vector.e) == Approx(1));
  for (const LayerMatrix which : {LayerMatrix::Up, LayerMatrix::Down}) {
    const auto matrix = matrixOf(model, all, which, 0, -1);
    REQUIRE(matrix);
    const MatrixReading reading = readMatrix(*matrix, infoOf(which), vector);
    CHECK(reading.ratio > 1e5);
    REQUIRE(reading.main());
    CHECK(reading.main()->cosine == Approx(1));
    CHECK(reading.main()->corner == Approx(1).epsilon(1e-5));
    CHECK(reading.right.has_value() == (which == LayerMatrix::Up));
    CHECK(reading.left.has_value() == (which == LayerMatrix::Down));
  }
  CHECK_FALSE(matrixOf(model, all, LayerMatrix::Value, 0, -1));  // the model has no such matrix
}

TEST_CASE("A vector orthogonal to the embedding has cosine 0, and entries of different sizes are not a corner") {
  EmbeddingVector e{EmbeddingVector::Kind::Vector, Eigen::VectorXd::Unit(4, 0)};
  MatrixF matrix = MatrixF::Zero(3, 4);
  matrix.row(1) << 0, 3, 1, 2;
  matrix.row(2) << 0.5F, 0, 0, 0;
  const MatrixReading reading = readMatrix(matrix, infoOf(LayerMatrix::Up), e);
  CHECK(reading.ratio == Approx(std::sqrt(14.0) / 0.5));
  CHECK(reading.main()->cosine == Approx(0).margin(1e-7));
  CHECK(cornerRatio(Eigen::Vector3d(3, -1, 2)) == Approx(3));
  CHECK(std::isinf(cornerRatio(Eigen::Vector3d(3, 0, 2))));
  CHECK(std::isnan(cornerRatio({})));
}

TEST_CASE("The embedding is represented by its vector, by a difference, or by the leading direction of a table") {
  nn::ModelConfig model = smallModel();
  MatrixF two(2, 8);
  two.row(0) = corner(8).transpose();
  two.row(1) = -2 * corner(8).transpose();
  const EmbeddingVector difference = embeddingVector(model, two);
  CHECK(difference.kind == EmbeddingVector::Kind::Difference);
  CHECK(difference.e.isApprox((-3 * corner(8)).cast<double>(), 1e-6));
  const Eigen::VectorXf shares = Eigen::VectorXf::LinSpaced(7, 1, 4);
  const EmbeddingVector leading = embeddingVector(model, MatrixF(shares * corner(8).transpose()));
  CHECK(leading.kind == EmbeddingVector::Kind::Leading);
  CHECK(std::abs(leading.e.normalized().dot(corner(8).cast<double>().normalized())) == Approx(1));
  CHECK(embeddingVector(model, {}).e.size() == 0);
}

TEST_CASE("W_qk of a layer and of its heads is that of the scores, also with grouped keys") {
  const nn::ModelConfig model = smallModel();
  std::vector<float> theta;
  const NamedMatrices all = randomParameters(model, &theta);
  const attention::LayerFactors factors =
      layerFactors<float>(model, nn::ParameterLayout(model), std::span<const float>(theta), 1);
  for (const int head : {-1, 0, 3}) {
    const attention::LayerFactors of = head < 0 ? factors : attention::headOf(factors, head);
    const attention::Matrix expected = of.W_Q * attention::keysOfHeads(of).transpose();
    const auto form = matrixOf(model, all, LayerMatrix::Form, 1, head);
    REQUIRE(form);
    CHECK(form->cast<double>().isApprox(expected, 1e-5));
  }
  CHECK(matrixOf(model, all, LayerMatrix::Query, 1, 2)->rows() == 2);
  CHECK(matrixOf(model, all, LayerMatrix::Value, 1, -1)->rows() == 4);
  CHECK(matrixOf(model, all, LayerMatrix::Output, 1, 2)->cols() == 2);
  const auto whole = matrixOf(model, all, LayerMatrix::ValueOutput, 1, -1);
  MatrixF sum = MatrixF::Zero(8, 8);
  for (int head = 0; head < 4; ++head)
    sum += *matrixOf(model, all, LayerMatrix::ValueOutput, 1, head);
  CHECK(whole->isApprox(sum, 1e-5F));
  CHECK_FALSE(matrixOf(model, all, LayerMatrix::Form, 2, -1));
  CHECK_FALSE(matrixOf(model, all, LayerMatrix::Form, 1, 4));
  CHECK(parametersOf(model, LayerMatrix::Gate, 0).empty());
  for (const LayerMatrixInfo& info : layerMatrices()) {
    CHECK(layerMatrix(info.word) == info.which);
    CHECK(&infoOf(info.which) == &info);
  }
  CHECK_FALSE(layerMatrix("W_3"));
}
