// SPDX-License-Identifier: Apache-2.0
// PyTorch runs with each core type of OpenBLAS that may suit the machine, and the best result counts.
#include "tests/bench/forward_peers.h"

#include <algorithm>
#include <limits>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "engine/core/gemm.h"
#include "engine/core/number.h"
#include "tests/bench/child.h"

namespace sepx::bench {

namespace {

using Json = nlohmann::ordered_json;

Json torchPasses(const std::string& folder, const std::string& core, int threads) {
  const std::string count = std::to_string(threads);
  std::vector<std::string> command{"/usr/bin/env", "OMP_WAIT_POLICY=passive", "OMP_NUM_THREADS=" + count};
  if (!core.empty()) command.push_back("OPENBLAS_CORETYPE=" + core);
  command.insert(command.end(), {"/usr/bin/python3", folder + "/peers/forward_torch.py", "--threads", count});
  const Json result = Json::parse(Child(command, "warn", true).rest(), nullptr, false);
  return result.is_object() ? result : Json{{"skipped", "peers/forward_torch.py did not run"}};
}

double middleOf(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::infinity();
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// The best median over the core types, by number of tokens; contains "skipped" if PyTorch is missing.
Json bestTorch(const std::string& folder, int threads) {
  std::vector<std::string> cores{""};
  if (gemmLevel() >= GemmLevel::Avx2) cores.push_back("HASWELL");
  if (gemmLevel() == GemmLevel::Avx512) cores.insert(cores.end(), {"SKYLAKEX", "COOPERLAKE"});
  Json best = Json::object();
  for (const std::string& core : cores) {
    const Json torch = torchPasses(folder, core, threads);
    if (torch.contains("skipped")) return torch;
    best["torch"] = torch["torch"];
    for (const char* tokens : {"64", "512"}) {
      const double middle = middleOf(torch[tokens]["milliseconds"]);
      if (best.contains(tokens) && best[tokens]["median_ms"].get<double>() <= middle) continue;
      best[tokens] = {{"median_ms", middle}, {"core type", core.empty() ? "not set" : core}};
    }
  }
  return best;
}

/// The times of `sepx-bench tokenizer` in milliseconds, with their descriptions; a message if it did not run.
Json tokenizerFigures(const std::string& bin) {
  const Json bench =
      Json::parse(Child({bin + "/sepx-bench", "tokenizer", "--json"}, "warn", true).rest(), nullptr, false);
  if (!bench.is_object() || !bench["benchmarks"][0]["skipped"].is_null()) return "sepx-bench tokenizer did not run";
  Json result = Json::array();
  for (const Json& one : bench["benchmarks"][0]["measurements"])
    result.push_back({{"what", one["what"]}, {"median_ms", one["median_ms"]}});
  return result;
}

}  // namespace

Json measureForwardPeers(const std::string& bin, const std::string& folder) {
  Json result = Json::object();
  for (const int threads : {1, 2}) {
    const std::string count = std::to_string(threads);
    const Json bench = Json::parse(
        Child({bin + "/sepx-bench", "forward", "--threads", count, "--json"}, "warn", true).rest(), nullptr, false);
    if (!bench.is_object() || !bench["benchmarks"][0]["skipped"].is_null()) return "sepx-bench forward did not run";
    for (const Json& one : bench["benchmarks"][0]["measurements"])
      result[count]["sepx"][one["name"].get<std::string>()] = one["median_ms"];
    const Json torch = bestTorch(folder, threads);
    result[count]["torch"] = torch;
    for (const char* tokens : {"64", "512"})
      if (torch.contains(tokens))
        result[count]["times as fast"][tokens] = torch[tokens]["median_ms"].get<double>() /
                                                 result[count]["sepx"]["f32-" + std::string(tokens)].get<double>();
  }
  result["tokenizer"] = tokenizerFigures(bin);
  return result;
}

std::string forwardTable(const Json& measured) {
  std::ostringstream out;
  out << "## Forward passes of GPT-2's shape, compared with PyTorch\n\n";
  if (!measured.is_object()) {
    out << "Not measured: " << measured.get<std::string>() << ".\n";
    return out.str();
  }
  if (const Json machine = measured.value("machine", Json()); machine.is_object())
    out << fmt::format("Measured separately on {}: {}, {}, {} cores. ", machine["date"].get<std::string>(),
                       machine["cpu"].get<std::string>(), machine["instructions"].get<std::string>(),
                       machine["cores"].get<int>());
  const auto fixed = [](const Json& value) { return value.is_number() ? formatFixed(value.get<double>(), 1) : ""; };
  out << "124 million weights, float32, probabilities of all heads and logits of every position; median milliseconds. Ours "
         "reads the weights from the mapped file in every pass; PyTorch has them in memory, with the best of OpenBLAS' core "
         "types.\n\n| tokens | threads | first pass after opening | later passes | later passes, file in F16 | PyTorch | times as fast |\n"
      << "| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const char* tokens : {"64", "512"})
    for (const char* threads : {"1", "2"}) {
      const Json& one = measured[threads];
      const std::string name = tokens;
      const bool hasPeer = one["torch"].contains(tokens);
      out << "| " << name << " | " << threads << " | " << fixed(one["sepx"].value("f32-open-" + name, Json())) << " | "
          << fixed(one["sepx"]["f32-" + name]) << " | " << fixed(one["sepx"]["f16-" + name]) << " | "
          << (hasPeer ? fixed(one["torch"][tokens]["median_ms"]) : one["torch"].value("skipped", "")) << " | "
          << (hasPeer ? formatFixed(one["times as fast"][tokens].get<double>(), 2) : "") << " |\n";
    }
  out << "\nThe token after 64 others, by a pass over the whole text and from cached keys and values:\n\n"
         "| threads | whole, F32 | cached, F32 | whole, F16 | cached, F16 |\n| --- | --- | --- | --- | --- |\n";
  for (const char* threads : {"1", "2"}) {
    const Json& own = measured[threads]["sepx"];
    out << "| " << threads;
    for (const char* name : {"f32-next-whole", "f32-next-kept", "f16-next-whole", "f16-next-kept"})
      out << " | " << fixed(own.value(name, Json()));
    out << " |\n";
  }
  out << "\nThe page Sentence with 64 tokens (all attention patterns with their statistics, ranked predictions at every "
         "position): the first time, after the last token or one in the middle was changed, and without a head of the last "
         "layer:\n\n| file | threads | first | last token | in the middle | without a head |\n"
         "| --- | --- | --- | --- | --- | --- |\n";
  for (const char* word : {"f32", "f16"})
    for (const char* threads : {"1", "2"}) {
      const Json& own = measured[threads]["sepx"];
      out << "| " << word << " | " << threads;
      for (const char* name : {"-page-whole", "-page-last", "-page-middle", "-page-without"})
        out << " | " << fixed(own.value(std::string(word) + name, Json()));
      out << " |\n";
    }
  const Json tokenizer = measured.value("tokenizer", Json());
  if (!tokenizer.is_array()) return out.str();
  out << "\n## Tokenizer\n\n| what | milliseconds |\n| --- | --- |\n";
  for (const Json& one : tokenizer)
    out << "| " << one["what"].get<std::string>() << " | " << fixed(one["median_ms"]) << " |\n";
  return out.str();
}

}  // namespace sepx::bench
