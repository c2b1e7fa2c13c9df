// SPDX-License-Identifier: Apache-2.0
// The model is T(N) = s + c ceil(B / N) + 2 (N-1)/N bytes / bandwidth + 3 L ceil(log2 N). s and c come from steps of
// one process with the batch B and with an eighth of it, bandwidth and L from sums between two ranks. The check of the
// model is the comparison of T(2) with the measured time of two ranks. The quantities are measured several times in
// alternation, and the best value of each is used, because other programs can only add time.
#include "tests/bench/rank_steps.h"

#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <vector>

#include "engine/core/file.h"
#include "engine/core/number.h"
#include "tests/bench/child.h"

namespace sepx::bench {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr int kTurns = 3;

std::vector<std::string> onRanks(int ranks, const std::vector<std::string>& command) {
  std::vector<std::string> all{"/usr/bin/env", "mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to",
                               "none",         "-np",    std::to_string(ranks)};
  all.insert(all.end(), command.begin(), command.end());
  return all;
}

Json outputOf(const std::vector<std::string>& command) {
  const std::string text = Child(command, "warn", true).rest();
  return Json::parse(text.substr(std::min(text.find('{'), text.size())), nullptr, false);
}

/// The result of one run; zeros if it did not train.
struct Steps {
  double seconds = 0;  ///< per step, median
  double parameters = 0;
};
Steps train(const std::string& bin, const Json& config, int ranks, int threads) {
  std::string folder = (fs::temp_directory_path() / "sepx-ranks-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return {};
  Json named = config;
  std::vector<std::string> command{bin + "/sepx",   "train",     folder + "/config.json", "--run",
                                   folder + "/run", "--threads", std::to_string(threads), "--json"};
  if (ranks > 0) command.emplace_back("--mpi");
  Steps steps;
  if (writeFile(folder + "/config.json", named.dump())) {
    const Json ended = outputOf(ranks > 0 ? onRanks(ranks, command) : command);
    if (ended.is_object() && ended.value("seconds_per_step", Json()).is_number())
      steps = {ended["seconds_per_step"].get<double>(), ended["parameters"].get<double>()};
  }
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return steps;
}

/// The latency of a short sum in seconds, and the bandwidth of a long sum in bytes per second. The bandwidth is that of
/// a ring, in which each rank sends 2 (N-1)/N of the bytes.
Json messages(const std::string& bin) {
  Json measured = Json::object();
  for (int turn = 0; turn < kTurns; ++turn) {
    const Json sums = outputOf(onRanks(2, {bin + "/sepx_rank_messages"}));
    if (!sums.is_object()) return "sepx_rank_messages did not run";
    const Json& all = sums["sums"];
    const double latency = all.front()["seconds"], bytes = all.back()["bytes"], seconds = all.back()["seconds"];
    if (turn == 0 || latency < measured["latency_s"].get<double>()) measured["latency_s"] = latency;
    if (turn == 0 || bytes / seconds > measured["bandwidth"].get<double>()) {
      measured["bandwidth"] = bytes / seconds;
      measured["sums"] = all;
    }
  }
  return measured;
}

double modelled(const Json& one, double ranks, double bandwidth, double latency) {
  const double bytes = one["bytes"], serial = one["serial_s"], divided = one["divided_s"], batch = one["batch"];
  if (ranks == 1) return serial + divided;
  return serial + divided * std::ceil(batch / ranks) / batch + 2 * (ranks - 1) / ranks * bytes / bandwidth +
         3 * latency * std::ceil(std::log2(ranks));
}

Json measureRun(const std::string& bin, const Json& config) {
  constexpr int kPart = 8;
  Json part = config;
  const int batch = config["schedule"]["batch"];
  part["schedule"]["batch"] = batch / kPart;
  double alone = 0, ofPart = 0, shared = 0, threads = 0, parameters = 0;
  const auto least = [](double& place, double seconds) { place = place == 0 ? seconds : std::min(place, seconds); };
  for (int turn = 0; turn < kTurns; ++turn) {
    const Steps one = train(bin, config, 0, 1), two = train(bin, config, 2, 1);
    if (one.seconds == 0 || two.seconds == 0) return "sepx train --mpi did not run";
    least(alone, one.seconds);
    least(shared, two.seconds);
    least(ofPart, train(bin, part, 0, 1).seconds);
    least(threads, train(bin, config, 0, 2).seconds);
    parameters = one.parameters;
  }
  const double serial = std::clamp((kPart * ofPart - alone) / (kPart - 1), 0.0, alone);
  return {{"name", config["name"]},   {"batch", batch},         {"parameters", parameters},
          {"bytes", 4 * parameters},  {"one_process_s", alone}, {"one_process_eighth_s", ofPart},
          {"two_threads_s", threads}, {"two_ranks_s", shared},  {"divided_s", alone - serial},
          {"serial_s", serial}};
}

std::string milliseconds(double seconds) {
  return formatFixed(1e3 * seconds, seconds < 0.01 ? 2 : 1);
}

}  // namespace

Json measureRanks(const std::string& bin, const std::string& folder) {
  if (!fs::exists(bin + "/sepx_rank_messages")) return "this build has no MPI";
  Json result{{"turns", kTurns}, {"messages", messages(bin)}, {"runs", Json::array()}};
  if (!result["messages"].is_object()) return result["messages"];
  for (const char* name : {"small", "large"}) {
    const auto text = readFile(folder + "/ranks/" + name + ".json");
    const Json config = text ? Json::parse(*text, nullptr, false) : Json();
    if (!config.is_object()) return "tests/bench/ranks is missing";
    const Json run = measureRun(bin, config);
    if (!run.is_object()) return run;
    result["runs"].push_back(run);
  }
  return result;
}

std::string ranksTable(const Json& measured) {
  std::ostringstream out;
  out << "## Training on several processes\n\n";
  if (!measured.is_object()) {
    out << "Not measured: " << measured.get<std::string>() << ".\n";
    return out.str();
  }
  const double bandwidth = measured["messages"]["bandwidth"], latency = measured["messages"]["latency_s"];
  constexpr double kNetwork = 1.25e9, kNetworkLatency = 30e-6;
  out << "`sepx train --mpi` with one thread per rank, minimum of " << measured["turns"].dump()
      << " medians, milliseconds per step. Between two ranks of this machine, the bandwidth of a sum is "
      << formatFixed(bandwidth / 1e9, 2) << " GB/s, and a short sum takes " << formatFixed(1e6 * latency, 1)
      << " microseconds."
      << "\n\n"
         "| run | batch | message | one process | one eighth of the batch | one process, 2 threads | 2 ranks | 2 ranks, "
         "model | speedup over one process |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (const Json& run : measured["runs"])
    out << "| " << run["name"].get<std::string>() << " | " << run["batch"].dump() << " | "
        << formatFixed(run["bytes"].get<double>() / 1e6, 2) << " MB | " << milliseconds(run["one_process_s"]) << " | "
        << milliseconds(run["one_process_eighth_s"]) << " | " << milliseconds(run["two_threads_s"]) << " | "
        << milliseconds(run["two_ranks_s"]) << " | " << milliseconds(modelled(run, 2, bandwidth, latency)) << " | "
        << formatFixed(run["one_process_s"].get<double>() / run["two_ranks_s"].get<double>(), 2) << " |\n";
  out << "\nThe model: T(N) = s + c ceil(B / N) + 2 (N - 1)/N bytes / bandwidth + 3 L ceil(log2 N), with s and c "
         "from the steps of one process with the whole batch and an eighth of it, and 4 bytes per parameter. Its "
         "predictions for more ranks, one core each, as speedup over one process; first with the bandwidth and latency L "
         "of this machine, then with a network of 10 Gb/s and 30 microseconds. This table contains no measurements.\n\n"
         "| run | bandwidth | 2 | 4 | 8 | 16 | 64 |\n| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const Json& run : measured["runs"])
    for (const bool network : {false, true}) {
      out << "| " << run["name"].get<std::string>() << " | " << (network ? "10 Gb/s" : "this machine's") << " |";
      for (const int ranks : {2, 4, 8, 16, 64}) {
        const double seconds =
            modelled(run, ranks, network ? kNetwork : bandwidth, network ? kNetworkLatency : latency);
        out << " " << formatFixed(run["one_process_s"].get<double>() / seconds, 2) << " |";
      }
      out << "\n";
    }
  return out.str();
}

}  // namespace sepx::bench
