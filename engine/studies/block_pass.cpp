// SPDX-License-Identifier: Apache-2.0
// See block_pass.h.
#include "engine/studies/block_pass.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "engine/checkpoint/load_factors.h"
#include "engine/checkpoint/model_config.h"
#include "engine/core/try.h"
#include "engine/nn/transformer.h"
#include "engine/studies/head_projector.h"

namespace sepx::studies {

using checkpoint::AttentionLayer;
using checkpoint::Checkpoint;
using checkpoint::NormSource;
using checkpoint::TensorInfo;
using nn::ParameterKind;
using nn::ParameterRole;

namespace {

constexpr std::size_t kRowsAtOnce = 4096;  ///< tokens per forward pass

/// Tensor names of a block, without their stem.
struct BlockNames {
  const char *query, *value, *projection, *norm, *gate, *up, *down;
};
constexpr BlockNames kFamilies[] = {
    // LLaMA, Mistral, Qwen 2, Dream
    {"self_attn.q_proj.weight", "self_attn.v_proj", "self_attn.o_proj", "post_attention_layernorm", "mlp.gate_proj",
     "mlp.up_proj", "mlp.down_proj"},
    // LLaDA
    {"q_proj.weight", "v_proj", "attn_out", "ff_norm", "ff_proj", "up_proj", "ff_out"}};

/// The tensor names of a block and their stem: "model.layers.3.".
struct BlockTensors {
  const BlockNames* names = nullptr;
  std::string stem;
  std::string of(const char* part, const char* end = ".weight") const { return stem + part + end; }
};

Result<BlockTensors> tensorsOf(const Checkpoint& checkpoint, const AttentionLayer& layer) {
  for (const BlockNames& names : kFamilies) {
    if (!layer.W_Q.tensor.ends_with(names.query)) continue;
    BlockTensors found{&names, layer.W_Q.tensor.substr(0, layer.W_Q.tensor.size() - std::string(names.query).size())};
    const bool all = std::ranges::all_of(
        std::initializer_list<const char*>{names.value, names.projection, names.norm, names.gate, names.up, names.down},
        [&](const char* part) { return checkpoint.find(found.of(part)) != nullptr; });
    if (all) return found;
  }
  return fail(ErrorKind::Usage,
              fmt::format("{}: layers above {} need a forward pass through block {}, whose tensors are not those of "
                          "LLaMA or LLaDA; choose layer 0 only, which reads the embeddings",
                          checkpoint.path(), layer.layer, layer.layer));
}

/// A feature in the config that the tensors do not show and that engine/nn does not compute; null if there is none.
const char* beyondTensors(const checkpoint::ModelConfig& config) {
  const std::string activation =
      config.text("hidden_act") + config.text("hidden_activation") + config.text("activation_type");
  if (!activation.empty() && activation != "silu" && activation != "swiglu" && activation != "swish")
    return "another activation than SiLU";
  const nlohmann::json* const scaling = config.value("rope_scaling");
  bool stretched = scaling != nullptr && scaling->is_object() && !scaling->empty();
  for (const char* const key : {"rope_scaling.type", "rope_scaling.rope_type", "rope_parameters.rope_type"})
    if (const std::string kind = config.text(key); !kind.empty())
      stretched = kind != "default" && kind != "mrope";  // for text, mrope is plain RoPE
  if (stretched) return "a stretched rotary encoding (rope_scaling)";
  for (const char* const factor : {"residual_multiplier", "embedding_multiplier"})
    if (config.number({factor}).value_or(1) != 1) return "factors on the stream (residual or embedding multiplier)";
  if (config.flag("layer_sharing") == true) return "a layer that is computed twice (layer_sharing)";
  return nullptr;
}

/// The config of the block for engine/nn, or the reason why engine/nn does not compute it.
Result<nn::ModelConfig> configOf(const Checkpoint& checkpoint, const AttentionLayer& layer, const BlockTensors& of) {
  const auto refuse = [&](const char* what) {
    return fail(
        ErrorKind::Usage,
        fmt::format("{}: block {} has {}, which the forward pass does not support; choose layer 0 only, which reads "
                    "the embeddings",
                    checkpoint.path(), layer.layer, what));
  };
  const checkpoint::ModelConfig given(checkpoint);
  if (const char* const what = beyondTensors(given)) return refuse(what);
  if (layer.q_norm || layer.k_norm) return refuse("norms of queries and keys");
  if (!layer.norm) return refuse("no norm before the attention");
  if (!layer.rope || (layer.rope->dimensions != 0 && layer.rope->dimensions != layer.d_h))
    return refuse("no rotary encoding of whole heads");
  const TensorInfo* const up = checkpoint.find(of.of(of.names->up));
  nn::ModelConfig config;
  config.layers = 1;
  config.d_model = layer.d_model;
  config.heads = layer.heads;
  config.kvHeads = layer.kvHeads == layer.heads ? 0 : layer.kvHeads;
  config.headDim = layer.d_h;
  config.d_ff = static_cast<int>(up->shape.front());
  config.causal = layer.causal;
  config.attentionScale = layer.scale;
  config.positions = nn::Positions::Rope;
  config.ropeBase = layer.rope->base;
  config.norm = layer.norm->kind == NormSource::Kind::Rms ? nn::Norm::Rms : nn::Norm::Layer;
  config.normEpsilon = layer.norm->epsilon;
  config.normBias = !layer.norm->bias.empty();
  config.finalNorm = false;
  config.activation = nn::Activation::SwiGlu;
  config.attentionBias = layer.b_Q || layer.b_K || checkpoint.find(of.of(of.names->value, ".bias")) != nullptr;
  config.projectionBias = checkpoint.find(of.of(of.names->projection, ".bias")) != nullptr;
  config.feedForwardBias = checkpoint.find(of.of(of.names->up, ".bias")) != nullptr;
  // The rows of the embedding are the stream, and the output matrix is the identity, so the logits are the stream after
  // the block.
  config.output = nn::Output::Untied;
  return config;
}

/// Fills the parameters of one block.
class BlockLoader {
 public:
  BlockLoader(const Checkpoint& checkpoint, const AttentionLayer& layer, const BlockTensors& of,
              nn::Transformer<float>& model)
      : checkpoint_(checkpoint), layer_(layer), of_(of), model_(model) {}

  Result<void> load(const checkpoint::Cancelled& cancelled) {
    SEPX_TRY(loadQueries(cancelled));
    const BlockNames& names = *of_.names;
    const std::pair<ParameterRole, const char*> weights[] = {{ParameterRole::Value, names.value},
                                                             {ParameterRole::Projection, names.projection},
                                                             {ParameterRole::Gate, names.gate},
                                                             {ParameterRole::Up, names.up},
                                                             {ParameterRole::Down, names.down}};
    for (const auto& [role, part] : weights) {
      if (cancelled && cancelled(0)) return fail(ErrorKind::Interrupted, "stopped while reading " + checkpoint_.path());
      SEPX_TRY(weight(role, part));
    }
    SEPX_TRY(norm(ParameterRole::AttentionNorm, layer_.norm->gain, layer_.norm->bias));
    return norm(ParameterRole::FeedForwardNorm, of_.of(names.norm), of_.of(names.norm, ".bias"));
  }

 private:
  std::span<float> rows(ParameterRole role, ParameterKind kind) {
    const nn::Parameter* const parameter = model_.layout().find(role, kind, 0);
    return parameter ? model_.of(*parameter) : std::span<float>();
  }
  Result<void> weight(ParameterRole role, const char* part) {
    SEPX_TRY(read(of_.of(part), rows(role, ParameterKind::Weight)));
    const std::span<float> bias = rows(role, ParameterKind::Bias);
    const std::string name = of_.of(part, ".bias");
    return bias.empty() || !checkpoint_.find(name) ? Result<void>() : read(name, bias);
  }
  Result<void> read(const std::string& name, std::span<float> into) {
    const TensorInfo* const tensor = checkpoint_.find(name);
    if (!tensor || tensor->values() != into.size())
      return fail(ErrorKind::BadInput, fmt::format("{}: tensor {} {}", checkpoint_.path(), name,
                                                   tensor ? "has another shape than its block" : "is missing"));
    const auto rows = tensor->shape.empty() ? 1 : tensor->shape.front();
    return checkpoint_.read(*tensor, 0, rows, 0,
                            static_cast<std::int64_t>(into.size()) / std::max<std::int64_t>(rows, 1), into);
  }
  Result<void> norm(ParameterRole role, const std::string& gain, const std::string& bias) {
    const std::span<float> into = rows(role, ParameterKind::NormGain);
    if (gain.empty()) {
      std::ranges::fill(into, 1.0F);
    } else {
      SEPX_TRY(read(gain, into));
      if (layer_.norm->onePlusGain)
        for (float& value : into)
          value += 1;
    }
    const std::span<float> shift = rows(role, ParameterKind::NormBias);
    return shift.empty() || !checkpoint_.find(bias) ? Result<void>() : read(bias, shift);
  }
  /// Queries and keys, read through the attention map, which covers every file layout, and put in the order in which
  /// engine/nn rotates coordinates.
  Result<void> loadQueries(const checkpoint::Cancelled& cancelled) {
    SEPX_ASSIGN(const attention::LayerFactors factors, checkpoint::loadFactors(checkpoint_, layer_, {}, cancelled));
    SEPX_ASSIGN(const attention::OmittedScoreParts omitted, checkpoint::loadOmittedScoreParts(checkpoint_, layer_));
    const auto put = [&](const attention::Matrix& from, const Eigen::VectorXd& bias, ParameterRole role) {
      const std::span<float> weights = rows(role, ParameterKind::Weight), shift = rows(role, ParameterKind::Bias);
      const auto d = static_cast<std::size_t>(from.rows());
      for (Eigen::Index column = 0; column < from.cols(); ++column) {
        const Eigen::Index at = placeOf(column);
        for (std::size_t i = 0; i < d; ++i)
          weights[static_cast<std::size_t>(at) * d + i] =
              static_cast<float>(from(static_cast<Eigen::Index>(i), column));
        if (!shift.empty() && bias.size() > 0) shift[static_cast<std::size_t>(at)] = static_cast<float>(bias[column]);
      }
    };
    put(factors.W_Q, omitted.b_Q, ParameterRole::Query);
    put(factors.W_K, omitted.b_K, ParameterRole::Key);
    return {};
  }
  /// Adjacent coordinates that rotate together become coordinates s and s + d_h/2.
  Eigen::Index placeOf(Eigen::Index column) const {
    if (!layer_.rope->interleaved) return column;
    const Eigen::Index head = column / layer_.d_h, a = column % layer_.d_h;
    return head * layer_.d_h + a / 2 + (a % 2) * (layer_.d_h / 2);
  }

  const Checkpoint& checkpoint_;
  const AttentionLayer& layer_;
  const BlockTensors& of_;
  nn::Transformer<float>& model_;
};

/// Passes the streams [first, last) through the model, padded to the longest stream.
void passSome(nn::Transformer<float>& model, std::vector<Stream>& streams, std::size_t first, std::size_t last) {
  nn::Batch batch;
  batch.sequences = static_cast<int>(last - first);
  batch.length = model.config().length;
  const nn::Parameter* const embedding = model.layout().find(ParameterRole::Embedding, ParameterKind::Embedding);
  const std::span<float> table = model.of(*embedding);
  const auto d = static_cast<std::size_t>(model.config().d_model);
  std::vector<std::int32_t> rows;
  batch.tokens.assign(static_cast<std::size_t>(batch.sequences) * static_cast<std::size_t>(batch.length), 0);
  std::int32_t token = 0;
  for (std::size_t i = first; i < last; ++i) {
    const auto begin = static_cast<std::int32_t>(i - first) * batch.length;
    batch.lengths.push_back(static_cast<std::int32_t>(streams[i].rows()));
    for (Eigen::Index n = 0; n < streams[i].rows(); ++n, ++token) {
      std::copy_n(streams[i].row(n).data(), d, table.begin() + static_cast<std::ptrdiff_t>(token * d));
      rows.push_back(begin + static_cast<std::int32_t>(n));
      batch.tokens[static_cast<std::size_t>(rows.back())] = token;
    }
  }
  const auto width = static_cast<std::size_t>(model.config().vocabulary);
  std::vector<float> out(rows.size() * width);
  model.logits(batch, rows, out);
  std::size_t row = 0;
  for (std::size_t i = first; i < last; ++i)
    for (Eigen::Index n = 0; n < streams[i].rows(); ++n, ++row)
      std::copy_n(out.begin() + static_cast<std::ptrdiff_t>(row * width), d, streams[i].row(n).data());
}

}  // namespace

Result<void> passBlock(const Checkpoint& checkpoint, const AttentionLayer& layer, std::vector<Stream>& streams,
                       ThreadPool& pool, const std::function<bool()>& cancelled) {
  SEPX_ASSIGN(const BlockTensors of, tensorsOf(checkpoint, layer));
  SEPX_ASSIGN(nn::ModelConfig config, configOf(checkpoint, layer, of));
  Eigen::Index longest = 1;
  for (const Stream& stream : streams)
    longest = std::max(longest, stream.rows());
  const std::size_t together = std::max<std::size_t>(1, kRowsAtOnce / static_cast<std::size_t>(longest));
  config.length = static_cast<int>(longest);
  const auto tokens = static_cast<int>(std::min(together, streams.size()) * static_cast<std::size_t>(longest));
  config.vocabulary = std::max({2, config.d_model, tokens});
  SEPX_TRY(nn::check(config));
  nn::Transformer<float> model(config, pool);
  SEPX_TRY(BlockLoader(checkpoint, layer, of, model).load([&](double) { return cancelled && cancelled(); }));
  const std::span<float> identity = model.of(*model.layout().find(ParameterRole::Output, ParameterKind::Embedding));
  for (int i = 0; i < config.d_model; ++i)
    identity[static_cast<std::size_t>(i) * static_cast<std::size_t>(config.d_model + 1)] = 1;
  for (std::size_t first = 0; first < streams.size(); first += together) {
    if (cancelled && cancelled()) return fail(ErrorKind::Interrupted, "stopped during a forward pass");
    passSome(model, streams, first, std::min(first + together, streams.size()));
  }
  return {};
}

}  // namespace sepx::studies
