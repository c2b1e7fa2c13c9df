// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/unit/run_bench.h"

#include <sstream>

#include <catch2/catch.hpp>

#include "tests/bench/cases/bench_verb.h"

namespace sepx::test {

Ran bench(std::vector<std::string> arguments) {
  std::ostringstream out, err;
  Ran ran;
  ran.status = app::cli::runBench(std::move(arguments), out, err);
  ran.out = out.str();
  ran.err = err.str();
  return ran;
}

Json benchJson(std::vector<std::string> arguments) {
  arguments.emplace_back("--json");
  const Ran ran = bench(std::move(arguments));
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  return Json::parse(ran.out);
}

void requireBenchRefused(std::vector<std::string> arguments, int status, const std::string& part) {
  const Ran ran = bench(std::move(arguments));
  CHECK(ran.status == status);
  CHECK(ran.out.empty());
  CHECK(ran.err.rfind("sepx: ", 0) == 0);
  CHECK(ran.err.find(part) != std::string::npos);
  CHECK(ran.err.find('\n') == ran.err.size() - 1);
}

}  // namespace sepx::test
