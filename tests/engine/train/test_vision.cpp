// SPDX-License-Identifier: Apache-2.0
// Training on images: a ViT learns from files in CIFAR-10's format, the effect of augmentation on a batch, the average
// every n steps, a resume bit for bit, the checkpoint with ViT's names, and what is refused.
#include <algorithm>
#include <cmath>
#include <set>

#include <catch2/catch.hpp>

#include "engine/checkpoint/load_factors.h"
#include "engine/data/images.h"
#include "engine/nn/transformer.h"
#include "engine/train/image_batch.h"
#include "engine/train/saved_model.h"
#include "engine/train/sequence_probe.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"
#include "engine/train/update_probe.h"
#include "tests/engine/data/image_folders.h"
#include "tests/engine/train/family_forward.h"
#include "tests/engine/train/trainer_rig.h"

using namespace sepx;
using namespace sepx::test;

namespace {

/// smallImages() with files in CIFAR-10's format.
RunConfig cifarVit(const std::string& folder) {
  RunConfig config = smallImages();
  config.data = {};
  config.data.kind = data::SourceKind::Cifar10;
  config.data.path = folder;
  config.model.image = 32;
  config.model.patch = 8;
  return config;
}

struct Made {
  explicit Made(RunConfig of) : config(std::move(of)) {
    auto made = data::makeSource(config.data);
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    source = std::move(*made);
    const auto fits = resolve(config, *source);
    INFO((fits ? "" : fits.error().message));
    REQUIRE(fits);
  }
  nn::Batch batch(data::Split split, std::uint64_t first, int count, int threads = 1) const {
    ThreadPool pool(threads);
    std::vector<std::int32_t> tokens(static_cast<std::size_t>(count) * 17);
    for (int i = 0; i < count; ++i)
      source->sequence(split, first + static_cast<std::uint64_t>(i), 17,
                       std::span(tokens).subspan(static_cast<std::size_t>(i) * 17, 17));
    nn::Batch made;
    RandomStream random(1);
    nn::makeBatch(config.objective, tokens, count, 17, {}, random, made);
    addImages(config, *source->images(), split, first, pool, made);
    return made;
  }
  RunConfig config;
  std::unique_ptr<data::Source> source;
};

std::string refused(const RunConfig& config) {
  const Result<void> checked = check(config);
  return checked ? std::string() : checked.error().message;
}

}  // namespace

TEST_CASE("vision: a ViT learns the classes of files in CIFAR-10's format") {
  const RunFolder root;
  writeCifar10(root / "files", 120);
  RunConfig config = cifarVit(root / "files");
  config.data.augmentation = {};
  config.schedule.steps = 240;
  config.schedule.batch = 32;
  config.schedule.evaluateEvery = 80;
  config.schedule.evaluateSequences = 1000;  // more than there are, so each image is used once
  const auto trainer = started(config, headless(root / "run", 2));
  finished(*trainer);
  const Numbers all = numbers(root / "run");
  const auto at = [&](const char* name, std::int64_t step) { return all.at({name, -1, -1, step}); };
  CHECK(at("validation", 0) == Approx(std::log(10.0)).epsilon(0.1));
  CHECK(at("accuracy", 0) < 0.3);
  CHECK(at("accuracy", 240) > 0.8);  // a random guess is right in 1 of 10 cases
  CHECK(at("accuracy_ema", 240) > 0.8);
  CHECK(at("validation", 240) < 0.8);
  CHECK(std::round(at("accuracy", 240) * 120) == Approx(at("accuracy", 240) * 120));
  CHECK(all.contains({"symmetry", 1, -1, 240}));
}

TEST_CASE("vision: accuracy and validation loss are those of the logits") {
  const Made made(smallImages());
  ThreadPool pool(2);
  Stepper stepper(made.config, *made.source, pool);
  stepper.begin();
  for (int i = 0; i < 10; ++i)
    REQUIRE(stepper.step(100));
  const MeanLoss loss = stepper.validate();
  REQUIRE(loss.accuracy);
  const nn::Batch batch = made.batch(data::Split::Validation, 0, 32);
  CHECK(batch.smoothing == 0);
  std::vector<double> losses(32);
  const double mean = stepper.model().evaluate(batch, losses);
  CHECK(loss.value == Approx(mean).epsilon(1e-5));
  std::vector<std::int32_t> rows;
  for (int b = 0; b < 32; ++b)
    rows.push_back(17 * b);
  std::vector<float> logits(32 * 8);
  stepper.model().logits(batch, rows, logits);
  int right = 0;
  double square = 0;
  for (std::size_t b = 0; b < 32; ++b) {
    const auto first = logits.begin() + static_cast<std::ptrdiff_t>(8 * b);
    right += std::max_element(first, first + 8) - first == batch.targets[b].token ? 1 : 0;
    square += (losses[b] - mean) * (losses[b] - mean);
  }
  CHECK(*loss.accuracy == right / 32.0);
  CHECK(loss.error == Approx(std::sqrt(square / 31 / 32)).epsilon(1e-4));
}

TEST_CASE("vision: a stop takes effect between two batches of a validation") {
  RunConfig config = smallImages();
  config.schedule.evaluateSequences = 40;  // five batches
  const Made made(config);
  ThreadPool pool(1);
  Stepper stepper(made.config, *made.source, pool);
  stepper.begin();
  int asked = 0;
  stepper.onCancel([&asked] { return ++asked == 3; });
  const MeanLoss loss = stepper.validate();
  CHECK(stepper.cancelled());
  CHECK_FALSE(loss.accuracy);
  CHECK(asked == 3);
  stepper.onCancel([] { return false; });
  CHECK(stepper.validate().accuracy);
  CHECK_FALSE(stepper.cancelled());
}

TEST_CASE("vision: a training batch is mixed, its weights sum to 1, and threads change nothing") {
  Made made(smallImages());
  int mixed = 0;
  for (std::uint64_t first = 0; first < 80; first += 8) {
    const nn::Batch batch = made.batch(data::Split::Train, first, 8),
                    again = made.batch(data::Split::Train, first, 8, 3);
    CHECK(batch.pixels == again.pixels);
    CHECK(batch.targets == again.targets);
    CHECK(batch.smoothing == 0.1);
    std::vector<double> weights(8);
    for (const nn::Target& target : batch.targets)
      weights[static_cast<std::size_t>(target.row / 17)] += static_cast<double>(target.weight);
    for (const double weight : weights)
      CHECK(weight == Approx(1.0 / 8));
    mixed += batch.targets.size() > 8 ? 1 : 0;
  }
  CHECK(mixed > 5);
  const nn::Batch plain = made.batch(data::Split::Validation, 0, 8);
  CHECK(plain.targets.size() == 8);
  std::vector<float> image(3 * 16 * 16);
  made.source->images()->image(data::Split::Validation, 3, image);
  CHECK(std::equal(image.begin(), image.end(), plain.pixels.begin() + 3 * 3 * 16 * 16));
  made.config.data.augmentation = {};
  CHECK(made.batch(data::Split::Train, 0, 8).targets.size() == 8);
}

TEST_CASE("vision: the average is updated every n steps, and the rate rises from its starting share") {
  const Made made(smallImages());
  ThreadPool pool(1);
  Stepper stepper(made.config, *made.source, pool);
  stepper.begin();
  std::vector<float> expected(stepper.theta().begin(), stepper.theta().end());
  for (int step = 1; step <= 10; ++step) {
    const auto report = stepper.step(100);
    REQUIRE(report);
    const double share = step <= 6 ? 0.033 + 0.967 * step / 6 : 1;
    CHECK(report->rate == Approx(2e-3 * share));
    if (step % 4 == 0) {
      const double n = step / 4, decay = std::min(0.9, (1 + n) / (10 + n));
      for (std::size_t i = 0; i < expected.size(); ++i)
        expected[i] = static_cast<float>(decay * static_cast<double>(expected[i]) +
                                         (1 - decay) * static_cast<double>(stepper.theta()[i]));
    }
    const std::vector<float> average = stepper.state().average;
    double worst = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
      worst = std::max(worst, static_cast<double>(std::abs(average[i] - expected[i])));
    CHECK(worst < 1e-6);
  }
}

TEST_CASE("vision: a run that stops and resumes is the run without a stop, bit for bit") {
  const RunFolder root;
  const RunConfig config = smallImages();
  finished(*started(config, headless(root / "whole")));
  TrainerOptions options = headless(root / "parts", 2);
  options.paced = true;
  for (const std::int64_t steps : {7, 2}) {
    const auto trainer = started(config, options);
    trainer->runSteps(steps);
    options.resume = true;
  }
  CHECK(savedSteps(root / "parts").back() == 9);
  options.paced = false;
  finished(*started(config, options));
  requireSameRun(root / "whole", root / "parts", 24);
}

TEST_CASE("vision: the checkpoint is a ViT with its family's names, and computes the same as the model") {
  const RunFolder root;
  const RunConfig config = smallImages();
  finished(*started(config, headless(root / "run")));
  const std::string folder = checkpointFolder(root / "run", 24);
  const auto file = checkpoint::Checkpoint::open(folder);
  REQUIRE(file);
  const nlohmann::json& json = (*file)->config();
  CHECK(json.at("model_type") == "vit");
  CHECK(json.at("image_size") == 16);
  CHECK(json.at("patch_size") == 4);
  CHECK(json.at("num_channels") == 3);
  CHECK(json.at("id2label").at("4") == "triangle");
  CHECK(json.at("label2id").at("triangle") == 4);
  CHECK_FALSE(json.contains("separatrix_deviation"));
  const checkpoint::TensorInfo* const patches = (*file)->find("vit.embeddings.patch_embeddings.projection.weight");
  REQUIRE(patches != nullptr);
  CHECK(patches->shape == std::vector<std::int64_t>{32, 3, 4, 4});
  CHECK((*file)->find("vit.embeddings.cls_token")->shape == std::vector<std::int64_t>{1, 1, 32});
  CHECK((*file)->find("vit.embeddings.position_embeddings")->shape == std::vector<std::int64_t>{1, 17, 32});

  const checkpoint::AttentionMap map = checkpoint::mapAttention(**file);
  CHECK(map.family == "vit");
  REQUIRE(map.layers.size() == 2);
  CHECK_FALSE(map.layers[1].causal);
  const auto saved = readSaved(folder, *savedConfig(folder));
  INFO((saved ? "" : saved.error().message));
  REQUIRE(saved);
  const nn::ParameterLayout layout(saved->config.model);
  const auto factors = checkpoint::loadFactors(**file, map.layers[1]);
  REQUIRE(factors);
  const nn::Parameter& W_Q = *layout.find("layers.1.attention.W_Q.weight");
  for (int a = 0; a < 8; ++a)
    CHECK(factors->query(1)(5, a) == saved->theta[W_Q.offset + static_cast<std::size_t>((8 + a) * 32 + 5)]);

  const Made made(config);
  const nn::Batch batch = made.batch(data::Split::Validation, 0, 3);
  ThreadPool pool(1);
  nn::Transformer<double> model(saved->config.model, pool);
  std::ranges::copy(saved->theta, model.theta().begin());
  std::vector<double> logits(3 * 8);
  model.logits(batch, std::vector<std::int32_t>{0, 17, 34}, logits);
  for (std::size_t b = 0; b < 3; ++b) {
    const Eigen::VectorXd theirs = FamilyForward(**file).vit(std::span(batch.pixels).subspan(b * 768, 768));
    for (std::size_t k = 0; k < 8; ++k)
      CHECK(logits[b * 8 + k] == Approx(theirs(static_cast<Eigen::Index>(k))).margin(1e-6));
  }
}

TEST_CASE("vision: fields that contradict each other are refused with the name of the field") {
  const auto says = [](void (*change)(RunConfig&), const char* words) {
    RunConfig config = smallImages();
    config.model.vocabulary = 8;
    REQUIRE(refused(config).empty());
    change(config);
    INFO(refused(config));
    CHECK(refused(config).find(words) != std::string::npos);
  };
  says([](RunConfig& c) { c.model.input = nn::Input::Table; }, "model.input must be \"patches\"");
  says([](RunConfig& c) { c.data.kind = data::SourceKind::Markov; }, "data.kind must be \"shapes\"");
  says([](RunConfig& c) { c.objective.kind = nn::ObjectiveKind::LeaveOneOut; }, "objective.kind must be \"classify\"");
  says([](RunConfig& c) { c.data.side = 24; }, "model.image is 16");
  says([](RunConfig& c) { c.model.channels = 1; }, "model.channels is 1");
  says([](RunConfig& c) { c.model.length = 16; }, "model.length is 16");
  says([](RunConfig& c) { c.data.augmentation.crop = -1; }, "data.crop");
  RunConfig text = smallMarkov();
  text.objective.kind = nn::ObjectiveKind::Classify;
  CHECK(refused(text).find("it wants images") != std::string::npos);

  const RunFolder root;
  writeIdx(root / "idx", 10);
  RunConfig idx = cifarVit(root / "idx");
  idx.data.kind = data::SourceKind::Idx;
  const auto source = data::makeSource(idx.data);
  REQUIRE(source);
  const auto fits = resolve(idx, **source);
  REQUIRE_FALSE(fits);
  CHECK(fits.error().message.find("8 pixels a side and 1 channels") != std::string::npos);
  idx.data.kind = data::SourceKind::ImageNet;
  const auto trainer = Trainer::start(idx, headless(root / "run"));
  if (trainer) {
    CHECK(failure(**trainer, ErrorKind::BadInput).find("download ILSVRC2012") != std::string::npos);
  } else {
    CHECK(trainer.error().message.find("download ILSVRC2012") != std::string::npos);
  }

  Made made(smallImages());
  ThreadPool pool(1);
  Stepper stepper(made.config, *made.source, pool);
  stepper.begin();
  const auto sequence = probeSequence(made.config, stepper.theta(), {.tokens = {1, 0}}, pool);
  REQUIRE_FALSE(sequence);
  CHECK(sequence.error().message.find("reads images") != std::string::npos);
  CHECK_FALSE(probeUpdate(made.config, stepper.theta(), {.tokens = {1, 0}}, pool));
}

TEST_CASE("vision: other pixels with the same classes are other data") {
  const RunFolder root;
  for (const char* name : {"a", "b"})
    writeIdx(root / name, 8);
  const auto images = std::filesystem::path(root / "b") / "train-images-idx3-ubyte";
  std::string bytes = *readFile(images.string());
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  writeBytes(images, bytes);
  data::SourceConfig config;
  config.kind = data::SourceKind::Idx;
  config.path = root / "a";
  const auto a = data::makeSource(config), same = data::makeSource(config);
  config.path = root / "b";
  const auto b = data::makeSource(config);
  CHECK(fingerprint(**a, 5) == fingerprint(**same, 5));
  CHECK(fingerprint(**a, 5) != fingerprint(**b, 5));
}
