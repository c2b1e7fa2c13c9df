// SPDX-License-Identifier: Apache-2.0
// An independent implementation of the forward pass of published families, written from their documentation, slow and
// in double precision: logits [T, vocabulary] of one sequence, from config.json and the tensors with the family's
// names. A missing tensor has the initial value of the family's code (norms: gain 1, bias 0; biases: 0).
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <Eigen/Dense>

#include "engine/checkpoint/checkpoint.h"

namespace sepx::test {

class FamilyForward {
 public:
  using Matrix = Eigen::MatrixXd;
  using Vector = Eigen::VectorXd;

  explicit FamilyForward(const checkpoint::Checkpoint& file) : file_(file), config_(file.config()) {}

  Matrix logits(const std::vector<int>& tokens) {
    const std::string type = config_.at("model_type");
    if (type == "gpt2") return gpt2(tokens);
    if (type == "gpt_neox") return gptNeoX(tokens);
    if (type == "llama") return llama(tokens);
    if (type == "bert") return bert(tokens);
    REQUIRE(type == "modernbert");
    return modernBert(tokens);
  }

  /// Logits of one image [channels, side, side], as ViTForImageClassification computes them.
  Vector vit(std::span<const float> pixels) const {
    const int patch = integer("patch_size"), side = integer("image_size"), channels = integer("num_channels");
    const int across = side / patch, count = integer("num_attention_heads");
    const double epsilon = number("layer_norm_eps");
    const Eigen::Index d = integer("hidden_size"), values = channels * patch * patch;
    const Matrix kernel = flat("vit.embeddings.patch_embeddings.projection.weight", d, values);
    const Vector bias = vector("vit.embeddings.patch_embeddings.projection.bias", d, 0);
    Matrix x = flat("vit.embeddings.position_embeddings", across * across + 1, d);
    x.row(0) += flat("vit.embeddings.cls_token", 1, d);
    for (int n = 0; n < across * across; ++n) {
      Vector cut(values);
      Eigen::Index k = 0;
      for (int c = 0; c < channels; ++c)
        for (int row = n / across * patch; row < (n / across + 1) * patch; ++row)
          for (int column = n % across * patch; column < (n % across + 1) * patch; ++column)
            cut(k++) = static_cast<double>(pixels[static_cast<std::size_t>((c * side + row) * side + column)]);
      x.row(n + 1) += (kernel * cut + bias).transpose();
    }
    for (int layer = 0; layer < integer("num_hidden_layers"); ++layer) {
      const std::string in = "vit.encoder.layer." + std::to_string(layer) + ".";
      const Matrix h = layerNorm(x, in + "layernorm_before", epsilon);
      const std::string attention = in + "attention.attention.";
      x += linear(heads(linear(h, attention + "query"), linear(h, attention + "key"), linear(h, attention + "value"),
                        count, count, 1 / std::sqrt(static_cast<double>(d / count)), false),
                  in + "attention.output.dense");
      const Matrix inner = linear(layerNorm(x, in + "layernorm_after", epsilon), in + "intermediate.dense");
      x += linear(activation(inner, config_.at("hidden_act")), in + "output.dense");
    }
    return linear(layerNorm(x, "vit.layernorm", epsilon), "classifier").row(0);
  }

 private:
  /// A tensor of any rank as a row-major matrix.
  Matrix flat(const std::string& name, Eigen::Index rows, Eigen::Index columns) const {
    const checkpoint::TensorInfo* const tensor = file_.find(name);
    INFO(name);
    REQUIRE(tensor);
    REQUIRE(static_cast<Eigen::Index>(tensor->values()) == rows * columns);
    const std::int64_t first = tensor->shape.front(), rest = rows * columns / first;
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> values(rows, columns);
    REQUIRE(file_.read(*tensor, 0, first, 0, rest,
                       std::span<double>(values.data(), static_cast<std::size_t>(values.size()))));
    return values;
  }
  Matrix matrix(const std::string& name) const {
    const checkpoint::TensorInfo* const tensor = file_.find(name);
    INFO(name);
    REQUIRE(tensor);
    REQUIRE(tensor->shape.size() == 2);
    const auto rows = tensor->shape[0], columns = tensor->shape[1];
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> values(rows, columns);
    REQUIRE(file_.read(*tensor, 0, rows, 0, columns,
                       std::span<double>(values.data(), static_cast<std::size_t>(values.size()))));
    return values;
  }
  Vector vector(const std::string& name, Eigen::Index size, double otherwise) const {
    const checkpoint::TensorInfo* const tensor = file_.find(name);
    if (tensor == nullptr) return Vector::Constant(size, otherwise);
    INFO(name);
    REQUIRE(tensor->shape == std::vector<std::int64_t>{size});
    Vector values(size);
    REQUIRE(file_.read(*tensor, 0, size, 0, 1, std::span<double>(values.data(), static_cast<std::size_t>(size))));
    return values;
  }
  int integer(const char* key) const { return config_.at(key).get<int>(); }
  double number(const char* key) const { return config_.at(key).get<double>(); }

  Matrix linear(const Matrix& x, const std::string& name) const {
    const Matrix weight = matrix(name + ".weight");
    return (x * weight.transpose()).rowwise() + vector(name + ".bias", weight.rows(), 0).transpose();
  }
  Matrix conv1d(const Matrix& x, const std::string& name) const {
    const Matrix weight = matrix(name + ".weight");
    return (x * weight).rowwise() + vector(name + ".bias", weight.cols(), 0).transpose();
  }
  Matrix layerNorm(const Matrix& x, const std::string& name, double epsilon) const {
    const Vector gain = vector(name + ".weight", x.cols(), 1), bias = vector(name + ".bias", x.cols(), 0);
    Matrix out(x.rows(), x.cols());
    for (Eigen::Index n = 0; n < x.rows(); ++n) {
      const Eigen::RowVectorXd centred = x.row(n).array() - x.row(n).mean();
      const double deviation = std::sqrt(centred.squaredNorm() / static_cast<double>(x.cols()) + epsilon);
      out.row(n) = (centred / deviation).cwiseProduct(gain.transpose()) + bias.transpose();
    }
    return out;
  }
  Matrix rmsNorm(const Matrix& x, const std::string& name, double epsilon) const {
    const Vector gain = vector(name + ".weight", x.cols(), 1);
    Matrix out(x.rows(), x.cols());
    for (Eigen::Index n = 0; n < x.rows(); ++n)
      out.row(n) = (x.row(n) / std::sqrt(x.row(n).squaredNorm() / static_cast<double>(x.cols()) + epsilon))
                       .cwiseProduct(gain.transpose());
    return out;
  }
  static Matrix activation(const Matrix& x, const std::string& kind) {
    return x.unaryExpr([&kind](double v) {
      if (kind == "relu") return std::max(v, 0.0);
      if (kind == "silu") return v / (1 + std::exp(-v));
      if (kind == "gelu") return v * 0.5 * (1 + std::erf(v / std::sqrt(2.0)));
      REQUIRE(kind == "gelu_new");
      return 0.5 * v * (1 + std::tanh(std::sqrt(2 / 3.14159265358979323846) * (v + 0.044715 * v * v * v)));
    });
  }
  /// Rotates rows by the angle of their place. A coordinate of the first half of a head and one of the second are a
  /// pair.
  static void rotate(Matrix& head, double base) {
    const Eigen::Index half = head.cols() / 2;
    for (Eigen::Index n = 0; n < head.rows(); ++n)
      for (Eigen::Index s = 0; s < half; ++s) {
        const double angle =
            static_cast<double>(n) * std::pow(base, -2 * static_cast<double>(s) / static_cast<double>(head.cols()));
        const double a = head(n, s), b = head(n, s + half);
        head(n, s) = a * std::cos(angle) - b * std::sin(angle);
        head(n, s + half) = b * std::cos(angle) + a * std::sin(angle);
      }
  }
  static Matrix attend(Matrix q, Matrix k, const Matrix& v, double scale, bool causal, double ropeBase = 0) {
    if (ropeBase > 0) {
      rotate(q, ropeBase);
      rotate(k, ropeBase);
    }
    Matrix scores = q * k.transpose() * scale;
    for (Eigen::Index i = 0; i < scores.rows(); ++i) {
      const Eigen::Index keys = causal ? i + 1 : scores.cols();
      const double most = scores.row(i).head(keys).maxCoeff();
      double sum = 0;
      for (Eigen::Index j = 0; j < scores.cols(); ++j) {
        scores(i, j) = j < keys ? std::exp(scores(i, j) - most) : 0;
        sum += scores(i, j);
      }
      scores.row(i) /= sum;
    }
    return scores * v;
  }
  /// Computes the context from queries, keys and values of all heads side by side.
  static Matrix heads(const Matrix& q, const Matrix& k, const Matrix& v, int count, int groups, double scale,
                      bool causal, double ropeBase = 0) {
    const Eigen::Index d_h = q.cols() / count;
    Matrix context(q.rows(), q.cols());
    for (int head = 0; head < count; ++head) {
      const Eigen::Index group = head / (count / groups);
      context.middleCols(head * d_h, d_h) = attend(q.middleCols(head * d_h, d_h), k.middleCols(group * d_h, d_h),
                                                   v.middleCols(group * d_h, d_h), scale, causal, ropeBase);
    }
    return context;
  }
  Matrix rows(const std::string& name, const std::vector<int>& tokens) const {
    const Matrix table = matrix(name);
    Matrix x(static_cast<Eigen::Index>(tokens.size()), table.cols());
    for (std::size_t n = 0; n < tokens.size(); ++n)
      x.row(static_cast<Eigen::Index>(n)) = table.row(tokens[n]);
    return x;
  }
  Matrix head(const Matrix& x, const std::string& embedding, const std::string& untied) const {
    return x * matrix(config_.at("tie_word_embeddings").get<bool>() ? embedding : untied).transpose();
  }

  Matrix gpt2(const std::vector<int>& tokens) const {
    const int count = integer("n_head");
    const double epsilon = number("layer_norm_epsilon");
    Matrix x = rows("transformer.wte.weight", tokens) +
               matrix("transformer.wpe.weight").topRows(static_cast<Eigen::Index>(tokens.size()));
    const Eigen::Index d = x.cols();
    const double scale =
        config_.at("scale_attn_weights").get<bool>() ? 1 / std::sqrt(static_cast<double>(d / count)) : 1;
    for (int layer = 0; layer < integer("n_layer"); ++layer) {
      const std::string in = "transformer.h." + std::to_string(layer) + ".";
      const Matrix qkv = conv1d(layerNorm(x, in + "ln_1", epsilon), in + "attn.c_attn");
      x += conv1d(heads(qkv.leftCols(d), qkv.middleCols(d, d), qkv.rightCols(d), count, count, scale, true),
                  in + "attn.c_proj");
      x += conv1d(
          activation(conv1d(layerNorm(x, in + "ln_2", epsilon), in + "mlp.c_fc"), config_.at("activation_function")),
          in + "mlp.c_proj");
    }
    return head(layerNorm(x, "transformer.ln_f", epsilon), "transformer.wte.weight", "lm_head.weight");
  }

  Matrix gptNeoX(const std::vector<int>& tokens) const {
    REQUIRE(config_.at("use_parallel_residual") == false);
    REQUIRE(number("rotary_pct") == 1);
    const int count = integer("num_attention_heads");
    const double epsilon = number("layer_norm_eps");
    Matrix x = rows("gpt_neox.embed_in.weight", tokens);
    const Eigen::Index d = x.cols(), d_h = d / count;
    for (int layer = 0; layer < integer("num_hidden_layers"); ++layer) {
      const std::string in = "gpt_neox.layers." + std::to_string(layer) + ".";
      const Matrix qkv = linear(layerNorm(x, in + "input_layernorm", epsilon), in + "attention.query_key_value");
      Matrix context(x.rows(), d);
      for (int h = 0; h < count; ++h) {
        const Matrix one = qkv.middleCols(3 * h * d_h, 3 * d_h);
        context.middleCols(h * d_h, d_h) =
            attend(one.leftCols(d_h), one.middleCols(d_h, d_h), one.rightCols(d_h),
                   1 / std::sqrt(static_cast<double>(d_h)), true, number("rotary_emb_base"));
      }
      x += linear(context, in + "attention.dense");
      const Matrix inner = linear(layerNorm(x, in + "post_attention_layernorm", epsilon), in + "mlp.dense_h_to_4h");
      x += linear(activation(inner, config_.at("hidden_act")), in + "mlp.dense_4h_to_h");
    }
    return head(layerNorm(x, "gpt_neox.final_layer_norm", epsilon), "gpt_neox.embed_in.weight", "embed_out.weight");
  }

  Matrix llama(const std::vector<int>& tokens) const {
    const double epsilon = number("rms_norm_eps");
    Matrix x = rows("model.embed_tokens.weight", tokens);
    for (int layer = 0; layer < integer("num_hidden_layers"); ++layer) {
      const std::string in = "model.layers." + std::to_string(layer) + ".";
      const Matrix h = rmsNorm(x, in + "input_layernorm", epsilon);
      x += linear(heads(linear(h, in + "self_attn.q_proj"), linear(h, in + "self_attn.k_proj"),
                        linear(h, in + "self_attn.v_proj"), integer("num_attention_heads"),
                        integer("num_key_value_heads"), 1 / std::sqrt(number("head_dim")), true, number("rope_theta")),
                  in + "self_attn.o_proj");
      const Matrix inner = rmsNorm(x, in + "post_attention_layernorm", epsilon);
      const Matrix gate = activation(linear(inner, in + "mlp.gate_proj"), config_.at("hidden_act"));
      x += linear(gate.cwiseProduct(linear(inner, in + "mlp.up_proj")), in + "mlp.down_proj");
    }
    return head(rmsNorm(x, "model.norm", epsilon), "model.embed_tokens.weight", "lm_head.weight");
  }

  Matrix bert(const std::vector<int>& tokens) const {
    const int count = integer("num_attention_heads");
    const double epsilon = number("layer_norm_eps");
    Matrix x = rows("bert.embeddings.word_embeddings.weight", tokens) +
               matrix("bert.embeddings.position_embeddings.weight").topRows(static_cast<Eigen::Index>(tokens.size()));
    x.rowwise() += matrix("bert.embeddings.token_type_embeddings.weight").row(0);
    x = layerNorm(x, "bert.embeddings.LayerNorm", epsilon);
    for (int layer = 0; layer < integer("num_hidden_layers"); ++layer) {
      const std::string in = "bert.encoder.layer." + std::to_string(layer) + ".";
      const Matrix context = heads(linear(x, in + "attention.self.query"), linear(x, in + "attention.self.key"),
                                   linear(x, in + "attention.self.value"), count, count,
                                   1 / std::sqrt(static_cast<double>(x.cols() / count)), false);
      x = layerNorm(linear(context, in + "attention.output.dense") + x, in + "attention.output.LayerNorm", epsilon);
      const Matrix inner = activation(linear(x, in + "intermediate.dense"), config_.at("hidden_act"));
      x = layerNorm(linear(inner, in + "output.dense") + x, in + "output.LayerNorm", epsilon);
    }
    const Matrix h = layerNorm(activation(linear(x, "cls.predictions.transform.dense"), config_.at("hidden_act")),
                               "cls.predictions.transform.LayerNorm", epsilon);
    const Matrix out = head(h, "bert.embeddings.word_embeddings.weight", "cls.predictions.decoder.weight");
    return out.rowwise() + vector("cls.predictions.bias", out.cols(), 0).transpose();
  }

  Matrix modernBert(const std::vector<int>& tokens) const {
    REQUIRE(integer("global_attn_every_n_layers") == 1);
    const int count = integer("num_attention_heads");
    const double epsilon = number("norm_eps");
    Matrix x = layerNorm(rows("model.embeddings.tok_embeddings.weight", tokens), "model.embeddings.norm", epsilon);
    const Eigen::Index d = x.cols();
    for (int layer = 0; layer < integer("num_hidden_layers"); ++layer) {
      const std::string in = "model.layers." + std::to_string(layer) + ".";
      const Matrix qkv = linear(layer == 0 ? x : layerNorm(x, in + "attn_norm", epsilon), in + "attn.Wqkv");
      x += linear(heads(qkv.leftCols(d), qkv.middleCols(d, d), qkv.rightCols(d), count, count,
                        1 / std::sqrt(static_cast<double>(d / count)), false, number("global_rope_theta")),
                  in + "attn.Wo");
      const Matrix both = linear(layerNorm(x, in + "mlp_norm", epsilon), in + "mlp.Wi");
      const Eigen::Index ff = both.cols() / 2;
      x += linear(activation(both.leftCols(ff), config_.at("hidden_activation")).cwiseProduct(both.rightCols(ff)),
                  in + "mlp.Wo");
    }
    const Matrix h = layerNorm(activation(linear(layerNorm(x, "model.final_norm", epsilon), "head.dense"),
                                          config_.at("classifier_activation")),
                               "head.norm", epsilon);
    const Matrix out = head(h, "model.embeddings.tok_embeddings.weight", "decoder.weight");
    return out.rowwise() + vector("decoder.bias", out.cols(), 0).transpose();
  }

  const checkpoint::Checkpoint& file_;
  const nlohmann::json& config_;
};

}  // namespace sepx::test
