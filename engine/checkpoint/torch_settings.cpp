// SPDX-License-Identifier: Apache-2.0
// Reads the settings that training programs store with weights, and removes their wrappers from tensor names.
#include "engine/checkpoint/torch_settings.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "engine/core/terminal_text.h"
#include "engine/core/utf8.h"

namespace sepx::checkpoint {

namespace {

using nlohmann::json;
using Kind = PickleKind;

constexpr std::array<std::string_view, 14> kWrappers = {
    "state_dict", "model_state_dict", "model_state", "state",      "model",     "module",         "net",
    "network",    "weights",          "params",      "parameters", "_orig_mod", "ema_state_dict", "teacher"};
/// Keys under which settings of a model are stored, the most reliable first.
constexpr std::array<std::string_view, 9> kSettings = {
    "model_args", "model_config", "config", "hyper_parameters", "hparams", "args", "cfg", "opt", "options"};
constexpr std::array<std::string_view, 2> kFlatPrefixes = {"module.", "_orig_mod."};
constexpr int kDeepestJson = 16;
constexpr std::size_t kMostJson = 100'000, kLongestText = 10'000, kMostMetadata = 64;
constexpr std::size_t kMostJsonText = std::size_t{16} << 20;  ///< bytes of all texts and keys, which a pickle may share

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

/// Whether training programs keep something else than weights under this key: optimiser, schedules, scores, ….
bool ofTraining(std::string_view firstKey) {
  const std::string word = lower(firstKey);
  constexpr std::array<std::string_view, 9> kWords = {"optim",  "sched", "callback", "rng",  "random_state",
                                                      "scaler", "loss",  "metric",   "score"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view part) { return word.find(part) != std::string::npos; });
}

/// Tensors of `contents` that are weights: all of them if the dictionary is flat.
std::vector<std::size_t> weightsOf(const Contents& contents, const std::vector<std::vector<std::uint32_t>>& depths) {
  const bool nested = std::any_of(depths.begin(), depths.end(), [](const auto& keys) { return keys.size() > 1; });
  std::vector<std::size_t> weights;
  for (std::size_t i = 0; i < contents.tensors.size(); ++i) {
    const std::string_view name = contents.tensors[i].name;
    const std::string_view first = depths[i].empty() ? name : name.substr(0, depths[i][0]);
    const bool single = depths[i].size() < 2 && first.find('.') != std::string_view::npos;
    if (!nested || single || !ofTraining(first)) weights.push_back(i);
  }
  return weights;
}

/// Converts a value to JSON; values without a JSON form (objects, tensors) become null.
class JsonMaker {
 public:
  explicit JsonMaker(const PickleGraph& graph) : graph_(graph) {}

  json make(PickleRef ref, int depth = 0) {
    if (++made_ > kMostJson || depth > kDeepestJson || ref == kNoObject) return nullptr;
    const PickleObject& object = graph_.at(ref);
    switch (object.kind) {
      case Kind::Bool:
        return object.integer != 0;
      case Kind::Integer:
        return object.integer;
      case Kind::Float:
        return std::isfinite(object.number) ? json(object.number) : json(nullptr);
      case Kind::Text:
        return text(object.text);
      case Kind::Tuple:
      case Kind::List:
        return list(object, depth);
      case Kind::Dict:
        return pairs(object, depth);
      case Kind::Global:
        return text(graph_.at(object.second).text);
      case Kind::Call:
        if (object.pairs) return pairs(object, depth);
        if (object.state != kNoObject && graph_.at(object.state).kind == Kind::Dict)
          return make(object.state, depth + 1);
        return nullptr;
      default:
        return nullptr;
    }
  }

 private:
  json text(std::string_view text) {
    if (!taken(text)) return nullptr;
    return std::string(text);
  }
  bool taken(std::string_view text) {
    if (text.size() > kLongestText || findInvalidUtf8(text)) return false;
    bytes_ += text.size();
    return bytes_ <= kMostJsonText;
  }
  json list(const PickleObject& object, int depth) {
    json out = json::array();
    for (const PickleRef item : object.items) {
      if (made_ > kMostJson) break;
      out.push_back(make(item, depth + 1));
    }
    return out;
  }
  json pairs(const PickleObject& object, int depth) {
    json out = json::object();
    for (std::size_t i = 0; i + 1 < object.items.size() && made_ <= kMostJson; i += 2) {
      const PickleObject& key = graph_.at(object.items[i]);
      if (key.kind != Kind::Text || !taken(key.text)) {
        ++made_;  // counted, because it was examined
      } else {
        out[std::string(key.text)] = make(object.items[i + 1], depth + 1);
      }
    }
    return out;
  }

  const PickleGraph& graph_;
  std::size_t made_ = 0, bytes_ = 0;
};

/// The dictionary behind an object: itself, or its state.
PickleRef dictOf(const PickleGraph& graph, PickleRef ref) {
  if (ref == kNoObject) return ref;
  const PickleObject& object = graph.at(ref);
  if (object.kind == Kind::Call && !object.pairs && object.state != kNoObject) return object.state;
  return ref;
}

/// Whether a text is short and printable, so that it can be shown in a list.
bool isLine(std::string_view text) {
  return text.size() <= 200 && !findInvalidUtf8(text) &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return c >= 0x20 && c != 0x7F; });
}

/// The value of a top-level key as text; empty for everything that is not a single value.
std::string scalar(const PickleObject& object) {
  switch (object.kind) {
    case Kind::Bool:
      return object.integer != 0 ? "true" : "false";
    case Kind::Integer:
      return std::to_string(object.integer);
    case Kind::Float:
      return formatShortest(object.number);
    case Kind::Text:
      return isLine(object.text) ? std::string(object.text) : std::string();
    default:
      return {};
  }
}

}  // namespace

void readTorchSettings(const PickleGraph& graph, Contents& contents) {
  const PickleRef root = dictOf(graph, graph.root);
  JsonMaker maker(graph);
  json config = json::object();
  std::string from;
  // Settings are beside the weights, or in a module that was saved as a whole.
  for (const PickleRef holder : {root, dictOf(graph, graph.lookUp(root, "model"))}) {
    if (holder == kNoObject) continue;
    for (const std::string_view name : kSettings) {
      json settings = maker.make(graph.lookUp(holder, name));
      if (!settings.is_object() || settings.empty()) continue;
      for (auto& [key, value] : settings.get_ref<json::object_t&>())
        if (!config.contains(key)) config[key] = std::move(value);
      from += fmt::format("{}{}", from.empty() ? "" : " and ", name);
    }
  }
  if (!config.empty()) {
    contents.config = std::move(config);
    contents.configFrom = fmt::format("{} inside the weights' file", from);
  }
  const PickleObject& top = graph.at(root);
  if (top.kind != Kind::Dict && !top.pairs) return;
  for (std::size_t i = 0; i + 1 < top.items.size() && contents.metadata.size() < kMostMetadata; i += 2) {
    const PickleObject& key = graph.at(top.items[i]);
    if (key.kind != Kind::Text || !isLine(key.text)) continue;
    if (std::string value = scalar(graph.at(top.items[i + 1])); !value.empty()) {
      contents.metadata[std::string(key.text)] = std::move(value);
    }
  }
}

void shortenNames(Contents& contents, const std::vector<std::vector<std::uint32_t>>& depths) {
  const std::vector<std::size_t> weights = weightsOf(contents, depths);
  const std::size_t others = contents.tensors.size() - weights.size();
  if (others > 0 && !weights.empty()) {
    contents.notes.push_back(
        fmt::format("{} {} of the training's state (optimiser, schedule, …) {} listed under {} own names", others,
                    others == 1 ? "tensor" : "tensors", others == 1 ? "is" : "are", others == 1 ? "its" : "their"));
  }
  if (weights.empty()) return;
  std::string taken;
  // Keys of dictionaries that hold all weights.
  std::size_t begin = 0;
  for (std::size_t level = 0;; ++level) {
    const auto keyOf = [&](std::size_t i) {
      return level + 1 < depths[i].size()
                 ? std::string_view(contents.tensors[i].name).substr(begin, depths[i][level] - begin)
                 : std::string_view{};
    };
    const std::string key(keyOf(weights.front()));
    if (std::find(kWrappers.begin(), kWrappers.end(), lower(key)) == kWrappers.end()) break;
    if (!std::all_of(weights.begin(), weights.end(), [&](std::size_t i) { return keyOf(i) == key; })) break;
    begin += key.size() + 1;
    taken += key + ".";
  }
  // Prefixes that wrappers of modules put before flat names.
  for (bool more = true; more;) {
    more = false;
    for (const std::string_view prefix : kFlatPrefixes) {
      if (!std::all_of(weights.begin(), weights.end(), [&](std::size_t i) {
            const std::string_view rest = std::string_view(contents.tensors[i].name).substr(begin);
            return rest.size() > prefix.size() && rest.starts_with(prefix);
          }))
        continue;
      begin += prefix.size();
      taken += prefix;
      more = true;
    }
  }
  for (const std::size_t i : weights)
    contents.tensors[i].name.erase(0, begin);
  if (!taken.empty())
    contents.notes.push_back(fmt::format("names are shown without the prefix \"{}\"", excerpt(taken, 120)));
}

}  // namespace sepx::checkpoint
