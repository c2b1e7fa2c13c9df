// SPDX-License-Identifier: Apache-2.0
// Trains the models of assets/models again and checks what their README states about their answers: agreement of the
// decoder, both directions of the pairs. Under [long], takes one or two minutes.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "engine/data/english.h"
#include "engine/data/tokeniser.h"
#include "engine/train/run_config.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"
#include "tests/folders.h"

using namespace sepx;

namespace {

/// A model of assets/configs/model-NAME.json after `steps` steps of its schedule.
struct Trained {
  explicit Trained(const std::string& name, std::int64_t steps) {
    const auto read = train::readRunConfig(tests::sourceFolder() + "/assets/configs/model-" + name + ".json");
    REQUIRE(read);
    config = *read;
    auto made = data::makeSource(config.data);
    REQUIRE(made);
    source = std::move(*made);
    REQUIRE(train::resolve(config, *source));
    stepper = std::make_unique<train::Stepper>(config, *source, pool);
    stepper->begin();
    while (stepper->made() < steps)
      REQUIRE(stepper->step(config.schedule.steps));
  }
  std::vector<float> logits(const nn::Batch& batch, const std::vector<std::int32_t>& rows) {
    std::vector<float> out(rows.size() * static_cast<std::size_t>(config.model.logits()));
    stepper->model().logits(batch, rows, out);
    return out;
  }

  ThreadPool pool{2};
  train::RunConfig config;
  std::unique_ptr<data::Source> source;
  std::unique_ptr<train::Stepper> stepper;
};

}  // namespace

TEST_CASE("The trained MDM answers forward, and also in reverse if only letters are allowed", "[.][long]") {
  Trained model("mdm", 1000);
  const auto answers = model.stepper->answer();
  REQUIRE(answers);
  WARN("forwards " << answers->forward.accuracy << ", backwards " << answers->reverse.accuracy << ", letters alone "
                   << answers->reverse.letters);
  CHECK(answers->forward.accuracy > 0.95);
  CHECK(answers->reverse.accuracy > 0.02);
  CHECK(answers->reverse.letters > 0.9);
}

TEST_CASE("The trained ARM answers forward and never in reverse", "[.][long]") {
  Trained model("arm", 1000);
  const auto answers = model.stepper->answer();
  REQUIRE(answers);
  CHECK(answers->forward.accuracy > 0.98);
  CHECK(answers->reverse.accuracy < 0.02);
}

TEST_CASE("The trained decoder knows number and gender of a distant subject", "[.][long]") {
  Trained model("decoder", 5000);
  const data::SourceConfig& how = model.config.data;
  const std::string text = data::englishText(how.seed, how.sentences);
  const auto learn = static_cast<std::size_t>(static_cast<double>(text.size()) * (1 - how.validationShare));
  const auto tokeniser = data::makeTokeniser(how.tokens, how.vocabulary, text, learn);
  REQUIRE(tokeniser);
  REQUIRE((*tokeniser)->size() + 1 == model.source->vocabulary());
  int right = 0, asked = 0, far = 0;
  for (const data::Agreement& probe : data::englishAgreement(5, 1000)) {
    const std::string before = probe.text.substr(0, probe.text.size() - 1);
    const auto known = (*tokeniser)->encode(before), good = (*tokeniser)->encode(before + " " + probe.right),
               bad = (*tokeniser)->encode(before + " " + probe.wrong);
    REQUIRE((known && good && bad));
    if (good->size() != known->size() + 1 || bad->size() != known->size() + 1) continue;
    nn::Batch batch;
    batch.sequences = 1;
    batch.length = static_cast<int>(std::min(known->size(), static_cast<std::size_t>(model.config.model.length)));
    batch.tokens.assign(known->end() - batch.length, known->end());
    const std::vector<float> z = model.logits(batch, {batch.length - 1});
    right += z[good->back()] > z[bad->back()];
    far += probe.distance > 40;
    ++asked;
  }
  WARN(right << " of " << asked << " right, " << far << " of them more than 40 bytes behind their subject");
  CHECK(asked > 900);
  CHECK(far > 100);
  CHECK(right > 0.99 * asked);
}
