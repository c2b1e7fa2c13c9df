// SPDX-License-Identifier: Apache-2.0
// The forward pass of the folder that a run writes gives the run's own logits for any shape of the model: the family's
// names and the run's config contain all information. A model that cannot be computed is refused with a message.
#include <algorithm>
#include <cstring>
#include <random>

#include <catch2/catch.hpp>

#include "engine/core/random.h"
#include "engine/forward/forward_pass.h"
#include "engine/nn/transformer.h"
#include "engine/train/checkpoint_writer.h"
#include "engine/train/family_export.h"
#include "engine/train/run_store.h"
#include "tests/engine/train/run_folder.h"

using namespace sepx;
using namespace sepx::train;
using namespace sepx::test;

namespace {

std::vector<float> randomWeights(const nn::ParameterLayout& layout, std::uint64_t seed) {
  RandomStream random(seed);
  std::vector<float> theta(layout.size());
  for (const nn::Parameter& parameter : layout.all())
    for (std::size_t i = 0; i < parameter.size(); ++i) {
      const bool gain = parameter.kind == nn::ParameterKind::NormGain;
      theta[parameter.offset + i] = static_cast<float>((gain ? 1 : 0) + 0.3 * random.normal());
    }
  return theta;
}

/// The tensors of a run in memory, as a live run provides them.
std::shared_ptr<const checkpoint::Model> inMemory(const nn::ModelConfig& model, const nn::ParameterLayout& layout,
                                                  std::span<const float> theta) {
  RunConfig config;
  config.model = model;
  const FamilyExport out = exportFamily(config, layout, theta, {});
  checkpoint::Contents contents;
  contents.config = nlohmann::json::parse(out.config.dump());
  contents.configFrom = "config.json";
  for (const ExportedTensor& tensor : out.tensors) {
    const std::vector<float> values = valuesOf(tensor);
    std::vector<std::byte> bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    checkpoint::TensorInfo info;
    info.name = tensor.name;
    info.dtype = checkpoint::Dtype::F32;
    info.dtypeName = "F32";
    info.shape = tensor.shape;
    info.bytes = bytes.size();
    info.stored = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    contents.tensors.push_back(std::move(info));
  }
  const auto made = checkpoint::Checkpoint::ofTensors(std::move(contents), "a run");
  INFO((made ? std::string() : made.error().message));
  REQUIRE(made);
  auto held = std::make_shared<checkpoint::Model>();
  held->checkpoint = *made;
  held->map = checkpoint::mapAttention(**made);
  return held;
}

/// Largest difference of the logits of `input`: of every token, or of the class token for an image.
double differenceOf(const nn::ModelConfig& model, std::span<const float> theta, const forward::ForwardModel& pass,
                    const forward::Input& input) {
  ThreadPool pool(1);
  nn::Transformer<double> transformer(model, pool);
  std::copy(theta.begin(), theta.end(), transformer.theta().begin());
  nn::Batch batch;
  batch.sequences = 1;
  batch.length = model.readsImages() ? model.length : static_cast<int>(input.ids.size());
  batch.tokens.assign(static_cast<std::size_t>(batch.length), 0);
  std::copy(input.ids.begin(), input.ids.end(), batch.tokens.begin());
  batch.pixels = input.pixels;
  std::vector<std::int32_t> rows{0};
  for (std::size_t n = 1; n < input.ids.size(); ++n)
    rows.push_back(static_cast<std::int32_t>(n));
  const auto width = static_cast<std::size_t>(model.logits());
  std::vector<double> own(rows.size() * width);
  transformer.logits(batch, rows, own);
  const auto other = pass.run<double>(input, {}, pool);
  INFO((other ? std::string() : other.error().message));
  REQUIRE(other);
  const bool bit = model.input == nn::Input::Bit;
  const auto columns = static_cast<std::size_t>(other->vocabulary);
  REQUIRE(other->logits.size() == rows.size() * columns);
  double worst = 0;
  for (std::size_t n = 0; n < rows.size(); ++n)
    for (std::size_t k = 0; k < width; ++k) {
      const double* const row = other->logits.data() + n * columns;
      worst = std::max(worst, std::abs(own[n * width + k] - (bit ? row[1] - row[0] : row[k])));
    }
  return worst;
}

nn::ModelConfig randomShape(std::mt19937& random) {
  const auto one = [&random](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
  nn::ModelConfig model;
  model.vocabulary = 11;
  model.length = 7;
  model.layers = 2;
  model.d_model = 12;
  model.heads = one(2) == 0 ? 3 : 4;
  if (model.heads == 4) model.kvHeads = 1 << one(3);
  if (one(4) == 0) model.headDim = 2 * (1 + one(4));
  model.d_ff = one(4) == 0 ? 0 : 10;
  model.positions = static_cast<nn::Positions>(one(5));
  model.norm = static_cast<nn::Norm>(one(3));
  model.placement = static_cast<nn::Placement>(one(2));
  model.activation = static_cast<nn::Activation>(one(4));
  model.output = static_cast<nn::Output>(one(2));
  model.input = one(5) == 0 ? nn::Input::Bit : nn::Input::Table;
  if (model.input == nn::Input::Bit) model.vocabulary = 2;
  model.alibiSigned = model.positions == nn::Positions::Alibi && one(2) == 0;
  if (one(3) == 0) model.attentionScale = 0.4;
  if (one(3) == 0) model.segments = 2;
  for (bool* flag : {&model.causal, &model.normBias, &model.embeddingNorm, &model.finalNorm, &model.attentionBias,
                     &model.projectionBias, &model.feedForwardBias, &model.outputBias, &model.headTransform})
    *flag = one(2) == 0;
  if (one(5) == 0) {
    model.input = nn::Input::Patches;
    model.output = nn::Output::Untied;
    model.vocabulary = 5;
    model.image = 6;
    model.patch = 2 + one(2);
    model.channels = 1 + 2 * one(2);
    model.length = model.patches() + 1;
    model.causal = false;
    model.segments = 0;
  }
  return model;
}

forward::Input inputOf(const nn::ModelConfig& model) {
  forward::Input input;
  RandomStream random(3);
  if (model.readsImages())
    for (int pixel = 0; pixel < model.channels * model.image * model.image; ++pixel)
      input.pixels.push_back(static_cast<float>(random.normal()));
  else
    for (int n = 0; n < 6; ++n)
      input.ids.push_back((5 * n + 1) % model.vocabulary);
  return input;
}

}  // namespace

TEST_CASE("The forward pass of a run's folder gives the run's logits for any shape", "[own-forward]") {
  std::mt19937 random(31);
  int compared = 0, images = 0, refused = 0;
  for (int round = 0; round < 200; ++round) {
    const nn::ModelConfig model = randomShape(random);
    if (!nn::check(model)) continue;
    const nn::ParameterLayout layout(model);
    const std::vector<float> theta = randomWeights(layout, 17 + static_cast<std::uint64_t>(round));
    const auto held = inMemory(model, layout, theta);
    const auto pass = forward::ForwardModel::open(held);
    INFO("round " << round << ", " << held->map.family << ": " << (pass ? "" : pass.error().message) << " "
                  << held->checkpoint->config().value("separatrix_deviation", std::string()));
    if (!pass) {
      // LLaMA's names have no table of positions, and sinusoidal positions are not stored.
      CHECK(model.positions == nn::Positions::Sinusoidal);
      CHECK(pass.error().message.find("sinusoidal positions") != std::string::npos);
      ++refused;
      continue;
    }
    if (!(*pass)->plan().head) {
      CHECK(model.input == nn::Input::Bit);
      CHECK(model.outputBias);
      ++refused;
      continue;
    }
    CHECK(differenceOf(model, theta, **pass, inputOf(model)) < 1e-5);
    ++compared;
    images += model.readsImages() ? 1 : 0;
  }
  CHECK(compared > 60);
  CHECK(images > 5);
  CHECK(refused < compared / 4);
}

TEST_CASE("A folder on disk gives the same logits as the tensors in memory", "[own-forward]") {
  nn::ModelConfig model;
  model.vocabulary = 11;
  model.length = 7;
  model.layers = 2;
  model.d_model = 12;
  model.heads = 3;
  model.placement = nn::Placement::Post;
  const nn::ParameterLayout layout(model);
  RunConfig config;
  config.model = model;
  TrainState state;
  state.step = 8;
  state.theta = randomWeights(layout, 5);
  const RunFolder root;
  REQUIRE(writeCheckpoint(root.path(), config, layout, state, {}));
  const auto opened = checkpoint::openModel(checkpointFolder(root.path(), 8));
  REQUIRE(opened);
  const auto pass = forward::ForwardModel::open(*opened);
  INFO((pass ? std::string() : pass.error().message));
  REQUIRE(pass);
  CHECK(differenceOf(model, state.theta, **pass, {{1, 6, 0, 5}, {}}) < 1e-5);
}
