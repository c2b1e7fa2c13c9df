// SPDX-License-Identifier: Apache-2.0
// Proposition 2.2 in a model: the step of W_qk by sums over tokens is that of the backward pass, with biases and with
// shared key heads. Without the biases it is not.
#include <catch2/catch.hpp>

#include "engine/attention/token_lines.h"
#include "engine/data/source_config.h"
#include "engine/nn/initialise.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"
#include "engine/train/update_probe.h"

namespace sepx::train::update_step_tests {
namespace {

UpdateProbe probeOf(nn::ObjectiveKind objective, nn::AttentionKind attention, int kvHeads) {
  RunConfig config;
  config.data.kind = data::SourceKind::Mirrored;
  config.model.vocabulary = 0;
  config.model.length = 12;
  config.model.layers = 2;
  config.model.d_model = 12;
  config.model.heads = 3;
  config.model.kvHeads = kvHeads;
  config.model.attention = attention;
  config.model.causal = objective == nn::ObjectiveKind::NextToken;
  config.objective.kind = objective;
  const auto source = *data::makeSource(config.data);
  REQUIRE(resolve(config, *source));
  const nn::ParameterLayout layout(config.model);
  std::vector<float> theta(layout.size());
  nn::Initial initial;
  initial.scheme = nn::InitialScheme::Gaussian;
  initial.sigma = 0.4;
  RandomStream random(3);
  nn::initialise<float>(initial, config.model, layout, random, theta);
  for (const nn::ParameterRole role : {nn::ParameterRole::Query, nn::ParameterRole::Key}) {  // the biases start at 0
    const nn::Parameter* const bias = layout.find(role, nn::ParameterKind::Bias, 0);
    REQUIRE(bias != nullptr);
    for (std::size_t i = 0; i < bias->size(); ++i)
      theta[bias->offset + i] = static_cast<float>(0.3 * random.normal());
  }
  ProbeRequest request;
  request.tokens.resize(12);
  source->sequence(data::Split::Train, 5, 12, request.tokens);
  ThreadPool pool(1);
  auto probe = probeUpdate(config, theta, request, pool);
  INFO((probe ? "" : probe.error().message));
  REQUIRE(probe);
  return std::move(*probe);
}

}  // namespace

TEST_CASE("The step of W_qk by sums over tokens is the step by the gradients of the backward pass") {
  for (const nn::ObjectiveKind objective : {nn::ObjectiveKind::NextToken, nn::ObjectiveKind::Masked})
    for (const nn::AttentionKind kind : {nn::AttentionKind::Softmax, nn::AttentionKind::Linear})
      for (const int kvHeads : {0, 1}) {
        const UpdateProbe seen = probeOf(objective, kind, kvHeads);
        REQUIRE(seen.b_Q.size() == 12);
        REQUIRE(seen.b_K.size() == (kvHeads == 0 ? 12 : 4));
        const auto made = attention::gradientsByTokens(seen.factors, seen.X, seen.beta, seen.b_Q, seen.b_K);
        const auto without = attention::gradientsByTokens(seen.factors, seen.X, seen.beta, {}, {});
        const auto noKeyBias = attention::gradientsByTokens(seen.factors, seen.X, seen.beta, seen.b_Q, {});
        for (int head = 0; head < 3; ++head) {
          const double eta = 0.1;
          const attention::Matrix step = attention::stepOfForm(seen.factors, seen.gradients, head, eta);
          CHECK(step.norm() > 1e-4);
          CHECK((attention::stepOfForm(seen.factors, made, head, eta) - step).norm() < 1e-12 * step.norm());
          CHECK((attention::stepOfForm(seen.factors, without, head, eta) - step).norm() > 1e-3 * step.norm());
          // Under softmax every row of beta sums to 0, so b_K has no effect.
          const double byKeys = (attention::stepOfForm(seen.factors, noKeyBias, head, eta) - step).norm();
          CHECK((byKeys < 1e-12 * step.norm()) == (kind == nn::AttentionKind::Softmax));
        }
      }
}

}  // namespace sepx::train::update_step_tests
