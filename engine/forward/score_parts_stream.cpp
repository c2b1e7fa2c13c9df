// SPDX-License-Identifier: Apache-2.0
#include "engine/forward/score_parts_stream.h"

#include <utility>

#include <fmt/format.h>

#include "engine/core/try.h"

namespace sepx::forward {

namespace {

using checkpoint::BlockPlan;
using checkpoint::Cancelled;
using checkpoint::Checkpoint;
using checkpoint::ModelPlan;
using checkpoint::NormSource;

// Rows of the writers that every stream has.
constexpr Index kRowOfEmbedding = 0, kRowOfPosition = 1, kRowOfBiases = 2, kFixedRows = 3;

template <class T>
VectorXd rowAsDoubles(const std::vector<T>& values, int position, int positions) {
  if (values.empty() || positions < 1) return {};
  const auto width = static_cast<Index>(values.size() / static_cast<std::size_t>(positions));
  VectorXd row(width);
  for (Index i = 0; i < width; ++i)
    row[i] = static_cast<double>(values[static_cast<std::size_t>(position * width + i)]);
  return row;
}

/// Builds the parts of one stream, block by block.
class StreamWalk {
 public:
  StreamWalk(const ForwardModel& model, const Cancelled& cancelled)
      : plan_(model.plan()), checkpoint_(model.checkpoint()), cancelled_(cancelled) {}

  Result<void> begin(const Input& input, const PositionActivations& passed, int layer, int position) {
    Index most = kFixedRows;
    for (int l = 0; l < layer; ++l)
      most += plan_.blocks[static_cast<std::size_t>(l)].attention.heads + 1;
    parts_.rows = Matrix::Zero(most, plan_.d_model);
    for (const Writer::Kind kind : {Writer::Kind::Embedding, Writer::Kind::Position, Writer::Kind::Biases})
      parts_.writers.push_back({kind});
    return plan_.image ? patchOf(passed.embedding, position) : tokenOf(input, position);
  }

  /// `writes`: what each head writes, before a norm of the branch.
  Result<void> block(const PositionBlock& passed, int layer, Matrix writes) {
    const BlockPlan& plan = plan_.blocks[static_cast<std::size_t>(layer)];
    parts_.withUnitGain.resize(0);
    SEPX_TRY(attention(plan, layer, std::move(writes)));
    if (plan.attentionAfter) SEPX_TRY(normed(*plan.attentionAfter, passed.before + passed.attentionWrite));
    if (passed.feedForwardWrite.size() > 0) {
      parts_.rows.row(used()) = passed.feedForwardWrite.transpose();
      parts_.writers.push_back({Writer::Kind::FeedForward, layer});
      parts_.withUnitGain.resize(0);
    }
    if (plan.feedForwardAfter) SEPX_TRY(normed(*plan.feedForwardAfter, sumBeforeLastNorm(passed)));
    return {};
  }

  StreamParts take() {
    parts_.rows.conservativeResize(used(), Eigen::NoChange);
    return std::move(parts_);
  }

 private:
  Index used() const { return static_cast<Index>(parts_.writers.size()); }
  Eigen::Ref<Matrix> rows() { return parts_.rows.topRows(used()); }

  /// Applies a norm of the sum of all rows to each row. `at`: that sum in the pass, which sets the denominator.
  Result<void> normed(const NormSource& source, const VectorXd& at) {
    SEPX_ASSIGN(const FrozenNorm norm, frozenAt(checkpoint_, source, at));
    Matrix plain = at.transpose();
    norm.apply(plain, false);
    norm.apply(rows());
    if (norm.bias.size() > 0) {
      parts_.rows.row(kRowOfBiases) += norm.bias.transpose();
      plain.row(0) += norm.bias.transpose();
    }
    parts_.withUnitGain = plain.row(0).transpose();
    return {};
  }

  /// A patch depends on the whole image, so its part is the embedding in the pass minus the row of its position.
  Result<void> patchOf(const VectorXd& embedding, int position) {
    parts_.rows.row(kRowOfEmbedding) = embedding.transpose();
    if (plan_.image->positions.empty() || plan_.embeddingNorm) return {};
    SEPX_ASSIGN(const VectorXd row, rowOfTable(plan_.image->positions, position, plan_.d_model));
    parts_.rows.row(kRowOfPosition) = row.transpose();
    parts_.rows.row(kRowOfEmbedding) -= row.transpose();
    return {};
  }

  Index widthOfTable(const std::string& name) const {
    const checkpoint::TensorInfo* tensor = checkpoint_.find(name);
    return tensor == nullptr || tensor->shape.empty() ? 0 : static_cast<Index>(tensor->shape.back());
  }

  Result<VectorXd> rowOfTable(const std::string& name, std::int64_t row, Index width) const {
    return readVector(checkpoint_, name, row * width, width);
  }

  Result<void> tokenOf(const Input& input, int position) {
    // Embeddings may be narrower than the stream. Other tables of that width are projected together with them.
    const Index width = plan_.embeddingProjection ? plan_.embeddingProjection->in : plan_.d_model;
    Matrix narrow = Matrix::Zero(kFixedRows, width);
    SEPX_ASSIGN(VectorXd row, rowOfTable(plan_.tokenEmbedding, input.ids[static_cast<std::size_t>(position)], width));
    narrow.row(kRowOfEmbedding) = plan_.embeddingScale * row.transpose();
    const auto add = [&](const std::string& table, std::int64_t at, bool projected) -> Result<void> {
      if (table.empty() || (widthOfTable(table) == width) != projected) return {};
      SEPX_ASSIGN(const VectorXd values, rowOfTable(table, at, projected ? width : plan_.d_model));
      (projected ? narrow : parts_.rows).row(kRowOfPosition) += values.transpose();
      return {};
    };
    SEPX_TRY(add(plan_.positionEmbedding, position + plan_.positionOffset, true));
    SEPX_TRY(add(plan_.segments, 0, true));
    bool norm = plan_.embeddingNorm.has_value();
    if (plan_.embeddingProjection) {
      SEPX_TRY(projected(narrow, norm));
    } else {
      parts_.rows.topRows(kFixedRows) += narrow;
    }
    SEPX_TRY(add(plan_.positionEmbedding, position + plan_.positionOffset, false));
    SEPX_TRY(add(plan_.segments, 0, false));
    if (norm) SEPX_TRY(normed(*plan_.embeddingNorm, parts_.rows.colwise().sum().transpose()));
    return {};
  }

  /// Projects narrow embeddings to the width of the stream; a norm of the narrow width is applied before (ALBERT).
  Result<void> projected(Matrix& narrow, bool& norm) {
    if (norm && widthOfTable(plan_.embeddingNorm->gain) == narrow.cols() && narrow.cols() != plan_.d_model) {
      SEPX_ASSIGN(const FrozenNorm frozen,
                  frozenAt(checkpoint_, *plan_.embeddingNorm, narrow.colwise().sum().transpose()));
      frozen.apply(narrow);
      if (frozen.bias.size() > 0) narrow.row(kRowOfBiases) += frozen.bias.transpose();
      norm = false;
    }
    for (Index at = 0; at < kFixedRows; ++at) {
      SEPX_ASSIGN(const VectorXd wide,
                  timesLinear(checkpoint_, *plan_.embeddingProjection, narrow.row(at).transpose(), cancelled_));
      parts_.rows.row(at) += wide.transpose();
    }
    SEPX_ASSIGN(const VectorXd bias, biasOf(checkpoint_, *plan_.embeddingProjection));
    if (bias.size() > 0) parts_.rows.row(kRowOfBiases) += bias.transpose();
    return {};
  }

  static VectorXd sumBeforeLastNorm(const PositionBlock& passed) {
    VectorXd sum = passed.middle.size() > 0 ? passed.middle : passed.before + passed.attentionWrite;
    if (passed.feedForwardWrite.size() > 0) sum += passed.feedForwardWrite;
    return sum;
  }

  Result<void> attention(const BlockPlan& plan, int layer, Matrix writes) {
    SEPX_ASSIGN(VectorXd bias, biasOf(checkpoint_, plan.W_O));
    if (bias.size() == 0) bias = VectorXd::Zero(plan_.d_model);
    if (plan.attentionOut) {
      const VectorXd branch = writes.colwise().sum().transpose() + bias;
      SEPX_ASSIGN(const FrozenNorm norm, frozenAt(checkpoint_, *plan.attentionOut, branch));
      norm.apply(writes);
      Matrix row = bias.transpose();
      norm.apply(row);
      bias = row.row(0).transpose();
      if (norm.bias.size() > 0) bias += norm.bias;
    }
    if (!plan.attentionGain.empty()) {
      SEPX_ASSIGN(const VectorXd gain, readVector(checkpoint_, plan.attentionGain));
      writes = writes * gain.asDiagonal();
      bias = bias.cwiseProduct(gain).eval();
    }
    parts_.rows.row(kRowOfBiases) += plan.residualScale * bias.transpose();
    parts_.rows.middleRows(used(), writes.rows()) = plan.residualScale * writes;
    for (int head = 0; head < plan.attention.heads; ++head)
      parts_.writers.push_back({Writer::Kind::Head, layer, head});
    return {};
  }

  const ModelPlan& plan_;
  const Checkpoint& checkpoint_;
  const Cancelled& cancelled_;
  StreamParts parts_;
};

}  // namespace

template <class T>
PositionActivations activationsAtPosition(const Activations<T>& pass, int layer, int position) {
  PositionActivations stream;
  const auto row = [&](const std::vector<T>& values) { return rowAsDoubles(values, position, pass.positions); };
  stream.embedding = row(pass.embedding);
  for (int l = 0; l < layer; ++l) {
    const BlockActivations<T>& block = pass.blocks[static_cast<std::size_t>(l)];
    stream.blocks.push_back({stream.last(), row(block.middle), row(block.hidden), row(block.context),
                             row(block.attentionWrite), row(block.feedForwardWrite)});
  }
  return stream;
}

template PositionActivations activationsAtPosition(const Activations<float>&, int, int);
template PositionActivations activationsAtPosition(const Activations<double>&, int, int);

Result<std::vector<StreamParts>> streamParts(const ForwardModel& model, const Input& input,
                                             const std::vector<PositionActivations>& passed, int layer,
                                             const std::vector<int>& positions, const Cancelled& cancelled) {
  std::vector<StreamWalk> walks(passed.size(), StreamWalk(model, cancelled));
  for (std::size_t i = 0; i < walks.size(); ++i)
    SEPX_TRY(walks[i].begin(input, passed[i], layer, positions[i]));
  for (int l = 0; l < layer; ++l) {
    const BlockPlan& plan = model.plan().blocks[static_cast<std::size_t>(l)];
    std::vector<VectorXd> contexts;
    for (const PositionActivations& stream : passed)
      contexts.push_back(stream.blocks[static_cast<std::size_t>(l)].context);
    SEPX_ASSIGN(std::vector<Matrix> writes,
                headWrites(model.checkpoint(), plan.W_O, contexts, plan.attention.heads, cancelled));
    for (std::size_t i = 0; i < walks.size(); ++i)
      SEPX_TRY(walks[i].block(passed[i].blocks[static_cast<std::size_t>(l)], l, std::move(writes[i])));
  }
  std::vector<StreamParts> parts;
  for (StreamWalk& walk : walks)
    parts.push_back(walk.take());
  return parts;
}

}  // namespace sepx::forward
