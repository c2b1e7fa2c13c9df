// SPDX-License-Identifier: Apache-2.0
#include "engine/forward/score_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <new>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/checkpoint/load_factors.h"
#include "engine/core/resource_limits.h"
#include "engine/core/sentence.h"
#include "engine/core/try.h"
#include "engine/forward/attention_scores.h"
#include "engine/forward/score_parts_stream.h"
#include "engine/forward/tensor_reader.h"

namespace sepx::forward {

namespace {

using checkpoint::AttentionLayer;
using checkpoint::BlockPlan;
using checkpoint::Cancelled;
using checkpoint::Checkpoint;
using checkpoint::NormSource;

/// Applies the rotary encoding of a position to rows.
///   (a, b) -> amplitude (a cos t - b sin t, a sin t + b cos t),  t = position base^(-2p / dimensions) / factor_p
void turnRows(Matrix& rows, const BlockPlan& plan, int position) {
  if (!plan.attention.rope) return;
  const checkpoint::RopeSource& rope = *plan.attention.rope;
  const Index pairs = rope.dimensions / 2;
  for (Index p = 0; p < pairs; ++p) {
    double frequency = std::pow(rope.base, -2.0 * static_cast<double>(p) / rope.dimensions);
    if (static_cast<std::size_t>(p) < plan.ropeScaling.factors.size())
      frequency /= plan.ropeScaling.factors[static_cast<std::size_t>(p)];
    const double c = plan.ropeScaling.amplitude * std::cos(position * frequency);
    const double s = plan.ropeScaling.amplitude * std::sin(position * frequency);
    const Index first = rope.interleaved ? 2 * p : p, second = rope.interleaved ? 2 * p + 1 : p + pairs;
    const VectorXd a = rows.col(first), b = rows.col(second);
    rows.col(first) = c * a - s * b;
    rows.col(second) = s * a + c * b;
  }
}

/// The bias that depends on the distance only and is added to the score (ALiBi, T5).
Result<double> biasOfDistance(const Checkpoint& checkpoint, const BlockPlan& plan, int head, int query, int key,
                              const Cancelled& cancelled) {
  TensorReader reader(checkpoint, cancelled);
  const int n = std::abs(query - key) + 1;
  SEPX_ASSIGN(const std::vector<double> biases, distanceBiases<double>(reader, plan.score, plan.attention.heads, n,
                                                                       plan.attention.causal, plan.attention.scale));
  return biases.empty() ? 0.0 : biases[static_cast<std::size_t>(head * (2 * n - 1) + key - query + n - 1)];
}

/// Query or key of one head at one position as a linear map of rows of the stream, with all denominators fixed at their
/// values in the pass.
class HeadSide {
 public:
  HeadSide(const BlockPlan& plan, bool query, int position) : plan_(plan), query_(query), position_(position) {}

  /// `normed`: the input of the projections at this position in the pass.
  Result<void> open(const Checkpoint& checkpoint, const attention::LayerFactors& factors,
                    const attention::OmittedScoreParts& left, int head, const VectorXd& normed) {
    const AttentionLayer& layer = plan_.attention;
    const Index d_h = layer.d_h;
    const Index own = query_ ? head : head / (layer.heads / layer.kvHeads);
    const Matrix& all = query_ ? factors.W_Q : factors.W_K;
    const bool every = all.cols() > d_h;  // all heads were read
    W_ = all.middleCols(every ? own * d_h : 0, d_h);
    const VectorXd& biases = query_ ? left.b_Q : left.b_K;
    bias_ = biases.size() > 0 ? VectorXd(biases.segment(own * d_h, d_h)) : VectorXd::Zero(d_h);
    const std::optional<NormSource>& source = query_ ? layer.q_norm : layer.k_norm;
    if (!source) return {};
    const bool wide = plan_.normOfAllHeads;
    const Matrix& read = wide ? all : W_;
    VectorXd at = read.transpose() * normed;
    if (biases.size() > 0) at += wide ? biases : bias_;
    SEPX_ASSIGN(norm_, readNorm(checkpoint, *source));
    norm_->inverse = inverseOf(*source, at);
    SEPX_TRY(keepOwn(checkpoint, *source, norm_->gain, own));
    SEPX_TRY(keepOwn(checkpoint, *source, norm_->bias, own));
    mean_ = read.rowwise().mean();
    biasMean_ = biases.size() > 0 ? (wide ? biases.mean() : bias_.mean()) : 0;
    return {};
  }

  /// Maps rows [m, d_model] of the input of the projections to [m, d_h], rotated if `rotated`.
  Matrix project(const Matrix& rows, bool rotated = true) const {
    Matrix out = rows * W_;
    if (norm_) finish(out, rows * mean_);
    if (rotated) turnRows(out, plan_, position_);
    return out;
  }
  /// The contribution of the bias of the projection (and of the norm of queries or keys), [1, d_h].
  Matrix ofBias(bool rotated = true) const {
    Matrix out = bias_.transpose();
    if (norm_) {
      finish(out, VectorXd::Constant(1, biasMean_));
      if (norm_->bias.size() > 0) out.row(0) += norm_->bias.transpose();
    }
    if (rotated) turnRows(out, plan_, position_);
    return out;
  }

 private:
  /// Applies the norm of queries or keys. `means`: the means of the values that are normed.
  void finish(Matrix& rows, const VectorXd& means) const {
    if (norm_->centred) rows.colwise() -= means;
    rows *= norm_->inverse;
    if (norm_->gain.size() > 0) rows.array().rowwise() *= norm_->gain.transpose().array();
  }
  /// Keeps the values of head `own` if the norm has separate values for each head.
  Result<void> keepOwn(const Checkpoint& checkpoint, const NormSource& source, VectorXd& values, Index own) const {
    const Index d_h = plan_.attention.d_h;
    if (values.size() == 0 || values.size() == d_h) return {};
    if (values.size() < (own + 1) * d_h)
      return fail(ErrorKind::BadInput, fmt::format("{}: {} has {} numbers, a head has {}", checkpoint.path(),
                                                   source.gain, values.size(), d_h));
    values = VectorXd(values.segment(own * d_h, d_h));
    return {};
  }

  const BlockPlan& plan_;
  bool query_;
  int position_;
  Matrix W_;              // [d_model, d_h]
  VectorXd bias_, mean_;  // [d_h]; mean of the columns of what is normed [d_model]
  double biasMean_ = 0;
  std::optional<FrozenNorm> norm_;
};

/// One of the two positions of the score, with its stream.
struct ScoreEnd {
  StreamParts parts;
  VectorXd stream;        // before the block, in the pass
  FrozenNorm norm;        // before the projections; identity if there is none
  VectorXd normed;        // input of the projections
  VectorXd withUnitGain;  // the same with a gain of 1
};

enum class WriterPart { Content, Position, Bias };

WriterPart partOf(Writer::Kind kind) {
  switch (kind) {
    case Writer::Kind::Embedding:
    case Writer::Kind::Head:
    case Writer::Kind::FeedForward:
      return WriterPart::Content;
    case Writer::Kind::Position:
      return WriterPart::Position;
    case Writer::Kind::Biases:
    case Writer::Kind::NormBias:
    case Writer::Kind::Projection:
      break;
  }
  return WriterPart::Bias;
}

class ScoreSplit {
 public:
  ScoreSplit(const ForwardModel& model, const Input& input, int layer, int head, const Cancelled& cancelled)
      : model_(model),
        checkpoint_(model.checkpoint()),
        plan_(model.plan().blocks[static_cast<std::size_t>(layer)]),
        input_(input),
        layer_(layer),
        head_(head),
        cancelled_(cancelled) {}

  template <class T>
  Result<ScoreParts> run(const Activations<T>& pass, int query, int key) {
    out_ = ScoreParts{};
    out_.layer = layer_;
    out_.head = head_;
    out_.query = query;
    out_.key = key;
    out_.cap = plan_.score.cap;
    SEPX_ASSIGN(out_.distanceBias, biasOfDistance(checkpoint_, plan_, head_, query, key, cancelled_));
    const std::vector<PositionActivations> passed{activationsAtPosition(pass, layer_, query),
                                                  activationsAtPosition(pass, layer_, key)};
    SEPX_ASSIGN(std::vector<StreamParts> parts, streamParts(model_, input_, passed, layer_, {query, key}, cancelled_));
    for (std::size_t i = 0; i < ends_.size(); ++i)
      SEPX_TRY(end(ends_[i], std::move(parts[i]), passed[i].last()));
    SEPX_TRY(readHead(query, key));
    sumOverPairs();
    symmetricAndSkew();
    gainAndRotation();
    sumOverKinds();
    return std::move(out_);
  }

 private:
  Result<void> end(ScoreEnd& end, StreamParts parts, const VectorXd& stream) {
    end.parts = std::move(parts);
    end.stream = stream;
    end.normed = end.stream;
    end.withUnitGain = end.parts.withUnitGain;
    if (!plan_.attention.norm) return {};
    SEPX_ASSIGN(end.norm, frozenAt(checkpoint_, *plan_.attention.norm, end.stream));
    end.normed = carried(end, end.stream.transpose(), true).row(0).transpose();
    end.withUnitGain = carried(end, end.stream.transpose(), false).row(0).transpose();
    if (end.norm.bias.size() > 0) {
      end.normed += end.norm.bias;
      end.withUnitGain += end.norm.bias;
    }
    return {};
  }

  /// Applies the norm before the projections to rows of the stream, without its bias.
  Matrix carried(const ScoreEnd& end, Matrix rows, bool withGain) const {
    if (plan_.attention.norm) end.norm.apply(rows, withGain);
    return rows;
  }

  Result<void> readHead(int query, int key) {
    const AttentionLayer& layer = plan_.attention;
    const bool all = plan_.normOfAllHeads && (layer.q_norm || layer.k_norm);
    SEPX_ASSIGN(const attention::LayerFactors factors,
                checkpoint::loadFactors(checkpoint_, layer, {.head = all ? -1 : head_}, cancelled_));
    SEPX_ASSIGN(const attention::OmittedScoreParts left, checkpoint::loadOmittedScoreParts(checkpoint_, layer));
    q_.emplace(plan_, true, query);
    k_.emplace(plan_, false, key);
    SEPX_TRY(q_->open(checkpoint_, factors, left, head_, ends_[0].normed));
    SEPX_TRY(k_->open(checkpoint_, factors, left, head_, ends_[1].normed));
    return {};
  }

  /// Rows of the query or key of the head, one per writer: those of the stream, then the biases of norm and projection.
  static Matrix vectorsOf(const HeadSide& side, const Matrix& carriedRows, const VectorXd& normBias) {
    Matrix all(carriedRows.rows() + 2, side.ofBias().cols());
    all.topRows(carriedRows.rows()) = side.project(carriedRows);
    all.row(carriedRows.rows()) =
        normBias.size() > 0 ? Matrix(side.project(normBias.transpose())) : Matrix(Matrix::Zero(1, all.cols()));
    all.row(carriedRows.rows() + 1) = side.ofBias();
    return all;
  }

  double scoreOf(const VectorXd& y, const VectorXd& z, bool rotated = true) const {
    const Matrix q = q_->project(y.transpose(), rotated) + q_->ofBias(rotated);
    const Matrix k = k_->project(z.transpose(), rotated) + k_->ofBias(rotated);
    return plan_.attention.scale * q.row(0).dot(k.row(0)) + out_.distanceBias;
  }
  double withoutBias(const VectorXd& y, const VectorXd& z) const {
    return plan_.attention.scale * q_->project(y.transpose()).row(0).dot(k_->project(z.transpose()).row(0));
  }

  void sumOverPairs() {
    std::vector<Writer> writers = ends_[0].parts.writers;
    writers.push_back({Writer::Kind::NormBias, layer_});
    writers.push_back({Writer::Kind::Projection, layer_, head_});
    const Matrix q = vectorsOf(*q_, carried(ends_[0], ends_[0].parts.rows, true), ends_[0].norm.bias);
    const Matrix k = vectorsOf(*k_, carried(ends_[1], ends_[1].parts.rows, true), ends_[1].norm.bias);
    // A writer that writes nothing on either side (no positions, no biases) is not listed.
    std::vector<Index> kept;
    for (Index w = 0; w < q.rows(); ++w) {
      const Writer& writer = writers[static_cast<std::size_t>(w)];
      const bool always = writer.kind == Writer::Kind::Head || writer.kind == Writer::Kind::FeedForward ||
                          writer.kind == Writer::Kind::Embedding;
      if (!always && (q.row(w).array() == 0).all() && (k.row(w).array() == 0).all()) continue;
      kept.push_back(w);
      out_.writers.push_back(writer);
    }
    const Matrix pairs = plan_.attention.scale * q(kept, Eigen::all) * k(kept, Eigen::all).transpose();
    out_.pairs.assign(pairs.data(), pairs.data() + pairs.size());
    out_.score = scoreOf(ends_[0].normed, ends_[1].normed);
    const double size = pairs.cwiseAbs().sum() + std::abs(out_.distanceBias);
    const double error = pairs.sum() + out_.distanceBias - out_.score;
    out_.residue = size > 0 ? error / size : error;
  }

  void symmetricAndSkew() {
    const VectorXd &y = ends_[0].normed, &z = ends_[1].normed;
    const double there = withoutBias(y, z), back = withoutBias(z, y);
    out_.symmetric = (there + back) / 2;
    out_.skew = (there - back) / 2;
    out_.withBiases = out_.score - out_.distanceBias - there;
  }

  void gainAndRotation() {
    if (ends_[0].withUnitGain.size() > 0)
      out_.gain = out_.score - scoreOf(ends_[0].withUnitGain, ends_[1].withUnitGain);
    if (plan_.attention.rope) out_.rotation = out_.score - scoreOf(ends_[0].normed, ends_[1].normed, false);
  }

  void sumOverKinds() {
    std::array<double, 5> sums{};
    const std::size_t n = out_.writers.size();
    std::array<bool, 5> there{true, false, false, false, false};
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b) {
        const WriterPart query = partOf(out_.writers[a].kind), key = partOf(out_.writers[b].kind);
        const std::size_t at =
            query == WriterPart::Bias || key == WriterPart::Bias
                ? 4
                : (query == WriterPart::Position ? 2U : 0U) + (key == WriterPart::Position ? 1U : 0U);
        sums[at] += out_.pairs[a * n + b];
        there[at] = true;
      }
    constexpr std::array<const char*, 5> kNames{N_("content to content"), N_("content to position"),
                                                N_("position to content"), N_("position to position"), N_("biases")};
    for (std::size_t at = 0; at < sums.size(); ++at)
      if (there[at]) out_.byKind.push_back({kNames[at], sums[at]});
    if (!plan_.score.slopes.empty() || !plan_.score.distanceBias.empty())
      out_.byKind.push_back({N_("bias of the distance"), out_.distanceBias});
  }

  const ForwardModel& model_;
  const Checkpoint& checkpoint_;
  const BlockPlan& plan_;
  const Input& input_;
  int layer_, head_;
  const Cancelled& cancelled_;
  std::array<ScoreEnd, 2> ends_;
  std::optional<HeadSide> q_, k_;
  ScoreParts out_;
};

bool isSeen(const BlockPlan& plan, int query, int key) {
  if (plan.attention.causal && key > query) return false;
  return plan.score.window == 0 || std::abs(query - key) < plan.score.window + (plan.attention.causal ? 0 : 1);
}

template <class T>
Result<void> checkedPlace(const ForwardModel& model, const Activations<T>& pass, int layer, int head, int query,
                          int key) {
  const auto blocks = static_cast<int>(std::min(model.plan().blocks.size(), pass.blocks.size()));
  if (layer < 0 || layer >= blocks)
    return fail(ErrorKind::Usage, fmt::format("there is no layer {}: layers 0 to {} were computed", layer, blocks - 1));
  const BlockPlan& plan = model.plan().blocks[static_cast<std::size_t>(layer)];
  if (head < 0 || head >= plan.attention.heads)
    return fail(ErrorKind::Usage,
                fmt::format("there is no head {}: layer {} has heads 0 to {}", head, layer, plan.attention.heads - 1));
  for (const int position : {query, key})
    if (position < 0 || position >= pass.positions)
      return fail(ErrorKind::Usage,
                  fmt::format("there is no position {}: the input has 0 to {}", position, pass.positions - 1));
  if (!isSeen(plan, query, key))
    return fail(
        ErrorKind::Usage,
        fmt::format("in layer {} key {} is not visible from query {}, so there is no such score", layer, key, query));
  for (int l = 0; l < layer; ++l)
    if (const auto& block = pass.blocks[static_cast<std::size_t>(l)];
        block.hidden.empty() || block.context.empty() || block.attentionWrite.empty())
      return fail(ErrorKind::Usage, "the pass kept no writes, which are needed to split a score into parts");
  return {};
}

}  // namespace

template <class T>
Result<ScoreParts> scoreParts(const ForwardModel& model, const Input& input, const Activations<T>& pass, int layer,
                              int head, int query, int key, const Cancelled& cancelled) {
  SEPX_TRY(checkedPlace(model, pass, layer, head, query, key));
  Result<ScoreParts> split;
  try {
    split = ScoreSplit(model, input, layer, head, cancelled).run(pass, query, key);
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::BadInput, model.checkpoint().path() + ": " + outOfMemory());
  }
  SEPX_ASSIGN(ScoreParts parts, std::move(split));
  const auto& attention = pass.blocks[static_cast<std::size_t>(layer)].attention;
  const auto n = static_cast<std::size_t>(pass.positions);
  const std::size_t at =
      (static_cast<std::size_t>(head) * n + static_cast<std::size_t>(query)) * n + static_cast<std::size_t>(key);
  parts.probability =
      at < attention.size() ? static_cast<double>(attention[at]) : std::numeric_limits<double>::quiet_NaN();
  return parts;
}

template Result<ScoreParts> scoreParts(const ForwardModel&, const Input&, const Activations<float>&, int, int, int, int,
                                       const Cancelled&);
template Result<ScoreParts> scoreParts(const ForwardModel&, const Input&, const Activations<double>&, int, int, int,
                                       int, const Cancelled&);

}  // namespace sepx::forward
