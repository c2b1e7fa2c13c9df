// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/load_factors.h"

#include <algorithm>
#include <new>
#include <span>

#include <fmt/format.h>

#include "engine/checkpoint/stored_check.h"
#include "engine/core/terminal_text.h"
#include "engine/core/try.h"

namespace sepx::checkpoint {

namespace {

using attention::LayerFactors;
using attention::Matrix;
using Eigen::Index;

// Number of values converted at a time: fits the cache, and limits the memory used beside the result.
constexpr std::int64_t kChunk = 1 << 16;
// Maximum number of values of one factor: twice that of a layer of the largest models.
constexpr std::int64_t kMostValues = std::int64_t{1} << 29;
constexpr std::size_t kShown = 120;  // bytes of a tensor's name in a sentence

Result<const TensorInfo*> tensorOf(const Checkpoint& checkpoint, const std::string& name) {
  const TensorInfo* tensor = checkpoint.find(name);
  if (tensor == nullptr)
    return fail(ErrorKind::BadInput, checkpoint.path() + ": there is no tensor " + excerpt(name, kShown));
  return tensor;
}

// Adjacent heads, written to consecutive columns of the factor.
struct Run {
  std::int64_t first = 0, length = 0;  ///< outputs of the tensor
  Index column = 0;
};

std::vector<Run> runsOf(const ProjectionSource& source, const std::vector<int>& heads, int d_h) {
  std::vector<Run> runs;
  Index column = 0;
  for (const int head : heads) {
    const std::int64_t first = source.firstOf(head);
    if (!runs.empty() && runs.back().first + runs.back().length == first) {
      runs.back().length += d_h;
    } else {
      runs.push_back({first, d_h, column});
    }
    column += d_h;
  }
  return runs;
}

// Reads pieces of a layer until it is cancelled.
class Reader {
 public:
  Reader(const Checkpoint& checkpoint, const Cancelled& cancelled, double values)
      : checkpoint_(checkpoint), cancelled_(cancelled), values_(values) {}

  const Checkpoint& checkpoint() const { return checkpoint_; }
  Result<void> read(const TensorInfo& tensor, std::int64_t row0, std::int64_t row1, std::int64_t col0,
                    std::int64_t col1, double* into) {
    if (cancelled_ && cancelled_(done_ / values_))
      return fail(ErrorKind::Interrupted, "stopped while reading " + checkpoint_.path());
    const auto count = static_cast<std::size_t>((row1 - row0) * (col1 - col0));
    done_ += static_cast<double>(count);
    return checkpoint_.read(tensor, row0, row1, col0, col1, std::span<double>(into, count));
  }

 private:
  const Checkpoint& checkpoint_;
  const Cancelled& cancelled_;
  double values_, done_ = 0;  // values of the whole layer, and how many were read
};

// [in, out]: rows of the tensor are rows of the factor.
Result<void> readAsStored(Reader& reader, const TensorInfo& tensor, const Run& run, Matrix& into) {
  const std::int64_t inputs = into.rows();
  const bool whole = run.length == into.cols();  // then nothing has to be copied, and pieces may be large
  // A view is paged in again for every piece of it.
  const std::int64_t large = tensor.strides.empty() ? 16 * kChunk : std::max(16 * kChunk, into.size() / 16);
  const std::int64_t step = std::max<std::int64_t>(1, (whole ? large : kChunk) / run.length);
  Matrix piece(whole ? 0 : std::min(step, inputs), run.length);
  for (std::int64_t row = 0; row < inputs; row += step) {
    const std::int64_t rows = std::min(step, inputs - row);
    double* const to = whole ? into.data() + row * run.length : piece.data();
    SEPX_TRY(reader.read(tensor, row, row + rows, run.first, run.first + run.length, to));
    if (!whole) into.block(row, run.column, rows, run.length) = piece.topRows(rows);
  }
  return {};
}

// [out, in]: rows of the tensor are columns of the factor; transposed in squares that stay in the cache.
Result<void> readTurned(Reader& reader, const TensorInfo& tensor, const Run& run, Matrix& into) {
  constexpr std::int64_t kSquare = 32;
  const std::int64_t inputs = into.rows();
  const std::int64_t step = std::max<std::int64_t>(std::min(kSquare, run.length), kChunk / inputs);
  Matrix piece(std::min(step, run.length), inputs);
  for (std::int64_t row = 0; row < run.length; row += step) {
    const std::int64_t rows = std::min(step, run.length - row);
    const std::int64_t first = run.first + row;
    SEPX_TRY(reader.read(tensor, first, first + rows, 0, inputs, piece.data()));
    for (std::int64_t i = 0; i < inputs; i += kSquare)
      for (std::int64_t j = 0; j < rows; j += kSquare) {
        const std::int64_t high = std::min(kSquare, inputs - i), wide = std::min(kSquare, rows - j);
        into.block(i, run.column + row + j, high, wide) = piece.block(j, i, wide, high).transpose();
      }
  }
  return {};
}

// Columns of `heads` of a projection: [inputs, heads * d_h].
Result<Matrix> readProjection(Reader& reader, const ProjectionSource& source, const std::vector<int>& heads, int d_h,
                              std::int64_t inputs) {
  SEPX_ASSIGN(const TensorInfo* tensor, tensorOf(reader.checkpoint(), source.tensor));
  Matrix matrix(inputs, static_cast<Index>(heads.size()) * d_h);
  if (source.perHead) {
    Matrix one(inputs, d_h);
    for (std::size_t at = 0; at < heads.size(); ++at) {
      SEPX_TRY(reader.read(*tensor, heads[at], heads[at] + 1, 0, inputs * d_h, one.data()));
      matrix.middleCols(static_cast<Index>(at) * d_h, d_h) = one;
    }
    return matrix;
  }
  for (const Run& run : runsOf(source, heads, d_h)) {
    SEPX_TRY(source.transposed ? readAsStored(reader, *tensor, run, matrix) : readTurned(reader, *tensor, run, matrix));
  }
  return matrix;
}

Result<Eigen::VectorXd> readVector(const Checkpoint& checkpoint, const std::string& name) {
  SEPX_ASSIGN(const TensorInfo* tensor, tensorOf(checkpoint, name));
  const std::uint64_t length = tensor->values();
  if (tensor->shape.empty() || static_cast<std::uint64_t>(tensor->shape[0]) != length)
    return fail(ErrorKind::BadInput, fmt::format("{}: {} has the shape [{}], it should be a vector", checkpoint.path(),
                                                 excerpt(name, kShown), fmt::join(tensor->shape, ", ")));
  Eigen::VectorXd vector(static_cast<Index>(length));
  SEPX_TRY(
      checkpoint.read(*tensor, 0, static_cast<std::int64_t>(length), 0, 1, std::span<double>(vector.data(), length)));
  return vector;
}

Result<Eigen::VectorXd> readBias(const Checkpoint& checkpoint, const ProjectionSource& source, int heads, int d_h) {
  SEPX_ASSIGN(const TensorInfo* tensor, tensorOf(checkpoint, source.tensor));
  Eigen::VectorXd bias(Index{heads} * d_h);
  for (int head = 0; head < heads; ++head) {
    const std::span<double> out(bias.data() + Index{head} * d_h, static_cast<std::size_t>(d_h));
    const std::int64_t first = source.firstOf(head);
    SEPX_TRY(source.perHead ? checkpoint.read(*tensor, head, head + 1, 0, d_h, out)
                            : checkpoint.read(*tensor, first, first + d_h, 0, 1, out));
  }
  return bias;
}

Result<void> foldGain(const Checkpoint& checkpoint, const AttentionLayer& layer, LayerFactors& factors) {
  if (!layer.norm || layer.norm->gain.empty()) return {};
  Result<Eigen::VectorXd> gain = readVector(checkpoint, layer.norm->gain);
  if (!gain) return tl::unexpected<Error>(gain.error());
  if (gain->size() != factors.W_Q.rows() || (layer.normOfKeys && gain->size() != factors.W_K.rows()))
    return fail(ErrorKind::BadInput, fmt::format("{}: {} has {} entries, the attention is {} wide", checkpoint.path(),
                                                 excerpt(layer.norm->gain, kShown), gain->size(), factors.W_Q.rows()));
  if (layer.norm->onePlusGain) gain->array() += 1;
  factors.W_Q.array().colwise() *= gain->array();
  if (layer.normOfKeys) factors.W_K.array().colwise() *= gain->array();
  return {};
}

int keyHeadOf(const AttentionLayer& layer, int head, HeadPairing pairing) {
  return pairing == HeadPairing::Published ? head % layer.kvHeads : head / (layer.heads / layer.kvHeads);
}

Result<void> checked(const Checkpoint& checkpoint, const AttentionLayer& layer, int head) {
  if (layer.heads < 1 || layer.kvHeads < 1 || layer.d_h < 1 || layer.d_model < 1 || layer.d_key < 1)
    return fail(ErrorKind::BadInput, checkpoint.path() + ": the layer has no heads");
  if (head >= layer.heads)
    return fail(ErrorKind::Usage,
                fmt::format("there is no head {}: layer {} has heads 0 to {}", head, layer.layer, layer.heads - 1));
  const std::int64_t queries = head >= 0 ? layer.d_h : std::int64_t{layer.heads} * layer.d_h;
  const std::int64_t keys = head >= 0 ? layer.d_h : std::int64_t{layer.kvHeads} * layer.d_h;
  if (queries > kMostValues / layer.d_model || keys > kMostValues / layer.d_key)
    return fail(ErrorKind::BadInput, fmt::format("{}: layer {} has factors of {} x {} numbers, too many to hold; look "
                                                 "at one head",
                                                 checkpoint.path(), layer.layer, layer.d_model, queries));
  return {};
}

Result<LayerFactors> load(const Checkpoint& checkpoint, const AttentionLayer& layer, const FactorOptions& options,
                          const Cancelled& cancelled) {
  SEPX_TRY(checked(checkpoint, layer, options.head));
  LayerFactors factors;
  factors.d_h = layer.d_h;
  std::vector<int> queries, keys;
  if (options.head >= 0) {
    queries = {options.head};
    keys = {keyHeadOf(layer, options.head, options.pairing)};
    factors.keyHead = {0};
  } else {
    for (int head = 0; head < layer.heads; ++head) {
      queries.push_back(head);
      factors.keyHead.push_back(keyHeadOf(layer, head, options.pairing));
    }
    for (int head = 0; head < layer.kvHeads; ++head)
      keys.push_back(head);
  }
  factors.heads = static_cast<int>(queries.size());
  const double values = static_cast<double>(layer.d_h) * (static_cast<double>(queries.size()) * layer.d_model +
                                                          static_cast<double>(keys.size()) * layer.d_key);
  for (const std::string& name : {layer.W_Q.tensor, layer.W_K.tensor})
    if (const TensorInfo* tensor = checkpoint.find(name)) SEPX_TRY(checkStored(checkpoint, *tensor, cancelled));
  Reader reader(checkpoint, cancelled, values);
  SEPX_ASSIGN(factors.W_Q, readProjection(reader, layer.W_Q, queries, layer.d_h, layer.d_model));
  SEPX_ASSIGN(factors.W_K, readProjection(reader, layer.W_K, keys, layer.d_h, layer.d_key));
  if (options.foldNorm) SEPX_TRY(foldGain(checkpoint, layer, factors));
  return factors;
}

}  // namespace

Result<LayerFactors> loadFactors(const Checkpoint& checkpoint, const AttentionLayer& layer,
                                 const FactorOptions& options, const Cancelled& cancelled) {
  try {
    return load(checkpoint, layer, options, cancelled);
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::BadInput, fmt::format("{}: there is not enough memory for the factors of layer {}; look at "
                                                 "one head",
                                                 checkpoint.path(), layer.layer));
  }
}

Result<attention::OmittedScoreParts> loadOmittedScoreParts(const Checkpoint& checkpoint, const AttentionLayer& layer) {
  attention::OmittedScoreParts left;
  left.scale = layer.scale;
  const auto bias = [&](const std::optional<ProjectionSource>& source, int heads,
                        Eigen::VectorXd& into) -> Result<void> {
    if (!source) return {};
    SEPX_ASSIGN(into, readBias(checkpoint, *source, heads, layer.d_h));
    return {};
  };
  SEPX_TRY(bias(layer.b_Q, layer.heads, left.b_Q));
  SEPX_TRY(bias(layer.b_K, layer.kvHeads, left.b_K));
  if (layer.norm) {
    left.hasNorm = true;
    left.rms = layer.norm->kind == NormSource::Kind::Rms;
    left.epsilon = layer.norm->epsilon;
    left.normOfKeys = layer.normOfKeys;
    const auto vector = [&](const std::string& name, Eigen::VectorXd& into) -> Result<void> {
      if (name.empty()) return {};
      SEPX_ASSIGN(into, readVector(checkpoint, name));
      return {};
    };
    SEPX_TRY(vector(layer.norm->gain, left.gain));
    if (layer.norm->onePlusGain) left.gain.array() += 1;
    SEPX_TRY(vector(layer.norm->bias, left.bias));
  }
  if (layer.rope) {
    left.ropeBase = layer.rope->base;
    left.ropeDimensions = layer.rope->dimensions;
    left.ropeInterleaved = layer.rope->interleaved;
  }
  return left;
}

Result<Eigen::VectorXd> loadEmbedding(const Checkpoint& checkpoint, const AttentionMap& map, std::int64_t token) {
  if (map.tokenEmbedding.empty())
    return fail(ErrorKind::BadInput, checkpoint.path() + ": there is no embedding of tokens in the file");
  SEPX_ASSIGN(const TensorInfo* tensor, tensorOf(checkpoint, map.tokenEmbedding));
  const std::vector<std::int64_t>& shape = tensor->shape;
  if (shape.size() != 2)
    return fail(ErrorKind::BadInput,
                checkpoint.path() + ": " + excerpt(map.tokenEmbedding, kShown) + " is not a table of two dimensions");
  if (token < 0 || token >= shape[0])
    return fail(ErrorKind::BadInput, fmt::format("{}: there is no token {}: {} has tokens 0 to {}", checkpoint.path(),
                                                 token, excerpt(map.tokenEmbedding, kShown), shape[0] - 1));
  Eigen::VectorXd row(static_cast<Index>(shape[1]));
  SEPX_TRY(checkpoint.read(*tensor, token, token + 1, 0, shape[1],
                           std::span<double>(row.data(), static_cast<std::size_t>(shape[1]))));
  return row;
}

}  // namespace sepx::checkpoint
