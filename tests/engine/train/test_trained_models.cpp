// SPDX-License-Identifier: Apache-2.0
// What the README of assets/models says of the models' answers, by training them anew: agreement of the decoder, both
// directions of the pairs. Under [long]: a minute or two.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>

#include "engine/data/english.h"
#include "engine/data/pairs.h"
#include "engine/data/tokeniser.h"
#include "engine/train/run_config.h"
#include "engine/train/step.h"
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

/// Place of the largest of z[first, last).
std::int32_t largest(const float* z, std::int32_t first, std::int32_t last) {
  return static_cast<std::int32_t>(std::max_element(z + first, z + last) - z);
}

nn::Batch blankPairs(int count, int length) {
  nn::Batch batch;
  batch.sequences = count;
  batch.length = length;
  batch.tokens.assign(static_cast<std::size_t>(count * length), data::kPairPlaceholder);
  return batch;
}

/// Share of all pairs in which the small letter at its [M] is answered, the capital visible behind it (or before it);
/// of all words, and of the small letters alone.
std::pair<double, double> maskedAnswers(Trained& model, bool backwards) {
  const int length = model.config.model.length, count = static_cast<int>(data::pairCount(length));
  nn::Batch batch = blankPairs(count, length);
  std::vector<std::int32_t> rows;
  for (int k = 0; k < count; ++k) {
    const data::PairPlace place = data::pairPlace(static_cast<std::uint64_t>(k), length);
    const int letter = k * length + (backwards ? place.j : place.i);
    batch.tokens[static_cast<std::size_t>(letter)] = data::kPairMask;
    batch.tokens[static_cast<std::size_t>(k * length + (backwards ? place.i : place.j))] =
        data::kPairLetters + place.letter;
    rows.push_back(letter);
  }
  const std::vector<float> z = model.logits(batch, rows);
  double words = 0, letters = 0;
  for (int k = 0; k < count; ++k) {
    const float* row = z.data() + k * data::kPairVocabulary;
    const std::int32_t truth = data::pairPlace(static_cast<std::uint64_t>(k), length).letter;
    words += largest(row, 0, data::kPairMask) == truth;
    letters += largest(row, 0, data::kPairLetters) == truth;
  }
  return {words / count, letters / count};
}

/// Share of all pairs whose partner stands in the greedy continuation after the first letter.
double continued(Trained& model, bool backwards) {
  const int length = model.config.model.length, count = static_cast<int>(data::pairCount(length));
  nn::Batch batch = blankPairs(count, length);
  const auto place = [length](int k) { return data::pairPlace(static_cast<std::uint64_t>(k), length); };
  for (int k = 0; k < count; ++k)
    batch.tokens[static_cast<std::size_t>(k * length + place(k).i)] =
        place(k).letter + (backwards ? data::kPairLetters : 0);
  std::vector<bool> found(static_cast<std::size_t>(count), false);
  for (int n = 0; n + 1 < length; ++n) {
    std::vector<std::int32_t> rows;
    for (int k = 0; k < count; ++k)
      rows.push_back(k * length + n);
    const std::vector<float> z = model.logits(batch, rows);
    for (int k = 0; k < count; ++k) {
      if (n < place(k).i) continue;
      const std::int32_t answer = largest(z.data() + k * data::kPairVocabulary, 0, data::kPairMask);
      batch.tokens[static_cast<std::size_t>(k * length + n + 1)] = answer;
      if (answer == place(k).letter + (backwards ? 0 : data::kPairLetters)) found[static_cast<std::size_t>(k)] = true;
    }
  }
  return static_cast<double>(std::count(found.begin(), found.end(), true)) / count;
}

}  // namespace

TEST_CASE("the trained MDM answers forwards, and backwards too once only letters may be answered", "[.][long]") {
  Trained model("mdm", 1000);
  const auto forwards = maskedAnswers(model, false), backwards = maskedAnswers(model, true);
  WARN("forwards " << forwards.first << ", backwards " << backwards.first << ", letters alone " << backwards.second);
  CHECK(forwards.first > 0.95);
  CHECK(backwards.first > 0.02);
  CHECK(backwards.second > 0.9);
}

TEST_CASE("the trained ARM answers forwards and never backwards", "[.][long]") {
  Trained model("arm", 1000);
  CHECK(continued(model, false) > 0.98);
  CHECK(continued(model, true) < 0.02);
}

TEST_CASE("the trained decoder knows number and gender of a subject far back", "[.][long]") {
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
