// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/report_page.h"

#include <cmath>
#include <sstream>
#include <string_view>
#include <vector>

#include "engine/core/number.h"
#include "tests/bench/forward_peers.h"
#include "tests/bench/rank_steps.h"
#include "tests/bench/train_peers.h"

namespace sepx::bench {

namespace {

using Json = nlohmann::ordered_json;

struct Subject {
  const char* title;
  const char* meaning;
  std::vector<std::string_view> benchmarks;
};

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> all{
      {"Flow",
       "The time of one trajectory from the pointer event to its limit, and of many trajectories at once.",
       {"flow-path", "flow-batch"}},
      {"Maps",
       "Which limit every pixel's trajectory reaches: by the kernel on the graphics device, by its twin in double "
       "precision, and by lanes for a whole screen.",
       {"basin-map", "basin-screen"}},
      {"Particles, textures and space",
       "Moving pictures: a step of the particles, the frame that shows them, the flow texture, and a "
       "three-dimensional picture while the camera moves.",
       {"particles", "flow-texture", "space-frame"}},
      {"Frames",
       "The time of a frame of the whole interface, alone and while a model trains; 16.7 ms correspond to 60 frames per second.",
       {"canvas-frame", "frames-training"}},
      {"Sessions and figures", "The times of opening, editing and exporting.", {"session", "figure"}},
      {"Weights",
       "From a model's file to the heat map, scores of a layer and of its heads, and frames while a large matrix is "
       "moved.",
       {"weights-scores", "weights-open", "weights-large", "weights-move"}},
      {"Products of matrices", "The matrix products of training, on one and two threads.", {"gemm"}},
      {"Distance to the machine's limits",
       "The limits of the machine, measured in the same run: multiply-adds in registers, a copy of memory, and reading "
       "a file that is not in the page cache. A copy also reads the memory that it overwrites, which is not counted; a "
       "step of AdamW has already read what it writes, so its share can exceed 1.",
       {"limits"}},
  };
  return all;
}

/// About three significant digits.
std::string figure(const Json& value) {
  if (!value.is_number()) return "";
  const double x = value.get<double>(), size = std::abs(x);
  if (size >= 1e6) return formatFixed(x / 1e6, 2) + " million";
  return formatFixed(x, size == 0 || size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

std::string row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells)
    line += " " + cell + " |";
  return line + "\n";
}

std::string head(const std::vector<std::string>& names) {
  return row(names) + row(std::vector<std::string>(names.size(), "---"));
}

const Json* named(const Json& list, std::string_view name) {
  for (const Json& one : list)
    if (one.value("name", "") == name) return &one;
  return nullptr;
}

/// The rows of one benchmark: its times, their ratio, and other amounts.
void writeBenchmark(std::ostream& out, const Json& benchmark) {
  const std::string from = benchmark["name"].get<std::string>() + " ";
  for (const Json& one : benchmark.value("measurements", Json::array()))
    out << row({one["what"], figure(one["median_ms"]) + " ms", from + one["name"].get<std::string>()});
  if (const Json ratio = benchmark.value("ratio", Json()); ratio.is_object())
    out << row({"ratio, " + ratio["of"].get<std::string>(), figure(ratio["value"]), from + "ratio"});
  for (const Json& one : benchmark.value("amounts", Json::array()))
    out << row({one["what"], figure(one["value"]), from + one["name"].get<std::string>()});
}

/// Time against size, with the fitted exponents.
std::string scalingTable(const Json& benchmarks) {
  const Json* const found = named(benchmarks, "scaling");
  if (!found || found->value("scalings", Json::array()).empty()) return "";
  std::ostringstream out;
  out << "\n## Time against size\n\nMedian times at several sizes, and the exponent b of t = a n^b, fitted by least squares "
         "of the logarithms to all sizes and to the two largest.\n\n![Time against size, both axes logarithmic, with the fitted "
         "powers](scaling.svg)\n\n"
      << head({"what", "counted", "from", "to", "exponent", "exponent of the two largest"});
  for (const Json& one : (*found)["scalings"]) {
    const auto end = [](const Json& size, const Json& time) {
      const double counted = size.get<double>();
      return figure(time) + " ms at " + (counted < 1e6 ? formatFixed(counted, 0) : figure(size));
    };
    out << row({one["what"], one["size"], end(one["sizes"].front(), one["median_ms"].front()),
                end(one["sizes"].back(), one["median_ms"].back()), formatFixed(one["exponent"].get<double>(), 2),
                formatFixed(one["last_exponent"].get<double>(), 2)});
  }
  return out.str();
}

std::string deviceOf(const Json& benchmarks) {
  for (const Json& one : benchmarks)
    if (const Json device = one.value("device", Json()); device.is_string() && !device.get<std::string>().empty())
      return device;
  return "none was used";
}

/// The times of sepx and NumPy and their ratio, for every kernel set of OpenBLAS.
std::string scoresTable(const Json& peers) {
  std::ostringstream out;
  out << "### Scores compared with NumPy\n\nThe same scores formed with NumPy; a ratio above 1 means that NumPy takes longer. "
         "Ours are always in double precision; OpenBLAS is quoted with every kernel set that this machine can run.\n\n"
      << head({"what", "OpenBLAS kernels", "sepx", "NumPy float64", "ratio", "NumPy float32", "ratio"});
  for (const auto& [core, one] : peers.items()) {
    if (!one.is_object()) continue;
    for (const char* what : {"layer", "heads"}) {
      const std::string name = what, over = "numpy over sepx, " + name + ", ";
      out << row({name == "layer" ? "one layer" : "its 12 heads", core, figure(one["sepx_" + name + "_ms"]) + " ms",
                  figure(one["numpy"]["float64"][name + "_ms"]) + " ms", figure(one[over + "float64"]),
                  figure(one["numpy"]["float32"][name + "_ms"]) + " ms", figure(one[over + "float32"])});
    }
  }
  return out.str();
}

void trajectoryRow(std::ostream& out, const std::string& who, const Json& one, const Json& ratios) {
  const Json error = one.contains("end error, 99 of 100") ? one["end error, 99 of 100"]
                     : one.contains("end error, 9 of 10") ? one["end error, 9 of 10"]
                                                          : Json();
  std::ostringstream rounded;
  rounded.precision(2);
  if (error.is_number()) rounded << error.get<double>();
  out << row({who, figure(one["trajectories_per_second"]), figure(ratios.value(who, Json())), rounded.str()});
}

std::string trajectoriesTable(const Json& peers) {
  std::ostringstream out;
  out << "### Trajectories compared with other programs\n\n"
      << peers["problem"].get<std::string>() << ", " << peers["threads"].dump()
      << " threads; the ratio is the number of trajectories per second of sepx, measured just before and after the peer, "
         "divided by that of the peer; the error is the distance from the closed-form limit within which 99 of 100 end "
         "points lie (XPPAUT: 9 of 10).\n\n"
      << head({"program", "trajectories per second", "ratio", "error"});
  const Json& ratios = peers["sepx over the peer, times as many trajectories a second"];
  for (const auto& [name, one] : peers.items()) {
    if (!one.is_object() || name.starts_with("sepx over")) continue;
    if (one.contains("trajectories_per_second")) {
      trajectoryRow(out, name, one, ratios);
      continue;
    }
    for (const auto& [way, inner] : one.items())
      if (inner.is_object() && inner.contains("trajectories_per_second"))
        trajectoryRow(out, name + ", " + way, inner, ratios);
  }
  return out.str();
}

/// The largest possible speedup of a step over its peer: the speedup if each of its operations ran at a limit of the
/// machine ("product-1", "peak-1").
std::string atMost(const Json& step, const Json& benchmarks, const std::string& limit) {
  const Json* const limits = named(benchmarks, "limits");
  const Json* const most = limits && limits->contains("amounts") ? named((*limits)["amounts"], limit) : nullptr;
  if (!most) return "not measured";
  return formatFixed(step["times as fast, least"].get<double>() * (*most)["value"].get<double>() /
                         step["sepx"]["gflops"].get<double>(),
                     2);
}

/// Lists the training steps that are slower than their targets.
std::string shortfalls(const Json& training, const Json& benchmarks) {
  if (!training.is_object()) return "";
  constexpr double kRatio = 1.25, kShare = 0.85;
  const std::string ratioText = formatFixed(kRatio, 2), shareText = formatFixed(kShare, 2);
  std::string rows;
  for (const std::string threads : {"1", "2"}) {
    const Json steps = training.value(threads, Json::object());
    for (const auto& [name, step] : steps.items()) {
      const double ratio = step["times as fast, least"].get<double>();
      const double share = step["sepx"]["share_of_peak"].get<double>();
      if (name == "d" && ratio < kRatio)
        rows += row({name, threads, ratioText + " times as fast as PyTorch", formatFixed(ratio, 2),
                     atMost(step, benchmarks, "product-" + threads), atMost(step, benchmarks, "peak-" + threads)});
      if (name != "b8" && name != "b64" && share < kShare)
        rows += row({name, threads, shareText + " of the peak", formatFixed(share, 2), "", ""});
    }
  }
  const std::string targets =
      "\n## Missed targets\n\nTargets for the whole steps above, by their minimum times: d at least " + ratioText +
      " times as fast as PyTorch, and a share of at least " + shareText +
      " of the peak for all but the small models (b8, b64). ";
  if (rows.empty()) return targets + "Every step of this run meets both targets.\n";
  return targets +
         "The steps below miss a target. The last two columns give the speed of d relative to PyTorch if each of its "
         "operations ran at the speed of our product 1024 x 1024 x 1024, or at that of multiply-adds in registers, "
         "with the speeds in *Distance to the machine's limits*. The reasons are in "
         "[notes.md](notes.md#steps-that-fall-short).\n\n" +
         head({"step", "threads", "target", "measured", "at the speed of the product",
               "at the speed of multiply-adds"}) +
         rows;
}

std::string startTable(const Json& document) {
  std::ostringstream out;
  out << "## Start and idle\n\nThe time from process start to the first frame, and the cost of a window without "
         "input for ten seconds.\n\n";
  if (!document.contains("start") || !document["start"].is_object()) return out.str() + "Not measured: no display.\n";
  out << head({"program", "first frame", "first start", "frames while idle", "processor while idle"});
  for (const auto& [program, one] : document["start"].items()) {
    const Json idle = document["idle"][program];
    out << row({program, figure(one.value("median_ms", Json())) + " ms", figure(one.value("first_ms", Json())) + " ms",
                idle.value("frames", Json()).dump(), figure(idle.value("cpu_percent", Json())) + " %"});
  }
  return out.str();
}

}  // namespace

std::string reportPage(const Json& document) {
  const Json benchmarks = document.value("sepx", Json::object()).value("benchmarks", Json::array());
  const Json peers = document.value("peers", Json::object());
  std::ostringstream out;
  out << "# Measured speed\n\nGenerated by `./dev bench --report` from [results.json](results.json), which contains "
         "every figure. Times are medians of many runs.\n\n"
      << head({"machine", ""}) << row({"processor", document["cpu"].get<std::string>()})
      << row({"cores", document["cores"].dump()})
      << row({"instructions", document.value("instructions", "not recorded")})
      << row({"graphics device", deviceOf(benchmarks)})
      << row({"measured", document.value("date", "date not recorded")});
  if (const Json load = document.value("load before", Json()); load.is_number())
    out << row({"load before", formatFixed(load.get<double>(), 2)});
  for (const Subject& subject : subjects()) {
    std::ostringstream rows;
    for (const std::string_view name : subject.benchmarks)
      if (const Json* one = named(benchmarks, name)) writeBenchmark(rows, *one);
    if (rows.str().empty()) continue;
    out << "\n## " << subject.title << "\n\n"
        << subject.meaning << "\n\n"
        << head({"what", "measured", "name in `sepx-bench`"}) << rows.str();
    if (subject.title == std::string_view("Flow") && peers.value("trajectories", Json()).is_object())
      out << "\n" << trajectoriesTable(peers["trajectories"]);
    if (subject.title == std::string_view("Weights") && peers.contains("scores, OpenBLAS core type"))
      out << "\n" << scoresTable(peers["scores, OpenBLAS core type"]);
  }
  out << scalingTable(benchmarks);
  if (peers.contains("training"))
    out << "\n" << trainTable(peers["training"]) << shortfalls(peers["training"], benchmarks);
  if (peers.contains("forward")) out << "\n" << forwardTable(peers["forward"]);
  if (document.contains("ranks")) out << "\n" << ranksTable(document["ranks"]);
  out << "\n" << startTable(document) << "\nPredictions, outcomes and build times are in [notes.md](notes.md).\n";
  return out.str();
}

}  // namespace sepx::bench
