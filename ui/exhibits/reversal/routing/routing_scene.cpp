// SPDX-License-Identifier: Apache-2.0
// Draws the page Routing: one half for each query, with (from top to bottom) the tokens, the attention, its products
// with the storage, the column of Y, and the parts of the logit.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "ui/exhibits/reversal/routing/routing_page.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"
#include "ui/views/matrix_view.h"

namespace sepx::ui {

namespace {

constexpr int kOutputs = data::kPairMask;  // [M] is never an answer
constexpr double kWidestCell = 100;        // points
constexpr double kLabelShare = 0.41;       // share of the width of the parts for their names

struct PartRow {
  const char* label;
  double reversal::LogitParts::*member;  ///< null: the sum
};
constexpr PartRow kParts[] = {{N_("storage × routing"), &reversal::LogitParts::storage},
                              {N_("residual stream"), &reversal::LogitParts::residual},
                              {N_("feed-forward part"), &reversal::LogitParts::feedForward},
                              {N_("norms"), &reversal::LogitParts::norms},
                              {N_("biases"), &reversal::LogitParts::biases},
                              {N_("logit"), nullptr}};

constexpr double kPartRows = static_cast<double>(std::size(kParts)) + 1;  // with the heading
constexpr double kLeastPart = 1.6;     // least width of a column of parts, in widths of a number
constexpr double kLeastPartRow = 1.1;  // least height, in sizes of small type

/// A section below the tokens. Heights are in sizes of small type.
struct Section {
  double least;  ///< height that it needs
  double share;  ///< of the room that remains when each has the height that it needs
};
constexpr Section kAlpha{3.2, 0.27}, kProducts{3.4, 0.32}, kColumn{5.4, 0.41},
    kPartTable{kLeastPartRow * kPartRows + 0.3, 0.36};
constexpr double kMostParts = 12.3;

struct SectionHeights {
  double alpha = 0, products = 0, column = 0, parts = 0;
};

/// A low page leaves out the column; a lower one also the table of parts, then the products. The other sections take
/// all the room.
SectionHeights sectionHeights(double room, double small) {
  const double all = room / small, two = kAlpha.least + kProducts.least;
  const bool products = all >= two, parts = all >= two + kPartTable.least;
  const bool column = all >= two + kPartTable.least + kColumn.least;
  SectionHeights heights;
  double left = all - kAlpha.least, shares = kAlpha.share;
  for (const auto& [shown, section] : {std::pair(products, &kProducts), std::pair(column, &kColumn)}) {
    left -= shown ? section->least : 0;
    shares += shown ? section->share : 0;
  }
  if (parts) {
    heights.parts = std::min(kMostParts, kPartTable.least + kPartTable.share * (left - kPartTable.least));
    left -= heights.parts;
  }
  const auto height = [&](bool shown, const Section& of) {
    return shown ? std::max(0.0, of.least + of.share / shares * left) * small : 0;
  };
  heights.alpha = height(true, kAlpha);
  heights.products = height(products, kProducts);
  heights.column = height(column, kColumn);
  heights.parts *= small;
  return heights;
}

double valueOf(const reversal::LogitParts& parts, const PartRow& row) {
  return row.member ? parts.*row.member : parts.sum();
}

/// A filled box between two heights.
void addBar(std::vector<render::Item>& items, double left, double right, double zero, double end, render::Color color) {
  items.emplace_back(pageFill({{left, std::min(zero, end)}, {right, std::max(zero, end)}}, color));
}

std::string shareText(double share) {
  if (share < 0.0005) return "0 %";
  return share >= 0.0995 ? fmt::format("{:.0f} %", 100 * share) : shownShare(share);
}

}  // namespace

ChoicesContent RoutingPage::choices() const {
  return {{{"reversal.routing.attention",
            tr("attention:"),
            {{"own", tr("its own"), !switches_.transplant}, {"other", tr("of the other query"), switches_.transplant}}},
           {"reversal.routing.order",
            tr("positions:"),
            {{"kept", tr("in order"), !switches_.shuffle}, {"shuffled", tr("shuffled"), switches_.shuffle}}},
           {"reversal.routing.encoding",
            tr("encoding:"),
            {{"trained", tr("as trained"), !switches_.positions},
             {"none", tr("none"), switches_.positions == nn::Positions::None},
             {"rope", "RoPE", switches_.positions == nn::Positions::Rope},
             {"alibi", "ALiBi", switches_.positions == nn::Positions::Alibi}}}}};
}

RoutingPage::Half RoutingPage::halfOf(const render::Rect& box, const Theme& theme) const {
  const double small = theme.smallSize, width = std::max(1.0, box.width());
  const double length = result_ ? static_cast<double>(result_->pair.length) : 10;
  const SectionHeights heights = sectionHeights(std::max(0.0, box.height() - 4.2 * small), small);  // below the tokens
  const auto row = [&](double from, double to) {
    return render::Rect{{box.min.x, from}, {box.min.x + width, std::max(from, to)}};
  };
  Half half;
  half.title = row(box.min.y, box.min.y + 1.8 * small);
  half.strip = row(half.title.max.y, half.title.max.y + 2.2 * small);
  half.cell = std::min(kWidestCell, width / length);
  const double below = half.strip.max.y + 0.2 * small;
  half.alpha = row(below, below + heights.alpha);
  half.product = row(half.alpha.max.y, half.alpha.max.y + heights.products);
  half.column = row(half.product.max.y, half.product.max.y + heights.column);
  const double parts = half.column.max.y + 0.3 * small;
  half.parts = row(parts, heights.parts > 0 ? box.max.y : parts);
  return half;
}

std::optional<RoutingPage::Hit> RoutingPage::hitAt(const ViewPlace& place, reversal::Direction direction,
                                                   render::Point page) const {
  if (!result_) return std::nullopt;
  const Half half = halfOf(place.box, place.theme);
  const render::Rect places{half.strip.min, {half.strip.max.x, std::max(half.alpha.max.y, half.product.max.y)}};
  if (places.contains(page)) {
    const int at = static_cast<int>(std::floor((page.x - places.min.x) / std::max(half.cell, 1.0)));
    if (at < 0 || at >= result_->pair.length) return std::nullopt;
    return Hit{direction, at, std::nullopt, half.strip.contains(page)};
  }
  if (!half.column.contains(page) || half.column.height() <= 1) return std::nullopt;
  const double each = half.column.width() / kOutputs;
  return Hit{direction, std::nullopt,
             std::clamp(static_cast<int>((page.x - half.column.min.x) / each), 0, kOutputs - 1), false};
}

RoutingPage::Limits RoutingPage::limits() const {
  Limits most;
  for (const RoutedQuery& of : result_->queries) {
    most.product.reach(of.route.contributions, of.route.contributions.size());
    most.column.reach(of.route.column, kOutputs);
    for (const PartRow& row : kParts)
      for (const reversal::LogitParts* parts : {&of.route.target, &of.route.placeholder})
        most.parts = std::max(most.parts, std::abs(valueOf(*parts, row)));
  }
  return most;
}

void RoutingPage::addTitle(std::vector<render::Item>& items, const Theme& theme, const Half& half,
                           reversal::Direction direction) const {
  const RoutedQuery& of = result_->of(direction);
  const bool forward = direction == reversal::Direction::Forward;
  const double y = (half.title.min.y + half.title.max.y) / 2;
  const std::string target = tokenWord(of.query.target), answer = tokenWord(of.answer);
  const std::string says = trFormat("answers {}, p({}) = {}", answer, target, shownFixed(of.route.probability, 3));
  const double room = half.title.width() - textWidth(says, theme.smallSize) - 10;
  std::string name = forward ? tr("Forward: the order of training") : tr("Reverse: never seen in training");
  if (textWidth(name, theme.textSize) > room) name = forward ? tr("Forward") : tr("Reverse");
  if (textWidth(name, theme.textSize) <= room)
    items.emplace_back(textAt({half.title.min.x, y}, name, theme.textSize, theme.text));
  items.emplace_back(textAt({half.title.max.x, y}, elided(says, theme.smallSize, half.title.width()), theme.smallSize,
                            of.answer == of.query.target ? theme.accent
                            : result_->masks             ? theme.error
                                                         : theme.textMuted,
                            render::AlignX::Right));
}

void RoutingPage::addTokens(std::vector<render::Item>& items, const Theme& theme, const Half& half,
                            const RoutedQuery& of) const {
  const double size = std::min<double>(theme.textSize, 0.62 * half.cell);
  for (int k = 0; k < result_->pair.length; ++k) {
    const render::Rect cell = half.cellOf(half.strip, k);
    const bool inside = static_cast<std::size_t>(k) < of.query.tokens.size();
    const bool asked = k == of.query.hidden, letter = k == of.query.evidence;
    const render::Rect box{{cell.min.x + 1, cell.min.y + 2}, {cell.max.x - 1, cell.max.y - 2}};
    if (asked || letter)
      addBox(items, box, theme.radius, letter ? faded(theme.accent, 0.3f) : theme.surfaceRaised,
             letter ? theme.accent : theme.text);
    const std::string word = inside ? tokenWord(of.query.tokens[static_cast<std::size_t>(k)]) : asked ? "?" : "·";
    const std::string shown = word == "[M]" && half.cell < 26 ? "M" : word;
    const double least = textWidth(shown, theme.smallSize) <= half.cell - 2 ? theme.smallSize : 0;
    const double fitting = std::max(least, shown.size() > 1 ? std::min(size, 0.4 * half.cell) : size);
    items.emplace_back(textAt({(cell.min.x + cell.max.x) / 2, (cell.min.y + cell.max.y) / 2}, shown,
                              static_cast<float>(fitting), asked || letter ? theme.text : theme.textMuted,
                              render::AlignX::Center));
  }
}

void RoutingPage::addPlaceBars(std::vector<render::Item>& items, const Theme& theme, const Half& half,
                               const RoutedQuery& of, const Range& range) const {
  const double small = theme.smallSize;
  const auto colorOf = [&](int k) {
    return k == of.query.evidence ? theme.accent : k == of.row ? theme.text : theme.textMuted;
  };
  const bool numbers = half.cell >= 3 * small;
  // Attention, downwards from the tokens.
  const double high = std::max(0.0, half.alpha.height() - 2.6 * small);
  if (high > 0)
    items.emplace_back(textAt({half.alpha.min.x, half.alpha.max.y - 0.7 * small},
                              elided(tr("attention α of the position that answers"), small, half.alpha.width()),
                              theme.smallSize, theme.textMuted));
  // Products, around their line.
  const double room = std::max(0.0, half.product.height() - 2.4 * small), top = half.product.min.y + 0.4 * small;
  const double zero = top + range.share(0) * room;
  const bool products = half.product.height() > 0;
  if (products) {
    items.emplace_back(pageLine({half.product.min.x, zero},
                                {half.product.min.x + half.cell * result_->pair.length, zero}, theme.axisZero));
    items.emplace_back(textAt({half.product.min.x, half.product.max.y - 0.7 * small},
                              elided(trFormat("× storage: α Y of each position, for {}; sum {}",
                                              tokenWord(of.query.target), entryText(of.route.target.storage)),
                                     small, half.product.width()),
                              theme.smallSize, theme.textMuted));
  }
  for (int k = 0; k < static_cast<int>(of.query.tokens.size()); ++k) {
    const render::Rect cell = half.cellOf(half.alpha, k);
    const double left = cell.min.x + 0.15 * half.cell, right = cell.max.x - 0.15 * half.cell;
    const double alpha = of.route.alpha[k], product = of.route.contributions[k];
    const double end = cell.min.y + alpha * high;
    addBar(items, left, right, cell.min.y, end, colorOf(k));
    if (numbers)
      items.emplace_back(textAt({(left + right) / 2, end + 0.7 * small}, shareText(alpha), theme.smallSize, theme.text,
                                render::AlignX::Center));
    if (products) addBar(items, left, right, zero, top + range.share(product) * room, colorOf(k));
  }
}

void RoutingPage::addColumn(std::vector<render::Item>& items, const Theme& theme, const Half& half,
                            const RoutedQuery& of, const Range& range) const {
  const double small = theme.smallSize, room = half.column.height() - 3.2 * small;
  if (room <= 0) return;
  const double top = half.column.min.y + 0.4 * small, zero = top + range.share(0) * room;
  const double each = half.column.width() / kOutputs;
  const double words = half.column.min.y + room + 1.2 * small;
  const int stride = std::max(1, static_cast<int>(std::ceil(0.9 * small / each)));  // leaves room for letters
  items.emplace_back(pageLine({half.column.min.x, zero}, {half.column.max.x, zero}, theme.axisZero));
  for (int t = 0; t < kOutputs; ++t) {
    const double left = half.column.min.x + t * each, right = left + std::max(each - 1, 0.5);
    const bool target = t == of.query.target, zeroToken = t == data::kPairPlaceholder;
    const render::Color color = target ? theme.accent : zeroToken ? theme.text : faded(theme.textMuted, 0.7f);
    addBar(items, left, right, zero, top + range.share(of.route.column[t]) * room, color);
    const auto clear = [&](int other) { return std::abs(t - other) >= stride; };
    const bool named =
        target || zeroToken || (t % stride == 0 && clear(of.query.target) && clear(data::kPairPlaceholder));
    if (named)
      items.emplace_back(textAt({left + each / 2, words}, tokenWord(t), theme.smallSize,
                                target      ? theme.accent
                                : zeroToken ? theme.text
                                            : theme.textMuted,
                                render::AlignX::Center));
  }
  const std::string evidence = tokenWord(of.query.tokens[static_cast<std::size_t>(of.query.evidence)]);
  items.emplace_back(textAt({half.column.min.x, half.column.max.y - 0.6 * small},
                            elided(trFormat("storage: what {} adds to each logit, the column of Y (up to {})", evidence,
                                            entryText(std::max(range.high, -range.low))),
                                   small, half.column.width()),
                            theme.smallSize, theme.textMuted));
}

void RoutingPage::addParts(std::vector<render::Item>& items, const Theme& theme, const Half& half,
                           const RoutedQuery& of, double most) const {
  const double small = theme.smallSize;
  const double height = std::min(1.5 * small, half.parts.height() / kPartRows);
  if (height <= 0) return;
  const double names = kLabelShare * half.parts.width(), number = 4.2 * small;
  // If both columns would be too narrow, only the one of the right answer is shown.
  const std::size_t columns = half.parts.width() - names < 2 * kLeastPart * number ? 1 : 2;
  const double each = (half.parts.width() - names) / static_cast<double>(columns);
  const reversal::LogitParts* const both[] = {&of.route.target, &of.route.placeholder};
  const std::int32_t tokens[] = {of.query.target, data::kPairPlaceholder};
  double y = half.parts.min.y + height / 2;
  items.emplace_back(
      textAt({half.parts.min.x, y}, elided(tr("parts of the logit"), small, names), theme.smallSize, theme.textMuted));
  for (std::size_t i = 0; i < columns; ++i)
    items.emplace_back(textAt({half.parts.min.x + names + (static_cast<double>(i) + 0.5) * each, y},
                              i == 0 && each > 14 * small ? trFormat("of {}, the right answer", tokenWord(tokens[i]))
                                                          : trFormat("of {}", tokenWord(tokens[i])),
                              theme.smallSize, theme.textMuted, render::AlignX::Center));
  for (const PartRow& row : kParts) {
    y += height;
    const bool sum = row.member == nullptr, storage = row.member == &reversal::LogitParts::storage;
    if (sum)
      items.emplace_back(
          pageLine({half.parts.min.x, y - height / 2}, {half.parts.max.x, y - height / 2}, theme.border));
    std::string label = sum ? tr("actual: the logit") : storage ? tr("predicted: storage × routing") : tr(row.label);
    if (textWidth(label, small) > names - 4) label = tr(row.label);
    items.emplace_back(textAt({half.parts.min.x, y}, elided(label, small, names - 4), theme.smallSize,
                              sum || storage ? theme.text : theme.textMuted));
    for (std::size_t i = 0; i < columns; ++i) {
      const double value = valueOf(*both[i], row);
      const double left = half.parts.min.x + names + static_cast<double>(i) * each;
      const double reach = (each - number - 8) / 2, zero = left + reach;
      const render::Color color = i == 0 ? theme.accent : theme.text;
      const double end = zero + value / most * reach;
      items.emplace_back(pageFill({{std::min(zero, end), y - 0.3 * height}, {std::max(zero, end), y + 0.3 * height}},
                                  sum || storage ? color : faded(color, 0.55f)));
      items.emplace_back(pageLine({zero, y - height / 2}, {zero, y + height / 2}, theme.axisZero));
      items.emplace_back(textAt({left + each - 6, y}, shownFixed(value, 2), theme.smallSize,
                                sum || storage ? theme.text : theme.textMuted, render::AlignX::Right));
    }
  }
}

void RoutingPage::addHalf(std::vector<render::Item>& items, const ViewPlace& place,
                          reversal::Direction direction) const {
  const Half half = halfOf(place.box, place.theme);
  const RoutedQuery& of = result_->of(direction);
  const Limits most = limits();
  addTitle(items, place.theme, half, direction);
  addTokens(items, place.theme, half, of);
  addPlaceBars(items, place.theme, half, of, most.product);
  addColumn(items, place.theme, half, of, most.column);
  addParts(items, place.theme, half, of, most.parts);
}

/// How the switches change the answers to all pairs.
std::string RoutingPage::answersSentence() const {
  if (!result_->masks)
    return tr(
        "The run predicts the next token: each query is the sequence up to the position asked for. The switches are "
        "available only for a model that predicts masked tokens.");
  if (!answering_.sentence().empty()) return answering_.sentence();
  const SwitchedAnswers* const answers = answering_.value().get();
  if (!answers) return tr("The answers to all pairs are being counted…");
  const auto percent = [](double share) { return fmt::format("{:.1f} %", 100 * share); };
  const reversal::AccuracyReport &own = answers->own, &now = answers->switched;
  std::string text =
      trFormat("All pairs: right forward {}, reverse {}", percent(own.forward.accuracy), percent(own.reverse.accuracy));
  if (!(switches_ == reversal::Switches{}))
    text += "; " + trFormat("with the switches forward {}, reverse {}", percent(now.forward.accuracy),
                            percent(now.reverse.accuracy));
  return text + ".";
}

std::vector<std::string> RoutingPage::linesOf(const Hit& hit) const {
  const RoutedQuery& of = result_->of(hit.direction);
  if (hit.place && static_cast<std::size_t>(*hit.place) < of.query.tokens.size()) {
    const int k = *hit.place;
    return {trFormat("position {}: {}", k, tokenWord(of.query.tokens[static_cast<std::size_t>(k)])),
            trFormat("attention {}", shownFixed(of.route.alpha[k], 4)),
            trFormat("adds {} to the logit of {}", entryText(of.route.contributions[k]), tokenWord(of.query.target))};
  }
  if (!hit.output) return {};
  return {trFormat("Y of {} and {}: {}", tokenWord(*hit.output),
                   tokenWord(of.query.tokens[static_cast<std::size_t>(of.query.evidence)]),
                   entryText(of.route.column[*hit.output])),
          trFormat("logit {}, predicted {}", entryText(of.route.actual[*hit.output]),
                   entryText(of.route.predicted[*hit.output]))};
}

std::vector<render::Item> RoutingPage::tip(const ViewPlace& place, reversal::Direction direction, render::Point at,
                                           const render::Rect& area) const {
  std::vector<render::Item> items;
  const std::optional<Hit> hit = hitAt(place, direction, at);
  if (!hit) return items;
  std::vector<std::string> lines = linesOf(*hit);
  if (endAt(*hit)) lines.emplace_back(tr("drag it along the sequence"));
  if (!lines.empty()) addTip(items, at, lines, area, place.theme);
  return items;
}

/// One row per place: the token, its attention and what it adds to the logit.
ReadableView RoutingPage::readQuery(const ViewPlace& place, reversal::Direction direction) const {
  ReadableView view{.role = ReadableView::Role::Table, .label = tr(reversal::directionWord(direction))};
  if (!result_) return view;
  view.description = trFormat("positions of the query and what each adds to the logit of {}",
                              tokenWord(result_->of(direction).query.target));
  view.rows = result_->of(direction).query.tokens.size();
  view.cells = [](std::size_t) { return std::size_t{1}; };
  view.text = [this, direction](std::size_t row, std::size_t) {
    return fmt::format("{}", fmt::join(linesOf({direction, static_cast<int>(row), std::nullopt, true}), ", "));
  };
  view.place = [half = halfOf(place.box, place.theme)](std::size_t row, std::size_t) {
    const render::Rect cell = half.cellOf(half.strip, static_cast<int>(row));
    return std::optional(render::Point{(cell.min.x + cell.max.x) / 2, (cell.min.y + cell.max.y) / 2});
  };
  return view;
}

PictureContent RoutingPage::query(reversal::Direction direction) const {
  PictureContent picture{.of = results_.revision()};
  picture.draw = [this, direction](const ViewPlace& place) {
    std::vector<render::Item> items;
    addHalf(items, place, direction);
    return items;
  };
  picture.tip = [this, direction](const ViewPlace& place, render::Point at, const render::Rect& area) {
    return tip(place, direction, at, area);
  };
  picture.hold = [this, direction](const ViewPlace& place, render::Point at) { return gripAt(place, direction, at); };
  picture.read = [this, direction](const ViewPlace& place) { return readQuery(place, direction); };
  return picture;
}

Views RoutingPage::views(const ReversalFrame& frame) const {
  const Theme& theme = frame.theme;
  const double small = theme.smallSize;
  Views made;
  made.arrangement = {.kind = Arrangement::Kind::Column, .margin = theme.space};
  if (!frame.compact && (!opened() || opened()->masks())) {
    made.views.push_back({"choices", choices()});
    made.arrangement.parts.push_back(asHighAsContent("choices"));
  }
  if (!result_) {
    const std::string why = sentence().empty() ? std::string(tr("The model is being opened…")) : sentence();
    made.views.push_back({"sentence", TextContent{.lines = {{{why}}}, .centred = true}});
    made.arrangement.parts.push_back(viewNamed("sentence"));
    return made;
  }
  Arrangement queries{.kind = Arrangement::Kind::Row, .gap = 3 * theme.space};
  for (const reversal::Direction direction : reversal::kDirections) {
    made.views.push_back({reversal::directionWord(direction), query(direction)});
    queries.parts.push_back(viewNamed(reversal::directionWord(direction)));
  }
  made.arrangement.parts.push_back(std::move(queries));
  if (frame.compact) return made;
  const std::string answers = answersSentence(), facts = factsOf();
  made.views.push_back({"answers", TextContent{.lines = {{{answers}}}, .oneLine = true}});
  made.views.push_back({"facts", TextContent{.lines = {{{facts}, NoteLine::Role::Muted}}, .oneLine = true}});
  Arrangement left = viewNamed("answers"), right = viewNamed("facts");
  left.leastWidth = textWidth(answers, small);
  right.length = textWidth(facts, small) + 1;
  right.order = 1;
  made.arrangement.parts.push_back(
      {.kind = Arrangement::Kind::Row, .parts = {left, right}, .gap = 20, .length = 1.3 * small});
  return made;
}

}  // namespace sepx::ui
