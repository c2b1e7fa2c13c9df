// SPDX-License-Identifier: Apache-2.0
// BERT's layout with a constraint in the loss: the configs for encoder and decoder train, their constraint is
// |M|^2/|M_s|^2 or |M|^2/|M_n|^2 of every layer, and it moves W_qk in a way that the same run without it does not.
// Constraints that cannot work are refused.
#include <catch2/catch.hpp>
#include <Eigen/Core>

#include "engine/data/source_config.h"
#include "engine/train/run_config.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"
#include "tests/folders.h"

namespace sepx::train::constrained_bert_tests {
namespace {

using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The config of the file with short sequences, the vocabulary of its data, and steps that change W_qk at once.
RunConfig shortRun(const std::string& name) {
  auto config = readRunConfig(tests::sourceFolder() + "/assets/configs/" + name + ".json");
  INFO((config ? "" : config.error().message));
  REQUIRE(config);
  config->model.length = 16;
  config->model.vocabulary = 0;
  config->data.sentences = 500;
  config->data.vocabulary = 300;
  config->optimisation.rule.learningRate = 1e-3;
  config->optimisation.warmUp = 0;
  config->optimisation.accumulate = 1;
  config->schedule.batch = 2;
  return *config;
}

struct Symmetry {
  double score = 0;       ///< mean over the layers
  double constraint = 0;  ///< |M|^2 / |part|^2 over the layers
};

/// The scores computed from the definition: M and its symmetric and skew-symmetric parts.
Symmetry symmetryOf(const Stepper& stepper, bool skew) {
  const nn::ModelConfig& model = stepper.config().model;
  Symmetry out;
  for (int layer = 0; layer < model.layers; ++layer) {
    const auto weight = [&](nn::ParameterRole role) {
      const nn::Parameter& of = *stepper.layout().find(role, nn::ParameterKind::Weight, layer);
      return Eigen::MatrixXd(
          Eigen::Map<const Rows>(stepper.theta().data() + of.offset, of.rows, of.columns).cast<double>());
    };
    const Eigen::MatrixXd M = weight(nn::ParameterRole::Query).transpose() * weight(nn::ParameterRole::Key);
    const double symmetric = (0.5 * (M + M.transpose())).squaredNorm(),
                 rest = (0.5 * (M - M.transpose())).squaredNorm();
    out.score += (symmetric - rest) / (symmetric + rest) / model.layers;
    out.constraint += (symmetric + rest) / (skew ? rest : symmetric);
  }
  return out;
}

/// Symmetry after `steps` steps.
double trained(RunConfig config, int steps, bool skew) {
  const auto source = *data::makeSource(config.data);
  const auto fits = resolve(config, *source);
  INFO((fits ? "" : fits.error().message));
  REQUIRE(fits);
  ThreadPool pool(2);
  Stepper stepper(config, *source, pool);
  stepper.begin();
  double first = 0, last = 0;
  for (int step = 0; step < steps; ++step) {
    const double expected = config.constraint.gamma * symmetryOf(stepper, skew).constraint;
    const auto report = stepper.step(steps);
    INFO((report ? "" : report.error().message));
    REQUIRE(report);
    CHECK(report->constraint == Approx(expected).epsilon(1e-4).margin(1e-12));
    (step == 0 ? first : last) = report->constraint;
  }
  if (config.constraint.gamma > 0) CHECK(last < first);
  return symmetryOf(stepper, skew).score;
}

std::string refusalOf(const std::string& name, const auto& change) {
  RunConfig config = shortRun(name);
  change(config);
  const auto checked = check(config);
  REQUIRE_FALSE(checked);
  CHECK(checked.error().message.find('\n') == std::string::npos);
  return checked.error().message;
}

bool says(const std::string& sentence, const char* part) {
  INFO(sentence);
  return sentence.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("An encoder and a decoder of BERT's layout train with a constraint, which moves W_qk of every layer") {
  constexpr int kSteps = 12;
  for (const bool skew : {false, true}) {
    const std::string plain = skew ? "bert-mini-decoder" : "bert-mini-encoder";
    const RunConfig with = shortRun(plain + (skew ? "-skew-constraint" : "-symmetric-constraint")),
                    without = shortRun(plain);
    INFO(with.name);
    CHECK(with.constraint.kind == (skew ? nn::ConstraintKind::Skew : nn::ConstraintKind::Symmetric));
    CHECK(with.constraint.gamma == 0.1);
    CHECK(with.model == without.model);  // nothing else differs
    CHECK(with.objective == without.objective);
    CHECK(with.optimisation == without.optimisation);
    CHECK(with.model.causal == skew);
    CHECK(with.model.placement == nn::Placement::Post);
    const double pulled = trained(with, kSteps, skew), free = trained(without, kSteps, skew);
    INFO("symmetry " << pulled << ", without the constraint " << free);
    CHECK((skew ? free - pulled : pulled - free) > 0.2);
  }
}

TEST_CASE("Configs of all sizes of BERT differ from the plain ones only in the start or the constraint") {
  const auto read = [](const std::string& name) {
    auto config = readRunConfig(tests::sourceFolder() + "/assets/configs/" + name + ".json");
    INFO((config ? "" : config.error().message));
    REQUIRE(config);
    CHECK(check(*config));
    return *config;
  };
  for (const std::string size : {"bert-mini", "bert", "bert-large"})
    for (const bool skew : {false, true}) {
      const std::string plain = size + (skew ? "-decoder" : "-encoder"), kind = skew ? "-skew" : "-symmetric";
      const RunConfig without = read(plain);
      RunConfig started = read(plain + kind), pulled = read(plain + kind + "-constraint");
      INFO(plain);
      CHECK(started.initial.queryKey == (skew ? nn::QueryKeyStart::Skew : nn::QueryKeyStart::Symmetric));
      CHECK(pulled.constraint.kind == (skew ? nn::ConstraintKind::Skew : nn::ConstraintKind::Symmetric));
      CHECK(pulled.constraint.gamma == 0.1);
      for (const RunConfig* one : {&started, &pulled}) {
        CHECK(one->note.starts_with("As " + plain + " with "));
        CHECK(one->note.ends_with(without.note));
      }
      started.initial.queryKey = without.initial.queryKey;
      pulled.constraint = without.constraint;
      for (RunConfig* one : {&started, &pulled}) {
        one->name = without.name;
        one->note = without.note;
        CHECK(*one == without);
      }
    }
}

TEST_CASE("A constraint without effect is refused with a message") {
  using nn::ConstraintKind;
  CHECK(says(refusalOf("bert-mini-encoder-symmetric-constraint", [](RunConfig& c) { c.constraint.gamma = 0; }),
             "constraint.gamma is 0"));
  CHECK(says(refusalOf("bert-mini-encoder-symmetric",
                       [](RunConfig& c) {
                         c.constraint = {ConstraintKind::Skew, 0.1};
                       }),
             "initial.query_key \"symmetric\"; the constraint is singular"));
  CHECK(says(refusalOf("bert-mini-decoder-skew",
                       [](RunConfig& c) {
                         c.constraint = {ConstraintKind::Symmetric, 0.1};
                       }),
             "initial.query_key \"skew\"; the constraint is singular"));
  CHECK(says(refusalOf("bert-mini-decoder-skew-constraint",
                       [](RunConfig& c) {
                         c.model.kvHeads = 1;
                         c.model.headDim = 1;
                       }),
             "rank 1"));
  // A shipped symmetric or skew start works with the constraint of its own kind.
  for (const char* const name : {"bert-mini-encoder-symmetric", "bert-mini-decoder-skew"}) {
    RunConfig config = shortRun(name);
    config.constraint = {config.model.causal ? ConstraintKind::Skew : ConstraintKind::Symmetric, 0.1};
    CHECK(check(config));
  }
}

}  // namespace sepx::train::constrained_bert_tests
