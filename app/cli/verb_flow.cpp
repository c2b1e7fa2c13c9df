// SPDX-License-Identifier: Apache-2.0
// sepx flow: one point of a canonical model: loss, gradient, Hessian, bias, energy, the limit of gradient flow from it,
// and the rate of convergence.
#include <optional>
#include <ostream>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/cli/declare.h"
#include "app/cli/flow_json.h"
#include "app/cli/model_arguments.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "engine/core/try.h"
#include "engine/markov/convergence.h"
#include "engine/markov/convergence_time.h"
#include "engine/markov/energy.h"

namespace sepx::app::cli {
namespace {

struct FlowAnswer {
  markov::Evaluation evaluation;
  markov::State eigenvalues;
  std::optional<double> energy;
  markov::FlowResult flow;
  std::optional<double> time99;            ///< first time with less than 1 % of the excess loss over the limit left
  std::optional<double> rate, rateTheory;  ///< of |e|, if the limit has e = 0
};

/// A free bias adds a direction of its own, so rates are given only for models with the optimal bias.
void addConvergence(const ModelPoint& point, FlowAnswer& answer) {
  answer.time99 = markov::convergenceTime(point.chain, point.model, point.theta);
  const markov::FlowResult& flow = answer.flow;
  const bool atAxis = flow.limit && flow.limit->theta[0] == 0 && flow.limit->kind != markov::LimitKind::GlobalMin;
  if (!atAxis || markov::hasFreeBias(point.model)) return;
  answer.rateTheory = markov::decayRate(point.chain, flow.limit->theta[1]);
  if (flow.label != markov::LimitKind::LocalMin) return;
  answer.rate = markov::measuredDecayRate(point.chain, point.model, flow.path);
}

Json flowJson(const ModelPoint& point, const FlowAnswer& answer) {
  Json json = beginDocument("flow");
  json["p"] = point.chain.p;
  json["q"] = point.chain.q;
  json["model"] = std::string(markov::modelName(point.model));
  json["theta"] = toJson(point.theta);
  json["loss"] = answer.evaluation.loss;
  json["gradient"] = toJson(answer.evaluation.gradient);
  json["hessian"] = toJson(answer.evaluation.hessian);
  json["hessian_eigenvalues"] = toJson(answer.eigenvalues);
  json["bias"] = answer.evaluation.bias;
  json["energy"] = answer.energy ? Json(*answer.energy) : Json(nullptr);
  json["basin"] = std::string(markov::limitName(answer.flow.label));
  json["basin_source"] = answer.flow.exact ? "exact" : "integrated";
  json["limit"] = limitJson(answer.flow.limit);
  json["status"] = std::string(markov::statusName(answer.flow.status));
  json["energy_drift"] = orNull(answer.flow.energyDrift);
  json["convergence"] = {{"time_to_1_percent", orNull(answer.time99)},
                         {"rate", orNull(answer.rate)},
                         {"rate_theory", orNull(answer.rateTheory)}};
  json["entropy"] = {{"marginal", point.chain.marginalEntropy()}, {"rate", point.chain.entropyRate()}};
  json["integrator"] = answer.flow.exact ? Json(nullptr) : integratorJson(answer.flow);
  return json;
}

void printTable(std::ostream& out, const ModelPoint& point, const FlowAnswer& answer) {
  const auto row = [&out](const char* name, const std::string& value) {
    out << fmt::format("{:<22}{}\n", tr(name), value);
  };
  const markov::Chain& chain = point.chain;
  row(N_("chain"), trf(N_("p = {}, q = {}, p + q - 1 = {}"), displayText(chain.p), displayText(chain.q),
                       displayText(chain.switching())));
  row(N_("H(pi)"), trf(N_("{} nats"), displayText(chain.marginalEntropy())));
  row(N_("H(x_{n+1} | x_n)"), trf(N_("{} nats"), displayText(chain.entropyRate())));
  row(N_("model"), std::string(markov::modelName(point.model)));
  const std::vector<std::string> names = componentNames(point.model);
  for (std::size_t i = 0; i < names.size(); ++i)
    row(names[i].c_str(), displayText(point.theta(static_cast<int>(i))));
  row(N_("loss"), trf(N_("{} nats"), displayText(answer.evaluation.loss)));
  row(N_("gradient"), pointDisplayText(answer.evaluation.gradient));
  row(N_("Hessian eigenvalues"), pointDisplayText(answer.eigenvalues));
  row(markov::hasFreeBias(point.model) ? N_("bias") : N_("optimal bias"), displayText(answer.evaluation.bias));
  row(N_("energy"), answer.energy ? displayText(*answer.energy) : std::string(tr(N_("none on the e axis"))));
  row(N_("ends"), endDisplayText(answer.flow, point));
  if (answer.time99) row(N_("time to 1 %"), displayText(*answer.time99));
  if (answer.rate && answer.rateTheory)
    row(N_("rate near e = 0"), trf(N_("{}, by theory {}"), displayText(*answer.rate), displayText(*answer.rateTheory)));
}

class FlowVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    arguments_.declareChain(command);
    arguments_.declarePoint(command);
    addJsonFlag(command, json_);
  }

  Result<Outcome> run(Console& console, const Options&) override {
    SEPX_ASSIGN(const ModelPoint point, arguments_.point());
    SEPX_ASSIGN(markov::FlowResult flow, markov::flowFrom(point.chain, point.model, point.theta));
    FlowAnswer answer;
    answer.flow = std::move(flow);
    answer.evaluation = markov::evaluate(point.chain, point.model, point.theta);
    answer.eigenvalues = markov::hessianEigenvalues(answer.evaluation.hessian);
    answer.energy = markov::energy(point.model, point.theta);
    addConvergence(point, answer);
    if (json_) {
      console.out << finishDocument(flowJson(point, answer));
    } else {
      printTable(console.out, point, answer);
    }
    return Outcome::Done;
  }

 private:
  ModelArguments arguments_;
  bool json_ = false;
};

}  // namespace

VerbEntry makeFlow() {
  return {"flow", N_("Loss, derivatives, basin and limit of one point of a canonical model"),
          std::make_unique<FlowVerb>()};
}

}  // namespace sepx::app::cli
