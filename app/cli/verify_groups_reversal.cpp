// SPDX-License-Identifier: Apache-2.0
// The reference groups of Reversal: the geometry of RoPE and its bounds, the idealised layer, and its dynamics.
#include <cmath>

#include "app/cli/text.h"
#include "app/cli/verify.h"
#include "engine/core/try.h"
#include "engine/reversal/ideal_cosines.h"
#include "engine/reversal/ideal_pair.h"
#include "engine/reversal/rope_bounds.h"
#include "engine/reversal/rope_correlation.h"
#include "engine/reversal/transfer_flow.h"

namespace sepx::app::cli {
namespace {

constexpr double kBase = 10000;

std::vector<double> numbers(const Json& list) {
  std::vector<double> values;
  for (const Json& one : list)
    values.push_back(number(one));
  return values;
}

Eigen::VectorXd vectorOf(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// The RoPE angles for the case's D. Usage as in checkRope().
Result<std::vector<double>> anglesOf(double dimensions, double base = kBase) {
  SEPX_TRY(reversal::checkRope(static_cast<int>(dimensions), base));
  return reversal::ropeAngles(static_cast<int>(dimensions), base);
}

double cosine(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return a.dot(b) / (a.norm() * b.norm());
}

Result<Json> ropeTraceCase(const Json& inputs) {
  SEPX_ASSIGN(const auto angles, anglesOf(number(inputs.at("D")), number(inputs.at("base"))));
  return Json{{"value", reversal::ropeTrace(angles, number(inputs.at("r")))}};
}

Result<Json> ropeMinCase(const Json& inputs) {
  SEPX_ASSIGN(const auto angles, anglesOf(number(inputs.at("D"))));
  const reversal::LeastTrace least = reversal::leastTrace(angles, inputs.at("max_delta").get<int>());
  return Json{{"min", least.trace}, {"argmin", least.distance}};
}

Result<Json> ropeIntegralCase(const Json& inputs) {
  return Json{{"value", reversal::ropeIntegral(number(inputs.at("Delta")))}};
}

Result<Json> ropeScoresCase(const Json& inputs) {
  SEPX_ASSIGN(const auto angles, anglesOf(number(inputs.at("D"))));
  const std::vector<double> q = numbers(inputs.at("q")), k = numbers(inputs.at("k"));
  const double forward = number(inputs.at("Delta1")), reverse = number(inputs.at("Delta2"));
  if (q.size() != 2 * angles.size() || k.size() != q.size())
    return fail(ErrorKind::CheckFailed, tr(N_("q and k do not have D coordinates")));
  const auto turned = [&](const std::vector<double>& x, double r) {
    return vectorOf(reversal::turnedPlanes(x, angles, r));
  };
  return Json{{"S_fwd", vectorOf(q).dot(turned(k, forward))},
              {"S_rev", vectorOf(q).dot(turned(k, -reverse))},
              {"cos_q", cosine(turned(k, forward), turned(k, -reverse))},
              {"cos_k", cosine(turned(q, -forward), turned(q, reverse))}};
}

Result<Json> conditionalCase(const Json& inputs) {
  SEPX_ASSIGN(const auto angles, anglesOf(number(inputs.at("D"))));
  const std::vector<double> w = reversal::planeWeights(numbers(inputs.at("q"))), rho = numbers(inputs.at("rho"));
  if (w.size() != angles.size() || rho.size() != w.size())
    return fail(ErrorKind::CheckFailed, tr(N_("q and rho do not have D and D/2 entries")));
  const double distance = number(inputs.at("Delta"));
  return Json{{"corr", reversal::symmetricCorrelation(w, rho, angles, distance)},
              {"lower_bound", reversal::symmetricBound(w, angles, distance)},
              {"weights", w}};
}

Result<Json> cantelliCase(const Json& inputs) {
  SEPX_ASSIGN(const auto angles, anglesOf(2 * number(inputs.at("m"))));
  const double distance = number(inputs.at("Delta")), c = number(inputs.at("c"));
  const reversal::TraceSpread spread = reversal::traceSpread(angles, distance);
  const auto bound = reversal::cantelliBound(angles, distance, c);
  return Json{{"E", spread.mean}, {"V", spread.variance}, {"bound", bound ? Json(*bound) : Json(nullptr)}};
}

Result<Json> asymmetricMeanCase(const Json& inputs) {
  SEPX_ASSIGN(const auto angles, anglesOf(number(inputs.at("D"))));
  return Json{
      {"mean_inf_kappa", reversal::asymmetricBound(angles, number(inputs.at("Delta1")), number(inputs.at("Delta2")))}};
}

Result<Json> asymmetricGivenCase(const Json& inputs) {
  SEPX_ASSIGN(const auto angles, anglesOf(number(inputs.at("D"))));
  std::vector<double> w = numbers(inputs.at("w_unnormalised"));
  const std::vector<double> rho = numbers(inputs.at("rho"));
  if (w.size() != angles.size() || rho.size() != w.size())
    return fail(ErrorKind::CheckFailed, tr(N_("w and rho do not have D/2 entries")));
  const double sum = vectorOf(w).sum();
  for (double& share : w)
    share /= sum;
  const auto found =
      reversal::asymmetricCorrelation(w, rho, angles, number(inputs.at("Delta1")), number(inputs.at("Delta2")));
  return Json{
      {"corr", found.correlation}, {"kappa", found.surrogate}, {"inf_kappa", found.least}, {"rho_star", found.rho}};
}

Result<reversal::IdealPass> passOf(const Json& inputs, const char* tokens, const char* scores) {
  return reversal::idealPass(matrixOf(inputs.at("Y"), "Y"), inputs.at(tokens).get<std::vector<std::int32_t>>(),
                             numbers(inputs.at(scores)), inputs.at("target").get<int>(), inputs.at("D").get<int>());
}

Result<Json> pairCase(const Json& inputs) {
  SEPX_ASSIGN(const reversal::IdealPass forward, passOf(inputs, "tokens_fwd", "scores_fwd"));
  SEPX_ASSIGN(const reversal::IdealPass reverse, passOf(inputs, "tokens_rev", "scores_rev"));
  const auto B = inputs.at("B").get<Eigen::Index>();
  const Eigen::MatrixXd gradient = forward.storageGradient(), other = reverse.storageGradient();
  return Json{{"alpha_fwd", listOf(forward.alpha)},
              {"p_fwd", listOf(forward.p)},
              {"p_rev", listOf(reverse.p)},
              {"loss_fwd", forward.loss},
              {"loss_rev", reverse.loss},
              {"mass_fwd", listOf(forward.mass)},
              {"mass_rev", listOf(reverse.mass)},
              {"gradY_fwd", rowsOf(gradient)},
              {"dL_dS_fwd", listOf(forward.scoreGradient)},
              {"column_inner_product", gradient.col(B).dot(other.col(B))},
              {"cos_Y", gradient.cwiseProduct(other).sum() / (gradient.norm() * other.norm())},
              {"cos_err", cosine(forward.error, reverse.error)},
              {"cos_mass", cosine(forward.mass, reverse.mass)}};
}

/// A query to the idealised layer. `distance`: of B from [M], negative in the reverse query.
reversal::IdealQuery queryOf(const reversal::IdealLayer& layer, const Eigen::VectorXd& mask,
                             const Eigen::VectorXd& evidence, const std::vector<double>& angles, double distance,
                             int target) {
  const Eigen::VectorXd q = layer.W_Q * mask, k = layer.W_K * evidence;
  const auto turned = [&](const Eigen::VectorXd& x, double r) {
    return vectorOf(reversal::turnedPlanes({x.data(), static_cast<std::size_t>(x.size())}, angles, r));
  };
  reversal::IdealQuery query;
  query.mask = mask;
  query.evidence = evidence;
  query.scale = 1 / std::sqrt(static_cast<double>(q.size()));
  query.queryGradient = turned(k, distance);
  query.keyGradient = turned(q, -distance);
  query.alpha = 1 / (1 + std::exp(-q.dot(query.queryGradient) * query.scale));
  const Eigen::VectorXd z = query.alpha * (layer.W_U * (layer.W_V * evidence));
  const Eigen::VectorXd e = (z.array() - z.maxCoeff()).exp();
  query.error = e / e.sum();
  query.error[target] = 0;
  query.error[target] = -query.error.sum();
  return query;
}

Result<Json> idealCase(const Json& inputs) {
  SEPX_ASSIGN(const auto angles, anglesOf(number(inputs.at("D"))));
  const Eigen::MatrixXd W_E = matrixOf(inputs.at("WE"), "WE");
  const reversal::IdealLayer layer{matrixOf(inputs.at("WU"), "WU"), matrixOf(inputs.at("WV"), "WV"),
                                   matrixOf(inputs.at("WQ"), "WQ"), matrixOf(inputs.at("WK"), "WK")};
  const int target = inputs.at("target").get<int>();
  const Eigen::VectorXd mask = W_E.col(inputs.at("mask_token").get<Eigen::Index>()),
                        evidence = W_E.col(inputs.at("B").get<Eigen::Index>());
  const reversal::IdealQuery forward = queryOf(layer, mask, evidence, angles, number(inputs.at("Delta1")), target),
                             reverse = queryOf(layer, mask, evidence, angles, -number(inputs.at("Delta2")), target);
  const reversal::IdealProducts found = reversal::idealProducts(layer, forward, reverse);
  const auto prediction = [&](const reversal::IdealQuery& query) {
    Eigen::VectorXd p = query.error;
    p[target] += 1;
    return listOf(p);
  };
  return Json{{"alpha_fwd", forward.alpha},
              {"alpha_rev", reverse.alpha},
              {"p_fwd", prediction(forward)},
              {"p_rev", prediction(reverse)},
              {"I_WU", found.output},
              {"I_WV", found.value},
              {"I_WQ", found.query},
              {"I_WK", found.key},
              {"I_WE", found.embedding()},
              {"I_WE_Q", found.embeddingQuery},
              {"I_WE_K", found.embeddingKey},
              {"I_WE_V", found.embeddingValue},
              {"I_WE_KV", found.embeddingCross}};
}

Result<Json> transferCase(const Json& inputs) {
  reversal::TransferFlow flow;
  const auto kind = inputs.at("kind").get<std::string>();
  flow.kind = kind == "RoPE"          ? reversal::TransferKind::Rope
              : kind == "ALiBi-fixed" ? reversal::TransferKind::AlibiFixed
                                      : reversal::TransferKind::AlibiTrained;
  flow.q = numbers(inputs.at("q"));
  flow.k = numbers(inputs.at("k0"));
  flow.vocabulary = inputs.at("V").get<int>();
  flow.target = inputs.at("target").get<int>();
  flow.forward = number(inputs.at("Delta1"));
  flow.reverse = number(inputs.at("Delta2"));
  flow.slope = number(inputs.at("bias_slope"));
  flow.rate = number(inputs.at("eta"));
  SEPX_TRY(reversal::check(flow));
  if (flow.q.size() != inputs.at("D").get<std::size_t>())
    return fail(ErrorKind::CheckFailed, tr(N_("q does not have D coordinates")));
  Json states = Json::array();
  for (const reversal::TransferState& state : reversal::transferStates(flow, numbers(inputs.at("t")))) {
    std::vector<double> Y(static_cast<std::size_t>(flow.vocabulary), state.other);
    Y[static_cast<std::size_t>(flow.target)] = state.target;
    states.push_back(Json{{"p_fwd", state.forward},
                          {"p_rev", state.reverse},
                          {"alpha_fwd", state.forwardAlpha},
                          {"alpha_rev", state.reverseAlpha},
                          {"Y", std::move(Y)}});
  }
  return Json{{"states", std::move(states)}};
}

}  // namespace

std::vector<GroupSpec> reversalGroups() {
  return {
      {"rope_trace", {"D", "base", "r"}, {{"value"}}, false, ropeTraceCase},
      {"rope_min", {"D", "max_delta"}, {{"min"}, {"argmin"}}, false, ropeMinCase},
      {"rope_integral", {"Delta"}, {{"value"}}, false, ropeIntegralCase},
      {"rope_scores",
       {"D", "q", "k", "Delta1", "Delta2"},
       {{"S_fwd"}, {"S_rev"}, {"cos_q"}, {"cos_k"}},
       true,
       ropeScoresCase},
      {"cond_corr",
       {"D", "Delta", "q", "rho", "pairing"},
       {{"corr"}, {"lower_bound"}, {"weights"}},
       false,
       conditionalCase},
      {"cantelli", {"m", "Delta", "c"}, {{"E"}, {"V"}, {"bound"}}, false, cantelliCase},
      {"asym_mean", {"D", "Delta1", "Delta2"}, {{"mean_inf_kappa"}}, true, asymmetricMeanCase},
      {"asym_given_w",
       {"D", "Delta1", "Delta2", "w_unnormalised", "rho"},
       {{"corr"}, {"kappa"}, {"inf_kappa"}, {"rho_star"}},
       true,
       asymmetricGivenCase},
      {"mdm_pair",
       {"V", "D", "mask_token", "Y", "tokens_fwd", "tokens_rev", "scores_fwd", "scores_rev", "target", "B"},
       {{"alpha_fwd"},
        {"p_fwd"},
        {"p_rev"},
        {"loss_fwd"},
        {"loss_rev"},
        {"mass_fwd"},
        {"mass_rev"},
        {"gradY_fwd"},
        {"dL_dS_fwd"},
        {"column_inner_product"},
        {"cos_Y"},
        {"cos_err"},
        {"cos_mass"}},
       true,
       pairCase},
      {"prop_c1",
       {"D", "V", "mask_token", "target", "B", "Delta1", "Delta2", "WE", "WQ", "WK", "WV", "WU"},
       {{"alpha_fwd"},
        {"alpha_rev"},
        {"p_fwd"},
        {"p_rev"},
        {"I_WU"},
        {"I_WV"},
        {"I_WQ"},
        {"I_WK"},
        {"I_WE"},
        {"I_WE_Q"},
        {"I_WE_K"},
        {"I_WE_V"},
        {"I_WE_KV"}},
       true,
       idealCase},
      {"flow_c3",
       {"kind", "D", "V", "target", "q", "k0", "Delta1", "Delta2", "bias_slope", "eta", "t"},
       {{"states"}},
       true,
       transferCase},
  };
}

}  // namespace sepx::app::cli
