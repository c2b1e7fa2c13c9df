// SPDX-License-Identifier: Apache-2.0
// The views of the page Library: buttons, search and filter, order and columns, and below them cards, a table, what
// differs, or a sweep.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "ui/canvas/fitting.h"
#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/training/library/library_page.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

namespace {

constexpr double kSparkWidth = 48;                   // points, of a curve in a row
constexpr double kLow = 32;                          // multiples of the type size, height of a low pane
constexpr double kFieldWidth = 12;                   // multiples of the type size, for search and for filter
constexpr double kLeastFind = 26, kLeastOrder = 50;  // likewise: least widths; if both fit, they are in one row
constexpr double kLeastRuns = 11;                    // likewise, height: with less, only the runs are shown
constexpr const char* kOrders[] = {"created", "used", "folder", "loss", "validation", "step"};
/// The columns with a check box. Any other field can be typed into the list of columns.
constexpr const char* kColumns[] = {"state",          "step",      "loss",   "validation", "symmetry",
                                    "directionality", "objective", "layers", "d_model",    "heads",
                                    "data",           "tags",      "notes",  "created",    "used"};

/// Draws a loss curve in a box, from its smallest to its largest value, logarithmic if these are far apart.
void addCurve(std::vector<render::Item>& items, const render::Rect& box, const train::RunSummary& run,
              render::Color color, float width) {
  constexpr double kFar = 20;
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const float value : run.curve) {
    if (!std::isfinite(value)) continue;
    least = std::min(least, static_cast<double>(value));
    most = std::max(most, static_cast<double>(value));
  }
  if (!(least <= most) || run.curve.size() < 2) return;
  const bool logarithmic = least > 0 && most / least > kFar;
  const auto height = [&](double value) {
    const double from = logarithmic ? std::log(least) : least, to = logarithmic ? std::log(most) : most;
    return to > from ? ((logarithmic ? std::log(value) : value) - from) / (to - from) : 0.5;
  };
  const double last = run.curveSteps.back();
  render::Polyline line;
  line.stroke = {color, width};
  line.space = render::Space::Page;
  for (std::size_t i = 0; i < run.curve.size(); ++i) {
    const auto value = static_cast<double>(run.curve[i]);
    const double x = box.min.x + (last > 0 ? static_cast<double>(run.curveSteps[i]) / last : 0) * box.width();
    line.points.push_back({x, std::isfinite(value) ? box.max.y - height(value) * box.height() : std::nan("")});
  }
  items.emplace_back(std::move(line));
}

/// The colour of a mark beside the word of a state.
render::Color stateColor(const train::RunSummary& run, const Theme& theme) {
  if (!run.failure.empty() || run.record.state == train::RunState::Failed) return theme.error;
  if (run.alive) return theme.globalMin;
  if (run.killed || run.record.state == train::RunState::Stopped) return theme.saddle;
  return theme.textMuted;
}

/// Marks the label like a check box, so that the state is not shown by colour alone.
std::string checked(const std::string& label, bool on) {
  return (on ? "✓ " : "") + label;
}

std::string number(double value) {
  return std::isfinite(value) ? formatReading(value) : "–";
}

}  // namespace

std::string LibraryPage::countText() const {
  const std::size_t shown = view_.shown().size(), all = view_.all().size(), chosen = view_.chosen().size();
  std::string count = all == 1 && shown == 1 ? std::string(tr("1 run"))
                      : shown == all         ? trFormat("{} runs", stepText(static_cast<std::int64_t>(all)))
                                             : trFormat("{} of {} runs", stepText(static_cast<std::int64_t>(shown)),
                                                        stepText(static_cast<std::int64_t>(all)));
  if (state_.look == LibraryMode::Sweep) count.clear();  // the view counts the runs of the plan
  if (chosen > 0) count += (count.empty() ? "" : " · ") + trFormat("{} selected", chosen);
  return count;
}

ChoicesContent LibraryPage::head(const RaceFrame& frame) const {
  constexpr double kRoomy = 50;  // width with room for the count and long names, multiples of the small type size
  const bool roomy = frame.area.width() > kRoomy * static_cast<double>(frame.theme.smallSize);
  const std::size_t chosen = view_.chosen().size();
  const bool differs = state_.look == LibraryMode::Differences;
  ChoicesContent head{
      {commandButton("training.library-cards", tr("Cards"), state_.look == LibraryMode::Cards),
       commandButton("training.library-table", tr("Table"), state_.look == LibraryMode::Table),
       commandButton("training.library-sweep", tr("Sweep"), state_.look == LibraryMode::Sweep),
       commandButton("training.library-differences", tr("What differs"), differs, chosen > 1 || differs),
       {.name = roomy ? countText() : std::string()}}};
  const auto right = [&head](const char* key, const char* label, bool enabled) {
    head.groups.push_back(commandButton(key, label, false, enabled, true));
  };
  if (store_.trashed() > 0) right("training.library-put-back", tr("Put back"), true);
  right("training.library-delete", tr("Delete"), chosen > 0);
  right("training.library-weights", tr("In Weights"), chosen == 1);
  right("training.library-branch", tr("Branch…"), chosen == 1);
  right("training.library-open", chosen > 1 && roomy ? tr("Open side by side") : tr("Open"), chosen > 0);
  return head;
}

/// Buttons for the order of the runs, and for conditions that narrow them down.
ChoicesContent LibraryPage::order() const {
  ChoicesContent order;
  if (!view_.all().empty()) {
    ChoiceGroup& group = order.groups.emplace_back();
    group.name = tr("ordered by");
    const std::string& sort = view_.fields().keys()[view_.sortField()];
    std::vector<std::string> orders(std::begin(kOrders), std::end(kOrders));
    if (std::ranges::find(orders, sort) == orders.end()) orders.insert(orders.begin(), sort);
    for (const std::string& key : orders) {
      const auto sortByIt = [this, key](ExhibitContext& context) {
        if (const auto field = view_.fields().find(key)) sortBy(context, *field);
      };
      group.choices.push_back({.label = headOf(key) + (key != sort         ? ""
                                                       : state_.descending ? " ↓"
                                                                           : " ↑"),
                               .on = key == sort,
                               .act = sortByIt,
                               .control = "training.library-sort-" + key});
    }
  }
  order.groups.push_back({.name = tr("only"), .choices = conditions()});
  if (view_.ofLessons() > 0 || state_.lessons)
    order.groups.push_back(commandButton("training.library-lessons",
                                         checked(trFormat("Lessons ({})", view_.ofLessons()), state_.lessons),
                                         state_.lessons));
  if (state_.look == LibraryMode::Table && !columnsShown_)
    order.groups.push_back(commandButton("training.library-columns", tr("Columns"), false));
  if (!state_.search.empty() || !state_.filter.empty())
    order.groups.push_back(commandButton("training.library-all", tr("Show all"), false, true, true));
  return order;
}

/// Conditions of the filter that a press adds or removes.
std::vector<ChoiceGroup::Choice> LibraryPage::conditions() const {
  const std::pair<const char*, const char*> offered[] = {{"created = today", N_("today")},
                                                         {"created = yesterday", N_("yesterday")},
                                                         {"state = running", N_("running")},
                                                         {"state = interrupted", N_("interrupted")}};
  std::vector<ChoiceGroup::Choice> choices;
  for (const auto& [condition, label] : offered) {
    const auto turn = [this, of = std::string(condition)](ExhibitContext& context) {
      std::string filter = state_.filter;
      // Only one of the two days, and one of the two states, can be set at a time.
      for (const char* const other :
           {"created = today", "created = yesterday", "state = running", "state = interrupted"})
        if (of != other && of.starts_with(std::string_view(other).substr(0, 5)) && hasCondition(filter, other))
          filter = withConditionToggled(filter, other);
      context.editor.replace(
          context.editor.document().with("training.library.filter", withConditionToggled(filter, of)));
    };
    choices.push_back({.label = tr(label),
                       .on = hasCondition(state_.filter, condition),
                       .act = turn,
                       .control = "training.library-only-" + std::string(label)});
  }
  return choices;
}

/// Check boxes of the columns.
ChoicesContent LibraryPage::columns() const {
  ChoicesContent columns;
  columns.groups.push_back(commandButton("training.library-columns", tr("Columns"), true));
  ChoiceGroup& group = columns.groups.emplace_back();
  for (const char* const key : kColumns) {
    const auto field = view_.fields().find(key);
    if (!field) continue;
    const bool on = std::ranges::find(view_.columns(), *field) != view_.columns().end();
    const auto turn = [this, key, on, at = *field](ExhibitContext& context) {
      std::string words;
      for (const std::size_t column : view_.columns())
        if (column != at) words += view_.fields().keys()[column] + " ";
      if (!on) words += std::string(key) + " ";
      if (!words.empty()) words.pop_back();
      context.editor.replace(context.editor.document().with("training.library.columns", words));
    };
    group.choices.push_back({.label = checked(headOf(view_.fields().keys()[*field]), on),
                             .on = on,
                             .act = turn,
                             .control = "training.library-column-" + std::string(key)});
  }
  return columns;
}

/// The problems of the list, and those of the sweep.
std::vector<std::string> LibraryPage::problems() const {
  std::vector<std::string> problems = view_.problems();
  if (state_.look == LibraryMode::Sweep) std::ranges::move(sweep_.problems(), std::back_inserter(problems));
  return problems;
}

std::string LibraryPage::emptySentence() const {
  if (!store_.read() && view_.all().empty()) return tr("Reading the library…");
  if (state_.look == LibraryMode::Sweep) return sweep_.sentence();
  if (state_.look == LibraryMode::Differences && view_.chosen().size() < 2)
    return tr("To see what differs, hold Ctrl and click two or more runs on the cards or in the table.");
  if (view_.all().empty() && store_.folder().empty())
    return tr("There are no runs yet. Start one on the page Experiments; it then appears here.");
  if (view_.all().empty())
    return trFormat(
        "There are no runs in {}. Start one on the page Experiments, or with sepx train in a terminal; it then "
        "appears here.",
        store_.folder());
  if (view_.shown().empty()) return tr("No run passes search and filter. Press Show all to clear both.");
  return {};
}

Card LibraryPage::card(const train::RunSummary& run, const ViewPlace& place) const {
  const Theme& theme = place.theme;
  const auto words = [&](const char* key) {
    return valueWords(key, view_.fields().of(run, view_.fields().find(key).value_or(0)));
  };
  const render::Color color = stateColor(run, theme);
  Card card{.title = view_.titleOf(run),
            .corner = words("state"),
            .mark = ChartLook{.color = color, .marker = run.alive ? render::Shape::Triangle : render::Shape::Circle}};
  if (!run.failure.empty()) {
    if (!place.figure) card.lines = {{{sentenceCase(run.failure)}, NoteLine::Role::Error}};  // it may name files
    card.wraps = true;
    return card;
  }
  const render::Color ink = !place.figure && view_.isChosen(run) ? theme.selection : theme.text;
  card.picture = [&run, ink](std::vector<render::Item>& items, const render::Rect& box) {
    addCurve(items, box, run, ink, 1.5f);
  };
  // The time by whose day the run is grouped.
  const bool byUse = view_.fields().keys()[view_.sortField()] == "used";
  const std::string when = byUse ? trFormat("used {}", words("used")) : words("created");
  std::string own = words("tags");
  if (own == "–") own.clear();
  if (!run.own.notes.empty()) own += (own.empty() ? "" : " · ") + words("notes");
  card.lines = {{{trFormat("loss {} · validation {}", number(run.metric("loss")), number(run.metric("validation")))}},
                {{trFormat("step {} of {}", stepText(run.record.step), stepText(run.record.steps)) + " · " + when},
                 NoteLine::Role::Muted},
                {{trFormat("{} · layers {} · d = {} · {}", words("objective.kind"), words("model.layers"),
                           words("model.d_model"), words("data.kind"))},
                 NoteLine::Role::Muted},
                {{own}}};
  return card;
}

CardsContent LibraryPage::cards() const {
  CardsContent cards;
  cards.count = view_.shown().size();
  cards.of = view_.revision();
  cards.card = [this](std::size_t index, const ViewPlace& place) { return card(*view_.shown()[index], place); };
  cards.groups = view_.groups();
  cards.chosen = [this](std::size_t index) { return view_.isChosen(*view_.shown()[index]); };
  cards.height = 10.5;
  cards.mostHeight = 34;
  return cards;
}

TableView LibraryPage::table(const ViewPlace& place) const {
  TableView table;
  const Theme& theme = place.theme;
  const train::RunFields& fields = view_.fields();
  const auto head = [&](std::size_t field) {
    const std::string arrow = field != view_.sortField() ? "" : state_.descending ? " ↓" : " ↑";
    return headOf(fields.keys()[field]) + arrow;
  };
  table.columns.push_back({.title = head(fields.find("folder").value_or(0)), .mark = kSparkWidth + 10});
  for (const std::size_t field : view_.columns())
    table.columns.push_back({.title = head(field), .right = fields.isNumber(field)});
  const std::vector<LibraryRows::Row>& rows = view_.rows();
  const auto runOf = [this, &rows](std::size_t row) {
    return rows[row].run ? view_.shown()[*rows[row].run].get() : nullptr;
  };
  table.rows = rows.size();
  table.text = [this, &rows, runOf](std::size_t row, std::size_t column) {
    const train::RunSummary* const run = runOf(row);
    if (!run) return column == 0 ? view_.groups()[rows[row].group].title : std::string();
    if (column == 0) return view_.titleOf(*run);
    const std::size_t field = view_.columns()[column - 1];
    return valueWords(view_.fields().keys()[field], view_.fields().of(*run, field));
  };
  table.fit(theme, place.box.width());
  const double room = table.room({&theme, place.box}, 0);
  table.text = [text = std::move(table.text), room, size = theme.smallSize](std::size_t row, std::size_t column) {
    return column == 0 ? shortenedName(text(row, column), size, room) : text(row, column);
  };
  table.chosen = [this, runOf](std::size_t row) { return runOf(row) && view_.isChosen(*runOf(row)); };
  table.color = [&theme, runOf](std::size_t row, std::size_t column) {
    const train::RunSummary* const run = runOf(row);
    if (run && !run->failure.empty()) return theme.error;
    return column == 0 ? theme.text : theme.textMuted;
  };
  table.drawBehind = [&theme, runOf](std::vector<render::Item>& to, std::size_t row, std::size_t,
                                     const render::Rect& cell) {
    if (!runOf(row)) to.emplace_back(pageFill(cell, theme.surfaceRaised));
  };
  const double half = TableView::rowHeight(theme, true) / 2 - 3;
  table.drawMark = [&theme, half, runOf](std::vector<render::Item>& to, std::size_t row, std::size_t,
                                         render::Point left) {
    if (const train::RunSummary* const run = runOf(row))
      addCurve(to, {{left.x, left.y - half}, {left.x + kSparkWidth, left.y + half}}, *run, theme.accent, 1.2f);
  };
  return table;
}

TableContent LibraryPage::runs() const {
  TableContent runs;
  runs.make = [this](const ViewPlace& place) { return table(place); };
  runs.of = view_.revision();
  runs.pressed = runs.headsPressed = true;
  return runs;
}

/// One row per field. For two runs it also shows the difference of each metric.
TableContent LibraryPage::differences() const {
  TableContent table;
  const train::RunList& chosen = view_.chosen();
  const bool two = chosen.size() == 2;
  table.columns.push_back({.title = tr("field, final metric"), .share = 1.4});
  for (const auto& run : chosen)
    table.columns.push_back({.title = view_.titleOf(*run), .share = 1, .right = true});
  if (two) table.columns.push_back({.title = tr("second minus first"), .share = 0.8, .right = true});
  for (const train::RunDifference& one : train::whatDiffers(chosen)) {
    std::vector<std::string>& row = table.cells.emplace_back();
    row.push_back(one.key);
    for (const train::RunValue& value : one.values)
      row.push_back(valueWords(one.key, value));
    const auto *const a = std::get_if<double>(&one.values[0]), *const b = std::get_if<double>(&one.values[1]);
    if (two) row.push_back(one.metric && a && b ? formatReading(*b - *a) : "");
  }
  return table;
}

/// Search and filter, and the order of the runs.
Arrangement LibraryPage::narrowing(const RaceFrame& frame, Views& made) const {
  const double unit = frame.theme.textSize;
  Arrangement row{
      .kind = Arrangement::Kind::Row, .gap = frame.theme.space, .natural = true, .breaks = true, .order = 1};
  row.called = tr("search, filter and order of the runs");
  const auto add = [&](const char* name, auto content, double least) {
    made.views.push_back({name, std::move(content)});
    row.parts.push_back(asHighAsContent(name));
    row.parts.back().leastWidth = least * unit;
    row.parts.back().weight = least;
  };
  if (!frame.figure) add("find", FieldsContent{found_, kFieldWidth}, kLeastFind);
  add("order", order(), kLeastOrder);
  return row;
}

Views LibraryPage::views(const RaceFrame& frame) const {
  Views made;
  made.arrangement = {.kind = Arrangement::Kind::Column, .gap = frame.theme.space / 2, .margin = frame.theme.space};
  const auto above = [&made](const char* name, auto content) {
    made.views.push_back({name, std::move(content)});
    made.arrangement.parts.push_back(asHighAsContent(name));
  };
  const bool boxes = state_.look == LibraryMode::Table && columnsShown_;
  // In a low pane the check boxes replace search, filter and order, so that the table has room.
  const bool low = boxes && frame.area.height() < kLow * static_cast<double>(frame.theme.textSize);
  above("head", head(frame));
  const bool listed = state_.look == LibraryMode::Cards || state_.look == LibraryMode::Table;
  if (listed && !low) made.arrangement.parts.push_back(narrowing(frame, made));
  if (state_.look == LibraryMode::Sweep) above("order", sweep_.controls(frame));
  if (boxes) above("columns", columns());
  TextContent wrong;
  for (const std::string& problem : frame.figure ? std::vector<std::string>() : problems())
    wrong.lines.push_back({{problem}, NoteLine::Role::Error});
  above("problems", std::move(wrong));
  const auto below = [&](const char* name, auto content) {
    made.views.push_back({name, std::move(content)});
    made.arrangement.parts.push_back(viewNamed(name));
    made.arrangement.parts.back().leastHeight = kLeastRuns * static_cast<double>(frame.theme.textSize);
  };
  if (const std::string sentence = emptySentence(); !sentence.empty()) {
    below("sentence", TextContent{.lines = {{{sentence}}}, .centred = true});
  } else if (state_.look == LibraryMode::Cards) {
    below("runs", cards());
  } else if (state_.look == LibraryMode::Table) {
    below("runs", runs());
  } else if (state_.look == LibraryMode::Differences) {
    below("runs", differences());
  } else {
    made.arrangement.parts.push_back(sweep_.addViews(made, frame));
  }
  return made;
}

}  // namespace sepx::ui
