// SPDX-License-Identifier: Apache-2.0
// An image in place of a sentence: patches are the tokens, a PNG is scaled and normalised as the files beside the
// weights say, and a file that is not an image is refused with a message.
#include <fstream>

#include <catch2/catch.hpp>

#include "engine/core/random.h"
#include "engine/render/png.h"
#include "engine/train/checkpoint_writer.h"
#include "engine/train/run_store.h"
#include "tests/temporary_folder.h"
#include "tests/ui/exhibits/weights/sentence/sentence_rig.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

constexpr int kSide = 6;

/// Writes a model of images of 6 x 6 pixels in patches of 2 x 2, with random weights, and returns its folder.
std::string imageModel(const std::filesystem::path& root) {
  train::RunConfig config;
  nn::ModelConfig& model = config.model;
  model.input = nn::Input::Patches;
  model.output = nn::Output::Untied;
  model.vocabulary = 5;
  model.image = kSide;
  model.patch = 2;
  model.channels = 1;
  model.length = model.patches() + 1;
  model.layers = 2;
  model.d_model = 12;
  model.heads = 3;
  model.causal = false;
  const nn::ParameterLayout layout(model);
  train::TrainState state;
  state.theta.resize(layout.size());
  RandomStream random(5);
  for (float& value : state.theta)
    value = static_cast<float>(0.3 * random.normal());
  REQUIRE(train::writeCheckpoint(root.string(), config, layout, state, {}));
  return train::checkpointFolder(root.string(), 0);
}

/// A picture with a black left half and a white right half, twice the size of the model's input.
std::string halves(const std::filesystem::path& root) {
  constexpr std::uint32_t side = 2 * kSide;
  gpu::Pixels pixels{{side, side}, std::vector<std::uint8_t>(4 * side * side, 255)};
  for (std::uint32_t y = 0; y < side; ++y)
    for (std::uint32_t x = 0; x < side / 2; ++x)
      for (std::uint32_t c = 0; c < 3; ++c)
        pixels.rgba[4 * (y * side + x) + c] = 0;
  std::string path = (root / "halves.png").string();
  REQUIRE(render::writePng(pixels, path));
  return path;
}

}  // namespace

TEST_CASE("A model of patches reads an image", "[weights][sentence]") {
  const tests::TemporaryFolder folder;
  SentenceRig rig(imageModel(folder.path));
  CHECK(rig.results().pass() == nullptr);
  CHECK(rig.sentences("sentence.waiting").find("This model reads images: choose one") != std::string::npos);
  rig.set("weights.sentence.image", halves(folder.path));
  rig.settle();
  REQUIRE(rig.results().pass());
  const SentencePass& pass = *rig.results().pass();
  CHECK(pass.n() == 1 + 9);
  CHECK(rig.tokens().front() == "class");
  CHECK(rig.tokens().back() == "2,2");
  const SentenceImage& image = *pass.tokens->image;
  CHECK(image.pixels[0] == Approx(-1));
  CHECK(image.pixels[kSide - 1] == Approx(1));
  CHECK(rig.sentences("sentence.notes").find("no preprocessor_config.json") != std::string::npos);
  // The pass was computed from these pixels.
  ThreadPool pool(1);
  const auto again = pass.forward->run<double>({.ids = {}, .pixels = image.pixels}, {}, pool);
  REQUIRE(again);
  REQUIRE(pass.heads.front().weights->size() == 100);
  for (std::size_t i = 0; i < 100; ++i)
    REQUIRE((*pass.heads.front().weights)[i] == Approx(again->blocks[0].attention[i]).margin(1e-5));
  // The prediction is that of the class token, and the parts of a score are shown.
  CHECK(rig.number("weights.sentence.probability") >= 0.2);
  CHECK_FALSE(rig.texts("sentence.score.bars").empty());
  // A click on a patch selects the query.
  rig.click(rig.at("tokens", 7, 0));
  rig.settle();
  CHECK(rig.number("weights.sentence.query") == 7);
  CHECK(rig.results().score()->query == 7);
}

TEST_CASE("An image is normalised as the files beside the weights say", "[weights][sentence]") {
  const tests::TemporaryFolder folder;
  const std::string model = imageModel(folder.path);
  std::ofstream(model + "/preprocessor_config.json") << R"({"image_mean":[0.25],"image_std":[0.5]})";
  SentenceRig rig(model);
  rig.set("weights.sentence.image", halves(folder.path));
  rig.settle();
  REQUIRE(rig.results().pass());
  CHECK(rig.results().pass()->tokens->image->pixels[0] == Approx(-0.5));
  CHECK(rig.results().pass()->tokens->image->pixels[kSide - 1] == Approx(1.5));
  CHECK(rig.results().pass()->tokens->note.empty());
}

TEST_CASE("A file that is not an image is refused with a message", "[weights][sentence]") {
  const tests::TemporaryFolder folder;
  SentenceRig rig(imageModel(folder.path));
  const auto failure = [&](const std::string& name, const std::string& content) {
    const std::string path = (folder.path / name).string();
    std::ofstream(path, std::ios::binary) << content;
    rig.set("weights.sentence.image", path);
    rig.settle();
    CHECK(rig.results().pass() == nullptr);
    return rig.text("weights.sentence.failure");
  };
  CHECK(failure("text.png", "no picture").find("text.png") != std::string::npos);
  CHECK(failure("empty.png", "").find("empty.png") != std::string::npos);
  CHECK(failure("broken.npy", "\x93NUMPY").find("broken.npy") != std::string::npos);
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (5,), }";
  header.resize(117, ' ');
  header += '\n';
  const std::string five =
      std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header + std::string(20, '\0');
  CHECK(failure("five.npy", five).find("the file has 5 numbers, but an image of this model has 36") !=
        std::string::npos);
  rig.set("weights.sentence.image", (folder.path / "absent.png").string());
  rig.settle();
  CHECK(rig.text("weights.sentence.failure").find("absent.png") != std::string::npos);
}

TEST_CASE("A model with an absurd image size does not allocate memory", "[weights][sentence]") {
  const tests::TemporaryFolder folder;
  const auto model = checkpoint::Checkpoint::open(imageModel(folder.path));
  REQUIRE(model);
  checkpoint::ImagePlan plan;
  plan.image = 1'000'000;
  plan.channels = 1;
  plan.patch = 2;
  const auto image = openImage(halves(folder.path), plan, **model);
  REQUIRE_FALSE(image);
  CHECK(image.error().message.find("halves.png: an image has at most") != std::string::npos);
}
