// SPDX-License-Identifier: Apache-2.0
// The reference groups for the effect of training on W_qk [Attention-Structure, 2.1, A.9, (S111); 002]: gradient and
// update of the form with the attention layer that is used in training, the skew initialisation, the constraints, the
// counts.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "app/cli/text.h"
#include "app/cli/verify.h"
#include "engine/attention/counts.h"
#include "engine/attention/scores.h"
#include "engine/attention/update.h"
#include "engine/nn/constraint.h"
#include "engine/nn/initialise.h"
#include "engine/nn/layers/attention.h"
#include "engine/nn/layers/cross_entropy.h"

namespace sepx::app::cli {
namespace {

using attention::Matrix;

void require(bool fits, const char* sentence) {
  if (!fits) throw std::invalid_argument(tr(sentence));
}

/// Which keys each query may see, [T, T].
std::vector<std::uint8_t> maskOf(const std::string& name, Eigen::Index T) {
  std::vector<std::uint8_t> allowed;
  for (Eigen::Index i = 0; i < T; ++i)
    for (Eigen::Index j = 0; j < T; ++j) {
      if (name == "causal")
        allowed.push_back(j <= i);
      else if (name == "causal_strict")
        allowed.push_back(j < i);
      else if (name == "bidirectional_noself")
        allowed.push_back(j != i);
      else if (name == "full")
        allowed.push_back(1);
      else
        throw std::invalid_argument(trf(N_("'{}' is not a known mask"), name));
    }
  return allowed;
}

/// Scales `rows` from means to sums: linear attention of the layer is a mean over the allowed keys, that of the
/// reference a sum.
void meanToSum(const nn::AttentionShape& shape, Matrix& rows) {
  if (shape.kind != nn::AttentionKind::Linear) return;
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const auto first = shape.allowed.begin() + i * rows.rows();
    rows.row(i) *= static_cast<double>(std::count(first, first + rows.rows(), std::uint8_t{1}));
  }
}

/// One layer, logits = (X + A X W_V) W_U, where A is the scores (linear) or their softmax. The loss is a sum over the
/// positions.
Result<Json> formGradientOf(const Json& inputs) {
  const Matrix X = matrixOf(inputs.at("X"), "X"), W_qk = matrixOf(inputs.at("Wqk"), "Wqk"),
               W_V = matrixOf(inputs.at("Wv"), "Wv"), U = matrixOf(inputs.at("Wu"), "Wu").transpose();
  const Eigen::Index T = X.rows(), d = X.cols();
  require(W_qk.rows() == d && W_qk.cols() == d && W_V.rows() == d && W_V.cols() == d && U.cols() == d,
          N_("the shapes of X, Wqk, Wv and Wu do not match"));
  require(inputs.at("scale").is_string(), N_("scale is not a string"));
  const std::string kind = inputs.at("attention").get<std::string>();
  require(kind == "linear" || kind == "softmax", N_("attention is neither linear nor softmax"));
  const std::vector<std::uint8_t> allowed = maskOf(inputs.at("mask").get<std::string>(), T);

  nn::AttentionShape shape;
  shape.length = static_cast<int>(T);
  shape.headDim = static_cast<int>(d);
  shape.kind = kind == "linear" ? nn::AttentionKind::Linear : nn::AttentionKind::Softmax;
  shape.scale = kind == "linear" ? 1 : 1 / std::sqrt(static_cast<double>(d));
  shape.causal = false;
  shape.allowed = allowed;
  Matrix qkv(T, 3 * d), out(T, d);
  qkv << X * W_qk, X, X * W_V;
  const nn::AttentionInput<double> in{qkv.data(), qkv.data() + d, qkv.data() + 2 * d, static_cast<std::size_t>(3 * d)};
  std::vector<double> logSum(static_cast<std::size_t>(T));
  ThreadPool pool(1);
  const auto ld = static_cast<std::size_t>(d);
  nn::attentionForward<double>(pool, shape, in, out.data(), ld, logSum.data());
  meanToSum(shape, out);

  const Matrix h = X + out;
  Matrix outGradient(T, d), unused = Matrix::Zero(U.rows(), d);
  std::vector<nn::Target> targets;
  for (const Json& token : inputs.at("targets"))
    targets.push_back({static_cast<int>(targets.size()), static_cast<int>(number(token)), 1});
  require(static_cast<Eigen::Index>(targets.size()) == T &&
              std::all_of(targets.begin(), targets.end(),
                          [&U](auto& one) { return one.token >= 0 && one.token < U.rows(); }),
          N_("targets are not one column of Wu for each row of X"));
  const double loss =
      nn::crossEntropy<double>(pool, ld, h.data(), targets, {U.data(), nullptr, static_cast<int>(U.rows())},
                               {unused.data(), nullptr, outGradient.data()}, {}, 1);
  meanToSum(shape, outGradient);
  Matrix beta(T, T);
  nn::attentionBetas<double>(shape, in, outGradient.data(), ld, 0, 0, {beta.data(), static_cast<std::size_t>(T * T)});
  return Json{{"loss", loss}, {"grad_Wqk", rowsOf(attention::formGradient(X, beta))}, {"beta", rowsOf(beta)}};
}

Result<Json> implicitUpdate(const Json& inputs) {
  const Matrix W_Q = matrixOf(inputs.at("Wq"), "Wq"), W_K = matrixOf(inputs.at("Wk"), "Wk"),
               G = matrixOf(inputs.at("G"), "G");
  require(W_Q.rows() == G.rows() && W_K.rows() == G.cols() && W_Q.cols() == W_K.cols() && G.rows() == G.cols(),
          N_("the shapes of Wq, Wk and G do not match"));
  const attention::FormUpdate update = attention::formUpdate(W_Q, W_K, G);
  return Json{{"implicit_update", rowsOf(update.first)},
              {"cosine_with_G", attention::cosine(update.first, G)},
              {"second_order", rowsOf(update.second)}};
}

Result<Json> skewStart(const Json& inputs) {
  const Matrix W_Q = matrixOf(inputs.at("Wq"), "Wq");
  const auto heads = static_cast<Eigen::Index>(number(inputs.at("heads"))),
             d = static_cast<Eigen::Index>(number(inputs.at("d")));
  const Json& blocks = inputs.at("A_blocks");
  require(heads > 0 && W_Q.rows() == d && W_Q.cols() % heads == 0 && blocks.is_array() &&
              static_cast<Eigen::Index>(blocks.size()) == heads,
          N_("Wq must have d rows, and columns that divide into equal heads with one block each"));
  const Eigen::Index d_h = W_Q.cols() / heads;
  Matrix W_K(d, W_Q.cols());
  for (Eigen::Index h = 0; h < heads; ++h) {
    const Matrix A = matrixOf(blocks[static_cast<std::size_t>(h)], "A_blocks");
    require(A.rows() == d_h && A.cols() == d_h, N_("a block of A_blocks is not as wide as a head"));
    const Matrix query = W_Q.middleCols(h * d_h, d_h).transpose();
    Matrix key(d_h, d);
    const auto size = static_cast<std::size_t>(query.size());
    nn::skewKeys<double>({A.data(), static_cast<std::size_t>(A.size())}, {query.data(), size}, static_cast<int>(d_h),
                         {key.data(), size});
    W_K.middleCols(h * d_h, d_h) = key.transpose();
  }
  const Matrix W_qk = W_Q * W_K.transpose();
  return Json{
      {"Wk", rowsOf(W_K)}, {"Wqk", rowsOf(W_qk)}, {"s_trace_total", attention::symmetry(attention::momentsOf(W_qk))}};
}

/// Value and gradient of a constraint on M. M is W_K of one head with W_Q = I, so that dL/dW_K is the gradient with
/// respect to M.
struct Constrained {
  double value = 0;
  Json gradient;
};
Constrained constrained(nn::ConstraintKind kind, const Matrix& M) {
  nn::ModelConfig config;
  config.d_model = static_cast<int>(M.rows());
  config.d_ff = 0;
  const nn::ParameterLayout layout(config);
  const nn::Parameter& query = *layout.find(nn::ParameterRole::Query, nn::ParameterKind::Weight, 0);
  const nn::Parameter& key = *layout.find(nn::ParameterRole::Key, nn::ParameterKind::Weight, 0);
  std::vector<double> theta(layout.size(), 0.0), gradient(layout.size(), 0.0);
  Eigen::Map<Matrix>(theta.data() + query.offset, query.rows, query.columns).setIdentity();
  Eigen::Map<Matrix>(theta.data() + key.offset, key.rows, key.columns) = M;
  Constrained out;
  out.value = nn::constrain<double>({kind, 1}, config, layout, theta, gradient);
  out.gradient = rowsOf(Eigen::Map<const Matrix>(gradient.data() + key.offset, key.rows, key.columns));
  return out;
}

Result<Json> constraints(const Json& inputs) {
  const Matrix M = matrixOf(inputs.at("M"), "M");
  require(M.rows() == M.cols(), N_("M is not square"));
  const Constrained symmetric = constrained(nn::ConstraintKind::Symmetric, M);
  const Constrained skew = constrained(nn::ConstraintKind::Skew, M);
  return Json{{"L_sym", symmetric.value},
              {"L_skew", skew.value},
              {"grad_L_sym", symmetric.gradient},
              {"grad_L_skew", skew.gradient}};
}

Result<Json> counts(const Json& inputs) {
  std::vector<double> P;
  for (const Json& value : inputs.at("P"))
    P.push_back(number(value));
  require(static_cast<double>(P.size()) == number(inputs.at("N")), N_("P must have N numbers"));
  const attention::TokenCounts ar = attention::autoregressiveCounts(P);
  const attention::TokenCounts bi = attention::bidirectionalCounts(P, number(inputs.at("rho")));
  return Json{{"ar_context", ar.context}, {"ar_predicted", ar.predicted},
              {"ar_ratio", ar.ratio()},   {"mean_position", attention::meanPosition(P)},
              {"bi_context", bi.context}, {"bi_predicted", bi.predicted}};
}

Result<Json> symmetricFraction(const Json& inputs) {
  const attention::MaskedPairs pairs = attention::maskedPairs(number(inputs.at("N")), number(inputs.at("p")));
  return Json{{"ratio_S111", pairs.ratio}, {"limit", pairs.limit}, {"share_of_offdiag_terms", pairs.share}};
}

}  // namespace

std::vector<GroupSpec> trainingGroups() {
  return {
      {"wqk_gradient",
       {"attention", "mask", "X", "Wqk", "Wv", "Wu", "targets", "scale"},
       {{"loss"}, {"grad_Wqk"}, {"beta"}},
       false,
       formGradientOf},
      {"implicit_update",
       {"Wq", "Wk", "G"},
       {{"implicit_update"}, {"cosine_with_G"}, {"second_order"}},
       false,
       implicitUpdate},
      {"skew_init", {"d", "heads", "Wq", "A_blocks"}, {{"Wk"}, {"Wqk"}, {"s_trace_total"}}, false, skewStart},
      {"sym_constraint", {"M"}, {{"L_sym"}, {"L_skew"}, {"grad_L_sym"}, {"grad_L_skew"}}, false, constraints},
      {"counts",
       {"N", "P", "rho"},
       {{"ar_context"}, {"ar_predicted"}, {"ar_ratio"}, {"mean_position"}, {"bi_context"}, {"bi_predicted"}},
       false,
       counts},
      {"mlm_symmetric_fraction",
       {"N", "p"},
       {{"ratio_S111"}, {"limit"}, {"share_of_offdiag_terms"}},
       false,
       symmetricFraction},
  };
}

}  // namespace sepx::app::cli
