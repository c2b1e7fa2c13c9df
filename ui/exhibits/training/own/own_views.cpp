// SPDX-License-Identifier: Apache-2.0
// See own_views.h.
#include "ui/exhibits/training/own/own_views.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "engine/train/config_fields.h"
#include "ui/exhibits/training/own/model_sketch.h"
#include "ui/exhibits/training/own/own_config.h"
#include "ui/exhibits/training/own/own_groups.h"
#include "ui/exhibits/training/own/own_presets.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"
#include "ui/views/placed_view.h"

namespace sepx::ui {

namespace {

using Kind = Arrangement::Kind;

// Multiples of the type size, except the shares in the last line.
constexpr double kStartRow = 2.4;  // height
constexpr double kButton = 15, kColumn = 26, kSide = 21, kSketch = 12;
constexpr double kCardWidth = 20, kCardHeight = 5;
constexpr double kMostSide = 36;  // width of differences and sketch
constexpr double kEditorShare = 0.6, kMostOfSide = 0.4, kMostOfButtons = 0.94, kMostOfOne = 0.35;

const char* const kRate = "optimisation.learning_rate";
const char* const kSteps = "schedule.steps";

/// Whether a field is always visible and therefore in no group.
bool isAlways(std::string_view place) {
  return place == kRate || place == kSteps;
}

/// The number with all its decimals if it has at most six, otherwise rounded.
std::string exactly(double number) {
  constexpr int kMost = 6;
  for (int digits = 0; digits <= kMost; ++digits)
    if (std::string text = formatFixed(number, digits); parseNumber(text) == number) return withShownNumbers(text);
  return formatReading(number);
}

/// Makes the views of one frame.
class OwnViews {
 public:
  OwnViews(const OwnViewInput& shown, const RaceFrame& frame)
      : shown_(shown), choices_(shown.choices), unit_(frame.theme.textSize), pad_(frame.theme.space), frame_(frame) {}

  Views made() {
    Arrangement page{.kind = Kind::Column, .gap = pad_, .margin = 1.5 * pad_};
    if (!frame_.figure) page.parts.push_back(startRow());
    page.parts.push_back(always());
    Arrangement body{.kind = Kind::Row, .parts = {editor(), side()}, .gap = 2 * pad_};
    page.parts.push_back(std::move(body));
    views_.arrangement = std::move(page);
    return std::move(views_);
  }

 private:
  Arrangement add(std::string name, decltype(View::content) content, bool natural = false) {
    views_.views.push_back({name, std::move(content)});
    return natural ? asHighAsContent(std::move(name)) : viewNamed(std::move(name));
  }
  Arrangement sentence(const char* name, std::string text, NoteLine::Role role = NoteLine::Role::Muted) {
    TextContent content;
    if (!text.empty()) content.lines = {{{std::move(text)}, role}};
    return add(name, std::move(content), true);
  }

  Arrangement startRow();
  Arrangement always();
  Arrangement editor();
  Arrangement presets();
  Arrangement fields();
  Arrangement side();
  Arrangement table();
  Arrangement sketch();
  Arrangement tabs();
  std::optional<FieldRow> row(const std::string& place) const;
  std::vector<FieldRow> found(std::string& others) const;
  std::vector<FieldRow> ofGroup(std::string_view group) const;
  std::pair<double, double> roomForFields() const;
  void addGroupsBelow(FieldsContent& content) const;
  std::string words(const std::string& place, const Value& value) const;

  const OwnViewInput& shown_;
  const OwnChoices& choices_;
  const double unit_, pad_;
  const RaceFrame& frame_;
  Views views_;
};

std::string OwnViews::words(const std::string& place, const Value& value) const {
  const auto declared = shown_.registry.find(ownKey(place));
  if (!declared || !declared->property) return toString(value);
  const std::string text = declared->property->kind == ui::Kind::Real && std::holds_alternative<double>(value)
                               ? exactly(std::get<double>(value))
                               : formatValue(*declared->property, value);
  return text.empty() ? std::string(tr("empty")) : text;
}

/// The row of a field; empty optional if the field does not apply now.
std::optional<FieldRow> OwnViews::row(const std::string& place) const {
  std::optional<FieldRow> made = fieldRow(shown_.registry, shown_.document, ownKey(place));
  if (!made) return made;
  made->value = words(place, shown_.registry.get(shown_.document, ownKey(place)));
  for (const OwnDifference& one : shown_.differences)
    if (one.place == place) made->before = FieldRow::Before{words(place, one.before), one.before};
  made->highlighted = place == choices_.field || place == shown_.problemAt ||
                      (choices_.group == "model" && isInBlock(choices_.block, place));
  return made;
}

/// The start buttons, and beside them what starts or why nothing can start.
Arrangement OwnViews::startRow() {
  Arrangement row{.kind = Kind::Row, .gap = pad_, .length = kStartRow * unit_};
  const bool beside = shown_.canStart && !shown_.branchesAt;
  const int buttons = 1 + (beside && shown_.canStartWithPreset ? 1 : 0) + (beside && shown_.canStartWithRuns ? 1 : 0);
  const double share = buttons == 1 ? kMostOfOne : kMostOfButtons / buttons;
  const auto button = [&](const char* name, std::string label) {
    Arrangement part = add(name, ButtonContent{.command = std::string("training.own-") + name,
                                               .label = std::move(label),
                                               .enabled = shown_.canStart});
    part.length = kButton * unit_;
    part.mostShare = share;
    row.parts.push_back(std::move(part));
  };
  button("start", shown_.branchesAt ? trFormat("Start the branch from step {}", stepText(*shown_.branchesAt))
                                    : std::string(tr("Start")));
  if (beside) {
    if (shown_.canStartWithPreset) button("beside", tr("Start beside the preset"));
    if (shown_.canStartWithRuns) button("add", tr("Start beside the runs"));
  }
  TextContent why;
  const bool wrong = !shown_.problem.empty();
  why.lines = {{{wrong ? shown_.problem : shown_.ready}, wrong ? NoteLine::Role::Error : NoteLine::Role::Muted}};
  View view{"why", std::move(why)};
  const double room = frame_.area.width() - 3 * pad_, count = static_cast<double>(row.parts.size());
  const double taken = count * (std::min(kButton * unit_, share * room) + pad_);
  const double left = room - taken;
  if (wrong || left >= kButton * unit_)
    row.length = std::max(row.length, heightOf(view, std::max(left, unit_), frame_.theme));
  views_.views.push_back(std::move(view));
  Arrangement text = viewNamed("why");
  if (!wrong) text.leastWidth = kButton * unit_, text.order = 1;
  row.parts.push_back(std::move(text));
  return row;
}

/// The fields that are visible for every open group, and the search.
Arrangement OwnViews::always() {
  FieldsContent content{.columns = kColumn};
  for (const char* const place : {kRate, kSteps}) {
    std::optional<FieldRow> made = row(place);
    if (!made) continue;
    made->highlighted = place == choices_.field || place == shown_.problemAt;
    content.rows.push_back(*std::move(made));
  }
  if (!frame_.figure)
    if (auto search = fieldRow(shown_.registry, shown_.document, "training.editor.search"))
      content.rows.push_back(*std::move(search));
  return add("always", std::move(content), true);
}

/// The tabs of the groups, each with the number of changed fields in its group.
Arrangement OwnViews::tabs() {
  ChoiceGroup group{.key = "training.editor.group"};
  const auto tab = [&](const char* word, std::string label) {
    group.choices.push_back({word, std::move(label), choices_.search.empty() && choices_.group == word});
  };
  tab("presets", tr("Presets"));
  for (const OwnGroup& one : ownGroups()) {
    const auto changed = std::ranges::count_if(shown_.differences, [&one](const OwnDifference& difference) {
      return std::string_view(groupOfField(difference.place)) == one.word;
    });
    tab(one.word, changed > 0 ? fmt::format("{} ({})", tr(one.name), changed) : std::string(tr(one.name)));
  }
  return add("groups", ChoicesContent{{std::move(group)}}, true);
}

Arrangement OwnViews::editor() {
  Arrangement column{.kind = Kind::Column, .gap = pad_ / 2, .weight = kEditorShare};
  column.parts.push_back(tabs());
  if (choices_.search.empty() && choices_.group == "data")
    column.parts.push_back(
        add("choose", ChoicesContent{{commandButton("training.own-choose", tr("Choose a text file…"), false)}}, true));
  column.parts.push_back(choices_.search.empty() && choices_.group == "presets" ? presets() : fields());
  return column;
}

/// The rows of all groups that match the search. `others`: receives the names of matching fields without effect now.
std::vector<FieldRow> OwnViews::found(std::string& others) const {
  std::vector<FieldRow> all;
  for (const OwnGroup& group : ownGroups()) {
    std::string heading = tr(group.name);
    for (const train::ConfigField& field : train::configFields()) {
      const auto declared = shown_.registry.find(ownKey(field.place));
      if (isAlways(field.place) || std::string_view(groupOfField(field.place)) != group.word || !declared ||
          !declared->property || !isFound(*declared->property, choices_.search))
        continue;
      if (std::optional<FieldRow> made = row(field.place)) {
        made->heading = std::exchange(heading, {});
        all.push_back(*std::move(made));
      } else {
        others += (others.empty() ? "" : ", ") + nameOf(*declared->property, shown_.document);
      }
    }
  }
  return all;
}

std::vector<FieldRow> OwnViews::ofGroup(std::string_view group) const {
  std::vector<FieldRow> rows;
  for (const train::ConfigField& field : train::configFields())
    if (!isAlways(field.place) && std::string_view(groupOfField(field.place)) == group)
      if (std::optional<FieldRow> made = row(field.place)) rows.push_back(*std::move(made));
  return rows;
}

/// The width and height that the column of the editor has left below its tabs.
std::pair<double, double> OwnViews::roomForFields() const {
  const double inner = frame_.area.width() - 3 * pad_, both = inner - 2 * pad_,
               wide = std::max(kEditorShare * both, both - kMostSide * unit_);
  double high = frame_.area.height() - 6 * pad_ - kStartRow * unit_;
  for (const View& view : views_.views) {
    const bool column = view.name == "groups" || view.name == "choose";
    if (view.name == "always" || column) high -= heightOf(view, column ? wide : inner, frame_.theme) + pad_ / 2;
  }
  return {wide, high};
}

/// Adds the groups after the chosen one, each below its name, as long as they fit completely.
void OwnViews::addGroupsBelow(FieldsContent& content) const {
  const auto groups = ownGroups();
  auto next = std::ranges::find_if(groups, [this](const OwnGroup& one) { return choices_.group == one.word; });
  if (next == groups.end() || content.rows.empty()) return;
  const auto [wide, high] = roomForFields();
  const std::string first = tr(next->name);
  while (++next != groups.end()) {
    std::vector<FieldRow> more = ofGroup(next->word);
    if (more.empty()) continue;
    more.front().heading = tr(next->name);
    FieldsContent longer = content;
    longer.rows.front().heading = first;
    longer.rows.insert(longer.rows.end(), more.begin(), more.end());
    if (heightOf({{}, longer}, wide, frame_.theme) > high) return;
    content = std::move(longer);
  }
}

Arrangement OwnViews::fields() {
  FieldsContent content;
  std::string others;
  if (!choices_.search.empty()) {
    content.rows = found(others);
  } else {
    content.rows = ofGroup(choices_.group);
    addGroupsBelow(content);
  }
  Arrangement column{.kind = Kind::Column, .gap = pad_ / 2};
  if (content.rows.empty())
    column.parts.push_back(sentence("none", others.empty() ? trFormat("No field matches “{}”.", choices_.search)
                                                           : std::string(tr("No field has an effect now."))));
  if (!others.empty()) column.parts.push_back(sentence("others", trFormat("Without effect now: {}.", others)));
  column.parts.push_back(add("fields", std::move(content)));
  return column;
}

/// One card for each preset of a family.
Arrangement OwnViews::presets() {
  const std::span<const PresetFamily> families = presetFamilies();
  const auto chosen =
      std::ranges::find_if(families, [this](const PresetFamily& one) { return choices_.family == one.word; });
  const PresetFamily& family = chosen == families.end() ? families.front() : *chosen;
  ChoiceGroup group{.key = "training.editor.family"};
  for (const PresetFamily& one : families)
    group.choices.push_back({one.word, tr(one.name), &one == &family});
  Arrangement column{.kind = Kind::Column, .gap = pad_ / 2};
  column.parts.push_back(add("families", ChoicesContent{{std::move(group)}}, true));
  column.parts.push_back(sentence("family", tr(family.about)));
  const bool text = shown_.text;
  CardsContent cards{.count = family.presets.size(), .width = kCardWidth, .height = kCardHeight};
  cards.mostHeight = kCardHeight + 1;
  cards.of = Digest().add(family.word, shown_.preset, text).value();
  cards.card = [&family](std::size_t index, const ViewPlace&) {
    const OwnPreset& preset = family.presets[index];
    return Card{.title = tr(preset.title), .lines = {{{tr(preset.about)}, NoteLine::Role::Muted}}, .wraps = true};
  };
  cards.chosen = [&family, file = shown_.preset, text](std::size_t index) {
    const OwnPreset& preset = family.presets[index];
    return preset.file == file && (!preset.ownText || text);
  };
  cards.key = [&family](std::size_t index) {
    return presetControl(family.presets[index].file, family.presets[index].ownText);
  };
  column.parts.push_back(add("presets", std::move(cards)));
  return column;
}

Arrangement OwnViews::side() {
  Arrangement column{.kind = Kind::Column, .gap = pad_ / 2, .weight = 1 - kEditorShare};
  const double both = frame_.area.width() - 5 * pad_;
  if ((1 - kEditorShare) * both > kMostSide * unit_) column.length = kMostSide * unit_;
  column.leastWidth = kSide * unit_;
  column.order = 1;
  column.called = tr("differences and sketch");
  TextContent facts{.scrolls = true};
  for (const std::string& line : shown_.facts)
    facts.lines.push_back({{line}});
  Arrangement lines = add("facts", std::move(facts), true);
  lines.mostShare = kMostOfSide;
  column.parts.push_back(std::move(lines));
  if (!shown_.differences.empty()) column.parts.push_back(table());
  if (shown_.model) column.parts.push_back(sketch());
  return column;
}

/// The table of differences. A click on a row shows its field.
Arrangement OwnViews::table() {
  TableContent content;
  content.columns = {
      {.title = tr("Field"), .share = 0.46}, {.title = tr("was"), .share = 0.27}, {.title = tr("is"), .share = 0.27}};
  std::vector<std::string> places;
  for (const OwnDifference& one : shown_.differences) {
    const auto declared = shown_.registry.find(ownKey(one.place));
    if (!declared || !declared->property) continue;
    if (one.place == choices_.field) content.chosen = places.size();
    places.push_back(one.place);
    content.cells.push_back({nameOf(*declared->property, shown_.document), words(one.place, one.before),
                             "→ " + words(one.place, shown_.registry.get(shown_.document, ownKey(one.place)))});
  }
  content.pick = [places = std::move(places)](std::size_t row) {
    return Changes{{"training.editor.field", places[row]}};
  };
  Arrangement part = add("differences", std::move(content), true);
  part.mostShare = kMostOfSide;
  return part;
}

/// The sketch of the model. A click on a block opens its group and marks its fields; a second click removes the marks.
Arrangement OwnViews::sketch() {
  PictureContent content;
  const auto blocks = [model = *shown_.model](const ViewPlace& place) {
    return sketchBlocks(place.box, model, place.theme);
  };
  const auto at = [blocks](const ViewPlace& place, render::Point point) -> const char* {
    for (const SketchBlock& one : blocks(place))
      if (one.box.contains(point)) return one.block;
    return nullptr;
  };
  content.of = Digest().add(shown_.modelDigest, choices_.block).value();
  content.draw = [blocks, chosen = choices_.block](const ViewPlace& place) {
    std::vector<render::Item> items;
    addModelSketch(items, blocks(place), place.theme, place.figure ? std::string() : chosen);
    return items;
  };
  content.pick = [at, chosen = choices_.block](const ViewPlace& place, render::Point point) -> std::optional<Changes> {
    const char* const block = at(place, point);
    if (!block) return std::nullopt;
    return Changes{{"training.editor.block", std::string(chosen == block ? "none" : block)}};
  };
  content.tip = [at](const ViewPlace& place, render::Point point, const render::Rect& area) {
    std::vector<render::Item> items;
    if (at(place, point)) addTip(items, point, {tr("Show the fields of this block")}, area, place.theme);
    return items;
  };
  content.read = [blocks](const ViewPlace& place) {
    ReadableView view;
    const std::vector<SketchBlock> all = blocks(place);
    view.role = ReadableView::Role::Table;
    view.label = tr("Sketch of the model");
    view.description = tr("Enter shows the fields of a block");
    view.rows = all.size();
    view.cells = [](std::size_t) { return std::size_t{1}; };
    view.text = [all](std::size_t row, std::size_t) {
      return all[row].shape.empty() ? all[row].name : all[row].name + ": " + all[row].shape;
    };
    view.place = [all](std::size_t row, std::size_t) -> std::optional<render::Point> {
      const render::Rect& box = all[row].box;
      return render::Point{(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2};
    };
    view.at = [place = view.place, rows = view.rows](render::Point data) -> std::optional<render::Point> {
      if (data.y < 0 || data.y >= static_cast<double>(rows)) return std::nullopt;
      return place(static_cast<std::size_t>(data.y), 0);
    };
    return view;
  };
  Arrangement part = add("sketch", std::move(content));
  part.leastHeight = kSketch * unit_;
  part.order = 1;
  part.called = tr("sketch");
  return part;
}

}  // namespace

Views ownViews(const OwnViewInput& shown, const RaceFrame& frame) {
  return OwnViews(shown, frame).made();
}

std::string presetControl(const std::string& file, bool ownText) {
  return "training.preset." + (file.empty() ? "defaults" : file) + (ownText ? "-own-text" : "");
}

}  // namespace sepx::ui
