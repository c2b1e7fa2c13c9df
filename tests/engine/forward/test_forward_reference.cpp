// SPDX-License-Identifier: Apache-2.0
// Compares the forward pass of real and small models of published families with numbers that independent code computed
// in double precision: shared/reference/forward. Skips with a message if that folder is absent. Prints the largest
// difference for each file; the table of agreement (engine/checkpoint/forward_agreement.inc) contains those of floats.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>

#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "engine/checkpoint/family_rule.h"
#include "engine/checkpoint/model_cache.h"
#include "engine/core/number.h"
#include "engine/forward/forward_pass.h"
#include "tests/folders.h"

namespace sepx::forward::reference {

using nlohmann::json;

namespace {

struct Reference {
  const char* name;  ///< the folder of expected.json
  const char* file;  ///< the file in the folder of the checkpoint that expected.json names
  double tolerance = 1e-4;
  double inDoubles = 1e-5;  ///< expected.json has 5 digits of the stream and 6 of the other values
};

const Reference kReferences[] = {
    {"stories260K", "model.safetensors"},
    {"stories260K", "stories260K.bin"},
    {"stories260K", "stories260K-f32.gguf"},
    {"capp-gpt", "pytorch_model.bin"},
    {"capp-gpt", "model.onnx"},
    {"llama-story-gqa", "model.safetensors"},
    // Weights rounded to half precision and to 8 bits, which changes the model.
    {"llama-story-gqa", "llama-story-f16.gguf", 1e-4, 1e-4},
    {"llama-story-gqa", "llama-story-q8_0.gguf", 0.03, 0.03},
    {"vit-mnist", "vit_mnist.pth"},
    {"bert", "model.safetensors"},
    {"bloom", "model.safetensors"},
    {"falcon-7b-form", "model.safetensors"},
    {"gemma2", "model.safetensors"},
    {"gpt-neo", "model.safetensors"},
    {"gpt-neox", "model.safetensors"},
    {"mistral", "model.safetensors"},
    {"opt", "model.safetensors"},
    {"qwen2", "model.safetensors"},
    {"roberta", "model.safetensors"},
};

std::string referenceFolder() {
  return tests::sharedFolder() + "/reference/forward/";
}

void flatten(const json& value, std::vector<double>& out) {
  if (value.is_number()) return out.push_back(value.get<double>());
  for (const json& one : value)
    flatten(one, out);
}
std::vector<double> flat(const json& value) {
  std::vector<double> out;
  flatten(value, out);
  return out;
}

/// The largest difference, relative to the largest number of its row if that is above 1: the stream of a trained model
/// has single numbers of some hundreds, and the others are sums with cancellation. Rows have `width` numbers. Of each
/// of `parts` the reference contains only the first rows: the expected.json of an image contains only the class token.
template <class T>
double worstOf(const json& expected, const std::vector<T>& found, std::size_t parts, std::size_t width) {
  const std::vector<double> wanted = flat(expected);
  const std::size_t rows = wanted.size() / (parts * width), step = found.size() / parts;
  REQUIRE(wanted.size() == rows * parts * width);
  double worst = 0;
  for (std::size_t row = 0; row < parts * rows; ++row) {
    const double* const own = wanted.data() + row * width;
    const T* const other = found.data() + row / rows * step + row % rows * width;
    double largest = 1;
    for (std::size_t i = 0; i < width; ++i)
      largest = std::max(largest, std::abs(own[i]));
    for (std::size_t i = 0; i < width; ++i) {
      const double difference = std::abs(own[i] - static_cast<double>(other[i])) / largest;
      worst = std::isnan(difference) ? INFINITY : std::max(worst, difference);
    }
  }
  return worst;
}

struct Differences {
  double embedding = 0, hidden = 0, attention = 0, logits = 0;
  double most() const { return std::max({embedding, hidden, attention, logits}); }
};

template <class T>
Differences differencesOf(const json& expected, const Activations<T>& pass) {
  Differences worst;
  const auto n = static_cast<std::size_t>(pass.positions), d = static_cast<std::size_t>(pass.d_model);
  worst.embedding = worstOf(expected.at("embedding"), pass.embedding, 1, d);
  REQUIRE(pass.blocks.size() == expected.at("hidden").size());
  for (std::size_t layer = 0; layer < pass.blocks.size(); ++layer) {
    const BlockActivations<T>& block = pass.blocks[layer];
    worst.hidden = std::max(worst.hidden, worstOf(expected.at("hidden")[layer], block.hidden, 1, d));
    worst.attention = std::max(worst.attention, worstOf(expected.at("attention")[layer], block.attention,
                                                        static_cast<std::size_t>(block.heads), n));
  }
  const auto columns = static_cast<std::size_t>(pass.vocabulary);
  REQUIRE(columns == expected.at("logits_last").size());
  const std::vector<T> last(pass.logits.end() - static_cast<std::ptrdiff_t>(columns), pass.logits.end());
  worst.logits = worstOf(expected.at("logits_last"), last, 1, columns);
  if (expected.contains("logits"))
    worst.logits = std::max(worst.logits, worstOf(expected.at("logits"), pass.logits, 1, columns));
  return worst;
}

Input inputOf(const json& expected) {
  Input input;
  if (expected.contains("ids")) input.ids = expected.at("ids").get<std::vector<std::int32_t>>();
  if (expected.contains("pixels"))
    for (const double pixel : flat(expected.at("pixels")))
      input.pixels.push_back(
          static_cast<float>((pixel / 255 - 0.1307) / 0.3081));  // the normalisation of vit-mnist, from its README
  return input;
}

/// Opens a model with its map. The file of vit-mnist does not contain its number of heads, 8, so a rule gives it.
std::shared_ptr<const checkpoint::Model> modelAt(const std::string& path, bool rule) {
  const auto opened = checkpoint::openModel(path);
  INFO((opened ? "" : opened.error().message));
  REQUIRE(opened);
  if (!rule) return *opened;
  checkpoint::FamilyRule heads;
  heads.key = heads.name = "vit-mnist";
  heads.heads = heads.kvHeads = 8;
  checkpoint::StackRule& stack = heads.stacks.emplace_back();
  stack.query = stack.key = "layers.{layer}.0.fn.fn.to_qkv.weight";
  stack.fusion = checkpoint::Fusion::Blocks;
  auto model = std::make_shared<checkpoint::Model>(**opened);
  model->map = checkpoint::mapAttention(*model->checkpoint, {heads});
  return model;
}

/// The number at the end of "compared with an independent one, 3e-06", or 0 if there is none.
double agreementOf(const std::string& sentence) {
  const std::size_t last = sentence.rfind(' ');
  return last == std::string::npos ? 0 : parseNumber(sentence.substr(last + 1)).value_or(0);
}

template <class T>
Differences run(const ForwardModel& model, const json& expected) {
  ThreadPool pool(2);
  const auto pass = model.run<T>(inputOf(expected), {}, pool);
  INFO((pass ? "" : pass.error().message));
  REQUIRE(pass);
  return differencesOf(expected, *pass);
}

}  // namespace

TEST_CASE("The forward pass of published families agrees with an independent implementation", "[forward][reference]") {
  if (!std::filesystem::exists(referenceFolder())) {
    WARN("skipped: there are no reference passes at " << referenceFolder() << "; SEPX_SHARED says where they are");
    return;
  }
  for (const Reference& reference : kReferences) {
    const std::string folder = referenceFolder() + reference.name + "/";
    std::ifstream in(folder + "expected.json");
    const json expected = json::parse(in);
    const auto of = expected.at("checkpoint").get<std::string>();
    const std::string path =
        (of == "." ? folder : tests::sharedFolder() + of.substr(of.find('/')) + "/") + reference.file;
    INFO(path);
    const auto model = ForwardModel::open(modelAt(path, reference.name == std::string("vit-mnist")));
    CHECKED_IF(model.has_value()) {
      const Differences floats = run<float>(**model, expected), doubles = run<double>(**model, expected);
      CHECK(floats.most() < reference.tolerance);
      CHECK(doubles.most() < reference.inDoubles);
      CHECK(std::max(doubles.attention, doubles.logits) < (reference.inDoubles > 1e-5 ? reference.inDoubles : 1e-6));
      // The agreement that `sepx inspect` prints for the family. Models mapped by a rule and rounded files have no
      // entry.
      if (reference.inDoubles < 1e-4 && reference.name != std::string("vit-mnist"))
        CHECK(floats.most() < 1.5 * agreementOf((*model)->plan().agreement));
      std::cout << fmt::format(
          "{:16} {:22} {:12} {:.0e} float: embedding {:.1e} stream {:.1e} attention {:.1e} logits {:.1e}; double: "
          "stream {:.1e} attention {:.1e} logits {:.1e}\n",
          reference.name, reference.file, (*model)->map().family, floats.most(), floats.embedding, floats.hidden,
          floats.attention, floats.logits, doubles.hidden, doubles.attention, doubles.logits);
    }
    CHECKED_ELSE(model.has_value()) {
      FAIL_CHECK(model.error().message);
    }
  }
}

}  // namespace sepx::forward::reference
