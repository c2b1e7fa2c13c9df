// SPDX-License-Identifier: Apache-2.0
// The reference groups of Local-to-Global: which keys are inputs, which are outputs, and how we compute them.
#include <stdexcept>

#include "app/cli/text.h"
#include "app/cli/verify.h"
#include "engine/core/try.h"
#include "engine/markov/chain.h"
#include "engine/markov/energy.h"
#include "engine/markov/flow.h"
#include "engine/markov/gaussian.h"

namespace sepx::app::cli {
namespace {

using markov::Chain;
using markov::Model;
using markov::State;

constexpr double kHessianTolerance = 1e-10;

double caseNumber(const Json& value) {
  if (!value.is_number()) throw std::invalid_argument(trf(N_("{} is not a number"), value.dump()));
  return value.get<double>();
}

double caseNumber(const Json& inputs, const char* key) {
  return caseNumber(inputs.at(key));
}

std::vector<double> numbers(const Json& inputs, const char* key) {
  const Json& values = inputs.at(key);
  if (!values.is_array()) throw std::invalid_argument(trf(N_("{} is not a list of numbers"), key));
  std::vector<double> list;
  for (const Json& value : values)
    list.push_back(caseNumber(value));
  return list;
}

Result<Chain> chainOf(const Json& inputs) {
  return Chain::make(caseNumber(inputs, "p"), caseNumber(inputs, "q"));
}

State stateOf(const Json& inputs, std::initializer_list<const char*> keys) {
  State theta(static_cast<int>(keys.size()));
  int i = 0;
  for (const char* key : keys)
    theta(i++) = caseNumber(inputs, key);
  return theta;
}

Result<State> startOf(const Json& inputs) {
  const std::vector<double> start = numbers(inputs, "theta0");
  if (start.size() != 2 && start.size() != 3) {
    return failf(ErrorKind::CheckFailed, N_("theta0: {} numbers instead of 2 or 3"), start.size());
  }
  State theta(static_cast<int>(start.size()));
  for (std::size_t i = 0; i < start.size(); ++i)
    theta(static_cast<int>(i)) = start[i];
  return theta;
}

/// An initial point of two numbers is (e,w), of three (e,w,a).
Model modelOf(const State& start) {
  return start.size() == 2 ? Model::EW : Model::EWA;
}

Json energyOrNull(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Result<Json> constants(const Json& inputs) {
  SEPX_ASSIGN(const Chain chain, chainOf(inputs));
  const double S_star = chain.S_star();
  const markov::Lambda atStar = markov::lambda(chain, S_star);
  return Json{{"pi0", chain.pi0()},
              {"pi1", chain.pi1()},
              {"H_cond", chain.entropyRate()},
              {"H_pi", chain.marginalEntropy()},
              {"mutual_info", chain.mutualInformation()},
              {"S_star", S_star},
              {"dLam0", markov::lambda(chain, 0).first},
              {"d2Lam_star", atStar.second},
              {"c_star", atStar.c}};
}

Result<Json> lambdaValues(const Json& inputs) {
  SEPX_ASSIGN(const Chain chain, chainOf(inputs));
  const markov::Lambda values = markov::lambda(chain, caseNumber(inputs, "S"));
  return Json{{"c", values.c}, {"Lam", values.value}, {"dLam", values.first}, {"d2Lam", values.second}};
}

/// The outputs of markov_point2 and markov_point3 except the angle, with the optimal bias and with a free one.
Json pointValues(const Chain& chain, Model optimal, const State& theta, Model free, const State& thetaFree) {
  const double S = markov::reducedS(optimal, theta);
  const markov::Lambda values = markov::lambda(chain, S);
  const markov::Evaluation best = markov::evaluate(chain, optimal, theta);
  const markov::Evaluation loose = markov::evaluate(chain, free, thetaFree);
  return Json{{"S", S},
              {"c", values.c},
              {"bstar", markov::optimalBias(chain, optimal, theta)},
              {"loss", best.loss},
              {"f1", values.f1},
              {"f2", values.f2},
              {"dLam", values.first},
              {"d2Lam", values.second},
              {"grad", toJson(best.gradient)},
              {"hess", toJson(best.hessian)},
              {"hess_eig", toJson(markov::hessianEigenvalues(best.hessian))},
              {"energy", energyOrNull(markov::energy(optimal, theta))},
              {"loss_b", loose.loss},
              {"grad_b", toJson(loose.gradient)},
              {"hess_b", toJson(loose.hessian)}};
}

Result<Json> point2(const Json& inputs) {
  SEPX_ASSIGN(const Chain chain, chainOf(inputs));
  return pointValues(chain, Model::EW, stateOf(inputs, {"e", "w"}), Model::EWB, stateOf(inputs, {"e", "w", "b"}));
}

Result<Json> point3(const Json& inputs) {
  SEPX_ASSIGN(const Chain chain, chainOf(inputs));
  const State theta = stateOf(inputs, {"e", "w", "a"});
  Json values = pointValues(chain, Model::EWA, theta, Model::EWAB, stateOf(inputs, {"e", "w", "a", "b"}));
  values["airy_angle"] = markov::airyAngle(theta);
  return values;
}

Result<Json> basin2(const Json& inputs) {
  SEPX_ASSIGN(const Chain chain, chainOf(inputs));
  const State start = stateOf(inputs, {"e0", "w0"});
  const std::optional<markov::Limit> limit = markov::exactLimit(chain, start(0), start(1));
  if (!limit) return failf(ErrorKind::CheckFailed, N_("no limit in closed form: p + q = {}"), chain.p + chain.q);
  return Json{{"label", std::string(markov::limitName(markov::basinLabel(chain, start(0), start(1))))},
              {"e_lim", limit->theta(0)},
              {"w_lim", limit->theta(1)},
              {"loss_lim", limit->loss},
              {"energy", energyOrNull(markov::energy(Model::EW, start))}};
}

Result<Json> trajectory(const Json& inputs) {
  SEPX_ASSIGN(const Chain chain, chainOf(inputs));
  SEPX_ASSIGN(const State start, startOf(inputs));
  SEPX_ASSIGN(const markov::Path path, markov::flowAt(chain, modelOf(start), start, numbers(inputs, "t")));
  Json theta = Json::array();
  for (const State& state : path.theta)
    theta.push_back(toJson(state));
  Json values = Json::object();
  values["theta"] = std::move(theta);
  return values;
}

Result<Json> basin3(const Json& inputs) {
  SEPX_ASSIGN(const Chain chain, chainOf(inputs));
  SEPX_ASSIGN(const State start, startOf(inputs));
  const Result<markov::FlowResult> flow = markov::flowFrom(chain, modelOf(start), start);
  if (!flow) return tl::unexpected(flow.error());
  if (!flow->limit) return fail(ErrorKind::CheckFailed, tr(N_("the integration found no limit")));
  return Json{{"label", std::string(markov::limitName(flow->label))},
              {"theta_lim", toJson(flow->limit->theta)},
              {"loss_lim", flow->limit->loss}};
}

Result<Json> gaussian(const Json& inputs) {
  const std::string regime = inputs.at("regime").get<std::string>();
  const double sigma = caseNumber(inputs, "sigma");
  if (regime != "p+q>1" && regime != "p+q<1")
    return failf(ErrorKind::CheckFailed, N_("regime: unknown word {}"), regime);
  if (!(sigma > 0)) return failf(ErrorKind::CheckFailed, N_("sigma: {} is not above 0"), sigma);
  return Json{{"prob_min", markov::probabilityLocalMinimum(sigma, regime == "p+q>1")}};
}

/// Far below the smallest probability in the file, 1.1e-13.
constexpr double kProbabilityTolerance = 1e-18;

/// The outputs of pointValues(), in the order of the file.
std::vector<ExpectedOutput> pointOutputs() {
  return {{"S"},
          {"c"},
          {"bstar"},
          {"loss"},
          {"f1"},
          {"f2"},
          {"dLam"},
          {"d2Lam"},
          {"grad"},
          {"energy"},
          {"loss_b"},
          {"grad_b"},
          {"hess", kHessianTolerance},
          {"hess_eig", kHessianTolerance},
          {"hess_b", kHessianTolerance}};
}

}  // namespace

std::vector<GroupSpec> markovGroups() {
  std::vector<ExpectedOutput> point3Outputs = pointOutputs();
  point3Outputs.push_back({"airy_angle"});
  return {
      {"markov_const",
       {"p", "q"},
       {{"pi0"}, {"pi1"}, {"H_cond"}, {"H_pi"}, {"mutual_info"}, {"S_star"}, {"dLam0"}, {"d2Lam_star"}, {"c_star"}},
       false,
       constants},
      {"markov_lambda", {"p", "q", "S"}, {{"c"}, {"Lam"}, {"dLam"}, {"d2Lam"}}, false, lambdaValues},
      {"markov_point2", {"p", "q", "e", "w", "b"}, pointOutputs(), false, point2},
      {"markov_point3", {"p", "q", "e", "w", "a", "b"}, point3Outputs, false, point3},
      {"markov_basin2",
       {"p", "q", "e0", "w0"},
       {{"label"}, {"e_lim"}, {"w_lim"}, {"loss_lim"}, {"energy"}},
       false,
       basin2},
      {"markov_traj", {"p", "q", "theta0", "t"}, {{"theta"}}, true, trajectory},
      {"markov_basin3", {"p", "q", "theta0"}, {{"label"}, {"theta_lim"}, {"loss_lim"}}, true, basin3},
      {"markov_gauss", {"sigma", "regime"}, {{"prob_min", kProbabilityTolerance}}, false, gaussian},
  };
}

}  // namespace sepx::app::cli
