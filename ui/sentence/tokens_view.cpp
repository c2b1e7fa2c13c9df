// SPDX-License-Identifier: Apache-2.0
// The tokens of the sentence as chips in rows.
#include "ui/sentence/tokens_view.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

constexpr double kChipPadding = 5, kBetweenChips = 3;  // points
constexpr double kChipHeight = 1.9;                    // in sizes of small text
constexpr int kMostChipRows = 3;
constexpr float kTint = 0.5f;  // opacity at a weight of 1: text on it has a contrast of 7:1 in the high-contrast theme

struct Chip {
  int place = 0;
  render::Rect box;
};

double chipHeight(const Theme& theme) {
  return kChipHeight * static_cast<double>(theme.smallSize);
}

/// Chips from the left, row by row. Tokens after the last row are left out.
std::vector<Chip> chipsOf(const SentenceTokens& tokens, const render::Rect& box, const Theme& theme) {
  std::vector<Chip> chips;
  double x = box.min.x, y = box.min.y;
  int row = 0;
  for (int place = 0; place < tokens.size(); ++place) {
    const std::string& text = tokens.tokens[static_cast<std::size_t>(place)].shown;
    const double width = std::max(textWidth(text, theme.textSize) + 2 * kChipPadding, chipHeight(theme));
    if (x > box.min.x && x + width > box.max.x) {
      if (++row == kMostChipRows) break;
      x = box.min.x;
      y += chipHeight(theme) + kBetweenChips;
    }
    chips.push_back({place, {{x, y}, {std::min(x + width, box.max.x), y + chipHeight(theme)}}});
    x += width + kBetweenChips;
  }
  return chips;
}

std::optional<int> chipAt(const std::vector<Chip>& chips, render::Point at) {
  const auto found = std::find_if(chips.begin(), chips.end(), [at](const Chip& chip) { return chip.box.contains(at); });
  return found == chips.end() ? std::nullopt : std::optional(found->place);
}

/// What the chips show besides the tokens.
struct ChipLook {
  int place = -1;
  int query = -1, key = -1;
  std::vector<float> weights;  ///< of the chosen query; empty: no pattern
};

std::vector<render::Item> chipItems(const SentenceTokens& tokens, const ChipLook& look, const ViewPlace& place) {
  std::vector<render::Item> items;
  const Theme& theme = place.theme;
  const std::vector<Chip> chips = chipsOf(tokens, place.box, theme);
  for (const Chip& chip : chips) {
    const SentenceToken& token = tokens.tokens[static_cast<std::size_t>(chip.place)];
    const bool chosen = chip.place == look.place && !place.figure;
    addBox(items, chip.box, theme.radius, theme.surfaceRaised,
           token.edited ? theme.accent
           : chosen     ? theme.selection
                        : theme.border);
    const auto i = static_cast<std::size_t>(chip.place);
    if (i < look.weights.size() && look.weights[i] > 0) {
      const render::Color tint = faded(theme.accent, kTint * std::min(1.0f, look.weights[i]));
      addBox(items, chip.box, theme.radius, tint, tint);
    }
    if (chip.place == look.query && !chosen && !place.figure)
      items.emplace_back(pageLine({chip.box.min.x + 2, chip.box.max.y - 1}, {chip.box.max.x - 2, chip.box.max.y - 1},
                                  theme.selection, 2));
    if (chosen) items.emplace_back(pageFrameLine(chip.box, theme.selection, 2.5f));
    const render::Color ink = token.masked ? theme.accent : token.added ? theme.textMuted : theme.text;
    items.emplace_back(textAt({(chip.box.min.x + chip.box.max.x) / 2, (chip.box.min.y + chip.box.max.y) / 2},
                              elided(token.shown, theme.textSize, chip.box.width() - kChipPadding), theme.textSize, ink,
                              render::AlignX::Center));
  }
  const int left = tokens.size() - static_cast<int>(chips.size());
  if (left > 0 && !chips.empty())
    items.emplace_back(textAt({place.box.max.x, place.box.max.y - 0.4 * theme.smallSize},
                              trFormat("and {} more tokens", left), theme.smallSize, theme.textMuted,
                              render::AlignX::Right));
  return items;
}

std::vector<std::string> chipWords(const SentenceTokens& tokens, const ChipLook& look, int place) {
  const SentenceToken& token = tokens.tokens[static_cast<std::size_t>(place)];
  std::vector<std::string> lines{trFormat("{}, id {}", tokenWords(tokens, place), token.id)};
  if (token.added) lines.emplace_back(tr("put around the text by the tokenizer"));
  if (token.edited)
    lines.push_back(
        trFormat("in place of {}", tokens.words ? tokens.words->shown(token.original) : shownId(token.original)));
  const auto i = static_cast<std::size_t>(place);
  if (i < look.weights.size() && look.query >= 0)
    lines.push_back(trFormat("weight from query {}: {}", tokenWords(tokens, look.query),
                             shownProbability(static_cast<double>(look.weights[i]), 3)));
  if (place == look.query) lines.emplace_back(tr("the query of the chosen score"));
  lines.emplace_back(tokens.words && tokens.words->mask() ? tr("click: choose; double click: mask")
                                                          : tr("click: choose"));
  return lines;
}

}  // namespace

double heightOfTokens(const SentenceTokens& tokens, double width, const Theme& theme) {
  const std::vector<Chip> chips = chipsOf(tokens, {{0, 0}, {width, 1e6}}, theme);
  const bool cut = static_cast<int>(chips.size()) < tokens.size();
  return (chips.empty() ? chipHeight(theme) : chips.back().box.max.y) + (cut ? 1.3 * theme.smallSize : 0);
}

std::string tokenWords(const SentenceTokens& tokens, int place) {
  if (place < 0 || place >= tokens.size()) return fmt::format("{}", place);
  return fmt::format("{}: {}", place, tokens.tokens[static_cast<std::size_t>(place)].shown);
}

Changes placeChosen(const SentenceKeys& keys, const checkpoint::ModelPlan& plan, int place) {
  return {{keys.of("place"), static_cast<double>(keys.placeIsPredicted ? predictedBy(plan, place) : place)}};
}

Changes replaced(const SentenceKeys& keys, const SentenceTokens& tokens, const SentenceState& state, int place,
                 std::int32_t id) {
  const auto mask = tokens.words ? tokens.words->mask() : std::nullopt;
  if (keys.hides) {
    std::vector<int> hidden = state.hidden;
    const bool was = std::erase(hidden, place) > 0;
    if (mask == id) hidden.insert(std::upper_bound(hidden.begin(), hidden.end(), place), place);
    if (was || mask == id) return {{keys.of("hidden"), fmt::format("{}", fmt::join(hidden, ", "))}};
  }
  SentenceEdits edits = editsOf(state.edits);
  std::erase_if(edits, [place](const auto& edit) { return edit.first == place; });
  if (place >= 0 && place < tokens.size() && tokens.tokens[static_cast<std::size_t>(place)].original != id)
    edits.emplace_back(place, id);
  std::sort(edits.begin(), edits.end());
  return {{keys.of("edits"), textOf(edits)}};
}

PictureContent tokensRow(const SentenceShown& shown) {
  const SentenceTokensPointer tokens = shown.results.tokens();
  ChipLook look;
  if (shown.results.pass() && shown.results.pass()->tokens == tokens) {
    look.place = shown.results.place();
    if (const HeadPattern* const head = shown.head(); head && shown.results.score()) {
      const int n = shown.pass().n();
      look.query = shown.results.score()->query;
      look.key = shown.results.score()->key;
      const auto row = head->weights->begin() + static_cast<std::ptrdiff_t>(look.query) * n;
      look.weights.assign(row, row + n);
    }
  }
  PictureContent content;
  content.of = Digest().add(tokens, look.place, look.query, look.key, look.weights).value();
  content.draw = [tokens, look](const ViewPlace& place) { return chipItems(*tokens, look, place); };
  content.tip = [tokens, look](const ViewPlace& place, render::Point at, const render::Rect& area) {
    std::vector<render::Item> items;
    const auto chip = chipAt(chipsOf(*tokens, place.box, place.theme), at);
    if (chip) addTip(items, at, chipWords(*tokens, look, *chip), area, place.theme);
    return items;
  };
  content.pick = [tokens, keys = shown.keys(), forward = shown.results.forward()](
                     const ViewPlace& place, render::Point at) -> std::optional<Changes> {
    const auto chip = chipAt(chipsOf(*tokens, place.box, place.theme), at);
    if (!chip) return std::nullopt;
    const double one = *chip;
    Changes changes = placeChosen(keys, forward->plan(), *chip);
    changes.insert(changes.end(), {{keys.of("query"), one}, {keys.of("key"), -1.0}});
    return changes;
  };
  content.twice = [tokens, keys = shown.keys(), state = shown.state](Editor& editor, const ViewPlace& place,
                                                                     render::Point at) {
    const auto chip = chipAt(chipsOf(*tokens, place.box, place.theme), at);
    const auto mask = tokens->words ? tokens->words->mask() : std::nullopt;
    if (!chip || !mask) return false;
    const SentenceToken& token = tokens->tokens[static_cast<std::size_t>(*chip)];
    ui::apply(editor, replaced(keys, *tokens, state, *chip, token.masked ? token.original : *mask));
    return true;
  };
  content.read = [tokens, look](const ViewPlace& place) {
    ReadableView view{
        .role = ReadableView::Role::Table, .label = tr("Tokens"), .description = trFormat("{} tokens", tokens->size())};
    view.rows = tokens->tokens.size();
    view.cells = [](std::size_t) { return std::size_t{1}; };
    view.text = [tokens, look](std::size_t row, std::size_t) {
      return fmt::format("{}", fmt::join(chipWords(*tokens, look, static_cast<int>(row)), ", "));
    };
    const std::vector<Chip> chips = chipsOf(*tokens, place.box, place.theme);
    view.place = [chips](std::size_t row, std::size_t) -> std::optional<render::Point> {
      if (row >= chips.size()) return std::nullopt;
      const render::Rect& box = chips[row].box;
      return render::Point{(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2};
    };
    view.at = [place = view.place](render::Point data) {
      return data.x < 0 ? std::nullopt : place(static_cast<std::size_t>(data.x), 0);
    };
    return view;
  };
  return content;
}

}  // namespace sepx::ui
