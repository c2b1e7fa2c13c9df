// SPDX-License-Identifier: Apache-2.0
// See own_declare.h.
#include "ui/exhibits/training/own/own_declare.h"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/train/config_fields.h"
#include "ui/exhibits/training/own/own_config.h"
#include "ui/exhibits/training/own/own_data.h"
#include "ui/exhibits/training/own/own_groups.h"
#include "ui/exhibits/training/own/own_presets.h"
#include "ui/exhibits/training/own/own_views.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

/// Replaces the data of the preset by the text of `before`. Empty optional if there is no text or the preset cannot be
/// trained on it.
std::optional<Document> withTextOf(const Document& before, const Document& next, const train::RunConfig& preset) {
  const std::string path = textIn(before);
  if (path.empty() || preset.model.input != nn::Input::Table || data::isOfImages(preset.data.kind)) return std::nullopt;
  const Json& field = before.at(ownKey("data.field"));
  Document with = withOwnText(next, path, field.is_string() ? field.get<std::string>() : std::string());
  for (const char* const place : {"data.tokens", "data.vocabulary", "data.validation_share"})
    if (before.has(ownKey(place))) with = with.with(ownKey(place), before.at(ownKey(place)));
  return ownConfig(with) ? std::optional(with) : std::nullopt;
}

/// A new preset replaces all fields. Before the first frame the folder of the presets is not known, so the page
/// replaces the fields later.
Result<Document> presetFollows(const RaceShared& live, const Document& before, const Document& with) {
  const Json& name = with.at("training.own.preset");
  if (before.at("training.own.preset") == name) return with;
  const std::string word = name.is_string() && name != "defaults" ? name.get<std::string>() : std::string();
  if (!word.empty() && live.assets.empty()) return with.without("training.own").with("training.own.preset", word);
  const Result<train::RunConfig> config = readPreset(live.assets, word);
  if (!config) return fail(ErrorKind::Usage, config.error().message);
  const Document next = word.empty() ? with.without("training.own").with("training.own.preset", "defaults")
                                     : withOwnConfig(with, word, *config);
  return withTextOf(before, next, *config).value_or(next);
}

/// The document with a group open, no search, and no marked block or field.
Document withGroup(const Document& with, const Json& group) {
  const Json family = with.at("training.editor.family");
  const Document next = with.without("training.editor").with("training.editor.group", group);
  return family.is_null() ? next : next.with("training.editor.family", family);
}

bool hasParent(const Document& document) {
  const Json& parent = document.at("training.own.parent");
  return parent.is_string() && !parent.get_ref<const std::string&>().empty();
}

Options presetOptions() {
  Options options{{"defaults", N_("defaults")}};
  for (const char* const name : presetNames())
    options.emplace_back(name, presetOf(name)->title);
  return options;
}

/// A choice that is made in the picture and is not an undo step.
Property editorChoice(const char* key, const char* label, const char* help, Options options,
                      std::string OwnChoices::*into) {
  Property made;
  made.key = key;
  made.into = into;
  made.label = label;
  made.kind = options.empty() ? Kind::Text : Kind::Choice;
  if (options.empty()) made.fallback = std::string();
  made.options = std::move(options);
  made.help = help;
  made.undoable = false;
  made.inPicture = true;
  return made;
}

Options editorGroups() {
  Options options{{"model", N_("Model")}};
  for (const OwnGroup& group : ownGroups())
    if (std::string_view(group.word) != "model") options.emplace_back(group.word, group.name);
  options.emplace_back("presets", N_("Presets"));
  return options;
}

/// The parameters that say which parts of the page are open.
std::vector<Property> editorRows() {
  Options families, blocks;
  for (const PresetFamily& family : presetFamilies())
    families.emplace_back(family.word, family.name);
  for (const OwnBlock& block : ownBlocks())
    blocks.emplace_back(block.word, block.name);
  std::vector<Property> rows{
      editorChoice("group", N_("Fields"), N_("The group of fields that is open."), editorGroups(), &OwnChoices::group),
      editorChoice("family", N_("Family"), N_("The family of presets that is open."), families, &OwnChoices::family),
      editorChoice("search", N_("Find a field"),
                   N_("Words of the name, the key or the explanation of a field; all groups are searched."), {},
                   &OwnChoices::search),
      editorChoice("block", N_("Block"), N_("The block of the sketch whose fields are marked."), blocks,
                   &OwnChoices::block),
      editorChoice("field", N_("Marked field"), N_("The field that is marked and visible, for example “model.layers”."),
                   {}, &OwnChoices::field)};
  rows[0].follow = [](const Document&, const Document& with) -> Result<Document> {
    return withGroup(with, with.at("training.editor.group"));
  };
  rows[2].eager = true;
  rows[3].follow = [](const Document&, const Document& with) -> Result<Document> {
    return withGroup(with, "model").with("training.editor.block", with.at("training.editor.block"));
  };
  rows[4].follow = [](const Document&, const Document& with) -> Result<Document> {
    const Json& field = with.at("training.editor.field");
    const std::string place = field.is_string() ? field.get<std::string>() : std::string();
    return withGroup(with, groupOfField(place)).with("training.editor.field", field);
  };
  return rows;
}

}  // namespace

Result<train::RunConfig> readPreset(const std::string& assets, const std::string& name) {
  if (name.empty()) return train::parseRunConfig("{}", tr("new run"), {});
  return train::readRunConfig(assets + "/configs/" + name + ".json");
}

std::string textIn(const Document& document) {
  const Json& path = document.at(ownKey("data.path"));
  return document.at(ownKey("data.kind")) == "text" && path.is_string() ? path.get<std::string>() : std::string();
}

void declareOwn(PropertyRegistry& registry, const RaceShared& live, const Condition& here) {
  declareParameters(
      registry, {.prefix = "training.own.", .applies = here},
      {{.key = "preset",
        .label = N_("Preset"),
        .options = presetOptions(),
        .help = N_("A config that ships with the program. Choosing one sets every field, but your own text file stays "
                   "the data if the config can be trained on it."),
        .detail = true,
        .inPicture = true,
        .follow = [&live](const Document& before, const Document& with) { return presetFollows(live, before, with); }},
       {.key = "parent",
        .label = N_("Copy of"),
        .fallback = "",
        .help = N_("The folder of the run that the config was copied from. Empty: it was made from a "
                   "preset."),
        .inPicture = true,
        .file = true,
        .applies = hasParent},
       {.key = "parent_step",
        .label = N_("Branch from step"),
        .kind = Kind::Integer,
        .min = -1,
        .max = 1e12,
        .step = 1,
        .options = {{"-1", N_("from the start")}},
        .fallback = -1.0,
        .help = N_("The saved step of the other run at which this one begins, with its weights, the state of its "
                   "optimiser and its position in the data. From the start, or −1 in scripts: it begins from its own "
                   "initial weights."),
        .applies = hasParent}});
  declareParameters(registry, {.prefix = "training.editor.", .applies = here}, editorRows());
  std::vector<Property> rows;
  for (const train::ConfigField& field : train::configFields())
    rows.push_back(propertyOf(field));
  declareParameters(registry, {.applies = here}, std::move(rows));
}

}  // namespace sepx::ui
