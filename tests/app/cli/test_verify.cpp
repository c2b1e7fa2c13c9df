// SPDX-License-Identifier: Apache-2.0
// sepx verify: the reference file passes, and every change to an expected output is found: every single number, labels,
// keys.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include <catch2/catch.hpp>

#include "app/cli/verify.h"
#include "tests/app/cli/run_sepx.h"
#include "tests/folders.h"

using namespace sepx;
using namespace sepx::test;
using app::cli::CaseResult;
using app::cli::compareCase;
using app::cli::ExpectedOutput;
using app::cli::GroupSpec;
using app::cli::verifyCase;
using app::cli::verifyGroups;

namespace {

const std::string kFixtures = tests::sourceFolder() + "/tests/reference/fixtures.json";

const Json& fixtures() {
  static const Json file = Json::parse(readText(kFixtures));
  return file;
}

const Json& casesOf(const GroupSpec& group) {
  return fixtures()["groups"].at(std::string(group.name));
}

/// Visits every number in `value`, each with its JSON pointer relative to `place`.
void eachNumber(const Json& value, const Json::json_pointer& place,
                const std::function<void(const Json::json_pointer&, double)>& visit) {
  if (value.is_number()) visit(place, value.get<double>());
  if (value.is_object()) {
    for (const auto& [key, inside] : value.items())
      eachNumber(inside, place / key, visit);
  }
  if (!value.is_array()) return;
  for (std::size_t i = 0; i < value.size(); ++i)
    eachNumber(value[i], place / i, visit);
}

/// A change in the 6th significant digit of a number; for zero, in the 6th decimal.
double sixthDigit(double value) {
  return value == 0 ? 1e-6 : std::pow(10.0, std::floor(std::log10(std::abs(value))) - 5);
}

double toleranceOf(const GroupSpec& group, const ExpectedOutput& output, const Json& testCase, double value) {
  const double atol = group.hasTolerance ? testCase["tol"].get<double>() : output.absoluteTolerance;
  return atol + app::cli::kRelativeTolerance * std::abs(value);
}

/// The exit status of `sepx verify` on the reference file with the cases of one group replaced.
int verifyStatus(const std::string& group, const Json& cases) {
  const Folder folder;
  Json file = {{"schema", "fixtures-1"}, {"groups", Json::object()}};
  file["groups"][group] = cases;
  writeText(folder.path("changed.json"), file.dump());
  return command({"verify", folder.path("changed.json"), "--group", group}).status;
}

}  // namespace

TEST_CASE("The reference file passes in every known group") {
  for (const GroupSpec& spec : verifyGroups()) {
    const std::string group(spec.name);
    INFO(group);
    const Json json = commandJson({"verify", kFixtures, "--group", group});
    CHECK(keysOf(json) == std::vector<std::string>{"schema", "groups", "passed", "nonfinite"});
    CHECK(json["schema"] == "sepx.verify/1");
    REQUIRE(json["groups"].size() == 1);
    CHECK(keysOf(json["groups"][0]) == std::vector<std::string>{"name", "cases", "worst", "passed"});
    CHECK(json["groups"][0]["name"] == group);
    CHECK(json["groups"][0]["cases"].get<std::size_t>() == fixtures()["groups"][group].size());
    CHECK(json["groups"][0]["worst"].get<double>() <= 1);
    CHECK(json["groups"][0]["passed"] == true);
    CHECK(json["passed"] == true);
  }
}

TEST_CASE("Several groups are run in the given order") {
  const Json json = commandJson({"verify", kFixtures, "--group", "markov_gauss", "--group", "markov_const"});
  REQUIRE(json["groups"].size() == 2);
  CHECK(json["groups"][0]["name"] == "markov_gauss");
  CHECK(json["groups"][1]["name"] == "markov_const");
  CHECK(command({"verify", "--group", "markov_gauss", kFixtures}).status == 0);
}

TEST_CASE("Without a group the whole reference file passes") {
  const Json json = commandJson({"verify", kFixtures});
  CHECK(json["groups"].size() == fixtures()["groups"].size());
  CHECK(json["groups"].size() == verifyGroups().size());
  CHECK(json["passed"] == true);
}

TEST_CASE("Unknown groups are listed and fail") {
  const Folder folder;
  Json file = fixtures();
  file["groups"]["of_a_later_version"] = Json::array({Json{{"x", 1}}});
  writeText(folder.path("later.json"), file.dump());
  const Json json = commandJson({"verify", folder.path("later.json")}, 1);
  CHECK(json["groups"].size() == verifyGroups().size() + 1);
  CHECK(json["passed"] == false);
  for (const Json& group : json["groups"]) {
    const bool known = group["name"] != "of_a_later_version";
    CHECK(group["passed"] == known);
    CHECK(group["worst"].is_null() == !known);
  }
  CHECK(json["nonfinite"] == 1);
  CHECK(command({"verify", folder.path("later.json"), "--group", "of_a_later_version"}).status == 1);
}

TEST_CASE("Every key of every known case is an input, an output or the tolerance") {
  for (const GroupSpec& group : verifyGroups()) {
    std::size_t known = group.inputs.size() + group.outputs.size() + (group.hasTolerance ? 1 : 0);
    for (const Json& testCase : casesOf(group))
      CHECK(testCase.size() == known);
  }
}

TEST_CASE("A change in the 6th digit of any expected number fails") {
  std::map<std::string, int> seen;  // key: group.key
  for (const GroupSpec& group : verifyGroups()) {
    for (const Json& testCase : casesOf(group)) {
      const Result<Json> computed = group.compute(testCase);
      REQUIRE(computed);
      REQUIRE(compareCase(group, *computed, testCase).passed());
      for (const ExpectedOutput& output : group.outputs) {
        const std::string key(output.key);
        eachNumber(testCase[key], Json::json_pointer("/" + key), [&](const Json::json_pointer& place, double value) {
          // Where the tolerance exceeds the 6th digit (a limit of 1e-200, a tolerance of 1e-6), the change is three
          // tolerances.
          const double change = std::max(sixthDigit(value), 3 * toleranceOf(group, output, testCase, value));
          for (const double sign : {1.0, -1.0}) {
            Json changed = testCase;
            changed[place] = value + sign * change;
            const CaseResult result = compareCase(group, *computed, changed);
            if (result.passed()) FAIL_CHECK(group.name << place.to_string() << ": " << value << " may change unseen");
            if (!(result.worst > 1)) FAIL_CHECK(group.name << place.to_string() << ": worst is " << result.worst);
          }
          ++seen[std::string(group.name) + "." + key];
        });
      }
    }
  }
  for (const GroupSpec& group : verifyGroups()) {
    for (const ExpectedOutput& output : group.outputs) {
      INFO(group.name << "." << output.key);
      if (output.key != "label") CHECK(seen[std::string(group.name) + "." + std::string(output.key)] > 0);
    }
  }
}

TEST_CASE("The verb finds a changed digit, a deleted key, an unknown key, a null, a label and a missing case") {
  for (const GroupSpec& group : verifyGroups()) {
    if (group.name == "markov_basin3") continue;  // it integrates; its cases are compared in the other tests
    const std::string name(group.name);
    const Json cases = Json::array({casesOf(group)[0]});
    REQUIRE(verifyStatus(name, cases) == 0);
    for (const ExpectedOutput& output : group.outputs) {
      INFO(name << "." << output.key);
      const std::string key(output.key);
      Json deleted = cases, nulled = cases, text = cases, changed = cases;
      deleted[0].erase(key);
      CHECK(verifyStatus(name, deleted) == 1);
      nulled[0][key] = nullptr;
      CHECK(verifyStatus(name, nulled) == 1);
      text[0][key] = "nan";
      CHECK(verifyStatus(name, text) == 1);
      bool done = false;
      eachNumber(cases[0][key], Json::json_pointer("/0/" + key), [&](const Json::json_pointer& place, double value) {
        if (done || sixthDigit(value) <= 2 * toleranceOf(group, output, cases[0], value)) return;
        changed[place] = value + sixthDigit(value);
        done = true;
      });
      if (done) CHECK(verifyStatus(name, changed) == 1);
    }
    Json more = cases;
    more[0]["loss_at_infinity"] = 0.5;
    CHECK(verifyStatus(name, more) == 1);
    for (const std::string_view input : group.inputs) {
      Json without = cases;
      without[0].erase(std::string(input));
      CHECK(verifyStatus(name, without) == 1);
    }
    CHECK(verifyStatus(name, Json::array()) == 1);
    CHECK(verifyStatus(name, Json::array({1})) == 1);
    CHECK(verifyStatus(name, Json::object()) == 1);
  }
}

TEST_CASE("A deleted key, an unknown key, a null or a shorter list fails in every case") {
  for (const GroupSpec& group : verifyGroups()) {
    for (const Json& testCase : casesOf(group)) {
      const Result<Json> computed = group.compute(testCase);
      REQUIRE(computed);
      for (const auto& [key, value] : testCase.items()) {
        Json deleted = testCase;
        deleted.erase(key);
        if (compareCase(group, *computed, deleted).passed()) FAIL_CHECK(group.name << "." << key << " may be deleted");
      }
      for (const ExpectedOutput& output : group.outputs) {
        const std::string key(output.key);
        Json nulled = testCase, shorter = testCase;
        nulled[key] = testCase[key].is_null() ? Json(0.0) : Json(nullptr);
        if (compareCase(group, *computed, nulled).passed()) FAIL_CHECK(group.name << "." << key << " may be null");
        if (!testCase[key].is_array()) continue;
        shorter[key].erase(shorter[key].size() - 1);
        if (compareCase(group, *computed, shorter).passed()) FAIL_CHECK(group.name << "." << key << " may be shorter");
      }
      Json more = testCase;
      more["extra"] = 1;
      CHECK_FALSE(compareCase(group, *computed, more).passed());
    }
  }
}

TEST_CASE("A computed NaN never passes") {
  for (const GroupSpec& group : verifyGroups()) {
    const Json& testCase = casesOf(group)[0];
    const Result<Json> computed = group.compute(testCase);
    REQUIRE(computed);
    for (const ExpectedOutput& output : group.outputs) {
      const std::string key(output.key);
      eachNumber((*computed)[key], Json::json_pointer("/" + key), [&](const Json::json_pointer& place, double) {
        for (const double wrong : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
          Json ours = *computed;
          ours[place] = wrong;
          CHECK_FALSE(compareCase(group, ours, testCase).passed());
        }
      });
      Json without = *computed;
      without.erase(key);
      CHECK_FALSE(compareCase(group, without, testCase).passed());
    }
  }
}

TEST_CASE("Two swapped labels fail") {
  for (const char* name : {"markov_basin2", "markov_basin3"}) {
    Json cases = fixtures()["groups"][name];
    std::size_t star = 0, other = 0;
    while (cases[star]["label"] != "star")
      ++star;
    while (cases[other]["label"] == "star")
      ++other;
    Json swapped = Json::array({cases[star], cases[other]});
    CHECK(verifyStatus(name, swapped) == 0);
    std::swap(swapped[0]["label"], swapped[1]["label"]);
    CHECK(verifyStatus(name, swapped) == 1);
    swapped[0]["label"] = "global-min";  // the label of a reference file is "star"
    CHECK(verifyStatus(name, swapped) == 1);
  }
}

TEST_CASE("Invalid inputs fail the case, but do not end the program") {
  const auto spoil = [](const char* name, const char* key, const Json& value) {
    Json cases = Json::array({fixtures()["groups"][name][0]});
    cases[0][key] = value;
    return verifyStatus(name, cases);
  };
  CHECK(spoil("markov_const", "p", 1.5) == 1);
  CHECK(spoil("markov_const", "p", "0.2") == 1);
  CHECK(spoil("markov_const", "p", true) == 1);
  CHECK(spoil("markov_traj", "theta0", Json({1.0})) == 1);
  CHECK(spoil("markov_traj", "theta0", 1.0) == 1);
  CHECK(spoil("markov_traj", "t", Json({20.0, 8.0, 2.0, 0.5})) == 1);
  CHECK(spoil("markov_traj", "tol", -1.0) == 1);
  CHECK(spoil("markov_traj", "tol", "loose") == 1);
  CHECK(spoil("markov_gauss", "regime", "p+q=1") == 1);
  CHECK(spoil("markov_gauss", "sigma", 0) == 1);
  CHECK(spoil("markov_basin2", "q", 0.8) == 1);  // p + q = 1
}

TEST_CASE("A probability of 1.1e-13 is compared relative to its size, so 0 in its place fails") {
  Json tiny = Json::array();
  for (Json one : fixtures()["groups"]["markov_gauss"])
    if (one["prob_min"].get<double>() < 1e-12) tiny.push_back(one);
  REQUIRE(tiny.size() == 1);
  CHECK(verifyStatus("markov_gauss", tiny) == 0);
  tiny[0]["prob_min"] = 0.0;
  CHECK(verifyStatus("markov_gauss", tiny) == 1);
}

TEST_CASE("A file that is not a reference file is refused with the place of the error") {
  const Folder folder;
  const std::string file = folder.path("file.json");
  const auto refused = [&](const std::string& text, const std::string& part) {
    writeText(file, text);
    requireRefused({"verify", file}, 3, part);
    requireRefused({"verify", file, "--json"}, 3, file);
  };
  requireRefused({"verify", folder.path("missing.json")}, 3, "missing.json");
  refused("", "byte 1");
  refused("{\"schema\": \"fixtures-1\", \"groups\": {\"markov_const\": [{\"p\": NaN}]}}", "byte 60");
  refused("{\"schema\": 1e999}", "1e999");
  refused("[]", "schema");
  refused("7", "schema");
  refused("{\"groups\": {}}", "schema");
  refused("{\"schema\": \"fixtures-2\", \"groups\": {}}", "schema");
  refused("{\"schema\": \"fixtures-1\"}", "groups");
  refused("{\"schema\": \"fixtures-1\", \"groups\": []}", "groups");
  refused(std::string(200000, '['), "byte");
  requireRefused({"verify", folder.path("")}, 3, "sepx");

  writeText(file, "{\"schema\": \"fixtures-1\", \"groups\": {}}");
  CHECK(command({"verify", file}).status == 1);  // nothing was verified
  requireRefused({"verify", kFixtures, "--group", "markov_konst"}, 2, "markov_konst");
}

TEST_CASE("Without a file the shipped reference values are verified") {
  const Ran ran = command({"verify", "--group", "markov_const", "--json"});
  CHECK(ran.status == 0);
  CHECK(Json::parse(ran.out)["passed"] == true);
}

TEST_CASE("The text output is a table with reasons") {
  Json cases = Json::array({fixtures()["groups"]["markov_const"][0]});
  cases[0]["H_pi"] = 0.5;
  const Folder folder;
  writeText(folder.path("f.json"), Json{{"schema", "fixtures-1"}, {"groups", {{"markov_const", cases}}}}.dump());
  const Ran ran = command({"verify", folder.path("f.json")});
  CHECK(ran.status == 1);
  CHECK(ran.err.empty());
  CHECK(ran.out.find("FAILED") != std::string::npos);
  CHECK(ran.out.find("H_pi") != std::string::npos);
}
