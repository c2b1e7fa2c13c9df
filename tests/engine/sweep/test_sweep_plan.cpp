// SPDX-License-Identifier: Apache-2.0
// Plans of sweeps: a grid and a random search expand to the same runs every time, and an invalid plan gives a message
// that names the place.
#include <cmath>
#include <set>

#include <catch2/catch.hpp>

#include "engine/sweep/sweep_plan.h"

using namespace sepx;
using sweep::Sweep;

namespace {

const char* const kConfig =
    R"({"name": "tiny", "model": {"length": 6, "d_model": 8, "heads": 1, "output": "untied", "positions": "rope", "causal": false},
        "data": {"kind": "pairs"}, "objective": {"kind": "diffusion"}, "schedule": {"steps": 10, "batch": 4}})";

Result<Sweep> parsed(const std::string& rest) {
  return sweep::parseSweep(R"({"schema": "sepx.sweep/1", "config": )" + std::string(kConfig) + rest + "}", "plan.json",
                           [](const std::string& name) -> Result<sweep::NamedConfig> {
                             if (name != "tiny") return fail(ErrorKind::BadInput, name + ": is not there");
                             return sweep::NamedConfig{kConfig, "tiny.json", "."};
                           });
}

std::string refusal(const std::string& rest) {
  const auto sweep = parsed(rest);
  REQUIRE_FALSE(sweep);
  CHECK(sweep.error().kind == ErrorKind::BadInput);
  CHECK(sweep.error().message.find("plan.json") == 0);
  CHECK(sweep.error().message.find('\n') == std::string::npos);
  return sweep.error().message;
}

}  // namespace

TEST_CASE("A grid gives every combination with every seed, and the last field varies fastest") {
  const auto sweep = parsed(R"(, "grid": {"optimisation.learning_rate": [0.1, 0.01], "model.d_model": [8, 16, 24]},
                                  "seeds": [0, 5])");
  REQUIRE(sweep);
  CHECK(sweep->fields == std::vector<std::string>{"optimisation.learning_rate", "model.d_model", "seed"});
  REQUIRE(sweep->runs.size() == 12);
  CHECK(sweep->runs[0].name == "0000");
  CHECK(sweep->runs[1].config.seed == 5);
  CHECK(sweep->runs[1].config.data.seed == 5);
  CHECK(sweep->runs[3].config.model.d_model == 16);
  CHECK(sweep->runs[11].config.optimisation.rule.learningRate == 0.01);
  CHECK(sweep->runs[11].config.model.d_model == 24);
  CHECK(sweep->runs[11].config.name == "tiny, learning_rate 0.01, d_model 24, seed 5");
  CHECK(sweep->runs[11].values.back() == 5);
}

TEST_CASE("Without a grid a plan has one run for each seed, and without seeds it uses the seed of its config") {
  CHECK(parsed("")->runs.size() == 1);
  CHECK(parsed(R"(, "seeds": [3, 4])")->runs.size() == 2);
  const auto named = sweep::parseSweep(R"({"schema": "sepx.sweep/1", "config": "tiny"})", "plan.json",
                                       [](const std::string&) -> Result<sweep::NamedConfig> {
                                         return sweep::NamedConfig{kConfig, "tiny.json", "."};
                                       });
  CHECK(named->name == "tiny");
}

TEST_CASE("A random search draws the same values in its ranges every time, and more samples keep the first ones") {
  const std::string ranges =
      R"(, "random": {"samples": %, "seed": 7, "ranges": {"optimisation.learning_rate": {"low": 1e-4, "high": 1e-1, "log": true},
          "model.d_ff": {"low": 8, "high": 64}, "optimisation.rule": ["adam", "adamw"]}})";
  const auto with = [&](const char* samples) {
    std::string text = ranges;
    text.replace(text.find('%'), 1, samples);
    return *parsed(text);
  };
  const Sweep some = with("20"), more = with("40");
  REQUIRE(some.runs.size() == 20);
  std::set<double> rates;
  int low = 0;
  for (std::size_t i = 0; i < some.runs.size(); ++i) {
    CHECK(some.runs[i].config == more.runs[i].config);
    const double rate = some.runs[i].config.optimisation.rule.learningRate;
    CHECK((rate >= 1e-4 && rate <= 1e-1));
    low += rate < std::sqrt(1e-5) ? 1 : 0;
    rates.insert(rate);
    CHECK((some.runs[i].config.model.d_ff >= 8 && some.runs[i].config.model.d_ff <= 64));
  }
  CHECK(rates.size() == 20);
  CHECK((low > 3 && low < 17));  // about half of them are below the middle of a logarithmic range
}

TEST_CASE("The seeds of a plan are also used for the data, unless it sweeps data.seed") {
  const auto both = parsed(R"(, "grid": {"model.d_model": [8, 16]}, "seeds": [3, 4])");
  REQUIRE(both);
  CHECK(both->runs[1].config.seed == 4);
  CHECK(both->runs[1].config.data.seed == 4);
  for (const char* const plan :
       {R"(, "grid": {"data.seed": [1, 2, 3]}, "seeds": [0, 1])",
        R"(, "random": {"samples": 3, "ranges": {"data.seed": {"low": 10, "high": 1000}}}, "seeds": [0, 1])"}) {
    const auto swept = parsed(plan);
    REQUIRE(swept);
    REQUIRE(swept->runs.size() == 6);
    for (const sweep::SweepRun& run : swept->runs) {
      CHECK(run.config.data.seed == run.values[0].get<std::uint64_t>());
      CHECK(run.config.seed == run.values[1].get<std::uint64_t>());
    }
  }
  CHECK(parsed(R"(, "grid": {"data.seed": [1, 2, 3]}, "seeds": [0, 1])")->runs[5].config.data.seed == 3);
}

TEST_CASE("A field that is a list takes lists as values, whose names must exist in the model") {
  const auto swept = parsed(R"(, "grid": {"optimisation.frozen": [[], ["routing"]]})");
  REQUIRE(swept);
  REQUIRE(swept->runs.size() == 2);
  CHECK(swept->runs[0].config.optimisation.frozen.empty());
  CHECK(swept->runs[1].config.optimisation.frozen == std::vector<std::string>{"routing"});
  CHECK(refusal(R"(, "grid": {"optimisation.frozen": ["routing"]})").find("list of lists") != std::string::npos);
  CHECK(refusal(R"(, "grid": {"optimisation.frozen": [["nonsense"], []]})").find("\"nonsense\"") != std::string::npos);
  CHECK(refusal(R"(, "grid": {"schedule.watch": [["nonsense"]]})").find("\"nonsense\"") != std::string::npos);
  CHECK(refusal(R"(, "grid": {"data.kernel": [0.5]})").find("list of lists") != std::string::npos);
}

TEST_CASE("An invalid plan gives a message that names the place") {
  CHECK(refusal(R"(, "gird": {})").find("\"grid\"") != std::string::npos);
  CHECK(refusal(R"(, "gr\fid": {})").find("gr\xEF\xBF\xBDid: there is no such field") != std::string::npos);
  CHECK(refusal(R"(, "grid": {")" + std::string(60'000, 'x') + R"(": [8]})").size() < 300);
  CHECK(refusal(R"(, "grid": {})").find("empty") != std::string::npos);
  CHECK(refusal(R"(, "grid": {"model.d_modle": [8]})").find("\"model.d_model\"") != std::string::npos);
  CHECK(refusal(R"(, "grid": {"model.d_model": []})").find("one value or more") != std::string::npos);
  CHECK(refusal(R"(, "grid": {"model.d_model": ["wide"]})").find("d_model") != std::string::npos);
  CHECK(refusal(R"(, "grid": {"model.d_model": [-1]})").find("d_model") != std::string::npos);
  CHECK(refusal(R"(, "grid": {"seed": [1]})").find("seeds") != std::string::npos);
  CHECK(refusal(R"(, "seeds": [])").find("one seed or more") != std::string::npos);
  CHECK(refusal(R"(, "seeds": [1, 1])").find("twice") != std::string::npos);
  CHECK(refusal(R"(, "seeds": [-1])").find("whole numbers") != std::string::npos);
  CHECK(refusal(R"(, "grid": {"model.d_model": [8]}, "random": {"samples": 1, "ranges": {"model.d_model": [8]}})")
            .find("remove one") != std::string::npos);
  CHECK(refusal(R"(, "random": {"samples": 2, "ranges": {"model.d_model": {"low": 9, "high": 8}}})").find("below") !=
        std::string::npos);
  CHECK(
      refusal(
          R"(, "random": {"samples": 2, "ranges": {"optimisation.learning_rate": {"low": 0, "high": 8, "log": true}}})")
          .find("above 0") != std::string::npos);
  CHECK(refusal(R"(, "random": {"samples": 0, "ranges": {}})").find("samples") != std::string::npos);
  // RoPE has planes of two dimensions, so no model can have this combination.
  CHECK_FALSE(refusal(R"(, "grid": {"model.d_model": [8, 9]})").empty());
  const auto other = sweep::parseSweep("{", "plan.json", {});
  REQUIRE_FALSE(other);
  CHECK(other.error().message.find("plan.json") == 0);
  CHECK_FALSE(sweep::parseSweep(R"({"schema": "sepx.sweep/2", "config": {}})", "plan.json", {}));
}

TEST_CASE("A short plan cannot create configs of gigabytes or work of hours") {
  const auto planned = [](const std::string& config, const std::string& rest) {
    return sweep::parseSweep(R"({"schema": "sepx.sweep/1", "config": )" + config + rest + "}", "plan.json", {});
  };
  const auto noted = [](std::size_t bytes) {
    return R"({"note": ")" + std::string(bytes, 'x') + "\", " + std::string(kConfig).substr(1);
  };
  const std::string many =
      R"(, "random": {"samples": 100000, "ranges": {"optimisation.learning_rate": {"low": 0.1, "high": 1}}})";
  const auto longNote = planned(noted(60'000), many);
  REQUIRE_FALSE(longNote);
  CHECK(longNote.error().message.find("at most 10000 bytes") != std::string::npos);
  const auto tooMuch = planned(noted(9'000), many);
  REQUIRE_FALSE(tooMuch);
  CHECK(tooMuch.error().message.find("plan.json: the configs of its runs have more than") == 0);

  std::string seeds = "0";
  for (int i = 0; i < 200'000; ++i)
    seeds += ", 0";
  CHECK(refusal(R"(, "seeds": [)" + seeds + "]").find("give 200001 runs; at most 100000 are allowed") !=
        std::string::npos);

  const std::string once = "must name at most 1000 parameters, each once";
  CHECK(refusal(R"(, "grid": {"optimisation.frozen": [["routing", "routing"]]})").find(once) != std::string::npos);
  std::string names = R"("routing")";
  for (int i = 0; i < 1000; ++i)
    names += ", \"" + std::to_string(i) + "\"";
  CHECK(refusal(R"(, "grid": {"schedule.watch": [[)" + names + "]]}").find(once) != std::string::npos);
}

TEST_CASE("A folder name that is not UTF-8 is kept in the runs of a sweep") {
  const std::string folder = "/nowhere/\xFF", text = R"({"data": {"kind": "text", "path": "words.txt"}})";
  const auto swept = sweep::parseSweep(R"({"schema": "sepx.sweep/1", "config": "mine", "seeds": [1, 2]})", "plan.json",
                                       [&](const std::string&) -> Result<sweep::NamedConfig> {
                                         return sweep::NamedConfig{text, folder + "/mine.json", folder};
                                       });
  INFO((swept ? "" : swept.error().message));
  REQUIRE(swept);
  CHECK(swept->runs[1].config.data.path == folder + "/words.txt");
}
