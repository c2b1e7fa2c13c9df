// SPDX-License-Identifier: Apache-2.0
// sepx trajectory: JSON and CSV agree, the path follows the flow, options have their effect.
#include <sstream>

#include <catch2/catch.hpp>

#include "engine/core/number.h"
#include "tests/app/cli/run_sepx.h"

using namespace sepx::test;

namespace {

const std::vector<std::string> kStart{"trajectory", "--p", "0.5", "--q", "0.8", "--at", "0.6,-0.9"};

std::vector<std::string> with(std::initializer_list<std::string> more) {
  std::vector<std::string> arguments = kStart;
  arguments.insert(arguments.end(), more);
  return arguments;
}

std::vector<std::vector<double>> readCsv(const std::string& text, std::string& header) {
  std::istringstream lines(text);
  std::getline(lines, header);
  std::vector<std::vector<double>> rows;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');)
      rows.back().push_back(sepx::parseNumber(cell).value());
  }
  return rows;
}

}  // namespace

TEST_CASE("trajectory prints the documented JSON") {
  const Json json = commandJson(with({"--points", "40"}));
  CHECK(keysOf(json) == std::vector<std::string>{"schema", "p", "q", "model", "theta0", "backward", "status", "basin",
                                                 "basin_source", "limit", "energy_drift", "integrator", "t", "theta",
                                                 "loss", "nonfinite"});
  CHECK(json["schema"] == "sepx.trajectory/1");
  const std::size_t rows = json["t"].size();
  CHECK(rows == 40);
  CHECK(json["theta"].size() == rows);
  CHECK(json["loss"].size() == rows);
  CHECK(json["theta"][0] == Json({0.6, -0.9}));
  CHECK(json["t"][0] == 0.0);
  for (std::size_t i = 1; i < rows; ++i) {
    CHECK(json["loss"][i].get<double>() <= json["loss"][i - 1].get<double>() + 1e-14);
    if (!json["t"][i].is_null()) CHECK(json["t"][i].get<double>() > json["t"][i - 1].get<double>());
  }
  for (int i = 0; i < 2; ++i) {
    CHECK(json["theta"][rows - 1][i].get<double>() == Approx(json["limit"]["theta"][i].get<double>()).margin(1e-5));
  }
  CHECK(json["energy_drift"].get<double>() < 1e-7);
}

TEST_CASE("CSV contains the numbers of the JSON document") {
  Folder folder;
  const Json json = commandJson(with({"--points", "17", "--t-max", "5"}));
  const Ran toFile = command(with({"--points", "17", "--t-max", "5", "--csv", folder.path("path.csv")}));
  CHECK(toFile.status == 0);
  CHECK(toFile.out.empty());
  const Ran toOut = command(with({"--points", "17", "--t-max", "5", "--csv", "-"}));
  CHECK(toOut.out == readText(folder.path("path.csv")));
  std::string header;
  const auto rows = readCsv(toOut.out, header);
  CHECK(header == "t,e,w,loss");
  REQUIRE(rows.size() == json["t"].size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(rows[i] == std::vector<double>{json["t"][i].get<double>(), json["theta"][i][0].get<double>(),
                                         json["theta"][i][1].get<double>(), json["loss"][i].get<double>()});
  }
}

TEST_CASE("--t-max stops the flow, and --backward increases the loss") {
  const Json stopped = commandJson(with({"--t-max", "0.5"}));
  CHECK(stopped["t"].back().get<double>() == Approx(0.5).epsilon(1e-9));
  const Json back = commandJson(with({"--backward", "--t-max", "0.5"}));
  CHECK(back["backward"] == true);
  CHECK(back["loss"].back().get<double>() > back["loss"][0].get<double>());
  CHECK(back["t"].back().get<double>() == Approx(-0.5).epsilon(1e-9));
  CHECK(command(with({"--backward", "--t-max", "0.5"})).out.find("came from:") != std::string::npos);
  std::string header;
  const auto rows = readCsv(command({"trajectory", "--p", "0.5", "--q", "0.8", "--model", "ewab", "--at",
                                     "0.6,-0.9,0.1,0.2", "--t-max", "1", "--csv", "-"})
                                .out,
                            header);
  CHECK(header == "t,e,w,a,b,loss");
  CHECK(rows.front().size() == 6);
}

TEST_CASE("trajectory refuses invalid arguments") {
  requireRefused(with({"--points", "1"}), 2, "--points");
  requireRefused(with({"--points", "2.5"}), 2, "--points");
  requireRefused(with({"--t-max", "0"}), 2, "--t-max");
  requireRefused(with({"--t-max", "-1"}), 2, "--t-max");
  requireRefused(with({"--json", "--csv", "-"}), 2, "--csv");
  requireRefused(with({"--csv", "/dev/null/folder/path.csv"}), 6, "/dev/null/folder/path.csv");
}

TEST_CASE("trajectory terminates from any point") {
  for (const char* at : {"1e6,-1e6", "0,0", "1e-300,1e-200", "0.3,0", "1e6,0", "0,-0.7071067811865475"}) {
    for (const char* p : {"0.5", "0.1", "0.2"}) {  // p + q above, below and at 1
      INFO(p << " " << at);
      const Json json = commandJson({"trajectory", "--p", p, "--q", "0.8", "--at", at});
      CHECK(json["theta"].size() == json["t"].size());
      for (const Json& theta : json["theta"])
        CHECK((theta[0].is_number() && theta[1].is_number()));
    }
  }
}
