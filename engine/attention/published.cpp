// SPDX-License-Identifier: Apache-2.0
#include "engine/attention/published.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

namespace sepx::attention {

namespace {

using nlohmann::json;

/// An error found while parsing; one sentence.
struct Wrong {
  std::string sentence;
};

/// Letters and digits alone, in lower case, so that "BERT-tiny" and "bert_tiny" are equal.
std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') out += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) out += c;
  }
  return out;
}

std::string_view withoutOwner(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

const json& member(const json& object, const char* key, const std::string& where) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  if (!object.is_object() || found == object.end()) throw Wrong{where + ": there is no '" + key + "'"};
  return *found;
}

std::string textOf(const json& object, const char* key, const std::string& where) {
  const json& value = member(object, key, where);
  if (!value.is_string()) throw Wrong{where + ": '" + key + "' is not text"};
  return value.get<std::string>();
}

double numberOf(const json& value, const std::string& where) {
  if (!value.is_number() || !std::isfinite(value.get<double>())) throw Wrong{where + ": a number is wanted"};
  return value.get<double>();
}

/// The entry of "sources" named by `key`.
std::string sourceOf(const json& sources, const json& key, const std::string& where) {
  if (!key.is_string()) throw Wrong{where + ": a name of 'sources' is wanted"};
  return textOf(sources, key.get<std::string>().c_str(), where + ", sources");
}

/// The "source" of a row applies to all its values; a fourth element of a value overrides it.
std::vector<PublishedValue> valuesOf(const json& object, const char* key, const json& sources,
                                     const std::string& where) {
  std::vector<PublishedValue> values;
  const json& rows = member(object, key, where);
  if (!rows.is_array()) throw Wrong{where + ": '" + key + "' is not a list"};
  const std::string source = object.contains("source") ? sourceOf(sources, object["source"], where) : std::string();
  for (const json& row : rows) {
    const std::string place = where + ", " + key;
    if (!row.is_array() || row.size() < 3 || row.size() > 4)
      throw Wrong{place + ": [median, minus, plus] is wanted, and a source after it where it is of its own"};
    values.push_back({numberOf(row[0], place), numberOf(row[1], place), numberOf(row[2], place),
                      row.size() == 4 ? sourceOf(sources, row[3], place) : source});
  }
  return values;
}

int countOf(const json& object, const char* key, const std::string& where) {
  const double value = numberOf(member(object, key, where), where + ", " + key);
  if (!(value >= 1 && value <= 1e6) || value != std::floor(value))
    throw Wrong{where + ", " + key + ": a count is wanted"};
  return static_cast<int>(value);
}

ModelShape shapeOf(const json& model, const std::string& name) {
  if (!model.contains("shape")) return {};
  const json& object = model["shape"];
  const std::string where = name + ", shape";
  ModelShape shape{textOf(object, "model_type", where), countOf(object, "layers", where),
                   countOf(object, "d_model", where), 0};
  if (object.contains("kv_heads")) shape.kvHeads = countOf(object, "kv_heads", where);
  return shape;
}

PublishedModel modelOf(const json& object, const json& sources, std::size_t index) {
  PublishedModel model;
  model.name = textOf(object, "name", "model " + std::to_string(index));
  const std::string& where = model.name;
  model.printed = object.contains("printed") ? textOf(object, "printed", where) : model.name;
  model.parameters = numberOf(member(object, "parameters", where), where + ", parameters");
  if (!(model.parameters > 0)) throw Wrong{where + ", parameters: a number above 0 is wanted"};
  const std::string kind = textOf(object, "kind", where);
  if (kind != "encoder" && kind != "decoder") throw Wrong{where + ": kind is neither encoder nor decoder"};
  model.kind = kind == "encoder" ? PublishedModel::Kind::Encoder : PublishedModel::Kind::Decoder;
  model.modality = textOf(object, "modality", where);
  model.symmetry = valuesOf(object, "symmetry", sources, where);
  model.directionality = valuesOf(object, "directionality", sources, where);
  if (object.contains("stack")) model.stack = textOf(object, "stack", where);
  if (object.contains("unsafe")) model.unsafe = textOf(object, "unsafe", where);
  if (object.contains("own_keys")) {
    if (!object["own_keys"].is_boolean()) throw Wrong{where + ": 'own_keys' is neither true nor false"};
    model.ownKeys = object["own_keys"].get<bool>();
  }
  model.shape = shapeOf(object, where);
  if (!object.contains("also")) return model;
  if (!object["also"].is_array()) throw Wrong{where + ": 'also' is not a list"};
  for (const json& name : object["also"]) {
    if (!name.is_string()) throw Wrong{where + ": 'also' is a list of names"};
    model.also.push_back(name.get<std::string>());
  }
  return model;
}

bool isCalled(const std::string& one, const std::string& name) {
  return plain(withoutOwner(one)) == name;
}

}  // namespace

const PublishedModel* Published::find(std::string_view name) const {
  const std::string wanted = plain(withoutOwner(name));
  if (wanted.empty()) return nullptr;
  // Printed names take precedence over other names, since two rows may be about the same checkpoint.
  for (const PublishedModel& model : models)
    if (isCalled(model.name, wanted)) return &model;
  for (const PublishedModel& model : models)
    for (const std::string& other : model.also)
      if (isCalled(other, wanted)) return &model;
  return nullptr;
}

const PublishedModel* Published::ofShape(const ModelShape& shape) const {
  if (shape.modelType.empty()) return nullptr;
  const auto same = [&shape](const PublishedModel& one) {
    const ModelShape& its = one.shape;
    return its.modelType == shape.modelType && its.layers == shape.layers && its.d_model == shape.d_model &&
           (its.kvHeads == 0 || its.kvHeads == shape.kvHeads);
  };
  const auto found = std::find_if(models.begin(), models.end(), same);
  return found == models.end() ? nullptr : &*found;
}

Result<Published> parsePublished(std::string_view text) {
  const json document = json::parse(text, nullptr, false);
  if (document.is_discarded()) return fail(ErrorKind::BadInput, "published scores: this is not JSON");
  try {
    Published published;
    published.source = textOf(document, "source", "published scores");
    const json& models = member(document, "models", "published scores");
    if (!models.is_array()) throw Wrong{"published scores: 'models' is not a list"};
    const json sources = document.contains("sources") ? document["sources"] : json::object();
    for (std::size_t i = 0; i < models.size(); ++i)
      published.models.push_back(modelOf(models[i], sources, i));
    return published;
  } catch (const Wrong& wrong) {
    return fail(ErrorKind::BadInput, wrong.sentence);
  }
}

}  // namespace sepx::attention
