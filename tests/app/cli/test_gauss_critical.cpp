// SPDX-License-Identifier: Apache-2.0
// sepx gauss and sepx critical: their documents, their numbers, what they refuse.
#include <cmath>

#include <catch2/catch.hpp>

#include "engine/markov/critical_points.h"
#include "engine/markov/gaussian.h"
#include "tests/app/cli/run_sepx.h"

using namespace sepx;
using namespace sepx::test;

TEST_CASE("gauss prints the probability together with counts") {
  const Json json = commandJson({"gauss", "--p", "0.5", "--q", "0.8", "--sigma", "1", "--samples", "2000"});
  CHECK(keysOf(json) == std::vector<std::string>{"schema", "p", "q", "model", "sigma", "regime", "status",
                                                 "probability", "method", "loss_gap", "expected_excess_loss", "samples",
                                                 "nonfinite"});
  CHECK(json["schema"] == "sepx.gauss/1");
  CHECK(json["regime"] == "p+q>1");
  const double p = json["probability"].get<double>();
  CHECK(p == Approx(0.6195).margin(5e-5));  // erratum 14
  const markov::Chain chain{0.5, 0.8};
  const double gap = chain.marginalEntropy() - chain.entropyRate();
  CHECK(json["loss_gap"].get<double>() == Approx(gap));
  CHECK(json["expected_excess_loss"].get<double>() == Approx(p * gap));
  const Json& samples = json["samples"];
  CHECK(samples["count"] == 2000);
  CHECK(samples["disagreements"] == 0);
  CHECK(samples["undecided"] == 0);
  CHECK(samples["integrated"]["hits"] == samples["by_theory"]["hits"]);
  CHECK(std::abs(samples["integrated"]["share"].get<double>() - p) < 4 * std::sqrt(p * (1 - p) / 2000));
  CHECK(json ==
        commandJson({"gauss", "--p", "0.5", "--q", "0.8", "--sigma", "1", "--samples", "2000", "--threads", "2"}));
  CHECK(json != commandJson({"gauss", "--p", "0.5", "--q", "0.8", "--sigma", "1", "--samples", "2000", "--seed", "1"}));
}

TEST_CASE("gauss handles attention, p + q < 1 and p + q = 1") {
  const Json space =
      commandJson({"gauss", "--p", "0.5", "--q", "0.8", "--sigma", "1", "--model", "ewa", "--samples", "500"});
  CHECK(space["probability"].get<double>() == Approx(markov::probabilityLocalMinimum3(1, true)));
  CHECK(space["samples"]["disagreements"] == 0);
  const Json below = commandJson({"gauss", "--p", "0.2", "--q", "0.3", "--sigma", "0.5", "--samples", "0"});
  CHECK(below["regime"] == "p+q<1");
  CHECK(below["probability"].get<double>() == Approx(0.03145).margin(5e-6));
  CHECK(below["samples"].is_null());
  const Json line = commandJson({"gauss", "--p", "0.3", "--q", "0.7", "--sigma", "0.5"});
  CHECK(line["status"] == "degenerate");
  CHECK(line["probability"].is_null());
  CHECK(line["nonfinite"] == 0);
  const Ran table = command({"gauss", "--p", "0.3", "--q", "0.7", "--sigma", "0.5"});
  CHECK(table.out.find("degenerate") != std::string::npos);
  const Ran prose = command({"gauss", "--p", "0.5", "--q", "0.8", "--sigma", "0.5", "--samples", "100"});
  CHECK(prose.out.find("95 % interval") != std::string::npos);
  // 1 - 3.7e-9: a probability below 1 is not printed as 1.
  const Ran small = command({"gauss", "--p", "0.5", "--q", "0.8", "--sigma", "0.1", "--samples", "0"});
  CHECK(small.out.find("1 - 3.7e-09") != std::string::npos);
}

TEST_CASE("gauss refuses invalid arguments") {
  const std::vector<std::string> chain{"gauss", "--p", "0.5", "--q", "0.8"};
  const auto with = [&chain](std::vector<std::string> more) {
    std::vector<std::string> all = chain;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  requireRefused(chain, 2, "--sigma");
  requireRefused(with({"--sigma", "0"}), 2, "--sigma");
  requireRefused(with({"--sigma", "-1"}), 2, "--sigma");
  requireRefused(with({"--sigma", "nan"}), 2, "--sigma");
  requireRefused(with({"--sigma", "1e300"}), 2, "--sigma");
  requireRefused(with({"--sigma", "1", "--model", "ewb"}), 2, "--model");
  requireRefused(with({"--sigma", "1", "--samples", "-1"}), 2, "--samples");
  requireRefused({"gauss", "--p", "1", "--q", "0.8", "--sigma", "1"}, 2, "p = 1");
}

TEST_CASE("critical names the sets of each model and their critical points") {
  const std::vector<std::pair<std::string, std::vector<std::string>>> wanted{
      {"ew", {"Theta_star", "Theta_min", "Theta_max", "Theta_sad"}},
      {"ewb", {"Gamma_star", "Gamma_min", "Gamma_sad"}},
      {"ewa", {"Theta_star", "Theta_min", "Theta_max", "Theta_sad", "Theta_station"}},
      {"ewab", {"Gamma_star", "Gamma_min", "Gamma_sad", "Gamma_station"}}};
  for (const auto& [model, names] : wanted) {
    const Json json = commandJson({"critical", "--p", "0.2", "--q", "0.3", "--model", model, "--points", "300"});
    CHECK(keysOf(json) == std::vector<std::string>{"schema", "p", "q", "model", "theorem", "status", "S_star",
                                                   "entropy", "sets", "nonfinite"});
    CHECK(json["nonfinite"] == 0);
    std::vector<std::string> found;
    for (const Json& set : json["sets"]) {
      found.push_back(set["name"]);
      INFO(model << " " << found.back());
      CHECK(set["largest_gradient"].get<double>() < 1e-10);
      CHECK(set["largest_loss_error"].get<double>() < 1e-12);
      CHECK(set["as_theorem"] == true);
      const bool star = set["kind"] == "global-min";
      CHECK(set["loss"] == json["entropy"][star ? "rate" : "marginal"]);
      CHECK_FALSE(set["samples"].empty());
      for (const Json& sample : set["samples"])
        CHECK(sample["hessian_eigenvalues"].size() == sample["theta"].size());
    }
    CHECK(found == names);
    CHECK(json["entropy"]["rate"].get<double>() < json["entropy"]["marginal"].get<double>());
  }
}

TEST_CASE("critical handles strict saddles, the degenerate line and text output, and refuses invalid arguments") {
  const Json space = commandJson({"critical", "--p", "0.2", "--q", "0.3", "--model", "ewa"});
  const Json& station = space["sets"].back();
  CHECK(station["kind"] == "saddle");
  CHECK(station["strict"] == true);
  CHECK(station["eigenvalues"]["negative"] == Json({1, 1}));
  const Json line = commandJson({"critical", "--p", "0.3", "--q", "0.7"});
  CHECK(line["status"] == "degenerate");
  CHECK(line["sets"].size() == 1);
  CHECK(line["S_star"] == 0);
  const Ran prose = command({"critical", "--p", "0.2", "--q", "0.3", "--model", "ewab"});
  CHECK(prose.status == 0);
  CHECK(prose.out.find("l2g-3") != std::string::npos);
  CHECK(prose.out.find("l2g-4") != std::string::npos);
  CHECK(prose.out.find("strict saddle") != std::string::npos);
  requireRefused({"critical", "--p", "0.2", "--q", "0.3", "--model", "other"}, 2, "--model");
  requireRefused({"critical", "--p", "0.2"}, 2, "--q");
  requireRefused({"critical", "--p", "0.2", "--q", "0.3", "--points", "0"}, 2, "--points");
}
