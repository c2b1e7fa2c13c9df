// SPDX-License-Identifier: Apache-2.0
// The user's rules as files, one rule per file:
//   {"version": 1, "key": "mine", "name": "Mine", "model_types": ["mine"], "heads": 8, "kv_heads": 2,
//    "stacks": [{"stack": "self", "query": "layers.{layer}.q.weight", "key": "layers.{layer}.k.weight", …}]}
#include "engine/checkpoint/family_json.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "engine/core/file.h"
#include "engine/core/folder.h"
#include "engine/core/json.h"
#include "engine/core/try.h"

namespace sepx::checkpoint {

namespace {

using nlohmann::json;

constexpr int kVersion = 1;
constexpr std::size_t kMostRules = 1000;
constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr std::int64_t kMostHeads = 1 << 16;

// Fields of one object, with the file and the path of the field for error messages.
class Fields {
 public:
  Fields(const json& object, std::string file, std::string path)
      : object_(object), file_(std::move(file)), path_(std::move(path)) {}

  Result<void> text(const char* field, std::string& into, bool required = false) const {
    const json* value = find(field);
    if (value == nullptr) return required ? wrong(field, "is missing") : Result<void>{};
    if (!value->is_string()) return wrong(field, "should be a text");
    into = value->get<std::string>();
    return into.empty() && required ? wrong(field, "is empty") : Result<void>{};
  }
  Result<void> flag(const char* field, bool& into) const {
    const json* value = find(field);
    if (value == nullptr) return {};
    if (!value->is_boolean()) return wrong(field, "should be true or false");
    into = value->get<bool>();
    return {};
  }
  Result<void> count(const char* field, int& into) const {
    const json* value = find(field);
    if (value == nullptr) return {};
    if (!value->is_number_integer() || *value < 0 || *value > kMostHeads)
      return wrong(field, fmt::format("should be a whole number from 0 to {}", kMostHeads));
    into = value->get<int>();
    return {};
  }
  tl::unexpected<Error> wrong(const std::string& field, const std::string& what) const {
    return fail(ErrorKind::BadInput, fmt::format("{}: field {}{} {}", file_, path_, field, what));
  }
  const json* find(const char* field) const {
    const auto found = object_.find(field);
    return found == object_.end() ? nullptr : &*found;
  }

 private:
  const json& object_;
  std::string file_, path_;
};

Result<StackRule> stackFrom(const json& object, const std::string& file, const std::string& path) {
  if (!object.is_object())
    return fail(ErrorKind::BadInput, fmt::format("{}: field {} should be an object", file, path));
  const Fields fields(object, file, path + ".");
  StackRule rule;
  std::string stack = "self", fusion = "separate";
  for (const Result<void>& done :
       {fields.text("stack", stack), fields.text("query", rule.query, true), fields.text("key", rule.key, true),
        fields.text("query_bias", rule.queryBias), fields.text("key_bias", rule.keyBias), fields.text("fusion", fusion),
        fields.flag("transposed", rule.transposed), fields.flag("per_head", rule.perHead),
        fields.text("norm_gain", rule.normGain), fields.text("norm_bias", rule.normBias), fields.flag("rms", rule.rms),
        fields.flag("causal", rule.causal)})
    if (!done) return tl::unexpected<Error>(done.error());
  const auto stackFound = stackNamed(stack);
  if (!stackFound) return fields.wrong("stack", "should be self, encoder, decoder or cross, not " + inQuotes(stack));
  const auto fusionFound = fusionNamed(fusion);
  if (!fusionFound) return fields.wrong("fusion", "should be separate, blocks or per-head, not " + inQuotes(fusion));
  rule.stack = *stackFound;
  rule.fusion = *fusionFound;
  return rule;
}

Result<FamilyRule> ruleFrom(const std::string& file) {
  SEPX_ASSIGN(const std::string text, readFile(file, kMostBytes));
  const Result<json> parsed = parseJson<json>(text);
  if (!parsed) return fail(ErrorKind::BadInput, file + ": " + parsed.error().message);
  if (!parsed->is_object()) return fail(ErrorKind::BadInput, file + ": a rule must be a JSON object");
  const Fields fields(*parsed, file, "");
  int version = kVersion;
  FamilyRule rule;
  for (const Result<void>& done :
       {fields.count("version", version), fields.text("key", rule.key, true), fields.text("name", rule.name),
        fields.count("heads", rule.heads), fields.count("kv_heads", rule.kvHeads),
        fields.count("heads_instead_of", rule.insteadOf)})
    if (!done) return tl::unexpected<Error>(done.error());
  if (version != kVersion)
    return fields.wrong("version", fmt::format("is {}; this program reads {}", version, kVersion));
  if (rule.name.empty()) rule.name = rule.key;
  if (const json* types = fields.find("model_types")) {
    if (!types->is_array()) return fields.wrong("model_types", "should be a list of texts");
    for (const json& type : *types) {
      if (!type.is_string()) return fields.wrong("model_types", "should be a list of texts");
      rule.modelTypes.push_back(type.get<std::string>());
    }
  }
  const json* stacks = fields.find("stacks");
  if (stacks == nullptr || !stacks->is_array() || stacks->empty() || stacks->size() > 8)
    return fields.wrong("stacks", "should be a list of 1 to 8 stacks of attention");
  for (std::size_t i = 0; i < stacks->size(); ++i) {
    SEPX_ASSIGN(StackRule stack, stackFrom((*stacks)[i], file, fmt::format("stacks[{}]", i)));
    rule.stacks.push_back(std::move(stack));
  }
  return rule;
}

nlohmann::ordered_json jsonOf(const StackRule& stack) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  object["stack"] = toString(stack.stack);
  object["query"] = stack.query;
  object["key"] = stack.key;
  const auto text = [&object](const char* field, const std::string& value) {
    if (!value.empty()) object[field] = value;
  };
  const auto flag = [&object](const char* field, bool value) {
    if (value) object[field] = true;
  };
  text("query_bias", stack.queryBias);
  text("key_bias", stack.keyBias);
  object["fusion"] = toString(stack.fusion);
  flag("transposed", stack.transposed);
  flag("per_head", stack.perHead);
  text("norm_gain", stack.normGain);
  text("norm_bias", stack.normBias);
  flag("rms", stack.rms);
  flag("causal", stack.causal);
  return object;
}

// The key is the name of a file: letters, digits, dots inside, "-" and "_".
bool isFileName(const std::string& key) {
  return !key.empty() && key.size() <= 100 && key.front() != '.' && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.';
  });
}

}  // namespace

Result<std::vector<FamilyRule>> readRules(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<FamilyRule> rules;
  std::error_code error;
  if (folder.empty() || !fs::is_directory(folder, error)) return rules;
  std::vector<std::string> files = folderPaths(folder);
  std::erase_if(files, [](const fs::path& path) { return path.extension() != ".json"; });
  if (files.size() > kMostRules) files.resize(kMostRules);
  for (const std::string& file : files) {
    SEPX_ASSIGN(FamilyRule rule, ruleFrom(file));
    rules.push_back(std::move(rule));
  }
  return rules;
}

Result<void> writeRule(const std::string& folder, const FamilyRule& rule) {
  if (!isFileName(rule.key))
    return fail(ErrorKind::Usage,
                "a rule needs a short name of letters, digits, \"-\" and \"_\", not " + inQuotes(rule.key));
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  object["version"] = kVersion;
  object["key"] = rule.key;
  object["name"] = rule.name.empty() ? rule.key : rule.name;
  if (!rule.modelTypes.empty()) object["model_types"] = rule.modelTypes;
  if (rule.heads > 0) object["heads"] = rule.heads;
  if (rule.kvHeads > 0) object["kv_heads"] = rule.kvHeads;
  if (rule.heads > 0 && rule.insteadOf > 0) object["heads_instead_of"] = rule.insteadOf;
  for (const StackRule& stack : rule.stacks)
    object["stacks"].push_back(jsonOf(stack));
  SEPX_TRY(makeFolders(folder));
  return writeFile(folder + "/" + rule.key + ".json",
                   object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace sepx::checkpoint
