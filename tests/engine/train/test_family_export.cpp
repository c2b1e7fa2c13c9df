// SPDX-License-Identifier: Apache-2.0
// The folder of a checkpoint matches its config.json: the reader recognises the family and finds exactly the trained
// W_Q and W_K, the family's own computation (family_forward.h) gives the model's logits if no deviation is named, and
// every trained number is in the file.
#include <algorithm>
#include <map>
#include <random>

#include <catch2/catch.hpp>

#include "engine/checkpoint/load_factors.h"
#include "engine/checkpoint/vocabulary.h"
#include "engine/checkpoint/vocabulary_read.h"
#include "engine/core/random.h"
#include "engine/nn/transformer.h"
#include "engine/train/checkpoint_writer.h"
#include "engine/train/family_export.h"
#include "engine/train/run_store.h"
#include "tests/engine/train/family_forward.h"
#include "tests/engine/train/run_folder.h"
#include "tests/folders.h"

using namespace sepx;
using namespace sepx::train;
using namespace sepx::test;
using nn::Activation;
using nn::Norm;
using nn::Placement;
using nn::Positions;

namespace {

std::vector<float> randomTheta(const nn::ParameterLayout& layout) {
  RandomStream random(17);
  std::vector<float> theta(layout.size());
  for (const nn::Parameter& parameter : layout.all())
    for (std::size_t i = 0; i < parameter.size(); ++i) {
      const bool gain = parameter.kind == nn::ParameterKind::NormGain;
      theta[parameter.offset + i] = static_cast<float>((gain ? 1 : 0) + 0.3 * random.normal());
    }
  return theta;
}

/// The checkpoint of a run with random parameters, written and opened.
struct Exported {
  Exported(const nn::ModelConfig& model, std::vector<float> values, const std::vector<std::string>& words = {})
      : layout(model), theta(std::move(values)) {
    const auto fine = nn::check(model);
    INFO((fine ? std::string() : fine.error().message));
    REQUIRE(fine);
    RunConfig config;
    config.model = model;
    TrainState state;
    state.step = 8;
    state.theta = theta;
    REQUIRE(writeCheckpoint(root.path(), config, layout, state, words));
    const auto opened = checkpoint::Checkpoint::open(checkpointFolder(root.path(), 8));
    INFO((opened ? std::string() : opened.error().message));
    REQUIRE(opened);
    file = *opened;
    map = checkpoint::mapAttention(*file);
  }
  explicit Exported(const nn::ModelConfig& model, const std::vector<std::string>& words = {})
      : Exported(model, randomTheta(nn::ParameterLayout(model)), words) {}

  std::string deviation() const { return file->config().value("separatrix_deviation", std::string()); }

  RunFolder root;
  nn::ParameterLayout layout;
  std::vector<float> theta;
  std::shared_ptr<const checkpoint::Checkpoint> file;
  checkpoint::AttentionMap map;
};

/// W_Q and W_K from the reader equal the trained ones, head by head.
void requireTrainedFactors(const Exported& exported, const nn::ModelConfig& model) {
  REQUIRE(exported.map.layers.size() == static_cast<std::size_t>(model.layers));
  for (int layer = 0; layer < model.layers; ++layer) {
    const auto factors = checkpoint::loadFactors(*exported.file, exported.map.layers[static_cast<std::size_t>(layer)]);
    INFO((factors ? std::string() : factors.error().message));
    REQUIRE(factors);
    REQUIRE(factors->heads == model.heads);
    REQUIRE(factors->d_h == model.d_h());
    const auto* const W_Q = exported.layout.find(nn::ParameterRole::Query, nn::ParameterKind::Weight, layer);
    const auto* const W_K = exported.layout.find(nn::ParameterRole::Key, nn::ParameterKind::Weight, layer);
    const auto same = [&](const auto& block, const nn::Parameter& parameter, int head) {
      for (int a = 0; a < model.d_h(); ++a)
        for (int i = 0; i < model.d_model; ++i)
          if (block(i, a) !=
              exported.theta[parameter.offset + static_cast<std::size_t>((head * model.d_h() + a) * model.d_model + i)])
            return false;
      return true;
    };
    for (int head = 0; head < model.heads; ++head) {
      CHECK(same(factors->query(head), *W_Q, head));
      CHECK(same(factors->key(head), *W_K, head / (model.heads / model.kv())));
    }
    const checkpoint::AttentionLayer& mapped = exported.map.layers[static_cast<std::size_t>(layer)];
    CHECK(mapped.causal == model.causal);
  }
}

/// Every trained number is in model.safetensors. A random number identifies its place.
void requireAllThere(const Exported& exported) {
  std::vector<float> there;
  for (const checkpoint::TensorInfo& tensor : exported.file->tensors()) {
    const auto rows = tensor.shape.front();
    const auto columns = static_cast<std::int64_t>(tensor.values()) / rows;
    std::vector<float> values(static_cast<std::size_t>(rows * columns));
    REQUIRE(exported.file->read(tensor, 0, rows, 0, columns, std::span<float>(values)));
    there.insert(there.end(), values.begin(), values.end());
  }
  std::vector<float> wanted = exported.theta;
  std::sort(there.begin(), there.end());
  std::sort(wanted.begin(), wanted.end());
  CHECK(std::includes(there.begin(), there.end(), wanted.begin(), wanted.end()));
}

/// Largest difference between the model's logits and those of the family's computation.
double difference(const Exported& exported, const nn::ModelConfig& model) {
  ThreadPool pool(1);
  nn::Transformer<double> transformer(model, pool);
  std::copy(exported.theta.begin(), exported.theta.end(), transformer.theta().begin());
  nn::Batch batch;
  batch.sequences = 1;
  batch.length = std::min(model.length, 6);
  std::vector<std::int32_t> rows;
  std::vector<int> tokens;
  for (int n = 0; n < batch.length; ++n) {
    tokens.push_back((5 * n + 1) % model.vocabulary);
    batch.tokens.push_back(tokens.back());
    rows.push_back(n);
  }
  const auto width = static_cast<std::size_t>(model.logits());
  std::vector<double> ours(rows.size() * width);
  transformer.logits(batch, rows, ours);
  const Eigen::MatrixXd theirs = FamilyForward(*exported.file).logits(tokens);
  double worst = 0;
  for (std::size_t n = 0; n < rows.size(); ++n)
    for (std::size_t k = 0; k < width; ++k) {
      const auto row = static_cast<Eigen::Index>(n);
      // The one logit of the next bit is the difference of the family's two logits.
      const double other =
          model.input == nn::Input::Bit ? theirs(row, 1) - theirs(row, 0) : theirs(row, static_cast<Eigen::Index>(k));
      worst = std::max(worst, std::abs(ours[n * width + k] - other));
    }
  return worst;
}

nn::ModelConfig small() {
  nn::ModelConfig model;
  model.vocabulary = 11;
  model.length = 7;
  model.layers = 2;
  model.d_model = 12;
  model.heads = 3;
  model.d_ff = 10;
  return model;
}

nn::ModelConfig bertLike() {
  nn::ModelConfig model = small();
  model.causal = model.finalNorm = false;
  model.placement = Placement::Post;
  model.embeddingNorm = model.headTransform = model.outputBias = true;
  model.activation = Activation::GeluErf;
  model.segments = 2;
  model.normEpsilon = 1e-12;
  return model;
}

nn::ModelConfig llamaLike() {
  nn::ModelConfig model = small();
  model.positions = Positions::Rope;
  model.norm = Norm::Rms;
  model.activation = Activation::SwiGlu;
  model.attentionBias = model.projectionBias = model.feedForwardBias = false;
  model.output = nn::Output::Untied;
  model.normEpsilon = 1e-6;
  return model;
}

/// The family's computation with the folder gives the model's logits.
void requireSame(const nn::ModelConfig& model, const std::string& family, double tolerance = 1e-10) {
  const Exported exported(model);
  INFO(exported.deviation());
  CHECK(exported.map.family == family);
  CHECK(exported.map.recognisedBy.find("config.json") == 0);
  CHECK(exported.deviation().empty());
  CHECK(difference(exported, model) < tolerance);
  requireTrainedFactors(exported, model);
  requireAllThere(exported);
}

}  // namespace

TEST_CASE("GPT-2's code computes the model of its folder", "[family-export]") {
  requireSame(small(), "gpt2");
  nn::ModelConfig model = small();
  model.output = nn::Output::Untied;
  model.activation = Activation::Relu;
  model.attentionBias = model.projectionBias = model.feedForwardBias = model.normBias = false;
  model.positions = Positions::None;
  requireSame(model, "gpt2");
  model.positions = Positions::Sinusoidal;
  requireSame(model, "gpt2", 1e-5);  // the table is stored in float
  model = small();
  model.d_ff = 0;
  model.activation = Activation::GeluErf;
  requireSame(model, "gpt2");
  model = small();
  model.attentionScale = 1;
  requireSame(model, "gpt2");
  model = small();
  model.input = nn::Input::Bit;
  model.vocabulary = 2;
  requireSame(model, "gpt2");
}

TEST_CASE("GPT-NeoX's code computes the model of its folder", "[family-export]") {
  nn::ModelConfig model = small();
  model.positions = Positions::Rope;
  model.ropeBase = 500;
  requireSame(model, "gpt_neox");
  model.output = nn::Output::Untied;
  model.attentionBias = model.feedForwardBias = false;
  requireSame(model, "gpt_neox");
  model.projectionBias = false;
  model.d_ff = 0;
  requireSame(model, "gpt_neox");
}

TEST_CASE("LLaMA's code computes the model of its folder", "[family-export]") {
  requireSame(llamaLike(), "llama");
  nn::ModelConfig model = llamaLike();
  model.heads = 4;
  model.kvHeads = 2;
  model.headDim = 6;
  model.output = nn::Output::Tied;
  requireSame(model, "llama");
  model.attentionBias = model.feedForwardBias = true;
  requireSame(model, "llama");
  for (const Activation activation : {Activation::Relu, Activation::GeluTanh, Activation::GeluErf}) {
    model.activation = activation;
    requireSame(model, "llama");
    model.feedForwardBias = false;
  }
  model.d_ff = 0;
  requireSame(model, "llama");
}

TEST_CASE("BERT's code computes the model of its folder", "[family-export]") {
  requireSame(bertLike(), "bert");
  nn::ModelConfig model = bertLike();
  model.segments = 0;
  model.positions = Positions::Sinusoidal;
  model.output = nn::Output::Untied;
  model.outputBias = false;
  model.normEpsilon = 1e-5;
  requireSame(model, "bert", 1e-5);
  model = bertLike();
  model.heads = 4;
  model.kvHeads = 2;  // the keys and values are repeated for every head
  const Exported exported(model);
  CHECK(difference(exported, model) < 1e-10);
  requireTrainedFactors(exported, model);
}

TEST_CASE("ModernBERT's code computes the model of its folder, except for the first norm", "[family-export]") {
  for (const Activation activation : {Activation::SwiGlu, Activation::GeluErf, Activation::GeluTanh}) {
    nn::ModelConfig model = bertLike();
    model.placement = Placement::Pre;
    model.positions = Positions::Rope;
    model.finalNorm = true;
    model.segments = 0;
    model.activation = activation;
    model.feedForwardBias = activation != Activation::GeluErf;
    if (activation == Activation::SwiGlu) model.headTransform = false;
    const nn::ParameterLayout layout(model);
    std::vector<float> theta = randomTheta(layout);
    const Exported exported(model, theta);
    CHECK(exported.map.family == "modernbert");
    CHECK(exported.deviation().find("its first layer does not normalise") != std::string::npos);
    CHECK(exported.map.layers.front().rope);
    requireTrainedFactors(exported, model);
    requireAllThere(exported);
    if (!model.headTransform) {
      CHECK(exported.deviation().find("before the logits") != std::string::npos);
      continue;
    }
    // Two consecutive norms without weights are equal to one. With such norms the difference must vanish.
    CHECK(difference(exported, model) > 1e-3);
    for (const char* name : {"embedding_norm", "layers.0.attention_norm"}) {
      const auto* const gain = layout.find(std::string(name) + ".gain");
      const auto* const bias = layout.find(std::string(name) + ".bias");
      std::fill_n(theta.begin() + static_cast<std::ptrdiff_t>(gain->offset), gain->size(), 1.0f);
      std::fill_n(theta.begin() + static_cast<std::ptrdiff_t>(bias->offset), bias->size(), 0.0f);
    }
    CHECK(difference(Exported(model, theta), model) < 1e-9);
  }
}

TEST_CASE("Differences from the family's code are named, and the file contains every parameter", "[family-export]") {
  const auto deviates = [](const nn::ModelConfig& model, const std::string& family, const std::string& clause) {
    const Exported exported(model);
    INFO(exported.deviation());
    CHECK(exported.map.family == family);
    CHECK(exported.deviation().find(clause) != std::string::npos);
    CHECK(exported.deviation().find("'s code computes differently: ") != std::string::npos);
    CHECK(exported.deviation().back() == '.');
    CHECK(exported.deviation().find('\n') == std::string::npos);
    CHECK(difference(exported, model) > 1e-6);
    requireTrainedFactors(exported, model);
    requireAllThere(exported);
  };
  nn::ModelConfig model = small();
  model.attention = nn::AttentionKind::Linear;
  deviates(model, "gpt2", "softmax");
  model = small();
  model.positions = Positions::Alibi;
  deviates(model, "gpt2", "ALiBi");
  model = small();
  model.norm = Norm::None;
  deviates(model, "gpt2", "the model has no norms");
  model = small();
  model.norm = Norm::Rms;
  deviates(model, "gpt2", "root mean square");
  model = small();
  model.placement = Placement::Post;
  deviates(model, "gpt2", "the model after each sum");
  model = small();
  model.finalNorm = false;
  deviates(model, "gpt2", "it normalises before the logits");
  model = small();
  model.embeddingNorm = true;
  deviates(model, "gpt2", "does not normalise the embedding");
  model = small();
  model.headTransform = true;
  deviates(model, "gpt2", "no transform");
  model = small();
  model.outputBias = true;
  deviates(model, "gpt2", "no bias to the logits");
  model = small();
  model.activation = Activation::SwiGlu;
  deviates(model, "gpt2", "no gate");
  model = small();
  model.attentionScale = 0.3;
  deviates(model, "gpt2", "multiplies them by 0.3");
  model = small();
  model.segments = 1;
  deviates(model, "gpt2", "segment");
  model = small();
  model.kvHeads = 1;
  deviates(model, "llama", "vectors of the positions");
  model = bertLike();
  model.placement = Placement::Pre;
  deviates(model, "bert", "the model before each branch");
  model = bertLike();
  model.headTransform = false;
  deviates(model, "bert", "before the logits, the model does not");
  model = bertLike();
  model.embeddingNorm = false;
  deviates(model, "bert", "it normalises the embedding");
  model = bertLike();
  model.activation = Activation::SwiGlu;
  model.headTransform = false;
  deviates(model, "bert", "no gate");
}

TEST_CASE("The folder of a model of any shape opens with the trained W_Q and W_K", "[family-export]") {
  std::mt19937 random(23);
  const auto one = [&random](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
  for (int round = 0; round < 120; ++round) {
    nn::ModelConfig model = small();
    model.heads = 1 + one(4) * 2 / 3 + one(2);
    if (12 % model.heads != 0) model.heads = 2;
    if (model.heads == 4) model.kvHeads = 1 << one(3);
    if (one(4) == 0) model.headDim = 2 * (1 + one(4));
    model.d_ff = one(4) == 0 ? 0 : 10;
    model.positions = static_cast<Positions>(one(5));
    model.norm = static_cast<Norm>(one(3));
    model.placement = static_cast<Placement>(one(2));
    model.activation = static_cast<Activation>(one(4));
    model.attention = static_cast<nn::AttentionKind>(one(2));
    model.output = static_cast<nn::Output>(one(2));
    model.input = one(5) == 0 ? nn::Input::Bit : nn::Input::Table;
    if (model.input == nn::Input::Bit) model.vocabulary = 2;
    for (bool* flag : {&model.causal, &model.normBias, &model.embeddingNorm, &model.finalNorm, &model.attentionBias,
                       &model.projectionBias, &model.feedForwardBias, &model.outputBias, &model.headTransform})
      *flag = one(2) == 0;
    if (!nn::check(model)) continue;
    const Exported exported(model);
    INFO("round " << round << ", " << exported.map.family << ": " << exported.map.noQkReason << exported.deviation());
    REQUIRE_FALSE(exported.map.family.empty());
    requireTrainedFactors(exported, model);
    requireAllThere(exported);
    if (exported.deviation().empty())
      CHECK(difference(exported, model) < 1e-5);
    else if (model.d_q() == model.d_model)
      FamilyForward(*exported.file).logits({1, 0});  // every tensor that the code asks for has its expected shape
    CHECK(exported.file->config().at("separatrix").at("model").at("heads") == model.heads);
  }
}

TEST_CASE("The words of the vocabulary are stored beside the weights", "[family-export]") {
  const std::vector<std::string> words{"a", "b\nc", "", "a", "\xff\xfe", "ü", "g", "h", "i", "j", "[M]"};
  for (const bool causal : {true, false}) {
    nn::ModelConfig model = causal ? small() : bertLike();
    const Exported exported(model, words);
    const auto vocabulary = checkpoint::readVocabulary(*exported.file);
    REQUIRE(vocabulary);
    REQUIRE(vocabulary->tokens.size() == words.size());
    CHECK(vocabulary->from == "vocab.json");
    CHECK(vocabulary->tokens[0] == "a");
    CHECK(vocabulary->tokens[1] == "b\nc");
    CHECK(vocabulary->tokens[5] == "ü");
    CHECK(vocabulary->find("[M]") == 10);
    auto sorted = vocabulary->tokens;
    std::sort(sorted.begin(), sorted.end());
    CHECK(std::unique(sorted.begin(), sorted.end()) == sorted.end());
  }
  const std::vector<std::string> plain{"[CLS]", "[MASK]", "the", "##s", "5", "6", "7", "8", "9", "10", "11"};
  const Exported exported(bertLike(), plain);
  const auto vocabulary = checkpoint::readVocabulary(*exported.file);
  REQUIRE(vocabulary);
  CHECK(vocabulary->from == "vocab.txt");
  CHECK(vocabulary->tokens == plain);
  CHECK(vocabularyFile("gpt2", {}).name.empty());
}

TEST_CASE("Names and shapes are those of published folders", "[family-export]") {
  const std::string shared = tests::sharedFolder();
  struct Published {
    const char* folder;
    nn::ModelConfig model;
    const char* prefix;              ///< the prefix of our names, which the published file lacks
    std::vector<std::string> extra;  ///< tensors of another head, or buffers of older files
  };
  nn::ModelConfig capp = small(), bert = bertLike(), llama = llamaLike();
  capp.vocabulary = 53, capp.length = 512, capp.layers = 4, capp.d_model = 64, capp.heads = 4, capp.d_ff = -1;
  bert.layers = 2, bert.d_model = 128, bert.heads = 2, bert.d_ff = 512;
  llama.vocabulary = 2048, llama.layers = 2, llama.d_model = 128, llama.heads = 8, llama.kvHeads = 4, llama.d_ff = 384;
  const Published all[] = {
      {"capp-gpt/pytorch_model.bin", capp, "", {".attn.bias", ".attn.masked_bias", "lm_head.weight"}},
      {"bert-tiny-sst2", bert, "", {"bert.pooler.", "classifier.", "word_embeddings"}},
      {"llama-story-gqa", llama, "", {}}};
  for (const Published& published : all) {
    const std::string path = shared + "/checkpoints/" + published.folder;
    if (!std::filesystem::exists(path)) {
      WARN("skipped: there is no " << path);
      continue;
    }
    const auto real = checkpoint::Checkpoint::open(path);
    REQUIRE(real);
    const Exported ours(published.model);
    int compared = 0;
    for (const checkpoint::TensorInfo& tensor : (*real)->tensors()) {
      const bool extra = std::any_of(published.extra.begin(), published.extra.end(), [&](const std::string& part) {
        return tensor.name.find(part) != std::string::npos;
      });
      if (extra) continue;
      INFO(published.folder << " " << tensor.name);
      const checkpoint::TensorInfo* const same = ours.file->find(published.prefix + tensor.name);
      REQUIRE(same);
      CHECK(same->shape == tensor.shape);
      ++compared;
    }
    CHECK(compared > 10);
  }
}
