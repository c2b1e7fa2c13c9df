// SPDX-License-Identifier: Apache-2.0
// The program behind ./dev bench. It measures kernels and frames (`sepx-bench --json`), and what only a real window
// shows: the time from process start to the first frame, and the cost of an idle window. It prints one JSON document on
// standard output. --report FILE also writes results.json and the page made from it (report_page.h). --from FILE only
// makes the page, from an existing document. --only PART measures one part (flow, train, forward, sizes or ranks); for
// forward and sizes, --report FILE also replaces this part of results.json and makes the page again. Times are medians
// unless a part states otherwise.
#include <sys/utsname.h>
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/core/file.h"
#include "engine/core/gemm.h"
#include "engine/core/number.h"
#include "tests/bench/child.h"
#include "tests/bench/flow_peers.h"
#include "tests/bench/forward_peers.h"
#include "tests/bench/rank_steps.h"
#include "tests/bench/report_page.h"
#include "tests/bench/train_peers.h"

namespace {

using Json = nlohmann::ordered_json;
using sepx::bench::Child;
namespace fs = std::filesystem;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// Parses a milestone of the log: the line "start: first frame after 123.4 ms" gives "first frame" and 123.4.
std::optional<std::pair<std::string, double>> milestone(const std::string& line) {
  const std::string before = "start: ", after = " after ";
  const auto from = line.find(before), to = line.find(after);
  if (from == std::string::npos || to == std::string::npos || to < from) return std::nullopt;
  const std::string rest = line.substr(to + after.size());
  const auto milliseconds = sepx::parseNumber(rest.substr(0, rest.find(' ')));
  if (!milliseconds) return std::nullopt;
  return std::pair{line.substr(from + before.size(), to - from - before.size()), *milliseconds};
}

const std::string kFirstFrame = "first frame";

bool isFirstFrame(const std::string& line) {
  const auto found = milestone(line);
  return found && found->first == kFirstFrame;
}

// The time from process start to each milestone and to the first frame, over `runs` starts. The first start also fills
// the shader cache of the driver and is reported separately.
Json measureStart(const std::vector<std::string>& command, int runs) {
  std::vector<std::pair<std::string, std::vector<double>>> times;  // in the order of the first start
  for (int run = 0; run < runs; ++run) {
    Child child(command, "info");
    while (const auto line = child.line(20)) {
      const auto reached = milestone(*line);
      if (!reached) continue;
      auto place =
          std::find_if(times.begin(), times.end(), [&](const auto& one) { return one.first == reached->first; });
      if (place == times.end()) place = times.insert(times.end(), {reached->first, {}});
      place->second.push_back(reached->second);
      if (reached->first == kFirstFrame) break;
    }
  }
  if (times.empty() || times.back().first != kFirstFrame || times.back().second.size() < 2)
    return Json{{"error", "the program did not report its first frame"}};
  const std::vector<double>& whole = times.back().second;
  Json result{
      {"first_ms", whole.front()}, {"median_ms", median({whole.begin() + 1, whole.end()})}, {"runs", whole.size() - 1}};
  for (const auto& [name, all] : times)
    if (all.size() > 1) result["until"][name] = median({all.begin() + 1, all.end()});
  return result;
}

// The number of frames and the processor time over ten seconds without input.
Json measureIdle(const std::vector<std::string>& command) {
  Child child(command, "debug");
  bool seen = false;
  while (const auto line = child.line(20))
    if (isFirstFrame(*line)) {
      seen = true;
      break;
    }
  if (!seen) return Json{{"error", "the program did not report its first frame"}};
  while (child.line(3)) {
    // Wait until the program has settled: layers arrive until nothing has been logged for three seconds.
  }
  const double before = child.processorSeconds();
  int frames = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  for (auto now = std::chrono::steady_clock::now(); now < end; now = std::chrono::steady_clock::now())
    if (const auto line = child.line(std::chrono::duration<double>(end - now).count()))
      frames += line->find("frame ") != std::string::npos;
  return Json{{"seconds", 10}, {"frames", frames}, {"cpu_percent", 100 * (child.processorSeconds() - before) / 10}};
}

// The times of the scores in NumPy under an OpenBLAS core type. OpenBLAS 0.3.21 selects the wrong kernels on processors
// that it does not know, so the report has every core type that this machine can run beside the choice of OpenBLAS.
Json peerUnder(const std::string& core, const std::string& script) {
  std::vector<std::string> command{"/usr/bin/env",          "-u", "OPENBLAS_CORETYPE", "-u", "OPENBLAS_L2_SIZE",
                                   "OPENBLAS_NUM_THREADS=2"};
  if (!core.empty()) command.push_back("OPENBLAS_CORETYPE=" + core);
  command.insert(command.end(), {"/usr/bin/python3", script});
  return Json::parse(Child(command, "warn", true).rest(), nullptr, false);
}

// Milliseconds of "layer" and "heads" of `sepx-bench weights-scores`.
Json ourScores(const std::string& bin) {
  const Json bench = Json::parse(
      Child({bin + "/sepx-bench", "weights-scores", "--threads", "2", "--json"}, "warn", true).rest(), nullptr, false);
  Json result = Json::object();
  if (bench.is_object())
    for (const Json& one : bench["benchmarks"][0]["measurements"])
      result[one["name"].get<std::string>()] = one["median_ms"];
  return result;
}

// The scores in NumPy under each core type, and the ratio of their times to ours, measured just before and just after.
Json measurePeers(const std::string& bin, const std::string& folder) {
  std::vector<std::pair<std::string, std::string>> cores{{"default", ""}};
  if (sepx::gemmLevel() != sepx::GemmLevel::Generic) cores.emplace_back("Haswell", "Haswell");
  if (sepx::gemmLevel() == sepx::GemmLevel::Avx512) cores.emplace_back("SkylakeX", "SkylakeX");
  Json result = Json::object();
  Json ours = ourScores(bin);
  for (const auto& [name, core] : cores) {
    const Json peer = peerUnder(core, folder + "/numpy_scores.py");
    const Json after = ourScores(bin);
    if (!peer.is_object() || !ours.contains("layer") || !after.contains("layer")) {
      result[name] = "not measured: python3-numpy, or sepx-bench weights-scores, did not run";
      continue;
    }
    Json one{{"numpy", peer}};
    for (const char* what : {"layer", "heads"}) {
      const double own = (ours[what].get<double>() + after[what].get<double>()) / 2;
      one["sepx_" + std::string(what) + "_ms"] = own;
      for (const char* type : {"float32", "float64"})
        one[std::string("numpy over sepx, ") + what + ", " + type] =
            peer[type][std::string(what) + "_ms"].get<double>() / own;
    }
    result[name] = std::move(one);
    ours = after;
  }
  return result;
}

// Products of matrices, the distance to the machine's limits, and time against size with its figure beside the report.
Json measureSizes(const std::string& bin, const std::string& report) {
  std::vector<std::string> command{bin + "/sepx-bench", "gemm", "limits", "scaling", "--json"};
  if (!report.empty())
    command.insert(command.end(), {"--plot", (fs::path(report).parent_path() / "scaling.svg").string()});
  const Json measured = Json::parse(Child(command, "warn", true).rest(), nullptr, false);
  return measured.is_object() ? measured["benchmarks"] : Json::array();
}

// Redirects the folders for configuration, state and data, so that user settings and files of earlier runs do not
// affect the measurements. The shader cache stays in use.
class HomeOfOurOwn {
 public:
  HomeOfOurOwn() {
    folder_ = (fs::temp_directory_path() / ("sepx-bench-" + std::to_string(getpid()))).string();
    for (const char* name : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"})
      setenv(name, folder_.c_str(), 1);
  }
  ~HomeOfOurOwn() {
    std::error_code failed;
    fs::remove_all(folder_, failed);
  }
  HomeOfOurOwn(const HomeOfOurOwn&) = delete;
  HomeOfOurOwn& operator=(const HomeOfOurOwn&) = delete;

 private:
  std::string folder_;
};

std::string modelName() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

std::string today() {
  const std::chrono::year_month_day day(std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  return fmt::format("{}-{:02}-{:02}", int(day.year()), unsigned(day.month()), unsigned(day.day()));
}

/// The machine and the date of a measurement.
Json thisMachine() {
  return {{"cpu", modelName()},
          {"cores", std::thread::hardware_concurrency()},
          {"instructions", sepx::gemmLevelName(sepx::gemmLevel())},
          {"date", today()}};
}

/// Writes results.json in `peers` and the page made from it.
bool keep(const Json& document, const std::string& peers, const std::string& report) {
  const bool kept = sepx::writeFile(peers + "/results.json", document.dump(1) + "\n").has_value();
  return kept && sepx::writeFile(report, sepx::bench::reportPage(document)).has_value();
}

/// With a report, only these benchmarks are replaced in results.json.
int measureSizesAlone(const std::string& bin, const std::string& peers, const std::string& report) {
  const Json sizes = measureSizes(bin, report);
  std::cout << sizes.dump(2) << "\n";
  if (report.empty()) return 0;
  const auto text = sepx::readFile(peers + "/results.json");
  Json document = text ? Json::parse(*text, nullptr, false) : Json();
  if (!document.is_object() || !document["sepx"].is_object()) return 6;
  Json& all = document["sepx"]["benchmarks"];
  for (const Json& one : sizes) {
    const auto same =
        std::find_if(all.begin(), all.end(), [&one](const Json& old) { return old["name"] == one["name"]; });
    if (same == all.end())
      all.push_back(one);
    else
      *same = one;
  }
  return keep(document, peers, report) ? 0 : 6;
}

/// With a report, only the section on forward passes is replaced in results.json.
int measureForwardAlone(const std::string& bin, const std::string& peers, const std::string& report) {
  Json passes = sepx::bench::measureForwardPeers(bin, peers);
  if (passes.is_object()) passes["machine"] = thisMachine();
  std::cout << passes.dump(2) << "\n\n" << sepx::bench::forwardTable(passes);
  if (report.empty()) return 0;
  const auto text = sepx::readFile(peers + "/results.json");
  Json document = text ? Json::parse(*text, nullptr, false) : Json();
  if (!document.is_object()) return 6;
  document["peers"]["forward"] = std::move(passes);
  return keep(document, peers, report) ? 0 : 6;
}

}  // namespace

int main(int argc, char** argv) {
  std::string bin, report, peers, only, from;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    (name == "--bin"     ? bin
     : name == "--peers" ? peers
     : name == "--only"  ? only
     : name == "--from"  ? from
                         : report) = argv[i + 1];
  }
  if (only == "flow") {  // only the peers of the flow, for inspection
    std::cout << sepx::bench::measureFlowPeers(peers).dump(2) << "\n";
    return 0;
  }
  if (only == "train") {
    const Json training = sepx::bench::measureTrainPeers(bin, peers);
    std::cout << training.dump(2) << "\n\n" << sepx::bench::trainTable(training);
    return 0;
  }
  if (only == "forward") return measureForwardAlone(bin, peers, report);
  if (only == "sizes") return measureSizesAlone(bin, peers, report);
  if (only == "ranks") {
    const Json ranks = sepx::bench::measureRanks(bin, peers);
    std::cout << ranks.dump(2) << "\n\n" << sepx::bench::ranksTable(ranks);
    return 0;
  }
  if (!from.empty()) {  // makes the page again from earlier measurements
    const auto text = sepx::readFile(from);
    const Json measured = text ? Json::parse(*text, nullptr, false) : Json();
    return measured.is_object() && sepx::writeFile(report, sepx::bench::reportPage(measured)) ? 0 : 6;
  }
  if (bin.empty()) {
    std::cerr << "sepx_bench_report: --bin FOLDER is needed\n";
    return 2;
  }
  const HomeOfOurOwn home;
  Json document = thisMachine();
  document["schema"] = "separatrix.bench/1";
  if (double load = 0; getloadavg(&load, 1) == 1) document["load before"] = load;  // of other programs, one-minute mean
  document["sepx"] = Json::parse(Child({bin + "/sepx-bench", "--json"}, "warn", true).rest(), nullptr, false);
  if (document["sepx"].is_object())
    for (Json& one : measureSizes(bin, report))
      document["sepx"]["benchmarks"].push_back(std::move(one));
  if (!peers.empty()) {
    document["peers"]["scores, OpenBLAS core type"] = measurePeers(bin, peers);
    document["peers"]["trajectories"] = sepx::bench::measureFlowPeers(peers);
    document["peers"]["training"] = sepx::bench::measureTrainPeers(bin, peers);
    document["peers"]["forward"] = sepx::bench::measureForwardPeers(bin, peers);
    document["ranks"] = sepx::bench::measureRanks(bin, peers);
  }
  if (std::getenv("DISPLAY")) {
    const std::vector<std::string> studio = {bin + "/separatrix", "--size", "1280x720", "--new-window"};
    const std::vector<std::string> stage = {bin + "/separatrix-stage", "--windowed", "--size", "1280x720"};
    document["start"] = Json{{"stage", measureStart(stage, 8)}, {"studio", measureStart(studio, 8)}};
    document["idle"] = Json{{"stage", measureIdle(stage)}, {"studio", measureIdle(studio)}};
  } else {
    document["start"] = "not measured: no display";
  }
  std::cout << document.dump(2) << "\n";
  if (report.empty()) return 0;
  return keep(document, peers, report) ? 0 : 6;
}
