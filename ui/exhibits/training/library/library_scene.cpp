// SPDX-License-Identifier: Apache-2.0
// What the page Library shows: a head with buttons, order and filter; below it cards, the table or what differs.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/training/library/library_page.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

namespace {

constexpr double kCardWidth = 17;  // sizes of the text: the least
constexpr double kCardLines = 4;   // of small text below the title
constexpr double kCurveHeight = 3.6;
constexpr const char* kOrders[] = {"created", "folder", "loss", "validation", "step"};

/// The curve of a loss in a box: from its smallest to its largest value, logarithmic where these are far apart.
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

std::string number(double value) {
  return std::isfinite(value) ? formatReading(value) : "–";
}

void put(StripLine& line, const Theme& theme, StripButton button, bool fromRight = false) {
  line.button(std::move(button), theme.smallSize, 8, fromRight);
  if (fromRight)
    line.skipRight(4);
  else
    line.skip(4);
}

}  // namespace

/// Two lines of buttons, and a line for each notice.
Strip LibraryPage::strip(const RaceFrame& frame) const {
  Strip strip;
  const Theme& theme = frame.theme;
  const double row = stripRow(theme), left = frame.area.min.x + theme.space, right = frame.area.max.x - theme.space;
  const std::size_t chosen = view_.chosen().size();
  StripLine line(strip, frame.area.min.y + theme.space / 2, row, left, right);
  if (frame.figure) return strip;
  put(line, theme, {.key = "training.library-cards", .label = tr("Cards"), .on = state_.look == LibraryLook::Cards});
  put(line, theme, {.key = "training.library-table", .label = tr("Table"), .on = state_.look == LibraryLook::Table});
  put(line, theme, {.key = "training.library-sweep", .label = tr("Sweep"), .on = state_.look == LibraryLook::Sweep});
  const bool differs = state_.look == LibraryLook::Differences;
  if (line.room() > 24 * theme.smallSize || differs)
    put(line, theme,
        {.key = "training.library-differences",
         .label = tr("What differs"),
         .on = differs,
         .enabled = chosen > 1 || differs});
  // What has no room is in the menu; the most important stay.
  const auto beside = [&](const char* key, const std::string& label, bool enabled) {
    if (textWidth(label, theme.smallSize) + 24 < line.room())
      put(line, theme, {.key = key, .label = label, .enabled = enabled}, true);
  };
  const bool roomy = line.room() > 32 * theme.smallSize;
  beside("training.library-open", chosen > 1 && roomy ? tr("Open side by side") : tr("Open"), chosen > 0);
  beside("training.library-weights", tr("In Weights"), chosen == 1);
  beside("training.library-delete", tr("Delete"), chosen > 0);
  if (store_.trashed() > 0) beside("training.library-put-back", tr("Put back"), true);
  line.skipRight(theme.space);
  line.skip(theme.space);
  const std::size_t shown = view_.shown().size(), all = view_.all().size();
  std::string count = all == 1 && shown == 1 ? std::string(tr("1 run"))
                      : shown == all         ? trFormat("{} runs", stepText(static_cast<std::int64_t>(all)))
                                             : trFormat("{} of {} runs", stepText(static_cast<std::int64_t>(shown)),
                                                        stepText(static_cast<std::int64_t>(all)));
  if (state_.look == LibraryLook::Sweep) count.clear();  // the view counts the runs of the plan
  if (chosen > 0) count += (count.empty() ? "" : " · ") + trFormat("{} selected", chosen);
  if (textWidth(count, theme.smallSize) < line.room()) line.text(count, theme.smallSize, theme.textMuted);
  strip.height = row + theme.space;
  if (state_.look == LibraryLook::Sweep)
    strip.height += sweep_.addControls(strip, frame, frame.area.min.y + theme.space / 2 + row);
  else if (state_.look != LibraryLook::Differences)
    addOrder(strip, frame);
  return strip;
}

/// The order of the runs, and by what they are narrowed.
void LibraryPage::addOrder(Strip& strip, const RaceFrame& frame) const {
  const Theme& theme = frame.theme;
  const double row = stripRow(theme), left = frame.area.min.x + theme.space, right = frame.area.max.x - theme.space;
  StripLine below(strip, frame.area.min.y + theme.space / 2 + row, row, left, right);
  if (!view_.all().empty()) {
    below.text(tr("ordered by"), theme.smallSize, theme.textMuted);
    below.skip(theme.space);
    const std::string& sort = view_.fields().keys()[view_.sortField()];
    std::vector<std::string> orders(std::begin(kOrders), std::end(kOrders));
    if (std::ranges::find(orders, sort) == orders.end()) orders.insert(orders.begin(), sort);
    for (const std::string& key : orders) {
      const std::string label = headOf(key) + (key != sort ? "" : state_.descending ? " ↓" : " ↑");
      if (textWidth(label, theme.smallSize) + 24 > below.room()) break;
      const auto sortByIt = [this, key](ExhibitContext& context) {
        if (const auto field = view_.fields().find(key)) sortBy(context, *field);
      };
      put(below, theme, {.key = "training.library-sort-" + key, .label = label, .on = key == sort, .act = sortByIt});
    }
  }
  std::string narrowed;
  if (!state_.search.empty()) narrowed = "“" + state_.search + "”";
  if (!state_.filter.empty()) narrowed += (narrowed.empty() ? "" : " · ") + state_.filter;
  if (!narrowed.empty()) {
    put(below, theme, {.key = "training.library-all", .label = tr("Show all")}, true);
    const double room = below.room() - 2 * theme.space;
    if (room > 6 * theme.textSize)
      below.textRight(elided(narrowed, theme.smallSize, room), theme.smallSize, theme.text);
  }
  if (!view_.all().empty() || !narrowed.empty()) strip.height += row;
}

/// What is wrong, a line each, and what the page says of itself.
std::vector<std::string> LibraryPage::notices(const RaceFrame& frame) const {
  std::vector<std::string> lines;
  std::vector<std::string> problems = view_.problems();
  if (state_.look == LibraryLook::Sweep) {
    const std::vector<std::string> more = sweep_.problems();
    problems.insert(problems.end(), more.begin(), more.end());
  }
  for (const std::string& problem : problems)
    for (std::string& part :
         wrapped(problem, frame.theme.smallSize, std::max(80.0, frame.area.width() - 2 * frame.theme.space)))
      lines.push_back(std::move(part));
  return lines;
}

render::Rect LibraryPage::body(const RaceFrame& frame) const {
  const double pad = frame.theme.space, line = 1.4 * frame.theme.smallSize;
  const auto notes = static_cast<double>(notices(frame).size());
  const double top = frame.figure ? pad : strip(frame).height + pad / 2 + (notes > 0 ? notes * line + pad / 2 : 0);
  render::Rect box{{frame.area.min.x + pad, frame.area.min.y + top}, {frame.area.max.x - pad, frame.area.max.y - pad}};
  box.max.y = std::max(box.max.y, box.min.y + 1);
  return box;
}

std::string LibraryPage::emptySentence() const {
  if (!store_.read() && view_.all().empty()) return tr("Reading the library…");
  if (state_.look == LibraryLook::Sweep) return sweep_.sentence();
  if (state_.look == LibraryLook::Differences && view_.chosen().size() < 2)
    return tr("Choose two runs or more on the cards or in the table, with Ctrl pressed, to see what differs.");
  if (view_.all().empty() && store_.folder().empty())
    return tr("There are no runs yet. Start one on the page Experiments; it is listed here.");
  if (view_.all().empty())
    return trFormat(
        "There are no runs in {}. Start one on the page Experiments, or with sepx train in a terminal; it is "
        "listed here.",
        store_.folder());
  if (view_.shown().empty()) return tr("No run passes search and filter. Press Show all to remove them.");
  return {};
}

LibraryPage::CardGrid LibraryPage::grid(const RaceFrame& frame) const {
  constexpr double kBar = 8;  // points, of the scroll bar
  const Theme& theme = frame.theme;
  CardGrid made;
  made.box = body(frame);
  made.gap = theme.space;
  made.scroll = scroll_;
  const double width = made.box.width() - kBar, least = kCardWidth * theme.textSize;
  perRow_ = made.perRow = static_cast<std::size_t>(std::max(1.0, std::floor((width + made.gap) / (least + made.gap))));
  const auto across = static_cast<double>(made.perRow);
  made.width = (width - (across - 1) * made.gap) / across;
  made.height = 3 * theme.space + (1.5 + kCurveHeight) * theme.textSize + kCardLines * 1.4 * theme.smallSize;
  return made;
}

render::Rect LibraryPage::CardGrid::card(std::size_t index) const {
  const double x = box.min.x + static_cast<double>(index % perRow) * (width + gap);
  const double y = box.min.y + static_cast<double>(index / perRow) * (height + gap) - scroll;
  return {{x, y}, {x + width, y + height}};
}

std::optional<std::size_t> LibraryPage::CardGrid::at(render::Point page) const {
  if (!box.contains(page)) return std::nullopt;
  const auto column = static_cast<std::size_t>((page.x - box.min.x) / (width + gap));
  const auto row = static_cast<std::size_t>((page.y - box.min.y + scroll) / (height + gap));
  const std::size_t index = row * perRow + column;
  return column < perRow && card(index).contains(page) ? std::optional(index) : std::nullopt;
}

double LibraryPage::mostScroll(const RaceFrame& frame) const {
  if (state_.look == LibraryLook::Table) return table(frame.theme, body(frame).width()).mostScroll(look(frame));
  if (state_.look == LibraryLook::Differences) return differences().mostScroll(look(frame));
  if (view_.shown().empty() || state_.look == LibraryLook::Sweep) return 0;
  const CardGrid cards = grid(frame);
  return std::max(0.0, cards.card(view_.shown().size() - 1).max.y + scroll_ - cards.box.max.y);
}

void LibraryPage::reveal(const RaceFrame& frame, std::size_t row) {
  if (state_.look == LibraryLook::Table) {
    scroll_ = table(frame.theme, body(frame).width()).reveal(look(frame), scroll_, row);
  } else if (state_.look == LibraryLook::Cards) {
    const CardGrid cards = grid(frame);
    const render::Rect card = cards.card(row);
    if (card.max.y > cards.box.max.y) scroll_ += card.max.y - cards.box.max.y;
    if (card.min.y < cards.box.min.y) scroll_ -= cards.box.min.y - card.min.y;
    scroll_ = std::clamp(scroll_, 0.0, mostScroll(frame));
  }
}

std::optional<std::size_t> LibraryPage::rowAt(const RaceFrame& frame, render::Point at) const {
  const bool rows = state_.look == LibraryLook::Table || state_.look == LibraryLook::Cards;
  if (!rows || view_.shown().empty()) return std::nullopt;
  if (state_.look == LibraryLook::Table) return table(frame.theme, body(frame).width()).rowAt(look(frame), scroll_, at);
  const auto card = grid(frame).at(at);
  return card && *card < view_.shown().size() ? card : std::nullopt;
}

void LibraryPage::addCard(std::vector<render::Item>& items, const RaceFrame& frame, const train::RunSummary& run,
                          const render::Rect& box, bool over) const {
  const Theme& theme = frame.theme;
  const double pad = theme.space, line = 1.4 * theme.smallSize, width = box.width() - 2 * pad;
  const bool chosen = !frame.figure && view_.isChosen(run);
  addBox(items, box, theme.radius, over ? theme.surfaceRaised : theme.surface, chosen ? theme.accent : theme.border);
  if (chosen) addBox(items, box, theme.radius, faded(theme.accent, 0.15f), theme.accent);
  const auto words = [&](const char* key) {
    return valueWords(key, view_.fields().of(run, view_.fields().find(key).value_or(0)));
  };
  const std::string state = words("state");
  double y = box.min.y + pad + theme.textSize / 2;
  const double stateWidth = textWidth(state, theme.smallSize);
  items.emplace_back(textAt({box.max.x - pad, y}, state, theme.smallSize, theme.textMuted, render::AlignX::Right));
  const render::Color color = stateColor(run, theme);
  items.emplace_back(render::Marker{{box.max.x - pad - stateWidth - 9, y},
                                    run.alive ? render::Shape::Triangle : render::Shape::Circle,
                                    8,
                                    color,
                                    color,
                                    1,
                                    render::Space::Page});
  render::Label title =
      textAt({box.min.x + pad, y}, shortenedName(view_.nameOf(run), theme.textSize, (width - stateWidth - 24) / 1.14),
             theme.textSize, theme.text);
  title.bold = true;
  items.emplace_back(std::move(title));
  const render::Rect curve{{box.min.x + pad, y + theme.textSize},
                           {box.max.x - pad, y + (1 + kCurveHeight) * theme.textSize}};
  items.emplace_back(pageFill(curve, theme.plotBackground));
  y = curve.max.y + pad / 2 + line / 2;
  const auto text = [&](const std::string& what, render::Color ink) {
    items.emplace_back(textAt({box.min.x + pad, y}, elided(what, theme.smallSize, width), theme.smallSize, ink));
    y += line;
  };
  if (!run.failure.empty()) {
    if (frame.figure) return;  // what went wrong may name files
    for (const std::string& part : wrapped(sentenceCase(run.failure), theme.smallSize, width)) {
      if (y > box.max.y - line / 2) break;
      text(part, theme.error);
    }
    return;
  }
  const render::Rect inner{{curve.min.x + 3, curve.min.y + 5}, {curve.max.x - 3, curve.max.y - 5}};
  addCurve(items, inner, run, chosen ? theme.accent : theme.text, 1.5f);
  text(trFormat("loss {} · validation {}", number(run.metric("loss")), number(run.metric("validation"))), theme.text);
  text(trFormat("step {} of {}", stepText(run.record.step), stepText(run.record.steps)) + " · " + words("created"),
       theme.textMuted);
  text(trFormat("{} · layers {} · d = {} · {}", words("objective.kind"), words("model.layers"), words("model.d_model"),
                words("data.kind")),
       theme.textMuted);
  std::string own = words("tags");
  if (own == "–") own.clear();
  if (!run.own.notes.empty()) own += (own.empty() ? "" : " · ") + words("notes");
  text(own, theme.text);
}

std::vector<render::Item> LibraryPage::content(const RaceFrame& frame) const {
  std::vector<render::Item> items;
  const Theme& theme = frame.theme;
  const render::Rect box = body(frame);
  const std::optional<std::size_t> over = frame.pointer ? rowAt(frame, *frame.pointer) : std::nullopt;
  if (state_.look == LibraryLook::Differences) {
    TableView::Look at = look(frame);
    const TableView rows = differences();
    rows.draw(items, at, scroll_);
    return items;
  }
  if (state_.look == LibraryLook::Table) {
    TableView rows = table(theme, box.width());
    TableView::Look at = look(frame);
    at.hovered = over;
    rows.chosen = [this](std::size_t row) { return view_.isChosen(*view_.shown()[row]); };
    rows.color = [this, &theme](std::size_t row, std::size_t column) {
      const train::RunSummary& run = *view_.shown()[row];
      if (!run.failure.empty()) return theme.error;
      return column == 0 ? theme.text : theme.textMuted;
    };
    const double half = TableView::rowHeight(theme) / 2 - 3;
    rows.drawMark = [this, &theme, half](std::vector<render::Item>& to, std::size_t row, std::size_t,
                                         render::Point left) {
      const train::RunSummary& run = *view_.shown()[row];
      addCurve(to, {{left.x, left.y - half}, {left.x + kSparkWidth, left.y + half}}, run, theme.accent, 1.2f);
    };
    rows.draw(items, at, scroll_);
    return items;
  }
  const CardGrid cards = grid(frame);
  const auto above = static_cast<std::size_t>(scroll_ / (cards.height + cards.gap)) * cards.perRow;
  for (std::size_t i = above; i < view_.shown().size(); ++i) {
    const render::Rect card = cards.card(i);
    if (card.min.y > box.max.y + 2 * theme.space) break;
    addCard(items, frame, *view_.shown()[i], card, over == i);
  }
  const double most = mostScroll(frame);
  if (most > 0 && !frame.figure) {
    const double span = std::max(14.0, box.height() * box.height() / (box.height() + most));
    const double top = box.min.y + (box.height() - span) * scroll_ / most;
    items.emplace_back(pageFill({{box.max.x - 5, top}, {box.max.x - 1, top + span}}, faded(theme.textMuted, 0.8f)));
  }
  return items;
}

/// Over the cards that are scrolled below it.
std::vector<render::Item> LibraryPage::head(const RaceFrame& frame) const {
  std::vector<render::Item> items;
  const Theme& theme = frame.theme;
  const render::Rect box = body(frame);
  items.emplace_back(pageFill({frame.area.min, {frame.area.max.x, box.min.y - theme.space / 4}}, theme.plotBackground));
  const Strip buttons = strip(frame);
  addButtons(items, buttons, theme, frame.pointer);
  double y = frame.area.min.y + buttons.height + 0.7 * theme.smallSize;
  for (const std::string& line : notices(frame)) {
    items.emplace_back(textAt({frame.area.min.x + theme.space, y}, line, theme.smallSize, theme.error));
    y += 1.4 * theme.smallSize;
  }
  return items;
}

void LibraryPage::drawContent(const RaceFrame& frame, std::vector<render::Layer>& into) {
  LayerKey key =
      keyWith(frameKey(frame), view_.revision(), scroll_, store_.read(), store_.trashed(), sweep_.revision());
  const std::string sentence = emptySentence();
  if (!sentence.empty()) {
    RaceFrame below(frame.shared, frame.theme, body(frame), std::nullopt, frame.figure, frame.compact);
    layers_.addSentence(into, "training.library.sentence", below, sentence);
  } else if (state_.look == LibraryLook::Sweep) {
    sweep_.draw(frame, body(frame), layers_, into, frameKey(frame));
  } else {
    const auto over = frame.pointer ? rowAt(frame, *frame.pointer) : std::nullopt;
    layers_.add(into, "training.library.runs", keyWith(key, over ? *over + 1 : 0), [&] { return content(frame); });
  }
  if (frame.figure) return;
  if (const auto cut = sentence.empty() ? cutText(frame) : std::nullopt)
    layers_.add(into, "training.library.tip", keyWith(key, *cut, *frame.pointer), [&] {
      std::vector<render::Item> items;
      const double width = std::min(0.6 * frame.area.width(), 46.0 * frame.theme.smallSize);
      addTip(items, *frame.pointer, wrapped(*cut, frame.theme.smallSize, width), frame.area, frame.theme);
      return items;
    });
  const Strip buttons = strip(frame);
  const StripButton* const under = frame.pointer ? buttons.at(*frame.pointer) : nullptr;
  layers_.add(into, "training.library.head", keyWith(key, under ? under->key : std::string()),
              [&] { return head(frame); });
}

}  // namespace sepx::ui
