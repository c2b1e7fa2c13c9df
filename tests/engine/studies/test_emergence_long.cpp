// SPDX-License-Identifier: Apache-2.0
// Expected results of the small character setup (./dev test --full), with bounds that were set on seeds 0 to 2: the
// encoder's first layer becomes symmetric and the decoder's does not, the norms of the decoder's columns grow apart,
// and a symmetric start leaves the plateau earlier. SEPX_TEXT=FILE also trains on that text. Takes minutes.
#include <cstdlib>
#include <filesystem>
#include <map>
#include <tuple>

#include <catch2/catch.hpp>

#include "engine/studies/emergence_run.h"
#include "engine/studies/emergence_study.h"
#include "engine/studies/run_all.h"
#include "tests/folders.h"

namespace sepx::studies::long_tests {
namespace {

constexpr std::uint64_t kSeeds = 3;  // 0, 1, 2

train::RunConfig configNamed(const std::string& name, const std::string& text) {
  auto config = train::readRunConfig(tests::sourceFolder() + "/assets/configs/" + name + ".json");
  INFO((config ? "" : config.error().message));
  REQUIRE(config);
  if (!text.empty()) {
    config->data = {};
    config->data.kind = data::SourceKind::Text;
    config->data.tokens = data::Tokens::Characters;
    config->data.path = text;
  }
  return *config;
}

/// Follows one run for each config, on all cores.
std::vector<EmergenceRun> followAll(const std::vector<train::RunConfig>& configs, int points) {
  ThreadPool pool;
  std::vector<EmergenceRun> runs(configs.size());
  const auto done = runAll({pool}, std::vector<double>(configs.size(), 1),
                           [&](std::size_t i, const std::function<void(double)>& made) -> Result<void> {
                             auto run = followEmergence(configs[i], points, made);
                             if (!run) return tl::unexpected(run.error());
                             runs[i] = std::move(*run);
                             return {};
                           });
  INFO((done ? "" : done.error().message));
  REQUIRE(done);
  return runs;
}

/// The generated text (empty), and the user's text if one is given.
std::vector<std::string> textsToTry() {
  std::vector<std::string> texts{""};
  if (const char* given = std::getenv("SEPX_TEXT"); given != nullptr && *given != '\0')
    texts.push_back(std::filesystem::absolute(given).string());
  return texts;
}

}  // namespace

TEST_CASE(
    "At step 2,500 of the small character setup the encoder is symmetric and the decoder is not, on seeds 0, 1, 2",
    "[.][long]") {
  for (const std::string& text : textsToTry()) {
    std::vector<train::RunConfig> configs;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
      for (const char* name : {"small-encoder", "small-decoder", "small-encoder-symmetric"}) {
        train::RunConfig& config = configs.emplace_back(configNamed(name, text));
        config.seed = config.data.seed = seed;
        config.schedule.steps = 2500;
      }
    const std::vector<EmergenceRun> runs = followAll(configs, 10);
    int below = 0;
    for (std::size_t seed = 0; seed < kSeeds; ++seed) {
      const EmergenceRun &encoder = runs[3 * seed], &decoder = runs[3 * seed + 1], &symmetric = runs[3 * seed + 2];
      INFO("text '" << text << "' seed " << seed);
      REQUIRE(encoder.failure + decoder.failure + symmetric.failure == "");
      const ScorePoint &e = encoder.scores.back(), &d = decoder.scores.back();
      CHECK(e.step == 2500);
      CHECK(e.symmetry[0] > 0.5);
      CHECK(std::abs(d.symmetry[0]) < 0.1);
      CHECK(d.rowColumnCv[0] - e.rowColumnCv[0] < -0.3);
      const double loss = encoder.curve.back().loss, started = symmetric.curve.back().loss;
      below += started < loss;
      WARN("seed " << seed << ": encoder s " << e.symmetry[0] << ", " << e.symmetry[1] << "; decoder s "
                   << d.symmetry[0] << ", " << d.symmetry[1] << "; row_column_cv of layer 0 " << e.rowColumnCv[0]
                   << " and " << d.rowColumnCv[0] << "; directionality " << encoder.directionality() << " and "
                   << decoder.directionality() << "; loss of the encoder " << loss << ", from a symmetric start "
                   << started);
    }
    // Reported only: with sigma = 0.02 and d = 64, W_qk starts near 0 for every W_K, and both orders of the losses
    // occur.
    WARN("symmetric start below the free one at step 2,500: " << below << " of " << kSeeds << " seeds");
  }
}

TEST_CASE("From a larger start a symmetric W_qk has the lower loss at step 750, on seeds 0 to 5", "[.][long]") {
  // The setting and the step were chosen on seeds 0, 1 and 2 of the generated text; seeds 3, 4 and 5 are test seeds.
  constexpr std::uint64_t kAll = 6;
  const EmergenceSource source = emergenceSources(EmergenceId::Figure3).front();
  std::vector<train::RunConfig> configs;
  for (std::uint64_t seed = 0; seed < kAll; ++seed)
    for (const Trainee trainee : {Trainee::Encoder, Trainee::SymmetricEncoder})
      configs.push_back(emergenceConfig(source, trainee, seed, 750, emergenceSigma(EmergenceId::Table1)));
  const std::vector<EmergenceRun> runs = followAll(configs, 10);
  for (std::size_t seed = 0; seed < kAll; ++seed) {
    const double free = runs[2 * seed].curve.back().loss, symmetric = runs[2 * seed + 1].curve.back().loss;
    INFO("seed " << seed << " free " << free << " symmetric " << symmetric);
    CHECK(symmetric < free);
    WARN("seed " << seed << ": loss at step 750 " << free << ", from a symmetric start " << symmetric);
  }
}

}  // namespace sepx::studies::long_tests
