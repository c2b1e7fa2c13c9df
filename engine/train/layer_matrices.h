// SPDX-License-Identifier: Apache-2.0
// Measures of the weight matrices of a layer: their two largest singular values, and the alignment of their leading
// singular vectors with the embedding [Local-to-Global, A.3.1, Figures 3 and 6: at convergence the matrices are nearly
// of rank one, one component is the direction of the embedding, and the embedding is a corner of the hypercube up to a
// scale]. Matrices are [out, in] as stored, y = W x. A side of a matrix that is as wide as the residual stream is in
// the space of the embedding: W_1, W_Q, W_K and W_V read from it (right vectors), W_2 and W_O write to it (left
// vectors). Pure; any thread.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "engine/attention/factors.h"
#include "engine/nn/model_config.h"

namespace sepx::train {

enum class LayerMatrix {  ///< of a layer, for any head
  Up,                     ///< W_1 [d_ff, d_model]
  Gate,                   ///< W_gate [d_ff, d_model], of SwiGLU
  Down,                   ///< W_2 [d_model, d_ff]
  Value,                  ///< W_V [kv d_h, d_model]
  Output,                 ///< W_O [d_model, heads d_h]
  ValueOutput,            ///< W_O W_V [d_model, d_model], the sum over the heads: W_V of Section 2, which has no W_O
  Query,                  ///< W_Q [heads d_h, d_model]
  Key,                    ///< W_K [kv d_h, d_model]
  Form,                   ///< W_qk [d_model, d_model], rows = query side
  Embedding,              ///< E [vocabulary, d_model]
};
struct LayerMatrixInfo {  ///< properties of a layer matrix
  LayerMatrix which = LayerMatrix::Up;
  const char* word = "";             ///< name in script keys: "W_1"
  bool left = false, right = false;  ///< the sides that are in the residual stream
};
/// All matrices, in the order of the enumeration.
std::span<const LayerMatrixInfo> layerMatrices();
const LayerMatrixInfo& infoOf(LayerMatrix which);
/// Empty if no matrix has this word.
std::optional<LayerMatrix> layerMatrix(std::string_view word);

/// Parameters by name, [rows, columns] as stored.
using NamedMatrices = std::map<std::string, attention::MatrixF, std::less<>>;

inline constexpr const char* kEmbeddingName = "embedding.weight";  ///< the name of E in a checkpoint
/// The parameters that a matrix of a layer is computed from; none if the model has no such matrix.
std::vector<std::string> parametersOf(const nn::ModelConfig& model, LayerMatrix which, int layer);
/// The matrix, or its part for one head if `head` is not -1 and the matrix has heads. Empty if a parameter is missing
/// or its shape does not match the model.
std::optional<attention::MatrixF> matrixOf(const nn::ModelConfig& model, const NamedMatrices& parameters,
                                           LayerMatrix which, int layer, int head);

/// The direction that a token adds to the residual stream.
struct EmbeddingVector {
  enum class Kind {  ///< the origin of e
    Vector,          ///< e of binary chains, x_n = t_n e + p_n
    Difference,      ///< E_1 - E_0 of a table of two tokens
    Leading          ///< the leading right singular vector of a table of more tokens
  };
  Kind kind = Kind::Vector;
  Eigen::VectorXd e;  ///< [d_model]; empty: there is none
};
EmbeddingVector embeddingVector(const nn::ModelConfig& model, const attention::MatrixF& embedding);

/// max|v_i| / min|v_i|: 1 at a corner of a hypercube around 0, infinite if an entry is 0; NaN for an empty or zero
/// vector.
double cornerRatio(const Eigen::VectorXd& v);

/// A leading singular vector compared with the embedding.
struct LeadingVector {
  double cosine = 0;  ///< absolute value of the cosine with e; NaN: there is no e
  double corner = 0;  ///< cornerRatio()
};
struct MatrixReading {                       ///< measures of one matrix
  std::vector<double> singular;              ///< descending; empty if an entry is not finite or the matrix is too large
  double ratio = 0;                          ///< sigma1/sigma2; infinite for rank one; NaN: there is no second one
  std::optional<LeadingVector> left, right;  ///< for the sides in the residual stream
  /// The more informative side: the one from which the matrix reads, or the one to which it writes if it reads from
  /// elsewhere.
  const LeadingVector* main() const { return right ? &*right : left ? &*left : nullptr; }
};
/// Maximum number of entries of a matrix that is decomposed: a larger one would take seconds.
inline constexpr Eigen::Index kLargestRead = Eigen::Index{1} << 20;
MatrixReading readMatrix(const attention::MatrixF& matrix, const LayerMatrixInfo& info, const EmbeddingVector& e);

}  // namespace sepx::train
