// SPDX-License-Identifier: Apache-2.0
// See own_config.h.
#include "ui/exhibits/training/own/own_config.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "ui/document/json_text.h"
#include "ui/exhibits/training/own/own_data.h"
#include "ui/exhibits/training/own/own_presets.h"
#include "ui/exhibits/training/own/own_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kMostWhole = 1e15;  // beyond it, not every whole number is exact as a double

const std::vector<train::ConfigField>& fields() {
  static const std::vector<train::ConfigField> all = train::configFields();
  return all;
}

std::vector<std::string> parts(const std::string& text) {
  std::vector<std::string> found;
  std::string part;
  for (const char c : text + ",") {
    if (c == ',') {
      if (!part.empty()) found.push_back(std::exchange(part, {}));
    } else if (c != ' ') {
      part += c;
    }
  }
  return found;
}

/// Converts a value of the document, where a list is a text with commas, to the value in a config. Null if the text
/// should be a list of numbers and is not.
Json jsonOf(const train::ConfigField& field, const Json& held) {
  if (!held.is_string()) return held;
  const std::string& text = held.get_ref<const std::string&>();
  if (field.kind == train::FieldKind::Texts) return parts(text);
  if (field.kind != train::FieldKind::Numbers) return held;
  Json list = Json::array();
  for (const std::string& part : parts(text)) {
    const std::optional<double> number = parseNumber(part);
    if (!number) return {};
    list.push_back(*number);
  }
  return list;
}

Json heldAs(const train::ConfigField& field, const Json& value) {
  if (field.kind != train::FieldKind::Texts && field.kind != train::FieldKind::Numbers) return value;
  std::string text;
  for (const Json& one : value)
    text += (text.empty() ? "" : ", ") + (one.is_string() ? one.get<std::string>() : formatShortest(one.get<double>()));
  return text;
}

void put(Json& config, std::string_view place, Json value) {
  const std::size_t dot = place.find('.');
  if (dot == std::string_view::npos)
    config[std::string(place)] = std::move(value);
  else
    config[std::string(place.substr(0, dot))][std::string(place.substr(dot + 1))] = std::move(value);
}

/// A file that is named while the data are generated becomes the user's own text as data.
Result<Document> textFollows(const Document& before, const Document& with) {
  const Json &kind = with.at(ownKey("data.kind")), &path = with.at(ownKey("data.path"));
  const bool made = !kind.is_string() || kind == "markov" || kind == "english" || kind == "pairs" ||
                    kind == "repeats" || kind == "mirrored" || kind == "shapes";
  if (!made || !path.is_string() || path.get_ref<const std::string&>().empty()) return with;
  const Json& page = before.at("training.page");
  const Document next = withOwnText(with, path.get<std::string>(), textMember(path.get<std::string>()));
  return page.is_null() ? next.without("training.page") : next.with("training.page", page);
}

/// The condition on the other fields under which a field has an effect; empty: always.
Condition appliesTo(std::string_view place) {
  const auto is = [](const char* field, std::vector<std::string> words, const char* fallback) -> Condition {
    return [key = ownKey(field), words = std::move(words), fallback](const Document& document) {
      const Json& value = document.at(key);
      const std::string now = value.is_string() ? value.get<std::string>() : std::string(fallback);
      return std::find(words.begin(), words.end(), now) != words.end();
    };
  };
  if (place == "data.p" || place == "data.q" || place == "data.order" || place == "data.kernel")
    return is("data.kind", {"markov"}, "markov");
  if (place == "data.jitter") return is("data.kind", {"repeats", "mirrored"}, "markov");
  if (place == "data.side" || place == "data.noise") return is("data.kind", {"shapes"}, "markov");
  if (place == "data.crop" || place == "data.flip" || place == "data.mixup" || place == "data.cutmix")
    return is("data.kind", {"shapes", "cifar10", "idx"}, "markov");
  if (place == "model.image" || place == "model.channels" || place == "model.patch")
    return is("model.input", {"patches"}, "table");
  if (place == "objective.label_smoothing") return is("objective.kind", {"classify"}, "next_token");
  if (place == "data.field" || place == "data.validation_share") return is("data.kind", {"text"}, "markov");
  if (place == "data.tokens" || place == "data.vocabulary") return is("data.kind", {"text", "english"}, "markov");
  if (place == "data.sentences") return is("data.kind", {"english"}, "markov");
  if (place == "objective.mask_probability") return is("objective.kind", {"masked", "unmasked_context"}, "next_token");
  if (place == "objective.plain_mask") return is("objective.kind", {"masked"}, "next_token");
  if (place == "objective.weighted") return is("objective.kind", {"diffusion"}, "next_token");
  if (place == "initial.e" || place == "initial.a") return is("initial.scheme", {"canonical"}, "gpt2");
  if (place == "initial.w") return is("initial.scheme", {"canonical", "bigram", "unigram"}, "gpt2");
  if (place == "initial.b") return is("initial.scheme", {"canonical", "proposed"}, "gpt2");
  if (place == "initial.reading") return is("initial.scheme", {"proposed"}, "gpt2");
  if (place == "constraint.gamma") return is("constraint.kind", {"symmetric", "skew"}, "none");
  if (place == "model.rope_base") return is("model.positions", {"rope"}, "learned");
  if (place == "model.alibi_slope" || place == "model.alibi_signed") return is("model.positions", {"alibi"}, "learned");
  if (place == "optimisation.momentum" || place == "optimisation.nesterov")
    return is("optimisation.rule", {"sgd"}, "sgd");
  if (place == "optimisation.beta1" || place == "optimisation.beta2" || place == "optimisation.epsilon")
    return is("optimisation.rule", {"adam", "adamw"}, "sgd");
  if (place == "schedule.stop_improvement" || place == "schedule.stop_loss")
    return [key = ownKey("schedule.stop_patience")](const Document& document) {
      const Json& steps = document.at(key);
      return steps.is_number() && steps.get<double>() > 0;
    };
  if (place == "optimisation.warm_up_start" || place == "optimisation.ema_every")
    return [key = ownKey(place == "optimisation.ema_every" ? "optimisation.ema" : "optimisation.warm_up")](
               const Document& document) {
      const Json& value = document.at(key);
      return value.is_number() && value.get<double>() > 0;
    };
  if (place == "optimisation.floor") return is("optimisation.decay", {"linear", "cosine"}, "constant");
  return {};
}

}  // namespace

std::span<const char* const> presetNames() {
  static const std::vector<const char*> all = [] {
    std::vector<const char*> names;
    for (const PresetFamily& family : presetFamilies())
      for (const OwnPreset& preset : family.presets)
        if (!preset.ownText && *preset.file) names.push_back(preset.file);
    return names;
  }();
  return all;
}

Value ownValue(std::string_view place, const Json& value) {
  const auto field = std::ranges::find(fields(), place, &train::ConfigField::place);
  const Json held = field == fields().end() ? value : heldAs(*field, value);
  if (held.is_boolean()) return held.get<bool>();
  if (held.is_number()) return held.get<double>();
  return held.is_string() ? Value(held.get<std::string>()) : Value();
}

std::string ownKey(std::string_view place) {
  return "training.own." + std::string(place);
}

Result<train::RunConfig> ownConfig(const Document& document) {
  Json config = Json::object();
  for (const train::ConfigField& field : fields()) {
    const Json& held = document.at(ownKey(field.place));
    if (held.is_null()) continue;
    Json value = jsonOf(field, held);
    if (value.is_null())
      return fail(ErrorKind::BadInput, field.place + ": " + tr("numbers separated by commas are expected"));
    put(config, field.place, std::move(value));
  }
  if (config.value("name", "").empty()) config["name"] = tr("New run");
  return train::parseRunConfig(compactText(config), tr("new run"), {});
}

Document withOwnConfig(const Document& document, const std::string& name, const train::RunConfig& config) {
  Document next = document.has("training.own") ? document.without("training.own") : document;
  if (!name.empty()) next = next.with("training.own.preset", name);
  const Json all = train::toJson(config);
  for (const train::ConfigField& field : fields()) {
    const Json& value = train::fieldOf(all, field.place);
    const bool follows = field.place == "data.seed" && config.data.seed == config.seed;
    if (value != field.fallback && !follows) next = next.with(ownKey(field.place), heldAs(field, value));
  }
  return next;
}

Property propertyOf(const train::ConfigField& field) {
  Property property;
  property.key = ownKey(field.place);
  property.applies = appliesTo(field.place);
  if (const FieldWords* const words = wordsOf(field.place)) {
    property.label = words->label;
    property.help = words->help;
  } else {
    property.label = field.place;
  }
  property.inPicture = property.detail = true;
  const double most = std::min(field.most, kMostWhole);
  switch (field.kind) {
    case train::FieldKind::Toggle:
      property.kind = Kind::Toggle;
      property.fallback = field.fallback.get<bool>();
      break;
    case train::FieldKind::Whole:
    case train::FieldKind::Real:
      property.kind = field.kind == train::FieldKind::Whole ? Kind::Integer : Kind::Real;
      property.min = field.least;
      property.max = most;
      property.step = field.kind == train::FieldKind::Whole         ? 1
                      : field.place == "optimisation.learning_rate" ? 1e-4
                                                                    : 0.001;
      property.digits = 6;
      property.fallback = field.fallback.get<double>();
      break;
    case train::FieldKind::Word:
      property.kind = Kind::Choice;
      property.choices = field.words;
      property.fallback = field.fallback.get<std::string>();
      break;
    default:
      property.kind = Kind::Text;
      property.fallback = std::string();
      property.file = field.place == "data.path";
      if (property.file) property.follow = textFollows;
  }
  return property;
}

std::string fieldIn(const std::string& sentence) {
  const auto isPart = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.'; };
  std::string last;
  for (auto at = sentence.begin(); at != sentence.end();) {
    const auto end = std::find_if_not(at, sentence.end(), isPart);
    const std::string_view word(at, end);
    for (const train::ConfigField& field : train::configFields()) {
      if (field.place == word) return field.place;
      if (last.empty() && word.size() > 2 && field.place.ends_with("." + std::string(word))) last = field.place;
    }
    at = end == sentence.end() ? end : end + 1;
  }
  return last;
}

}  // namespace sepx::ui
