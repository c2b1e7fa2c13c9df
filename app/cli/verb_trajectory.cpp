// SPDX-License-Identifier: Apache-2.0
// sepx trajectory: the path of gradient flow from one point as a table, CSV or JSON. Row i is (t, theta(t), loss).
#include <ostream>

#include <CLI/CLI.hpp>

#include "app/cli/declare.h"
#include "app/cli/flow_json.h"
#include "app/cli/model_arguments.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "app/cli/verb.h"
#include "engine/core/file.h"
#include "engine/core/number.h"
#include "engine/core/try.h"

namespace sepx::app::cli {
namespace {

struct TrajectoryRequest {
  ModelPoint point;
  markov::FlowOptions options;
};

double lossAt(const ModelPoint& point, const markov::State& theta) {
  return markov::loss(point.chain, point.model, theta);
}

std::string toCsv(const ModelPoint& point, const markov::Path& path) {
  std::string csv = "t";
  for (const std::string& name : componentNames(point.model))
    csv += "," + name;
  csv += ",loss\n";
  for (std::size_t i = 0; i < path.t.size(); ++i) {
    csv += formatShortest(path.t[i]);
    for (const double component : path.theta[i])
      csv += "," + formatShortest(component);
    csv += "," + formatShortest(lossAt(point, path.theta[i])) + "\n";
  }
  return csv;
}

Json trajectoryJson(const TrajectoryRequest& request, const markov::FlowResult& flow) {
  const ModelPoint& point = request.point;
  Json json = beginDocument("trajectory");
  json["p"] = point.chain.p;
  json["q"] = point.chain.q;
  json["model"] = std::string(markov::modelName(point.model));
  json["theta0"] = toJson(point.theta);
  json["backward"] = request.options.backward;
  json["status"] = std::string(markov::statusName(flow.status));
  json["basin"] = std::string(markov::limitName(flow.label));
  json["basin_source"] = flow.exact ? "exact" : "integrated";
  json["limit"] = limitJson(flow.limit);
  json["energy_drift"] = flow.energyDrift ? Json(*flow.energyDrift) : Json(nullptr);
  json["integrator"] = integratorJson(flow);
  json["t"] = flow.path.t;
  Json theta = Json::array(), loss = Json::array();
  for (const markov::State& state : flow.path.theta) {
    theta.push_back(toJson(state));
    loss.push_back(lossAt(point, state));
  }
  json["theta"] = std::move(theta);
  json["loss"] = std::move(loss);
  return json;
}

void printTable(std::ostream& out, const ModelPoint& point, const markov::FlowResult& flow, bool backward) {
  constexpr int kWidth = 14;
  out << fmt::format("{:>{}}", "t", kWidth);
  for (const std::string& name : componentNames(point.model))
    out << fmt::format("{:>{}}", name, kWidth);
  out << fmt::format("{:>{}}\n", tr(N_("loss")), kWidth);
  for (std::size_t i = 0; i < flow.path.t.size(); ++i) {
    out << fmt::format("{:>{}}", displayText(flow.path.t[i]), kWidth);
    for (const double component : flow.path.theta[i])
      out << fmt::format("{:>{}}", displayText(component), kWidth);
    out << fmt::format("{:>{}}\n", displayText(lossAt(point, flow.path.theta[i])), kWidth);
  }
  out << fmt::format("{} {}\n", tr(backward ? N_("came from:") : N_("ends:")), endDisplayText(flow, point, backward));
}

class TrajectoryVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    arguments_.declareChain(command);
    arguments_.declarePoint(command);
    addOption(command, "--t-max", tMax_, N_("stop at this time of the flow"), "T");
    addOption(command, "--points", points_, N_("rows, evenly along the path (default: 100)"), "N");
    addFlag(command, "--backward", backward_, N_("run the flow backward in time"));
    addOption(command, "--csv", csv_, N_("write t, theta and loss as CSV; - is standard output"), "FILE");
    addJsonFlag(command, json_);
  }

  Result<Outcome> run(Console& console, const Options&) override {
    SEPX_ASSIGN(const TrajectoryRequest request, read());
    const ModelPoint& point = request.point;
    SEPX_ASSIGN(const markov::FlowResult flow,
                markov::flowFrom(point.chain, point.model, point.theta, request.options));
    if (csv_ == "-") {
      console.out << toCsv(point, flow.path);
      return Outcome::Done;
    }
    if (!csv_.empty()) SEPX_TRY(writeFile(csv_, toCsv(point, flow.path)));
    if (json_) {
      console.out << finishDocument(trajectoryJson(request, flow));
    } else if (csv_.empty()) {
      printTable(console.out, point, flow, request.options.backward);
    }
    return Outcome::Done;
  }

 private:
  Result<TrajectoryRequest> read() const {
    if (json_ && csv_ == "-")
      return fail(ErrorKind::Usage, tr(N_("--json and --csv - both write to standard output; leave one out")));
    SEPX_ASSIGN(const ModelPoint point, arguments_.point());
    TrajectoryRequest request{point, {}};
    request.options.backward = backward_;
    SEPX_ASSIGN(const long long points, toInteger("--points", points_, 2, 1000000));
    request.options.points = static_cast<int>(points);
    if (!tMax_.empty()) {
      SEPX_ASSIGN(const double tMax, toNumber("--t-max", tMax_));
      if (tMax <= 0)
        return fail(ErrorKind::Usage, tr(N_("--t-max: must be a time above 0; use --backward to go back in time")));
      request.options.tMax = tMax;
    }
    return request;
  }

  ModelArguments arguments_;
  std::string tMax_, points_ = "100", csv_;
  bool backward_ = false, json_ = false;
};

}  // namespace

VerbEntry makeTrajectory() {
  return {"trajectory", N_("The path of gradient flow from one point"), std::make_unique<TrajectoryVerb>()};
}

}  // namespace sepx::app::cli
