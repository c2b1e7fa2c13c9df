// SPDX-License-Identifier: Apache-2.0
// Compares the scores of real third-party weights with scores computed by independent code, in
// reference/checkpoint_scores.json beside the checkpoints. Skips with a message if that folder is absent.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "engine/attention/scores.h"
#include "engine/checkpoint/load_factors.h"
#include "engine/checkpoint/model_cache.h"
#include "tests/folders.h"

using namespace sepx;
using namespace sepx::checkpoint;

namespace {

bool isShared() {
  if (std::filesystem::exists(tests::sharedFolder() + "/reference/checkpoint_scores.json")) return true;
  WARN("skipped: there are no shared checkpoints at " << tests::sharedFolder() << "; SEPX_SHARED says where they are");
  return false;
}

std::shared_ptr<const Model> openedModel(const std::string& path) {
  const auto model = openModel(tests::sharedFolder() + "/checkpoints/" + path);
  INFO(path << ": " << (model ? "" : model.error().message));
  REQUIRE(model);
  return *model;
}

attention::Moments momentsOf(const Model& model, const AttentionLayer& layer) {
  const auto factors = loadFactors(*model.checkpoint, layer);
  INFO((factors ? "" : factors.error().message));
  REQUIRE(factors);
  const auto moments = attention::momentsOf(*factors);
  REQUIRE(moments);
  return *moments;
}

struct Case {
  const char* model;  ///< the name in checkpoint_scores.json
  const char* path;
  Stack stack;
  double tolerance;
  const char* family;
};

const Case kCases[] = {
    {"bert-tiny-sst2", "bert-tiny-sst2", Stack::Self, 1e-5, "bert"},
    {"gpt2-124m-attn", "gpt2-124m-attn", Stack::Self, 1e-4, "gpt2"},
    {"capp-gpt", "capp-gpt/pytorch_model.bin", Stack::Self, 1e-5, "gpt2"},
    {"capp-gpt", "capp-gpt/model.onnx", Stack::Self, 1e-5, "gpt2"},
    {"stories260K (llama2.c .bin)", "stories260K/stories260K.bin", Stack::Self, 1e-5, "llama"},
    {"stories260K (HF safetensors)", "stories260K/model.safetensors", Stack::Self, 1e-5, "llama"},
    {"stories260K (GGUF F32)", "stories260K/stories260K-f32.gguf", Stack::Self, 1e-5, "llama"},
    {"llama-story-gqa", "llama-story-gqa/model.safetensors", Stack::Self, 1e-5, "llama"},
    {"llama-story-gqa (GGUF f16)", "llama-story-gqa/llama-story-f16.gguf", Stack::Self, 1e-5, "llama"},
    {"llama-story-gqa (GGUF q8_0)", "llama-story-gqa/llama-story-q8_0.gguf", Stack::Self, 1e-5, "llama"},
    {"vit-mnist", "vit-mnist/vit_mnist.pth", Stack::Self, 1e-5, "vit-pytorch"},
    {"deimv2-atto", "deimv2-atto", Stack::Self, 1e-5, "deformable-detr"},
    {"encdec-reverse encoder", "encdec-reverse/transformer.pt", Stack::Encoder, 1e-5, "plain"},
    {"encdec-reverse decoder", "encdec-reverse/transformer.pt", Stack::Decoder, 1e-5, "plain"},
};

}  // namespace

TEST_CASE("Scores of real checkpoints equal those of independent code", "[reference]") {
  if (!isShared()) return;
  std::ifstream file(tests::sharedFolder() + "/reference/checkpoint_scores.json");
  const nlohmann::json reference = nlohmann::json::parse(file);
  std::size_t compared = 0;
  for (const Case& one : kCases) {
    const auto model = openedModel(one.path);
    INFO(one.path << ", " << one.model << ": " << model->map.noQkReason);
    CHECK(model->map.family == one.family);
    const auto& layers = reference.at("models").at(one.model).at("layers");
    REQUIRE(model->map.layersOf(one.stack) == static_cast<int>(layers.size()));
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const attention::Moments moments = momentsOf(*model, *model->map.find(one.stack, static_cast<int>(i)));
      INFO("layer " << i);
      CHECK(std::abs(attention::symmetry(moments) - layers[i].at("symmetry").get<double>()) <= one.tolerance);
      attention::ScoreOptions sum{2, attention::Directionality::Sum, 0};
      CHECK(std::abs(attention::directionality(moments, sum).value - layers[i].at("directionality").get<double>()) <=
            one.tolerance);
      attention::ScoreOptions excess{2, attention::Directionality::Excess, 1};
      CHECK(std::abs(attention::directionality(moments, excess).value -
                     layers[i].at("directionality_code_excess").get<double>()) <= one.tolerance);
      ++compared;
    }
  }
  CHECK(compared == 2 + 12 + 2 * 4 + 3 * 5 + 3 * 2 + 6 + 3 + 2 + 2);
}

TEST_CASE("One model in three formats has the same scores", "[reference]") {
  if (!isShared()) return;
  const auto first = openedModel("stories260K/stories260K.bin");
  for (const char* other : {"stories260K/model.safetensors", "stories260K/stories260K-f32.gguf"}) {
    const auto model = openedModel(other);
    REQUIRE(model->map.layers.size() == first->map.layers.size());
    for (std::size_t i = 0; i < first->map.layers.size(); ++i) {
      CHECK(model->map.layers[i].heads == 8);
      CHECK(model->map.layers[i].kvHeads == 4);
      const auto a = momentsOf(*first, first->map.layers[i]), b = momentsOf(*model, model->map.layers[i]);
      for (const auto variant : {attention::Directionality::Excess, attention::Directionality::Sum}) {
        const attention::ScoreOptions options{2, variant, attention::ScoreOptions::usualDdof(variant)};
        const auto x = attention::scoresOf(a, options), y = attention::scoresOf(b, options);
        CHECK(std::abs(x.symmetry - y.symmetry) <= 1e-6);
        CHECK(std::abs(x.directionality - y.directionality) <= 1e-6);
      }
    }
  }
}

TEST_CASE("The numbers of heads of real checkpoints are recognised", "[reference]") {
  if (!isShared()) return;
  struct Shape {
    const char* path;
    int heads, kvHeads, d_model;
    std::size_t layers;
  };
  for (const Shape& shape : {Shape{"bert-tiny-sst2", 2, 2, 128, 2}, Shape{"gpt2-124m-attn", 12, 12, 768, 12},
                             Shape{"llama-story-gqa/llama-story-q8_0.gguf", 8, 4, 128, 2},
                             Shape{"llama-story-gqa", 8, 4, 128, 2}, Shape{"capp-gpt/model.onnx", 4, 4, 64, 4},
                             Shape{"deimv2-atto", 8, 8, 64, 3}, Shape{"encdec-reverse", 4, 4, 64, 6}}) {
    const auto model = openedModel(shape.path);
    INFO(shape.path);
    REQUIRE(model->map.layers.size() == shape.layers);
    for (const AttentionLayer& layer : model->map.layers) {
      CHECK(layer.heads == shape.heads);
      CHECK(layer.kvHeads == shape.kvHeads);
      CHECK(layer.d_model == shape.d_model);
      CHECK(layer.d_h == shape.d_model / shape.heads);
    }
  }
  // Neither a config nor the shapes give the number of heads of this model: this is reported, and the layer is mapped.
  const auto vit = openedModel("vit-mnist");
  CHECK(vit->map.layers.at(0).heads == 1);
  CHECK(std::any_of(vit->map.notes.begin(), vit->map.notes.end(),
                    [](const std::string& note) { return note.starts_with("the file does not say how many heads"); }));
}

TEST_CASE("A projection that is shared by slices of the model has no d x d form, and the widths are named",
          "[reference]") {
  if (!isShared()) return;
  const auto model = openedModel("vit-trainer");
  CHECK(model->map.layers.empty());
  INFO(model->map.noQkReason);
  CHECK(model->map.noQkReason.find("128 x 128") != std::string::npos);
  CHECK(model->map.noQkReason.find("16 inputs") != std::string::npos);
}
