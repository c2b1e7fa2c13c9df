// SPDX-License-Identifier: Apache-2.0
// Every file of assets/configs: it is read, its number of parameters is that of the papers' tables, and it trains two
// steps with one sequence. The two largest shapes do that with fewer layers and the vocabulary of their data;
// unchanged, they run under the tag [long] (BERT-Large: 6 GB).
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>

#include "engine/data/source_config.h"
#include "engine/nn/parameters.h"
#include "engine/train/run_config.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"
#include "tests/folders.h"

using namespace sepx;

namespace {

namespace fs = std::filesystem;
using Count = std::int64_t;

std::vector<fs::path> files() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(fs::path(tests::sourceFolder()) / "assets" / "configs"))
    if (entry.path().extension() == ".json") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

/// Reads a config. Images from files are replaced by generated images of the same size.
train::RunConfig read(const fs::path& path) {
  auto config = train::readRunConfig(path.string());
  if (!config) FAIL(config.error().message);
  using data::SourceKind;
  if (config->data.kind == SourceKind::Cifar10 || config->data.kind == SourceKind::ImageNet) {
    config->data.kind = SourceKind::Shapes;
    config->data.side = config->model.image;
  }
  return *config;
}

std::unique_ptr<data::Source> sourceOf(const train::RunConfig& config) {
  auto source = data::makeSource(config.data);
  if (!source) FAIL(source.error().message);
  return std::move(*source);
}

/// BERT with the head of a masked language model: the tensors of BertForMaskedLM.
Count bert(Count V, Count N, Count L, Count d, Count ff) {
  const Count embedding = V * d + N * d + 2 * d + 2 * d;
  const Count block = 4 * (d * d + d) + 2 * d + (d * ff + ff) + (ff * d + d) + 2 * d;
  return embedding + L * block + (d * d + d) + 2 * d + V;
}

/// A pre-norm block of GPT-2 with biases.
Count gpt2Block(Count d) {
  return 2 * d + (3 * d * d + 3 * d) + (d * d + d) + 2 * d + (4 * d * d + 4 * d) + (4 * d * d + d);
}

/// The tensors of ViTForImageClassification [Attention-Structure, Table 2].
Count vit(Count classes, Count patches, Count values, Count L, Count d, Count ff) {
  const Count embedding = d + (patches + 1) * d + values * d + d;
  return embedding + L * (4 * (d * d + d) + 2 * d * ff + ff + d + 4 * d) + 2 * d + classes * d + classes;
}

/// Local-to-Global, Table 1.
Count table1(Count N, Count d) {
  return 2 * d + N * d + d + 3 * d * d + d * d + d + 4 * d * d + 4 * d * d + d;
}

struct Shape {
  const char* start;  ///< of the file name
  std::function<Count(const nn::ModelConfig&)> count;
};

/// The first entry with a matching name applies.
const std::vector<Shape>& shapes() {
  static const std::vector<Shape> kShapes{
      {"bert-mini-", [](const nn::ModelConfig&) { return bert(30522, 512, 4, 256, 1024); }},
      {"bert-large-", [](const nn::ModelConfig&) { return bert(30522, 512, 24, 1024, 4096); }},
      {"bert-", [](const nn::ModelConfig&) { return bert(30522, 512, 12, 768, 3072); }},
      {"reversal-radd-",
       [](const nn::ModelConfig& c) {
         const Count d = 256, positions = c.positions == nn::Positions::Learned ? 10 * d : 0;
         return 54 * d + positions + (4 * d * d + 4 * d * d + 4 * d + 4 * d * d + d + 4 * d) + 2 * d + (54 * d + 54);
       }},
      {"reversal-arm", [](const nn::ModelConfig&) { return 54 * 256 + 10 * 256 + gpt2Block(256) + 2 * 256; }},
      {"local-to-global-table-2-", [](const nn::ModelConfig& c) { return table1(512, c.d_model); }},
      {"figure-",  // e, p_1 ... p_N, W_Q, W_K, W_V, W_O, W_1, W_2, b
       [](const nn::ModelConfig& c) {
         const Count d = c.d_model;
         return d + c.length * d + 4 * d * d + 2 * 4 * d * d + 1;
       }},
      {"vit-6-cifar10", [](const nn::ModelConfig&) { return vit(10, 64, 48, 6, 512, 2048); }},
      {"vit-12-imagenet", [](const nn::ModelConfig&) { return vit(1000, 196, 768, 12, 768, 3072); }},
      {"vit-shapes", [](const nn::ModelConfig&) { return vit(8, 16, 48, 4, 64, 128); }},
      {"small-",
       [](const nn::ModelConfig& c) { return c.vocabulary * Count{64} + 64 * 64 + 2 * gpt2Block(64) + 2 * 64; }},
      {"model-encoder", [](const nn::ModelConfig& c) { return bert(c.vocabulary, 32, 4, 64, 256); }},
      {"model-decoder",
       [](const nn::ModelConfig& c) { return c.vocabulary * Count{64} + 64 * 64 + 4 * gpt2Block(64) + 2 * 64; }},
      {"model-mdm",
       [](const nn::ModelConfig&) {
         const Count d = 64;
         return 54 * d + (12 * d * d + 4 * d + d + 4 * d) + 2 * d + (54 * d + 54);
       }},
      {"model-arm", [](const nn::ModelConfig&) { return 54 * 64 + 10 * 64 + gpt2Block(64) + 2 * 64; }},
      {"linear-attention-repeats-", [](const nn::ModelConfig&) { return 11 * 64 + 4 * 64 * 64; }},
      {"linear-attention-mirrored-decoder-learned",
       [](const nn::ModelConfig&) { return 49 * 64 + 96 * 64 + 4 * 64 * 64; }},
      {"linear-attention-mirrored-", [](const nn::ModelConfig&) { return 49 * 64 + 4 * 64 * 64; }},
  };
  return kShapes;
}

Count expected(const std::string& name, const nn::ModelConfig& model) {
  for (const Shape& shape : shapes())
    if (name.starts_with(shape.start)) return shape.count(model);
  FAIL("no formula for " + name);
  return 0;
}

/// Two steps of one sequence. The loss must be finite, and the parameters must change.
void twoSteps(train::RunConfig config, const data::Source& source) {
  config.schedule.batch = 1;
  config.optimisation.accumulate = 1;
  config.optimisation.warmUp = 0;
  ThreadPool pool(2);
  train::Stepper stepper(config, source, pool);
  stepper.begin();
  const auto role = config.model.readsImages() ? nn::ParameterRole::ClassToken : nn::ParameterRole::Embedding;
  const std::size_t probe = stepper.layout().find(role, nn::ParameterKind::Embedding)->offset;
  const std::size_t rows = std::min<std::size_t>(stepper.theta().size() - probe, 1U << 20);
  const std::vector<float> before(stepper.theta().begin() + static_cast<std::ptrdiff_t>(probe),
                                  stepper.theta().begin() + static_cast<std::ptrdiff_t>(probe + rows));
  for (int step = 0; step < 2; ++step) {
    const auto report = stepper.step(config.schedule.steps);
    if (!report) FAIL(report.error().message);
    CHECK(std::isfinite(report->loss));
    CHECK(report->gradientNorm > 0);
  }
  CHECK_FALSE(std::equal(before.begin(), before.end(), stepper.theta().begin() + static_cast<std::ptrdiff_t>(probe)));
}

bool isGiant(const train::RunConfig& config) {
  return nn::parameterCount(config.model) > 50'000'000;
}

/// One source for all files that read the same data.
const data::Source& shared(const train::RunConfig& config) {
  static std::vector<std::pair<data::SourceConfig, std::unique_ptr<data::Source>>> known;
  for (const auto& [how, source] : known)
    if (how == config.data) return *source;
  return *known.emplace_back(config.data, sourceOf(config)).second;
}

}  // namespace

TEST_CASE("The formula of BERT gives the published numbers of parameters") {
  // BertModel of bert-base-uncased, bert-large-uncased and bert_uncased_L-4_H-256_A-4 has a pooler and no language
  // model head.
  const auto published = [](Count L, Count d, Count ff) {
    return bert(30522, 512, L, d, ff) - (d * d + d + 2 * d + 30522) + (d * d + d);
  };
  CHECK(published(12, 768, 3072) == 109'482'240);
  CHECK(published(24, 1024, 4096) == 335'141'888);
  CHECK(published(4, 256, 1024) == 11'170'560);
  CHECK(bert(30522, 512, 12, 768, 3072) == 109'514'298);    // BertForMaskedLM
  CHECK(vit(1000, 196, 768, 12, 768, 3072) == 86'567'656);  // google/vit-base-patch16-224
}

TEST_CASE("Every config is read, written back unchanged, and has the number of parameters of its paper") {
  const auto all = files();
  REQUIRE(all.size() >= 30);
  std::set<std::string> names;
  for (const fs::path& path : all) {
    INFO(path.filename().string());
    train::RunConfig config = read(path);
    CHECK(names.insert(config.name).second);
    CHECK_FALSE(config.note.empty());
    const auto again = train::parseRunConfig(train::toJson(config).dump(), "again.json", "/");
    REQUIRE(again);
    CHECK(*again == config);
    const auto fits = train::resolve(config, shared(config));
    INFO((fits ? std::string() : fits.error().message));
    REQUIRE(fits);
    CHECK(nn::parameterCount(config.model) == expected(path.stem().string(), config.model));
    CHECK(static_cast<Count>(nn::ParameterLayout(config.model).size()) == nn::parameterCount(config.model));
    if (path.stem().string().starts_with("bert")) CHECK(config.note.find("fp16") != std::string::npos);
  }
}

TEST_CASE("The trained models were made with the configs of assets/configs") {
  for (const std::string name : {"encoder", "decoder", "mdm", "arm"}) {
    INFO(name);
    const fs::path assets = fs::path(tests::sourceFolder()) / "assets";
    std::ifstream file(assets / "models" / name / "config.json");
    const auto model = nlohmann::ordered_json::parse(file);
    const auto made = train::parseRunConfig(model.at("separatrix").dump(), "config.json", "/");
    REQUIRE(made);
    train::RunConfig config = read(assets / "configs" / ("model-" + name + ".json"));
    REQUIRE(train::resolve(config, shared(config)));
    CHECK(made->seed == config.seed);
    CHECK(made->model == config.model);
    CHECK(made->data == config.data);
    CHECK(made->objective.kind == config.objective.kind);
    CHECK(made->initial == config.initial);
    CHECK(made->optimisation == config.optimisation);
    CHECK(made->schedule.steps == config.schedule.steps);
    CHECK(made->schedule.batch == config.schedule.batch);
  }
}

TEST_CASE("The whole grid of Local-to-Global, Table 2, can be run") {
  const fs::path path = fs::path(tests::sourceFolder()) / "assets" / "configs" / "local-to-global-table-2-d4.json";
  const train::RunConfig first = read(path);
  CHECK(first.optimisation.rule.beta2 == 0.95);
  CHECK(first.optimisation.rule.weightDecay == 1e-3);
  CHECK(first.schedule.steps == 8000);
  for (const int d : {4, 8, 16, 32, 64})
    for (const int N : {512, 1024, 2048})
      for (const int batch : {16, 50}) {
        train::RunConfig config = first;
        config.model.d_model = d;
        config.model.d_ff = 4 * d;
        config.model.length = N;
        config.schedule.batch = batch;
        REQUIRE(train::resolve(config, shared(config)));
        CHECK(nn::parameterCount(config.model) == table1(N, d));
      }
}

TEST_CASE("Every config trains two steps of one sequence") {
  for (const fs::path& path : files()) {
    INFO(path.filename().string());
    train::RunConfig config = read(path);
    if (path.stem().string().starts_with("bert")) config.model.length = 16;
    if (isGiant(config)) {
      config.model.layers = 1;
      config.model.vocabulary = 0;
    }
    const data::Source& source = shared(config);
    REQUIRE(train::resolve(config, source));
    twoSteps(config, source);
  }
}

TEST_CASE("The largest configs train two steps without changes", "[.][long]") {
  for (const fs::path& path : files()) {
    INFO(path.filename().string());
    train::RunConfig config = read(path);
    if (!isGiant(config)) continue;
    const data::Source& source = shared(config);
    REQUIRE(train::resolve(config, source));
    config.schedule.batch = 1;
    const auto fits = train::checkMemory(config);
    if (!fits) {
      WARN(path.filename().string() + " left out: " + fits.error().message);
      continue;
    }
    twoSteps(config, source);
  }
}
