// SPDX-License-Identifier: Apache-2.0
#include "engine/studies/canonical_start.h"

#include <algorithm>
#include <cmath>

#include "engine/core/try.h"
#include "engine/markov/canonical_model.h"

namespace sepx::studies {
namespace {

/// The constant that the ReLU adds to the logits of both bits: odd in e, whereas L(e, w, a, b) is defined for e >= 0.
double hiddenConstant(const CanonicalStart& start, double e) {
  return start.w * std::abs(start.w) * e * std::abs(e) * std::abs(1 + start.a * e * e);
}

}  // namespace

train::RunConfig sectionTwo(const markov::Chain& chain, int d, int N) {
  train::RunConfig run;
  run.data.kind = data::SourceKind::Markov;
  run.data.p = chain.p;
  run.data.q = chain.q;
  nn::ModelConfig& model = run.model;
  model.length = N;
  model.d_model = d;
  model.input = nn::Input::Bit;
  model.norm = nn::Norm::None;
  model.activation = nn::Activation::Relu;
  model.attentionBias = model.projectionBias = model.feedForwardBias = false;
  model.outputBias = true;
  run.schedule.batch = 16;
  run.schedule.evaluateSequences = std::max(16, 8192 / N);
  return run;
}

Result<train::RunConfig> canonicalRun(const CanonicalStart& start) {
  train::RunConfig run = sectionTwo(start.chain, start.d_model, start.length);
  run.seed = run.data.seed = start.seed;
  run.model.attention = start.linear || start.a != 0 ? nn::AttentionKind::Linear : nn::AttentionKind::Softmax;
  run.initial.scheme = nn::InitialScheme::Canonical;
  run.initial.e = start.e;
  run.initial.w = start.w;
  run.initial.a = start.a;
  const markov::State theta = Eigen::Vector3d(start.e, start.w, start.a);
  const double b = start.b.value_or(markov::optimalBias(start.chain, markov::Model::EWA, theta));
  run.initial.b = b - hiddenConstant(start, start.e) + hiddenConstant(start, std::abs(start.e));
  run.optimisation.rule.rule = nn::Rule::Sgd;
  run.optimisation.rule.learningRate = 0.01;
  run.schedule.steps = 2000;
  run.schedule.scoresEvery = 5;
  SEPX_TRY(train::check(run));
  return run;
}

}  // namespace sepx::studies
