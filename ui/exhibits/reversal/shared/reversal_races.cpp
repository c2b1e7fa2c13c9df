// SPDX-License-Identifier: Apache-2.0
// See reversal_races.h. Numbers in the texts were measured with the configs named (docs/reversal.md).
#include "ui/exhibits/reversal/shared/reversal_races.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/core/try.h"
#include "ui/properties/declarations.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

constexpr int kMostSeeds = 3;

std::string textAt(const Document& document, const char* key, const char* fallback) {
  const Json& value = document.at(key);
  return value.is_string() ? value.get<std::string>() : fallback;
}

bool flagAt(const Document& document, const std::string& key, bool fallback) {
  const Json& value = document.at(key);
  return value.is_boolean() ? value.get<bool>() : fallback;
}

int seedsOf(const Document& document) {
  const Json& value = document.at("reversal.seeds");
  return value.is_number() ? static_cast<int>(std::clamp(value.get<double>(), 1.0, double{kMostSeeds})) : 1;
}

std::string settingOf(const Document& document) {
  return textAt(document, "reversal.setting", "quick");
}

/// A small model on small batches: the curves of MDM and ARM separate within some seconds on two cores.
train::RunConfig quick(train::RunConfig config) {
  config.model.d_model = 64;
  config.model.d_ff = 256;
  config.schedule.batch = 64;
  config.schedule.steps = 1500;
  config.optimisation.rule.learningRate = 1e-3;
  config.optimisation.warmUp = 100;
  config.schedule.evaluateEvery = 50;
  config.schedule.recordEvery = 5;
  config.schedule.saveEvery = 250;
  return config;
}

train::RunConfig inSetting(train::RunConfig config, const std::string& setting) {
  if (setting == "quick") return quick(std::move(config));
  if (setting == "batch64") config.schedule.batch = 64;
  return config;
}

/// A config that an experiment trains for each seed, and the name of its curve.
struct Named {
  std::string config, name;
};

std::vector<Named> wanted(const Experiment& experiment, const Document& document) {
  const std::string word = experiment.key;
  std::vector<Named> all;
  const std::string chosen = textAt(document, "reversal.encoding", "rope");
  for (const Encoding& one : reversalEncodings()) {
    const bool shown = word == "encodings" ? flagAt(document, std::string("reversal.encodings.") + one.word, one.shown)
                                           : chosen == one.word;
    if (shown && word != "zero-output") all.push_back({one.config, std::string("MDM, ") + tr(one.name)});
  }
  if (word == "mdm-arm") all.push_back({"reversal-arm", "ARM"});
  if (word == "zero-output")
    all = {{"reversal-radd-rope", tr("MDM, ordinary output")},
           {"reversal-radd-rope-zero", tr("MDM, output from zero")}};
  return all;
}

Result<std::vector<train::RunConfig>> configsOf(const Experiment& experiment, const Document& document,
                                                const std::string& assets) {
  std::vector<train::RunConfig> made;
  const int seeds = seedsOf(document);
  for (const Named& one : wanted(experiment, document)) {
    SEPX_ASSIGN(const train::RunConfig config, train::readRunConfig(assets + "/configs/" + one.config + ".json"));
    for (int seed = 0; seed < seeds; ++seed) {
      train::RunConfig& run = made.emplace_back(inSetting(config, settingOf(document)));
      run.name = seeds == 1 ? one.name : trFormat("{}, seed {}", one.name, seed);
      run.seed = static_cast<std::uint64_t>(seed);
    }
  }
  if (made.empty())
    return fail(ErrorKind::Usage, tr("no encoding is selected; select one in the panel, then press Start"));
  return made;
}

std::vector<Experiment> makeExperiments() {
  return {
      {"mdm-arm", N_("MDM and ARM"),
       N_("A masked diffusion model and an autoregressive model learn \"A is B\" from the same sequences in the same "
          "order; both are then asked \"B is …\"."),
       N_("Reversal, Table 1. The models read sequences of placeholders with a small letter and, somewhere after it, "
          "its capital. The MDM is asked for the small letter at a given position: forward before the capital, "
          "reverse after it. The ARM completes the sequence that it has begun to read. This is our reading: the paper "
          "does not say how it asks the ARM. So the two are not asked the same question. With all tokens allowed the "
          "ARM never answers the reverse query in the runs that ship. The MDM does in part: how often depends on the "
          "step, the seed and what counts as an answer. With all tokens allowed nearly every wrong answer is the "
          "placeholder 0; models that have learnt the forward direction nearly always answer correctly if only small "
          "letters are allowed.")},
      {"encodings", N_("Position encodings"),
       N_("The same masked diffusion model with absolute positions, RoPE and ALiBi."),
       N_("Reversal, Table 2: absolute positions answer the reverse query least often, ALiBi nearly always. In one "
          "comparison (seed 0, slope 1/256) the signed and the symmetric ALiBi gave the same result, so the table "
          "does not show which one was used. RoPE is not stable over steps and seeds: look at the curve. Two of the "
          "three runs with absolute positions that ship with the program do not learn the forward direction within "
          "3,000 steps: their reverse accuracy says nothing about reversal.")},
      {"zero-output", N_("Output from zero"),
       N_("The same model with the output layer and the embedding that RADD's public code starts from: it learns late "
          "or not at all."),
       N_("With weights and bias of the output layer at zero and the small embedding of RADD's public code "
          "(github.com/ML-GSAI/RADD), the full setting stays at the token frequencies for a long time, with a forward "
          "accuracy of 0; measured here: seed 0 for 1,500 of 3,000 steps, seed 1 for all of them. With an ordinary "
          "output layer and the same embedding it is above 80 % at step 250. The paper does not say which "
          "initialisation it used.")}};
}

/// The folders assets/runs/reversal/SETTING-CONFIG-SEED of the models and settings that ship.
ShippedRuns shippedOf(const Experiment& experiment, const Document& document, const std::string& assets) {
  static constexpr std::string_view kShipped[] = {"reversal-radd-rope", "reversal-arm", "reversal-radd-alibi",
                                                  "reversal-radd-learned"};
  ShippedRuns folders;
  const std::string setting = settingOf(document);
  if (setting == "full") return folders;
  for (const Named& one : wanted(experiment, document)) {
    if (std::find(std::begin(kShipped), std::end(kShipped), one.config) == std::end(kShipped)) continue;
    for (int seed = 0; seed < kMostSeeds; ++seed)
      folders.push_back(fmt::format("{}/runs/reversal/{}-{}-{}", assets, setting, one.config, seed));
  }
  return folders;
}

}  // namespace

std::span<const Encoding> reversalEncodings() {
  static const std::vector<Encoding> all{
      {"absolute", N_("absolute"), N_("Learned absolute positions."), "reversal-radd-learned", true},
      {"rope", N_("RoPE"), N_("Rotary positions."), "reversal-radd-rope", true},
      {"alibi", N_("ALiBi, symmetric"), N_("ALiBi with the bias −m |i − j|."), "reversal-radd-alibi", true},
      {"alibi_signed", N_("ALiBi, signed"), N_("ALiBi with the bias m (j − i) of appendix A.4, i query, j key."),
       "reversal-radd-alibi-signed", false},
      {"sinusoidal", N_("sinusoidal"), N_("Sinusoidal absolute positions. The paper has no such run."),
       "reversal-radd-sinusoidal", false}};
  return all;
}

std::span<const Experiment> reversalExperiments() {
  static const std::vector<Experiment> all = makeExperiments();
  return all;
}

const RaceKind& reversalRaces() {
  static const RaceKind kind{.exhibit = "reversal",
                             .experiments = reversalExperiments(),
                             .page = "race",
                             .mostRuns = 16,
                             .matrices = false,
                             .own = "",
                             .noRuns = N_("No run is open. Choose an experiment and press Start."),
                             .configs = configsOf,
                             .shipped = shippedOf};
  return kind;
}

void declareReversal(PropertyRegistry& registry) {
  Options encodings;
  for (const Encoding& one : reversalEncodings())
    encodings.emplace_back(one.word, one.name);
  std::vector<Property> toggles;
  for (const Encoding& one : reversalEncodings()) {
    Property& toggle = toggles.emplace_back();
    toggle.key = one.word;
    toggle.label = one.name;
    toggle.fallback = one.shown;
    toggle.help = one.help;
  }
  const auto of = [](const char* experiment) {
    return [experiment](const Document& document) {
      return textAt(document, "reversal.experiment", "mdm-arm") == experiment;
    };
  };
  // clang-format off
  declareParameters(registry, {.prefix = "reversal.", .equation = "Reversal, Table 6"}, {
      {.key = "setting", .label = N_("Setting"), .options = {{"quick", N_("quick")}, {"batch64", N_("Table 6, batch 64")}, {"full", N_("Table 6, batch 256")}},
       .help = N_("What Start trains: a model of width 64 on batches of 64, which takes some seconds on two cores; or "
           "the published one-layer model of width 256 for 3,000 steps, on batches of 64 or 256. Runs of the first "
           "two settings ship with the program.")},
      {.key = "seeds", .label = N_("Seeds"), .kind = Kind::Integer, .min = 1, .max = kMostSeeds, .step = 1, .fallback = 1.0,
       .help = N_("How many seeds of each model Start trains: 0, 1, 2. The curves are then means, with the range over "
           "the seeds as a band.")},
      {.key = "encoding", .label = N_("MDM encoding"), .options = encodings, .fallback = std::string("rope"),
       .help = N_("The position encoding of the masked diffusion model that is trained beside the ARM."),
       .applies = of("mdm-arm")}});
  declareParameters(registry, {.prefix = "reversal.encodings.", .applies = of("encodings"), .equation = "Reversal, Table 2"},
                    std::move(toggles));
  // clang-format on
}

}  // namespace sepx::ui
