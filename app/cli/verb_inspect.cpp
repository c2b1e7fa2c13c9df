// SPDX-License-Identifier: Apache-2.0
// sepx inspect: describes a checkpoint: format, family, shape, tensors, and which of them are W_Q and W_K. Reads
// headers only. For a model without a d x d form, it reports why there is none.
#include <cctype>
#include <ostream>

#include <CLI/CLI.hpp>

#include "app/cli/checkpoint_arguments.h"
#include "app/cli/declare.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "engine/checkpoint/model_plan.h"
#include "engine/core/try.h"

namespace sepx::app::cli {
namespace {

using checkpoint::AttentionLayer;
using checkpoint::Checkpoint;
using checkpoint::TensorInfo;

std::string fileName(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

Json filesJson(const Checkpoint& file) {
  Json files = Json::array();
  for (const auto& one : file.files()) {
    Json json = Json::object();
    json["name"] = fileName(one->path());
    json["bytes"] = one->size();
    files.push_back(std::move(json));
  }
  return files;
}

Json layerJson(const AttentionLayer& layer) {
  Json json = Json::object();
  json["layer"] = layer.layer;
  json["stack"] = checkpoint::toString(layer.stack);
  json["d_model"] = layer.d_model;
  json["d_key"] = layer.d_key;
  json["heads"] = layer.heads;
  json["kv_heads"] = layer.kvHeads;
  json["d_h"] = layer.d_h;
  json["causal"] = layer.causal;
  json["W_Q"] = layer.W_Q.tensor;
  json["W_K"] = layer.W_K.tensor;
  json["b_Q"] = layer.b_Q ? Json(layer.b_Q->tensor) : Json(nullptr);
  json["b_K"] = layer.b_K ? Json(layer.b_K->tensor) : Json(nullptr);
  json["norm"] = layer.norm ? Json(layer.norm->gain) : Json(nullptr);
  json["rope_base"] = layer.rope ? Json(layer.rope->base) : Json(nullptr);
  json["scale"] = layer.scale;
  return json;
}

Json tensorJson(const TensorInfo& tensor) {
  Json json = Json::object();
  json["name"] = tensor.name;
  json["dtype"] = tensor.dtypeName;
  json["shape"] = tensor.shape;
  json["file"] = tensor.file;
  json["offset"] = tensor.stored ? Json(nullptr) : Json(tensor.offset);
  json["bytes"] = tensor.bytes;
  json["alias_of"] = orNull(tensor.aliasOf);
  return json;
}

/// How much of the model `sepx forward` computes, and how well that agrees with other implementations.
Json forwardJson(const checkpoint::Model& model) {
  const Result<checkpoint::ModelPlan> plan = checkpoint::planModel(*model.checkpoint, model.map);
  Json json = Json::object();
  json["blocks"] = plan ? plan->blocks.size() : 0;
  json["logits"] = plan && plan->head.has_value();
  json["refused"] = plan ? Json(nullptr) : Json(plan.error().message);
  json["missing"] = plan ? Json(plan->missing) : Json::array();
  json["notes"] = plan ? Json(plan->notes) : Json::array();
  json["agreement"] = plan ? orNull(plan->agreement) : Json(nullptr);
  return json;
}

Json inspectJson(const checkpoint::Model& model) {
  const Checkpoint& file = *model.checkpoint;
  const checkpoint::AttentionMap& map = model.map;
  Json json = beginDocument("inspect");
  json["model"] = file.name();
  json["format"] = checkpoint::name(file.format());
  json["files"] = filesJson(file);
  json["config_from"] = orNull(file.configFrom());
  json["family"] = orNull(map.family);
  json["family_name"] = orNull(map.familyName);
  json["recognised_by"] = orNull(map.recognisedBy);
  json["no_form"] = orNull(map.noQkReason);
  json["parameters"] = file.parameters();
  json["stacks"] = Json::array();
  for (const checkpoint::Stack stack : map.stacks())
    json["stacks"].push_back(Json::object({{"stack", checkpoint::toString(stack)}, {"layers", map.layersOf(stack)}}));
  json["layers"] = Json::array();
  for (const AttentionLayer& layer : map.layers)
    json["layers"].push_back(layerJson(layer));
  json["mapping"] = Json::array();
  for (const checkpoint::MappingRow& row : map.mapping)
    json["mapping"].push_back(Json::object({{"what", row.what}, {"from", row.from}}));
  json["notes"] = map.notes;
  for (const std::string& note : file.notes())
    json["notes"].push_back(note);
  const TrainedNotes trained = trainedNotes(file);
  json["deviation"] = orNull(trained.deviation);
  json["trained_parameters"] = trained.parameters ? Json(*trained.parameters) : Json(nullptr);
  json["forward"] = forwardJson(model);
  json["tensors"] = Json::array();
  for (const TensorInfo& tensor : file.tensors())
    json["tensors"].push_back(tensorJson(tensor));
  return json;
}

std::string bytesDisplayText(std::uint64_t bytes) {
  constexpr double kStep = 1000;
  if (static_cast<double>(bytes) < kStep) return trf(N_("{} bytes"), bytes);
  double size = static_cast<double>(bytes);
  const char* unit = "kB";
  for (const char* next : {"kB", "MB", "GB", "TB"}) {
    unit = next;
    size /= kStep;
    if (size < kStep) break;
  }
  return fmt::format("{:.1f} {}", size, unit);
}

std::string shapeText(const TensorInfo& tensor) {
  if (tensor.shape.empty()) return tr(N_("scalar"));
  std::string text;
  for (const std::int64_t side : tensor.shape)
    text += (text.empty() ? "" : " x ") + std::to_string(side);
  return text;
}

/// A name without its first number, which is the same for tensors of one kind in different layers.
struct Pattern {
  std::string before, number, after;
};
Pattern patternOf(const std::string& name) {
  for (std::size_t at = 0; at < name.size(); ++at) {
    const bool begins = at == 0 || name[at - 1] == '.' || name[at - 1] == '/';
    if (!begins || !std::isdigit(static_cast<unsigned char>(name[at]))) continue;
    std::size_t end = at;
    while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end])))
      ++end;
    if (end < name.size() && name[end] != '.' && name[end] != '/') continue;
    return {name.substr(0, at), name.substr(at, end - at), name.substr(end)};
  }
  return {name, {}, {}};
}

/// Tensors of one kind, format and shape, one per layer.
struct Kind {
  Pattern pattern;
  std::string first, last, format;
  std::size_t count = 0;
};

std::vector<Kind> kindsOf(const Checkpoint& file) {
  std::vector<Kind> kinds;
  std::map<std::string, std::size_t> places;
  for (const TensorInfo& tensor : file.tensors()) {
    const Pattern pattern = patternOf(tensor.name);
    std::string format = fmt::format("{:<8} {}", tensor.dtypeName, shapeText(tensor));
    if (!tensor.aliasOf.empty()) format += trf(N_(", the same bytes as {}"), tensor.aliasOf);
    const std::string key =
        pattern.before + '\n' + (pattern.number.empty() ? "" : "#") + '\n' + pattern.after + '\n' + format;
    const auto [place, fresh] = places.emplace(key, kinds.size());
    if (fresh) kinds.push_back({pattern, pattern.number, pattern.number, format, 0});
    Kind& kind = kinds[place->second];
    kind.last = pattern.number;
    ++kind.count;
  }
  return kinds;
}

std::string nameOf(const Kind& kind) {
  if (kind.count < 2) return kind.pattern.before + kind.pattern.number + kind.pattern.after;
  return fmt::format("{}{{{}..{}}}{}", kind.pattern.before, kind.first, kind.last, kind.pattern.after);
}

void printTensors(std::ostream& out, const Checkpoint& file) {
  const std::vector<Kind> kinds = kindsOf(file);
  std::size_t longest = 0;
  for (const Kind& kind : kinds)
    longest = std::max(longest, nameOf(kind).size());
  out << "\n" << counted(file.tensors().size(), N_("{} tensor"), N_("{} tensors")) << "\n";
  for (const Kind& kind : kinds)
    out << fmt::format("  {:<{}}  {:>4}  {}\n", nameOf(kind), std::min<std::size_t>(longest, 72),
                       kind.count > 1 ? fmt::format("{} x", kind.count) : "", kind.format);
}

void printForward(std::ostream& out, const checkpoint::Model& model) {
  const auto row = [&out](const char* name, const std::string& value) {
    out << fmt::format("{:<14}{}\n", tr(name), value);
  };
  const Result<checkpoint::ModelPlan> plan = checkpoint::planModel(*model.checkpoint, model.map);
  if (!plan) return row(N_("forward pass"), trf(N_("none: {}"), plan.error().message));
  const std::string blocks = counted(plan->blocks.size(), "{} layer", "{} layers");
  const std::string agreement = plan->agreement.empty() ? tr(N_("not compared")) : plan->agreement;
  row(N_("forward pass"), plan->head ? trf(N_("{} and logits, {}"), blocks, agreement)
                                     : trf(N_("{} without logits, {}"), blocks, agreement));
  for (const std::string& sentence : plan->missing)
    row(N_("note"), sentence);
  for (const std::string& sentence : plan->notes)
    row(N_("note"), sentence);
}

void printFamily(std::ostream& out, const checkpoint::Model& model) {
  const checkpoint::AttentionMap& map = model.map;
  const auto row = [&out](const char* name, const std::string& value) {
    out << fmt::format("{:<14}{}\n", tr(name), value);
  };
  if (!map.family.empty() || !map.familyName.empty())
    row(N_("family"),
        map.recognisedBy.empty() ? map.familyName : trf(N_("{}, recognised by {}"), map.familyName, map.recognisedBy));
  else
    row(N_("family"), tr(N_("not recognised")));
  if (!map.layers.empty()) row(N_("attention"), shapeDisplayText(map));
  if (!map.layers.empty()) printForward(out, model);
  if (!map.noQkReason.empty()) row(N_("no W_qk"), map.noQkReason);
  for (const std::string& note : map.notes)
    row(N_("note"), note);
  if (map.mapping.empty()) return;
  std::size_t longest = 0;
  for (const checkpoint::MappingRow& one : map.mapping)
    longest = std::max(longest, one.what.size());
  out << "\n" << tr(N_("mapping")) << "\n";
  for (const checkpoint::MappingRow& one : map.mapping)
    out << fmt::format("  {:<{}}  {}\n", one.what, longest, one.from);
}

void printTable(std::ostream& out, const checkpoint::Model& model) {
  const Checkpoint& file = *model.checkpoint;
  const auto row = [&out](const char* name, const std::string& value) {
    out << fmt::format("{:<14}{}\n", tr(name), value);
  };
  row(N_("model"), file.title());
  const std::size_t files = file.files().size();
  row(N_("format"), std::string(checkpoint::name(file.format())) + ", " +
                        counted(files, N_("{} file"), N_("{} files")) + ", " + bytesDisplayText(file.bytes()));
  const TrainedNotes trained = trainedNotes(file);
  row(N_("parameters"), trained.parameters && *trained.parameters != file.parameters()
                            ? trf(N_("{}; the trained model has {}, the rest are constants and copies that the layout "
                                     "of the family needs"),
                                  file.parameters(), *trained.parameters)
                            : fmt::format("{}", file.parameters()));
  row(N_("config"), file.configFrom().empty() ? tr(N_("none")) : file.configFrom());
  for (const std::string& note : file.notes())
    row(N_("note"), note);
  if (!trained.deviation.empty()) row(N_("note"), trained.deviation);
  printFamily(out, model);
  printTensors(out, file);
}

class InspectVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    addOption(command, "checkpoint", file_, N_("a weight file, the index of a sharded checkpoint, or a folder"),
              "CHECKPOINT")
        ->required();
    rules_.declare(command);
    addJsonFlag(command, json_);
  }

  Result<Outcome> run(Console& console, const Options&) override {
    SEPX_ASSIGN(const auto model, rules_.open(file_));
    if (json_)
      console.out << finishDocument(inspectJson(*model));
    else
      printTable(console.out, *model);
    return Outcome::Done;
  }

 private:
  std::string file_;
  RulesArgument rules_;
  bool json_ = false;
};

}  // namespace

VerbEntry makeInspect() {
  return {"inspect", N_("What a checkpoint contains: format, family, shape, tensors and where its attention is"),
          std::make_unique<InspectVerb>(), kReadsOnly};
}

}  // namespace sepx::app::cli
