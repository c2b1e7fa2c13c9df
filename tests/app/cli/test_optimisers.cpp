// SPDX-License-Identifier: Apache-2.0
// sepx optimisers: document and CSV agree, options have their effect, labels are those of sepx flow, wrong arguments
// are refused with one message.
#include <sstream>

#include <catch2/catch.hpp>

#include "tests/app/cli/run_sepx.h"

using namespace sepx::test;

namespace {

const std::vector<std::string> kStart{"optimisers", "--p", "0.5", "--q", "0.8", "--at", "0.6,-0.9"};

std::vector<std::string> with(std::initializer_list<std::string> more) {
  std::vector<std::string> arguments = kStart;
  arguments.insert(arguments.end(), more);
  return arguments;
}

}  // namespace

TEST_CASE("sepx optimisers: all five optimisers start from one point") {
  const Json run = commandJson(with({"--steps", "800", "--length", "64"}));
  CHECK(run["schema"] == "sepx.optimisers/1");
  CHECK(run["basin"] == "global-min");
  REQUIRE(run["optimisers"].size() == 5);
  for (const Json& one : run["optimisers"]) {
    INFO(one["name"]);
    CHECK(one["steps"] == 800);
    CHECK(one["path"]["step"].size() == 21);
    CHECK(one["path"]["theta"][0] == Json({0.6, -0.9}));
    CHECK(one["path"]["theta"][20] == one["theta_end"]);
    CHECK(one["path"]["loss"][20] == one["loss_end"]);
  }
  // The end of the flow is that of sepx flow.
  const Json flow = commandJson({"flow", "--p", "0.5", "--q", "0.8", "--at", "0.6,-0.9"});
  const Json& end = run["optimisers"][0]["theta_end"];
  CHECK(end[0].get<double>() == Approx(flow["limit"]["theta"][0].get<double>()).margin(1e-4));
  CHECK(end[1].get<double>() == Approx(flow["limit"]["theta"][1].get<double>()).margin(1e-4));
}

TEST_CASE("sepx optimisers: the CSV has every step") {
  const Ran ran = command(with({"--steps", "30", "--with", "gd,adamw", "--csv", "-"}));
  REQUIRE(ran.status == 0);
  std::istringstream lines(ran.out);
  std::string line;
  std::getline(lines, line);
  CHECK(line == "optimiser,step,e,w,b,loss,energy,basin");
  int rows = 0;
  for (; std::getline(lines, line); ++rows)
    CHECK(line.rfind(rows < 31 ? "gd," : "adamw,", 0) == 0);
  CHECK(rows == 62);
}

TEST_CASE("sepx optimisers: rates and batch sizes change only their own optimisers") {
  const auto end = [](std::initializer_list<std::string> more) {
    std::vector<std::string> arguments = with({"--steps", "20"});
    arguments.insert(arguments.end(), more);
    const Json run = commandJson(arguments);
    Json ends = Json::object();
    for (const Json& one : run["optimisers"])
      ends[one["name"].get<std::string>()] = one["theta_end"];
    return ends;
  };
  const Json usual = end({}), faster = end({"--lr", "sgd=0.3,adamw=0.1"}), all = end({"--lr", "0.05"});
  CHECK(usual["gd"] == faster["gd"]);
  CHECK(usual["sgd"] != faster["sgd"]);
  CHECK(usual["adamw"] != faster["adamw"]);
  CHECK(usual["gd"] != all["gd"]);
  const Json seed = end({"--seed", "5"}), batch = end({"--batch", "3"}), mu = end({"--momentum", "0.5"});
  CHECK(usual["sgd"] != seed["sgd"]);
  CHECK(usual["momentum"] == seed["momentum"]);
  CHECK(usual["sgd"] != batch["sgd"]);
  CHECK(usual["momentum"] != mu["momentum"]);
  const Json sampled = end({"--sampled", "sgd,momentum"}), none = end({"--sampled", "none"});
  CHECK(sampled["momentum"] != usual["momentum"]);
  CHECK(none["sgd"] == usual["gd"]);
  CHECK(end({"--bias-steps", "1"})["gd"] != usual["gd"]);
  CHECK(end({"--weight-decay", "0.5"})["adamw"] != usual["adamw"]);
}

TEST_CASE("sepx optimisers: the text output is a table") {
  const Ran ran = command(with({"--steps", "50"}));
  CHECK(ran.status == 0);
  for (const char* part : {"initial point (0.6, -0.9)", "momentum", "adamw", "global-min", "never"}) {
    INFO(part);
    CHECK(ran.out.find(part) != std::string::npos);
  }
}

TEST_CASE("sepx optimisers: wrong arguments are refused") {
  requireRefused(with({"--with", "rmsprop"}), 2, "rmsprop");
  requireRefused(with({"--steps", "0"}), 2, "--steps");
  requireRefused(with({"--lr", "gd=x"}), 2, "--lr");
  requireRefused(with({"--lr", "-1"}), 2, "learning rate");
  requireRefused(with({"--lr", "best=1"}), 2, "best");
  requireRefused(with({"--momentum", "1"}), 2, "momentum");
  requireRefused(with({"--betas", "0.9"}), 2, "--betas");
  requireRefused(with({"--sampled", "flow"}), 2, "flow");
  requireRefused(with({"--batch", "65536", "--length", "1048576"}), 2, "symbols");
  requireRefused(with({"--json", "--csv", "-"}), 2, "--csv");
  requireRefused({"optimisers", "--p", "0.5", "--q", "0.8", "--at", "1,2,3"}, 2, "--at");
  requireRefused({"optimisers", "--p", "1.5", "--q", "0.8", "--at", "1,2"}, 2, "p");
}
