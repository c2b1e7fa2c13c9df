// SPDX-License-Identifier: Apache-2.0
// sepx basin: the limit of every pixel of a window of the (e,w) plane, in closed form, by integration or with the
// compute kernel. With several methods, also the share of pixels on which each two disagree. e points to the right, w
// up; pixels are sampled at their centres.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <ostream>
#include <set>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/cli/declare.h"
#include "app/cli/json_out.h"
#include "app/cli/model_arguments.h"
#include "app/cli/progress.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "app/cli/verb.h"
#include "app/options.h"
#include "engine/core/thread_pool.h"
#include "engine/core/try.h"
#include "engine/gpu/kernels/kernels.h"
#include "engine/markov/basin.h"
#include "engine/markov/canonical_field.h"
#include "engine/markov/common_region.h"
#include "engine/markov/flow.h"
#include "engine/render/png.h"
#include "engine/render/recipe.h"
#include "ui/canvas/theme.h"
#include "ui/exhibits/flow/shared/flow_layers.h"
#include "ui/exhibits/flow/shared/flow_scene.h"

namespace sepx::app::cli {
namespace {

using dynamics::BasinMap;
using dynamics::BasinWindow;
using dynamics::LimitKind;

constexpr int kMostSide = 16384;
constexpr std::int64_t kMostPixels = std::int64_t{1} << 26;  // its picture still fits into 300 MB of memory
constexpr std::array kKinds{LimitKind::GlobalMin, LimitKind::LocalMin, LimitKind::Saddle, LimitKind::LocalMax,
                            LimitKind::Undecided};

struct BasinRequest {
  markov::Chain chain;
  BasinWindow window;
  std::vector<std::string> methods;
};

/// One map and the device that made it ("" for the CPU).
struct Made {
  BasinMap map;
  std::string device;
};

Result<Made> byKernel(const BasinRequest& request, const dynamics::VectorField& field, const Options& common) {
  SEPX_ASSIGN(auto context, gpu::Context::create(contextOptions(common, false)));
  SEPX_ASSIGN(auto kernel, gpu::BasinMapKernel::create(*context, field));
  const std::array<double, 2> parameters{request.chain.p, request.chain.q};
  kernel->start(parameters, request.window, dynamics::basinMapOptions(request.window));
  SEPX_TRY(kernel->finish());
  return Made{kernel->map(), context->info().name};
}

Result<Made> make(const BasinRequest& request, const std::string& method, Console& console, const Options& common) {
  ThreadPool pool(common.threads);
  if (method == "exact") return Made{markov::exactBasinMap(request.chain, request.window, pool), {}};
  dynamics::FieldRegistry registry;
  markov::addCanonicalFields(registry);
  const dynamics::VectorField* field = registry.find("ew");
  if (field == nullptr) return fail(ErrorKind::Internal, tr(N_("the field ew is not registered")));
  if (method == "gpu") return byKernel(request, *field, common);
  const std::array<double, 2> parameters{request.chain.p, request.chain.q};
  Progress progress(console, method);
  return Made{dynamics::integrateBasinMap(*field, parameters, request.window, dynamics::basinMapOptions(request.window),
                                          pool, {}, [&progress](double share) { progress.at(share); }),
              {}};
}

/// {LABEL: share}; every label has its entry.
Json sharesJson(const BasinMap& map) {
  const std::vector<double> shares = map.shares(static_cast<int>(LimitKind::Attractor));
  Json json = Json::object();
  for (const LimitKind kind : kKinds)
    json[std::string(markov::limitName(kind))] = shares[static_cast<std::size_t>(kind)];
  return json;
}

/// The share of pixels on which two methods differ. Pairs are in the order of the methods.
struct Pair {
  std::string first, second;
  double share = 0;
};
std::vector<Pair> pairsOf(const BasinRequest& request, const std::vector<Made>& made) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < made.size(); ++i)
    for (std::size_t k = i + 1; k < made.size(); ++k)
      pairs.push_back({request.methods[i], request.methods[k], dynamics::disagreement(made[i].map, made[k].map)});
  return pairs;
}

/// The share of the window that reaches a global minimum for every p and q, and the number of pixels on which the
/// integrated flow disagrees.
struct Common {
  double share = 0;
  std::size_t disagreements = 0;
};

Result<Common> commonOf(const BasinRequest& request, const Options& common) {
  ThreadPool pool(common.threads);
  dynamics::FieldRegistry registry;
  markov::addCanonicalFields(registry);
  const dynamics::VectorField* field = registry.find("ew");
  if (field == nullptr) return fail(ErrorKind::Internal, tr(N_("the field ew is not registered")));
  const markov::CommonMap theory = markov::commonByTheory(request.window, pool);
  const std::optional<markov::CommonMap> integrated =
      markov::commonByIntegration(*field, request.chain, request.window, pool);
  if (!integrated) return fail(ErrorKind::Internal, tr(N_("the integration was cancelled")));
  const std::vector<std::uint8_t> differs = markov::differences(theory, *integrated);
  return Common{theory.share, static_cast<std::size_t>(std::count(differs.begin(), differs.end(), std::uint8_t{1}))};
}

Json basinJson(const BasinRequest& request, const std::vector<Made>& made) {
  const BasinWindow& window = request.window;
  Json json = beginDocument("basin");
  json["p"] = request.chain.p;
  json["q"] = request.chain.q;
  json["window"] = {window.xMin, window.xMax, window.yMin, window.yMax};
  json["size"] = {window.width, window.height};
  json["method"] = request.methods;
  json["pixels"] = static_cast<std::int64_t>(window.width) * window.height;
  json["labels"] = sharesJson(made.front().map);
  json["disagreement"] = nullptr;
  json["disagreements"] = Json::array();
  for (const Pair& pair : pairsOf(request, made)) {
    json["disagreements"].push_back(Json::object({{"methods", {pair.first, pair.second}}, {"share", pair.share}}));
    const bool largest = json["disagreement"].is_null() || json["disagreement"].get<double>() < pair.share;
    if (largest) json["disagreement"] = pair.share;
  }
  json["device"] = nullptr;
  for (const Made& one : made) {
    if (!one.device.empty()) json["device"] = one.device;
  }
  return json;
}

void printTable(std::ostream& out, const BasinRequest& request, const std::vector<Made>& made) {
  const std::vector<double> shares = made.front().map.shares(static_cast<int>(LimitKind::Attractor));
  out << trf(N_("{} x {} pixels, method {}"), request.window.width, request.window.height, request.methods.front())
      << "\n";
  if (request.chain.degenerate()) {
    out << tr(N_("degenerate: p + q = 1, so there is nothing to learn from the previous symbol and no basin")) << "\n";
  }
  for (const LimitKind kind : kKinds) {
    out << fmt::format("  {:<12}{:>10.4f} %\n", markov::limitName(kind), 100 * shares[static_cast<std::size_t>(kind)]);
  }
  for (const Pair& pair : pairsOf(request, made)) {
    out << trf(N_("disagreement of {} and {}: {} % of the pixels"), pair.first, pair.second,
               displayText(100 * pair.share))
        << "\n";
  }
}

std::uint8_t toByte(float channel) {
  return static_cast<std::uint8_t>(std::lround(255.0f * std::min(1.0f, std::max(0.0f, channel))));
}

/// Writes one pixel per label, in the theme's colours of the kinds. `theme`: the key of a theme; empty: dark. `recipe`:
/// JSON, kept in the file under Separatrix-Recipe.
Result<void> writeLabelPicture(const dynamics::BasinMap& map, const std::string& theme, const std::string& path,
                               const std::string& recipe) {
  const ui::Theme* colors = ui::findTheme(theme.empty() ? "dark" : theme);
  if (colors == nullptr) return failf(ErrorKind::Usage, N_("--theme: there is no theme '{}'"), theme);
  gpu::Pixels pixels;
  pixels.extent = {static_cast<std::uint32_t>(map.window.width), static_cast<std::uint32_t>(map.window.height)};
  pixels.rgba.reserve(4 * map.labels.size());
  for (const std::uint8_t label : map.labels) {
    const render::Color color = ui::kindColor(*colors, static_cast<dynamics::LimitKind>(label));
    for (const float channel : {color.r, color.g, color.b})
      pixels.rgba.push_back(toByte(channel));
    pixels.rgba.push_back(255);
  }
  return render::writePng(pixels, path, {{render::kRecipeKey, recipe}});
}

class BasinVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    arguments_.declareChain(command);
    addOption(command, "--window", window_, N_("the part of the plane"), "EMIN,EMAX,WMIN,WMAX")->required();
    addOption(command, "--size", size_, N_("size of the map in pixels"), "WxH")->required();
    addOption(command, "--method", method_,
              N_("exact, integrate or gpu; if several are given, also the disagreement of each pair"),
              "METHOD[,METHOD…]")
        ->required();
    addFlag(command, "--common", common_,
            N_("also the share that reaches a global minimum for every p and q, by theory, and the pixels for which "
               "the flow integrated on both sides of p + q = 1 disagrees with it"));
    addOption(command, "--out", out_, N_("write the map of the first method as a picture"), "PNG");
    addJsonFlag(command, json_);
  }

  Result<Outcome> run(Console& console, const Options& common) override {
    SEPX_ASSIGN(const BasinRequest request, read());
    std::vector<Made> made;
    for (const std::string& method : request.methods) {
      SEPX_ASSIGN(Made one, make(request, method, console, common));
      made.push_back(std::move(one));
    }
    Json document = basinJson(request, made);
    std::optional<Common> region;
    if (common_) {
      SEPX_ASSIGN(region, commonOf(request, common));
      document["common"] = Json::object({{"share", region->share}, {"disagreements", region->disagreements}});
    }
    if (!out_.empty()) {
      Json recipe = document;
      recipe["version"] = versionNumber();
      SEPX_TRY(writeLabelPicture(made.front().map, common.theme, out_, finishDocument(recipe)));
    }
    if (json_) {
      console.out << finishDocument(document);
    } else {
      printTable(console.out, request, made);
      if (region)
        console.out
            << trf(N_("a global minimum for every p and q: {:.4f} %; integration gives another result for {} pixels"),
                   100 * region->share, region->disagreements)
            << "\n";
    }
    return Outcome::Done;
  }

 private:
  Result<BasinRequest> read() const {
    SEPX_ASSIGN(const markov::Chain chain, arguments_.chain());
    SEPX_ASSIGN(const BasinWindow window, readWindow());
    BasinRequest request{chain, window, toWords(method_)};
    for (const std::string& method : request.methods) {
      if (method != "exact" && method != "integrate" && method != "gpu") {
        return failf(ErrorKind::Usage, N_("--method: '{}' is not one of exact, integrate, gpu"), method);
      }
    }
    const std::set<std::string> different(request.methods.begin(), request.methods.end());
    if (different.size() != request.methods.size())
      return fail(ErrorKind::Usage, tr(N_("--method: give each method only once")));
    return request;
  }

  Result<BasinWindow> readWindow() const {
    SEPX_ASSIGN(const std::vector<double> numbers, toNumbers("--window", window_));
    const std::vector<double>& sides = numbers;
    if (sides.size() != 4 || !(sides[0] < sides[1]) || !(sides[2] < sides[3])) {
      return failf(ErrorKind::Usage, N_("--window: '{}' is not EMIN,EMAX,WMIN,WMAX with EMIN < EMAX and WMIN < WMAX"),
                   window_);
    }
    SEPX_ASSIGN(const Size size, toSize("--size", size_, kMostSide));
    if (std::int64_t{size.width} * size.height > kMostPixels) {
      return failf(ErrorKind::Usage, N_("--size: '{}' has more than {} pixels"), size_, kMostPixels);
    }
    return BasinWindow{sides[0], sides[1], sides[2], sides[3], size.width, size.height};
  }

  ModelArguments arguments_;
  std::string window_, size_, method_, out_;
  bool json_ = false, common_ = false;
};

}  // namespace

VerbEntry makeBasin() {
  return {"basin", N_("Which limit every pixel of a window of the (e,w) plane reaches"), std::make_unique<BasinVerb>()};
}

}  // namespace sepx::app::cli
