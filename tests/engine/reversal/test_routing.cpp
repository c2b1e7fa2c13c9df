// SPDX-License-Identifier: Apache-2.0
// Compares storage and routing with the model itself: the terms sum to its logit, and where attention is the only part,
// the sum over the places alone is the logit.
#include <catch2/catch.hpp>
#include <chrono>

#include "engine/reversal/routing.h"
#include "tests/engine/reversal/one_layer_models.h"

namespace sepx::reversal {
namespace {

std::vector<double> modelLogits(nn::Transformer<double>& model, const std::vector<std::int32_t>& tokens, int row) {
  nn::Batch batch;
  batch.sequences = 1;
  batch.length = static_cast<int>(tokens.size());
  batch.tokens = tokens;
  std::vector<double> z(data::kPairVocabulary);
  model.logits(batch, std::vector<std::int32_t>{row}, z);
  return z;
}

OneLayer opened(const nn::ModelConfig& config, const std::vector<float>& theta) {
  auto made = OneLayer::make(config, theta);
  if (!made) FAIL(made.error().message);
  return *std::move(made);
}

Query queryOf(const nn::ModelConfig& config, const Pair& pair, Direction direction) {
  return config.causal ? partnerQuery(pair, direction) : maskedQuery(pair, direction);
}

}  // namespace

TEST_CASE("The terms of a logit sum to the logit of the model, for every kind of layer", "[reversal]") {
  ThreadPool pool{1};
  std::uint64_t seed = 20;
  for (const auto& [name, config] : test::oneLayerModels()) {
    INFO(name);
    nn::Transformer<double> model(config, pool);
    const std::vector<float> theta = test::fillPairModel(model, ++seed);
    const OneLayer layer = opened(config, theta);
    for (const Direction direction : kDirections)
      for (const Pair& pair : {Pair{4, 0, 6, 7}, Pair{25, 2, 3, 7}, Pair{0, 1, 5, 7}}) {
        const Query query = queryOf(config, pair, direction);
        const int row = rowOf(query);
        const Route out = route(layer, query, row);
        const std::vector<double> z = modelLogits(model, query.tokens, row);
        for (std::size_t t = 0; t < z.size(); ++t)
          CHECK(out.actual[static_cast<Eigen::Index>(t)] == Approx(z[t]).margin(1e-10));
        CHECK(out.alpha.sum() == Approx(1).margin(1e-12));
        CHECK(out.target.sum() == Approx(z[static_cast<std::size_t>(query.target)]).margin(1e-10));
        CHECK(out.placeholder.sum() == Approx(z[data::kPairPlaceholder]).margin(1e-10));
        CHECK(out.contributions.sum() == Approx(out.target.storage).margin(1e-10));
        CHECK(out.target.storage == Approx(out.predicted[query.target]).margin(1e-10));
        CHECK(out.contributions[query.evidence] ==
              Approx(out.alpha[query.evidence] * out.column[query.target] / out.deviation).margin(1e-10));
        // A term is nonzero exactly if the layer has that part.
        CHECK((out.target.residual != 0) == config.residual);
        CHECK((out.target.feedForward != 0) == (config.ff() > 0));
        CHECK((out.target.norms != 0) == (config.norm == nn::Norm::Layer));
      }
  }
}

TEST_CASE("Without norm, residual stream and feed-forward part, storage and routing give the whole logit",
          "[reversal]") {
  ThreadPool pool{1};
  for (const nn::Positions positions : {nn::Positions::Rope, nn::Positions::Alibi, nn::Positions::None}) {
    const nn::ModelConfig config = test::bareModel(positions);
    nn::Transformer<double> model(config, pool);
    const std::vector<float> theta = test::fillPairModel(model, 7);
    const OneLayer layer = opened(config, theta);
    // Y = W_U W_O W_V W_E, computed from the parameters.
    const auto matrix = [&](const char* name) {
      const nn::Parameter* p = model.layout().find(name);
      REQUIRE(p != nullptr);
      return Rows(Eigen::Map<const Rows>(model.of(*p).data(), p->rows, p->columns));
    };
    const Rows Y = matrix("output.weight") * matrix("layers.0.attention.W_O.weight") *
                   matrix("layers.0.attention.W_V.weight") * matrix("embedding.weight").transpose();
    for (const Direction direction : kDirections) {
      const Query query = maskedQuery({11, 1, 4, 7}, direction);
      const Route out = route(layer, query, query.hidden);
      const std::vector<double> z = modelLogits(model, query.tokens, query.hidden);
      double sum = 0;
      for (std::size_t k = 0; k < query.tokens.size(); ++k)
        sum += out.alpha[static_cast<Eigen::Index>(k)] * Y(query.target, query.tokens[k]);
      CHECK(std::abs(sum - z[static_cast<std::size_t>(query.target)]) < 1e-5);
      CHECK(std::abs(out.target.storage - sum) < 1e-12);
      CHECK(out.target.sum() == out.target.storage);
      for (Eigen::Index t = 0; t < out.column.size(); ++t)
        CHECK(out.column[t] == Approx(Y(t, query.tokens[static_cast<std::size_t>(query.evidence)])).margin(1e-12));
    }
  }
}

TEST_CASE("Storage does not depend on the place of the evidence under a relative encoding", "[reversal]") {
  ThreadPool pool{1};
  for (const nn::Positions positions : {nn::Positions::Rope, nn::Positions::Learned}) {
    nn::ModelConfig config = test::pairModel();
    config.positions = positions;
    nn::Transformer<double> model(config, pool);
    const std::vector<float> theta = test::fillPairModel(model, 3);
    const OneLayer layer = opened(config, theta);
    const Query near = maskedQuery({2, 0, 1, 7}, Direction::Forward),
                far = maskedQuery({2, 0, 6, 7}, Direction::Forward);
    const double moved = (route(layer, near, near.hidden).column - route(layer, far, far.hidden).column).norm();
    if (positions == nn::Positions::Rope) CHECK(moved == 0);
    if (positions == nn::Positions::Learned) CHECK(moved > 0.1);
  }
}

TEST_CASE("Models that are not one layer of the paper's kind are refused with a message", "[reversal]") {
  const auto sentence = [](auto&& change) {
    nn::ModelConfig config = test::pairModel();
    change(config);
    const Result<void> fine = checkOneLayer(config);
    return fine ? std::string() : fine.error().message;
  };
  CHECK(sentence([](nn::ModelConfig&) {}).empty());
  CHECK(sentence([](nn::ModelConfig& c) { c.layers = 2; }) ==
        "Storage and routing are those of a model of one layer and one head; this one has 2 layers.");
  CHECK(sentence([](nn::ModelConfig& c) { c.heads = 4; }).find("has 4 heads") != std::string::npos);
  CHECK(sentence([](nn::ModelConfig& c) { c.placement = nn::Placement::Post; }).find("post") != std::string::npos);
  CHECK(sentence([](nn::ModelConfig& c) { c.attention = nn::AttentionKind::Linear; }).find("linear") !=
        std::string::npos);
  CHECK(sentence([](nn::ModelConfig& c) { c.residual = false; }).find("residual") != std::string::npos);
}

TEST_CASE("Both queries of a pair take less than a frame at the paper's size", "[.][time]") {
  ThreadPool pool{1};
  nn::ModelConfig config = test::pairModel();
  config.d_model = 256;
  config.length = 40;
  nn::Transformer<double> model(config, pool);
  const std::vector<float> theta = test::fillPairModel(model, 3, 0.05);
  using Clock = std::chrono::steady_clock;
  const auto ms = [](Clock::time_point from) {
    return std::chrono::duration<double, std::milli>(Clock::now() - from).count();
  };
  auto start = Clock::now();
  const OneLayer layer = opened(config, theta);
  WARN("opened in " << ms(start) << " ms");
  for (const int length : {10, 40}) {
    start = Clock::now();
    constexpr int kTimes = 50;
    for (int i = 0; i < kTimes; ++i)
      for (const Direction direction : kDirections) {
        const Query query = maskedQuery({i % 26, 2, 5, length}, direction);
        REQUIRE(route(layer, query, query.hidden).alpha.size() == length);
      }
    WARN("both queries of length " << length << " in " << ms(start) / kTimes << " ms");
  }
}

}  // namespace sepx::reversal
