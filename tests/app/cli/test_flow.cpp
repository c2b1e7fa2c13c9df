// SPDX-License-Identifier: Apache-2.0
// sepx flow: its document, its labels and statuses, what it refuses, points at the limits of double precision.
#include <cmath>

#include <catch2/catch.hpp>

#include "engine/markov/energy.h"
#include "engine/markov/flow.h"
#include "tests/app/cli/run_sepx.h"

using namespace sepx;
using namespace sepx::test;

namespace {

Json flow(const std::string& p, const std::string& q, const std::string& at, const std::string& model = "ew") {
  return commandJson({"flow", "--p", p, "--q", q, "--model", model, "--at", at});
}

const std::vector<std::string> kKeys{"schema",       "p",           "q",
                                     "model",        "theta",       "loss",
                                     "gradient",     "hessian",     "hessian_eigenvalues",
                                     "bias",         "energy",      "basin",
                                     "basin_source", "limit",       "status",
                                     "energy_drift", "convergence", "entropy",
                                     "integrator",   "nonfinite"};

/// Checks that the document contains no number that is not finite.
void requireFinite(const Json& document) {
  CHECK(document["nonfinite"] == 0);
}

}  // namespace

TEST_CASE("flow prints the documented JSON") {
  const Json json = flow("0.5", "0.8", "0.3,0.2");
  CHECK(keysOf(json) == kKeys);
  CHECK(json["schema"] == "sepx.flow/1");
  CHECK(json["theta"] == Json({0.3, 0.2}));
  CHECK(keysOf(json["entropy"]) == std::vector<std::string>{"marginal", "rate"});
  CHECK(keysOf(json["limit"]) == std::vector<std::string>{"theta", "loss", "kind"});
  CHECK(keysOf(json["convergence"]) == std::vector<std::string>{"time_to_1_percent", "rate", "rate_theory"});
  CHECK(json["convergence"]["rate"].get<double>() ==
        Approx(json["convergence"]["rate_theory"].get<double>()).epsilon(1e-5));
  CHECK(json["convergence"]["time_to_1_percent"].get<double>() > 1);
  CHECK(json["energy_drift"].get<double>() < 1e-8);
  CHECK(flow("0.5", "0.8", "1.2,-0.9")["convergence"]["rate"].is_null());
  CHECK(flow("0.5", "0.8", "0.3,0.2,0.1,0.1", "ewab")["convergence"]["rate_theory"].is_null());
  CHECK(json["basin"] == "local-min");
  CHECK(json["basin_source"] == "exact");
  CHECK(json["status"] == "reached");
  CHECK(json["integrator"].is_null());
  requireFinite(json);

  const markov::Chain chain{0.5, 0.8};
  markov::State theta(2);
  theta << 0.3, 0.2;
  const markov::Evaluation expected = markov::evaluate(chain, markov::Model::EW, theta);
  CHECK(json["loss"].get<double>() == expected.loss);  // it reads back to the same double
  CHECK(json["bias"].get<double>() == expected.bias);
  for (int i = 0; i < 2; ++i) {
    CHECK(json["gradient"][i].get<double>() == expected.gradient(i));
    for (int j = 0; j < 2; ++j)
      CHECK(json["hessian"][i][j].get<double>() == expected.hessian(i, j));
  }
  CHECK(json["energy"].get<double>() == *markov::energy(markov::Model::EW, theta));
  CHECK(json["entropy"]["marginal"].get<double>() == chain.marginalEntropy());
  CHECK(json["entropy"]["rate"].get<double>() == chain.entropyRate());
}

TEST_CASE("flow integrates if there is no closed form") {
  const Json json = flow("0.5", "0.8", "0.3,0.2,0.1", "ewa");
  CHECK(keysOf(json) == kKeys);
  CHECK(json["model"] == "ewa");
  CHECK(json["basin_source"] == "integrated");
  CHECK(keysOf(json["integrator"]) == std::vector<std::string>{"steps", "rejected", "evaluations", "t_end"});
  CHECK(json["integrator"]["steps"].get<int>() > 0);
  CHECK(json["theta"].size() == 3);
  CHECK(json["hessian"].size() == 3);
  requireFinite(json);
}

TEST_CASE("flow uses the optimal bias if a free bias is left out") {
  const Json given = flow("0.5", "0.8", "0.6,-0.9");
  const Json left = flow("0.5", "0.8", "0.6,-0.9", "ewb");
  CHECK(left["theta"].size() == 3);
  CHECK(left["theta"][2].get<double>() == given["bias"].get<double>());
  CHECK(left["loss"].get<double>() == Approx(given["loss"].get<double>()).epsilon(1e-14));
  CHECK(std::abs(left["gradient"][2].get<double>()) < 1e-14);  // b* is where dL/db = 0
  const Json free = flow("0.5", "0.8", "0.6,-0.9,1.5", "ewb");
  CHECK(free["bias"] == 1.5);
  CHECK(free["loss"].get<double>() > left["loss"].get<double>());
  CHECK(flow("0.5", "0.8", "0.6,-0.9,0.1,1.5", "ewab")["theta"].size() == 4);
  CHECK(flow("0.5", "0.8", "0.6,-0.9,0.1", "ewab")["theta"].size() == 4);
}

TEST_CASE("flow names the limit on each side of the separatrix") {
  CHECK(flow("0.5", "0.8", "0.3,-0.9")["basin"] == "global-min");
  CHECK(flow("0.2", "0.3", "0.3,0.2")["basin"] == "global-min");
  CHECK(flow("0.2", "0.3", "0.05,-1.5")["basin"] == "local-min");
  CHECK(flow("0.5", "0.8", "0,-1")["basin"] == "local-max");
  const Json saddle = flow("0.5", "0.8", "0,-0.7071067811865476");
  CHECK((saddle["basin"] == "saddle" || saddle["basin"] == "local-max"));  // -1/sqrt 2 is rounded
  CHECK(flow("0.5", "0.8", "1e-3,0")["limit"]["theta"] == Json({0.0, 0.0}));
}

TEST_CASE("p + q = 1 is degenerate and not an error") {
  for (const char* model : {"ew", "ewb", "ewa", "ewab"}) {
    INFO(model);
    const std::string at = std::string(model).find('a') == std::string::npos ? "0.3,0.2" : "0.3,0.2,0.1";
    const Json json = flow("0.25", "0.75", at, model);
    CHECK(json["status"] == "degenerate");
    CHECK(json["basin"] == "undecided");
    CHECK(json["limit"]["kind"] == "global-min");
    CHECK(std::abs(json["limit"]["theta"][0].get<double>()) < 1e-3);
    CHECK(json["limit"]["loss"] == json["entropy"]["marginal"]);
    CHECK(json["convergence"]["rate_theory"].is_null());
    requireFinite(json);
  }
  CHECK(command({"flow", "--p", "0.25", "--q", "0.75", "--at", "0.3,0.2"}).out.find("degenerate") != std::string::npos);
  // Remark l2g-17: the flow still moves to S = 0.
  const Json moved = flow("0.5", "0.5", "0.6,-0.9");
  CHECK(moved["status"] == "degenerate");
  CHECK(moved["limit"]["theta"][0].get<double>() == Approx(0.540).margin(5e-4));
  CHECK(moved["limit"]["theta"][1].get<double>() == Approx(-1 / std::sqrt(2.0)).margin(1e-15));
  CHECK(flow("0.5", "0.5", "0,0.4")["limit"]["theta"] == Json({0.0, 0.4}));
  CHECK(command({"flow", "--p", "0.5", "--q", "0.5", "--at", "0.6,-0.9"}).out.find("comes to rest at (0.5396") !=
        std::string::npos);
}

TEST_CASE("The rate near e = 0 is correct for any small e") {
  const auto rates = [](const Json& json) {
    return std::pair(json["convergence"]["rate"].get<double>(), json["convergence"]["rate_theory"].get<double>());
  };
  for (const char* e : {"0.3", "1e-3", "1e-6", "-1e-8", "1e-12", "1e-100"}) {
    INFO(e);
    const auto [rate, theory] = rates(flow("0.5", "0.8", std::string(e) + ",0.2"));
    CHECK(rate == Approx(theory).epsilon(1e-6));
  }
  CHECK(flow("0.5", "0.8", "1e-290,0.2")["convergence"]["rate"].is_null());
  const auto [rate, theory] = rates(flow("0.5", "0.8", "1e4,1e4,1e4", "ewa"));
  CHECK(rate == Approx(theory).epsilon(1e-4));
}

TEST_CASE("Probabilities outside (0,1) and points of the wrong size are refused") {
  for (const char* p : {"0", "1", "-0.1", "1.1", "1e+300", "nan", "inf"}) {
    INFO(p);
    requireRefused({"flow", "--p", p, "--q", "0.8", "--at", "0,0"}, 2, p);
    requireRefused({"flow", "--p", "0.5", "--q", p, "--at", "0,0"}, 2, p);
  }
  requireRefused({"flow", "--p", "0.5", "--q", "0.8", "--at", "1"}, 2, "--at");
  requireRefused({"flow", "--p", "0.5", "--q", "0.8", "--at", "1,2,3"}, 2, "--at");
  requireRefused({"flow", "--p", "0.5", "--q", "0.8", "--at", "1,2", "--model", "ewa"}, 2, "--at");
  requireRefused({"flow", "--p", "0.5", "--q", "0.8", "--at", "1,2", "--model", "EW"}, 2, "'EW'");
  requireRefused({"flow", "--p", "0.5", "--q", "0.8", "--at", "1e300,1e300"}, 2, "1e9");
}

TEST_CASE("Points at the limits of double precision get an answer") {
  for (const char* e : {"0", "1e-300", "-1e-9", "0.3", "1e6", "-1e6"}) {
    for (const char* w :
         {"0", "-0", "1e-200", "-1e-200", "5e-324", "-0.7071067811865475", "-0.70710678118654757", "1e6", "-1e6"}) {
      for (const char* p : {"0.5", "0.1"}) {
        INFO(p << " " << e << " " << w);
        const Json json = flow(p, "0.8", std::string(e) + "," + w);
        requireFinite(json);
        CHECK(json["status"] != "time-limit");
        CHECK(json["limit"].is_object());
      }
    }
  }
}
