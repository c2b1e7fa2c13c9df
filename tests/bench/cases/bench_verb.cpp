// SPDX-License-Identifier: Apache-2.0
// sepx-bench measures the speed of kernels and frames on this machine. It prints figures, never a pass or fail.
#include "tests/bench/cases/bench_verb.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <CLI/CLI.hpp>

#include "app/cli/cli.h"
#include "app/cli/declare.h"
#include "app/cli/json_out.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "engine/core/file.h"
#include "engine/core/nearest_name.h"
#include "engine/core/number.h"
#include "engine/core/try.h"
#include "tests/bench/cases/bench.h"
#include "tests/bench/cases/scaling_plot.h"

namespace sepx::app::cli {
namespace {

/// The result of a benchmark, or the reason why it could not run.
struct Ran {
  std::string name;
  Result<BenchResult> result;
};

Json benchJson(const std::vector<Ran>& all) {
  Json document = beginDocument("bench");
  document["version"] = versionNumber();
  document["build"] = buildType();
  document["benchmarks"] = Json::array();
  for (const Ran& ran : all) {
    Json one = Json::object();
    one["name"] = ran.name;
    one["device"] = ran.result && !ran.result->device.empty() ? Json(ran.result->device) : Json(nullptr);
    one["measurements"] = Json::array();
    if (ran.result) {
      for (const Measurement& measurement : ran.result->measurements) {
        one["measurements"].push_back(Json::object({{"name", measurement.name},
                                                    {"what", measurement.what},
                                                    {"runs", measurement.milliseconds.size()},
                                                    {"median_ms", measurement.median()}}));
      }
    }
    const bool hasRatio = ran.result && !ran.result->ratioName.empty();
    one["ratio"] =
        hasRatio ? Json::object({{"of", ran.result->ratioName}, {"value", ran.result->ratio}}) : Json(nullptr);
    one["amounts"] = Json::array();
    if (ran.result)
      for (const Amount& amount : ran.result->amounts)
        one["amounts"].push_back(Json::object({{"name", amount.name}, {"what", amount.what}, {"value", amount.value}}));
    one["scalings"] = Json::array();
    if (ran.result)
      for (const Scaling& scaling : ran.result->scalings)
        one["scalings"].push_back(Json::object({{"name", scaling.name},
                                                {"what", scaling.what},
                                                {"size", scaling.size},
                                                {"sizes", scaling.sizes},
                                                {"median_ms", scaling.milliseconds},
                                                {"exponent", scaling.exponent()},
                                                {"last_exponent", scaling.lastExponent()}}));
    one["skipped"] = ran.result ? Json(nullptr) : Json(ran.result.error().message);
    document["benchmarks"].push_back(std::move(one));
  }
  return document;
}

std::string scalingText(const Scaling& scaling) {
  return trf(N_("exponent of {} ({}): {} ms at {}, {} ms at {}, {} at the end"), scaling.what, scaling.size,
             formatFixed(scaling.milliseconds.front(), 3), fmt::format("{:.0f}", scaling.sizes.front()),
             formatFixed(scaling.milliseconds.back(), 3), fmt::format("{:.0f}", scaling.sizes.back()),
             formatFixed(scaling.lastExponent(), 2));
}

void printTable(std::ostream& out, const std::vector<Ran>& all) {
  for (const Ran& ran : all) {
    out << ran.name;
    if (!ran.result) {
      out << ": " << trf(N_("skipped: {}"), ran.result.error().message) << "\n";
      continue;
    }
    if (!ran.result->device.empty()) out << " (" << ran.result->device << ")";
    out << "\n";
    for (const Measurement& one : ran.result->measurements) {
      out << fmt::format("  {:>10.4f} ms  {:<16} {}\n", one.median(), one.name, one.what);
    }
    for (const Amount& one : ran.result->amounts)
      out << fmt::format("  {:>10.4f}     {:<16} {}\n", one.value, one.name, one.what);
    for (const Scaling& one : ran.result->scalings)
      out << fmt::format("  {:>10.2f}     {:<16} {}\n", one.exponent(), one.name, scalingText(one));
    if (!ran.result->ratioName.empty())
      out << fmt::format("  {:>10.4f}     {}\n", ran.result->ratio, ran.result->ratioName);
  }
  out << tr(N_("medians of wall time")) << "\n";
}

class BenchVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    std::string names;
    for (const BenchEntry& entry : benchmarks()) {
      names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", entry.name, tr(entry.description));
    }
    command.add_option("name", names_, trf(N_("only these: {}"), names))->type_name("NAME");
    command.add_option("--plot", plot_, tr(N_("also write the figure of time against size (SVG)")))->type_name("FILE");
    addJsonFlag(command, json_);
  }

  Result<Outcome> run(Console& console, const Options& common) override {
    for (const std::string& name : names_) {
      std::vector<std::string> known;
      for (const BenchEntry& entry : benchmarks())
        known.emplace_back(entry.name);
      if (std::ranges::find(known, name) != known.end()) continue;
      const std::string near = nearestName(name, known, std::max<std::size_t>(2, name.size() / 3));
      return near.empty()
                 ? failf(ErrorKind::Usage, N_("there is no benchmark '{}'; sepx-bench --help lists them"), name)
                 : failf(ErrorKind::Usage, N_("there is no benchmark '{}'; the nearest is '{}'"), name, near);
    }
    std::vector<Ran> all;
    for (const BenchEntry& entry : benchmarks()) {
      const bool asked = std::find(names_.begin(), names_.end(), entry.name) != names_.end();
      if (!asked && (!names_.empty() || entry.onlyByName)) continue;
      Result<BenchResult> result = entry.run(common);
      // A benchmark that is named must run. In a run of the whole list, benchmarks that need a device are skipped if
      // there is none.
      if (!result && (asked || result.error().kind != ErrorKind::NoDevice)) return tl::unexpected(result.error());
      all.push_back({entry.name, std::move(result)});
    }
    if (!plot_.empty()) {
      std::vector<Scaling> scalings;
      for (const Ran& ran : all)
        if (ran.result) scalings.insert(scalings.end(), ran.result->scalings.begin(), ran.result->scalings.end());
      SEPX_TRY(writeFile(plot_, scalingPlot(scalings)));
    }
    if (json_) {
      console.out << finishDocument(benchJson(all));
    } else {
      printTable(console.out, all);
    }
    return Outcome::Done;
  }

 private:
  std::vector<std::string> names_;
  std::string plot_;
  bool json_ = false;
};

}  // namespace

int runBench(std::vector<std::string> arguments, std::ostream& out, std::ostream& err) {
  arguments.insert(arguments.begin(), "bench");
  std::vector<VerbEntry> verbs;
  verbs.push_back({"bench", N_("How fast kernels and frames are on this machine"), std::make_unique<BenchVerb>()});
  return run(std::move(arguments), out, err, false, std::move(verbs));
}

}  // namespace sepx::app::cli
