// SPDX-License-Identifier: Apache-2.0
#include "engine/forward/score_parts_read.h"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "engine/core/try.h"
#include "engine/forward/tensor_reader.h"

namespace sepx::forward {

namespace {

using checkpoint::Cancelled;
using checkpoint::Checkpoint;
using checkpoint::LinearSource;
using checkpoint::NormSource;
using checkpoint::TensorInfo;

// Values of a weight held at a time.
constexpr std::int64_t kPiece = std::int64_t{1} << 18;

/// Rows and columns as Checkpoint::read counts them.
std::pair<std::int64_t, std::int64_t> sidesOf(const TensorInfo& tensor) {
  const std::int64_t rows = tensor.shape.empty() ? 1 : tensor.shape.front();
  return {rows, rows == 0 ? 0 : static_cast<std::int64_t>(tensor.values()) / rows};
}

/// Calls `use(row, piece)` with pieces [rows, columns] of the tensor of a linear layer, with `row` counted from its
/// first used row. Rows are outputs, or inputs if the tensor is transposed.
template <class Use>
Result<void> eachPiece(const Checkpoint& checkpoint, const LinearSource& source, const Cancelled& cancelled,
                       const Use& use) {
  TensorReader reader(checkpoint, cancelled);
  SEPX_ASSIGN(const TensorInfo* tensor, reader.find(source.tensor));
  const auto [rowsThere, columnsThere] = sidesOf(*tensor);
  const std::int64_t outs = source.first + source.out;
  const std::int64_t wantedRows = source.transposed ? source.in : outs;
  const std::int64_t wantedColumns = source.transposed ? outs : source.in;
  if (rowsThere < wantedRows || columnsThere < wantedColumns)
    return fail(ErrorKind::BadInput, fmt::format("{}: {} is {} x {}, the layer needs {} x {}", checkpoint.path(),
                                                 source.tensor, rowsThere, columnsThere, wantedRows, wantedColumns));
  const std::int64_t rows = source.transposed ? source.in : source.out;
  const std::int64_t columns = source.transposed ? source.out : source.in;
  const std::int64_t row0 = source.transposed ? 0 : source.first, column0 = source.transposed ? source.first : 0;
  const std::int64_t step = std::max<std::int64_t>(1, kPiece / std::max<std::int64_t>(columns, 1));
  Matrix piece;
  for (std::int64_t row = 0; row < rows; row += step) {
    SEPX_TRY(reader.goOn(static_cast<double>(row) / static_cast<double>(rows)));
    const std::int64_t count = std::min(step, rows - row);
    piece.resize(count, columns);
    SEPX_TRY(checkpoint.read(*tensor, row0 + row, row0 + row + count, column0, column0 + columns,
                             std::span<double>(piece.data(), static_cast<std::size_t>(piece.size()))));
    use(row, piece);
  }
  return {};
}

}  // namespace

Result<VectorXd> readVector(const Checkpoint& checkpoint, const std::string& name, Index first, Index size) {
  const Cancelled never;
  TensorReader reader(checkpoint, never);
  SEPX_ASSIGN(const TensorInfo* tensor, reader.find(name));
  VectorXd values(size < 0 ? static_cast<Index>(tensor->values()) - first : size);
  SEPX_TRY(
      reader.read(*tensor, static_cast<std::uint64_t>(first), static_cast<std::size_t>(values.size()), values.data()));
  SEPX_TRY(reader.done());
  return values;
}

Result<VectorXd> timesLinear(const Checkpoint& checkpoint, const LinearSource& source, const VectorXd& x,
                             const Cancelled& cancelled) {
  VectorXd y = VectorXd::Zero(source.out);
  SEPX_TRY(eachPiece(checkpoint, source, cancelled, [&](std::int64_t row, const Matrix& piece) {
    if (source.transposed) {
      y.noalias() += piece.transpose() * x.segment(row, piece.rows());
    } else {
      y.segment(row, piece.rows()).noalias() = piece * x;
    }
  }));
  return y;
}

Result<VectorXd> biasOf(const Checkpoint& checkpoint, const LinearSource& source) {
  if (source.bias.empty()) return VectorXd();
  return readVector(checkpoint, source.bias, source.biasFirst, source.out);
}

Result<std::vector<Matrix>> headWrites(const Checkpoint& checkpoint, const LinearSource& W_O,
                                       const std::vector<VectorXd>& contexts, Index heads, const Cancelled& cancelled) {
  std::vector<Matrix> writes(contexts.size(), Matrix::Zero(heads, W_O.out));
  const Index d_v = W_O.in / heads;
  SEPX_TRY(eachPiece(checkpoint, W_O, cancelled, [&](std::int64_t row, const Matrix& piece) {
    for (std::size_t i = 0; i < contexts.size(); ++i) {
      const VectorXd& context = contexts[i];
      if (W_O.transposed) {  // rows are inputs
        for (Index at = 0; at < piece.rows(); ++at)
          writes[i].row((row + at) / d_v) += context(row + at) * piece.row(at);
        continue;
      }
      for (Index head = 0; head < heads; ++head)
        writes[i].row(head).segment(row, piece.rows()).transpose().noalias() =
            piece.middleCols(head * d_v, d_v) * context.segment(head * d_v, d_v);
    }
  }));
  return writes;
}

void FrozenNorm::apply(Eigen::Ref<Matrix> rows, bool withGain) const {
  if (centred) {
    const VectorXd means = rows.rowwise().mean();
    rows.colwise() -= means;
  }
  rows *= inverse;
  if (withGain && gain.size() > 0) rows.array().rowwise() *= gain.transpose().array();
}

Result<FrozenNorm> readNorm(const Checkpoint& checkpoint, const NormSource& source) {
  FrozenNorm norm;
  norm.centred = source.kind == NormSource::Kind::Layer;
  if (!source.gain.empty()) {
    SEPX_ASSIGN(norm.gain, readVector(checkpoint, source.gain));
    if (source.onePlusGain) norm.gain.array() += 1;
  }
  if (!source.bias.empty()) {
    SEPX_ASSIGN(norm.bias, readVector(checkpoint, source.bias));
  }
  return norm;
}

double inverseOf(const NormSource& source, const VectorXd& at) {
  const double mean = source.kind == NormSource::Kind::Layer ? at.mean() : 0;
  return 1 / std::sqrt((at.array() - mean).square().mean() + source.epsilon);
}

Result<FrozenNorm> frozenAt(const Checkpoint& checkpoint, const NormSource& source, const VectorXd& at) {
  SEPX_ASSIGN(FrozenNorm norm, readNorm(checkpoint, source));
  if ((norm.gain.size() > 0 && norm.gain.size() != at.size()) ||
      (norm.bias.size() > 0 && norm.bias.size() != at.size()))
    return fail(ErrorKind::BadInput, fmt::format("{}: {} has {} numbers, but what it normalises has {}",
                                                 checkpoint.path(), source.gain, norm.gain.size(), at.size()));
  norm.inverse = inverseOf(source, at);
  return norm;
}

}  // namespace sepx::forward
