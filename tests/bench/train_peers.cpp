// SPDX-License-Identifier: Apache-2.0
// sepx is measured just before and just after the peer, so that a change in the speed of the machine is noticed.
// PyTorch uses the kernels that multiply fastest on this machine (OpenBLAS 0.3.21 does not know newer processors and
// selects the kernels of an old one) and threads that sleep while they wait. It also runs once with the kernels that
// OpenBLAS selects.
#include "tests/bench/train_peers.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <vector>

#include "engine/core/gemm.h"
#include "engine/core/number.h"
#include "tests/bench/child.h"

namespace sepx::bench {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kNames{"a10", "a40", "b8", "b64", "c15", "d", "vit"};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// The median and the amounts of one `sepx-bench train-*`; an empty object if it did not run.
Json ours(const std::string& bin, const std::string& name, int threads) {
  const std::string count = std::to_string(threads);
  const Json bench = Json::parse(
      Child({bin + "/sepx-bench", "train-" + name, "--threads", count, "--json"}, "warn", true).rest(), nullptr, false);
  if (!bench.is_object() || !bench["benchmarks"][0]["skipped"].is_null()) return Json::object();
  Json result{{"median_ms", bench["benchmarks"][0]["measurements"][0]["median_ms"]}};
  for (const Json& amount : bench["benchmarks"][0]["amounts"]) {
    const std::string what = amount["name"];
    result[what.substr(0, what.rfind('-'))] = amount["value"];
  }
  return result;
}

/// `core` is the value of OPENBLAS_CORETYPE; if it is empty, the variable is not set.
Json peer(const std::string& folder, const std::string& core, int threads, const std::vector<std::string>& names) {
  const std::string count = std::to_string(threads);
  std::vector<std::string> command{"/usr/bin/env",
                                   "-u",
                                   "OPENBLAS_CORETYPE",
                                   "-u",
                                   "OPENBLAS_L2_SIZE",
                                   "OMP_WAIT_POLICY=passive",
                                   "OMP_NUM_THREADS=" + count};
  if (!core.empty()) command.push_back("OPENBLAS_CORETYPE=" + core);
  command.insert(command.end(), {"/usr/bin/python3", folder + "/peers/train_torch.py", "--threads", count});
  command.insert(command.end(), names.begin(), names.end());
  const Json result = Json::parse(Child(command, "warn", true).rest(), nullptr, false);
  return result.is_object() ? result : Json{{"skipped", "peers/train_torch.py did not run"}};
}

/// The core type with the fastest product of 1024 x 1024 matrices. `tried` receives the speed of each core type.
std::string bestCore(const std::string& folder, Json& tried) {
  std::vector<std::string> cores{""};
  if (gemmLevel() >= GemmLevel::Avx2) cores.insert(cores.end(), {"HASWELL", "ZEN"});
  if (gemmLevel() == GemmLevel::Avx512) cores.insert(cores.end(), {"SKYLAKEX", "COOPERLAKE"});
  std::string best;
  double most = 0;
  for (const std::string& core : cores) {
    double speed = 0;
    for (int round = 0; round < 3; ++round)
      if (const Json torch = peer(folder, core, 1, {}); torch.contains("product_gflops"))
        speed = std::max(speed, torch["product_gflops"].get<double>());
    tried[core.empty() ? "not set" : core] = speed;
    if (speed > most) best = core;
    most = std::max(most, speed);
  }
  return best;
}

Json compared(const Json& before, const Json& after, const Json& torch, const std::string& name) {
  const std::vector<double> spent = torch[name]["milliseconds"];
  const auto of = [](const Json& one, const char* what) { return one[what].get<double>(); };
  const double least = std::min(of(before, "least-ms"), of(after, "least-ms"));
  const double middle = (of(before, "median_ms") + of(after, "median_ms")) / 2;
  const double torchLeast = *std::min_element(spent.begin(), spent.end()), torchMiddle = median(spent);
  const Json& better = of(before, "least-ms") < of(after, "least-ms") ? before : after;
  return {{"sepx",
           {{"least_ms", least},
            {"median_ms", middle},
            {"median_before_ms", before["median_ms"]},
            {"median_after_ms", after["median_ms"]},
            {"processor_ms", std::min(of(before, "processor-ms"), of(after, "processor-ms"))},
            {"gflops", better["gflops"]},
            {"share_of_peak", better["share-of-peak"]},
            {"peak_gflops", better["peak-gflops"]}}},
          {"torch",
           {{"least_ms", torchLeast},
            {"median_ms", torchMiddle},
            {"steps", spent.size()},
            {"processor_ms", torch[name]["processor_ms"]},
            {"product_gflops", torch["product_gflops"]}}},
          {"times as fast, least", torchLeast / least},
          {"times as fast, median", torchMiddle / middle}};
}

std::string fixed(const Json& value, int digits) {
  return value.is_number() ? formatFixed(value.get<double>(), digits) : "";
}

}  // namespace

Json measureTrainPeers(const std::string& bin, const std::string& folder) {
  Json tried = Json::object();
  const std::string core = bestCore(folder, tried);
  Json result{{"core type", core}, {"product of one thread by core type, GFLOP/s", tried}};
  for (const int threads : {1, 2})
    for (const char* name : kNames) {
      const Json before = ours(bin, name, threads);
      const Json torch = peer(folder, core, threads, {name});
      if (torch.contains("skipped")) return torch["skipped"];
      const Json after = ours(bin, name, threads);
      if (before.empty() || after.empty()) return "sepx-bench train-" + std::string(name) + " did not run";
      result["torch version"] = torch["torch"];
      result[std::to_string(threads)][name] = compared(before, after, torch, name);
    }
  const Json unset = peer(folder, "", 2, {kNames.begin(), kNames.end()});
  for (const char* name : kNames)
    if (unset.contains(name))
      result["2"][name]["torch, core type not set"] = {{"median_ms", median(unset[name]["milliseconds"])},
                                                       {"product_gflops", unset["product_gflops"]}};
  return result;
}

std::string trainTable(const Json& measured) {
  std::ostringstream out;
  out << "## Training: whole steps compared with PyTorch\n\n";
  if (!measured.is_object()) {
    out << "Not measured: " << measured.get<std::string>() << ".\n";
    return out.str();
  }
  const std::string core = measured["core type"];
  out << "float32, forward + loss + backward + AdamW (+ clip: a10, a40, c15, d, vit); minimum (median) time of a step in "
         "milliseconds. PyTorch "
      << measured["torch version"].get<std::string>() << ", OPENBLAS_CORETYPE " << (core.empty() ? "not set" : core)
      << " (the best of those tried), OMP_WAIT_POLICY=passive; \"default\": OPENBLAS_CORETYPE not set. The peak is "
         "our product 1024 x 1024 x 1024 in the same run; only operations that affect the loss are counted. This is the "
         "PyTorch version of Debian 12. Since version 2.2, PyTorch also has blocked attention on CPUs (its "
         "scaled_dot_product_attention, pull request 103826), which this version lacks; its effect on long sequences "
         "(b8, b64) is not measured here.\n\n"
         "a10, a40: masked diffusion, width 256, 256 sequences of 10 and of 40. b8, b64: Markov chains, width 8 and "
         "64, 16 sequences of 1024. c15: 4 layers of BERT-Mini, 32 sequences of 128, 15 % masked. d: 6 layers of a "
         "small GPT, 8 sequences of 256. vit: the 6-layer ViT of CIFAR-10, 8 images of 32 x 32.\n\n"
      << "| step | threads | sepx | PyTorch | times as fast, minimum (median) | GFLOP/s | of the peak | PyTorch, "
         "default |\n"
      << "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (const char* threads : {"1", "2"})
    for (const char* name : kNames) {
      if (!measured[threads].contains(name)) continue;  // the measurement is older than the case
      const Json& one = measured[threads][name];
      const auto pair = [](const Json& side) {
        return fixed(side["least_ms"], 1) + " (" + fixed(side["median_ms"], 1) + ")";
      };
      out << "| " << name << " | " << threads << " | " << pair(one["sepx"]) << " | " << pair(one["torch"]) << " | "
          << fixed(one["times as fast, least"], 2) << " (" << fixed(one["times as fast, median"], 2) << ") | "
          << fixed(one["sepx"]["gflops"], 0) << " | " << fixed(one["sepx"]["share_of_peak"], 2) << " | "
          << (one.contains("torch, core type not set") ? fixed(one["torch, core type not set"]["median_ms"], 1) : "")
          << " |\n";
    }
  return out.str();
}

}  // namespace sepx::bench
