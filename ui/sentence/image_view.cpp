// SPDX-License-Identifier: Apache-2.0
// Draws an image as the tokens that a model of patches reads.
#include "ui/sentence/image_view.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/sentence/tokens_view.h"

namespace sepx::ui {

namespace {

constexpr double kLeastPatch = 6;   // points; patches of at least this size have lines between them
constexpr float kDimmest = 0.65f;   // opacity of the background over a patch of weight 0
constexpr double kChipLine = 2;     // in sizes of small text, for the tokens before the patches
constexpr double kChipWidth = 5.5;  // likewise

/// What the picture shows. Its callbacks keep it.
struct ImageData {
  SentenceTokensPointer tokens;
  std::vector<float> weights;  ///< of the chosen query; empty: no pattern
  double most = 0;             ///< the largest weight of a patch
  int query = -1, key = -1;
  const SentenceImage& image() const { return *tokens->image; }
};

struct ImageLayout {
  render::Rect plot, first;  ///< the patches; the first token before them
  double patch = 0;
  render::Rect box(const SentenceImage& image, int place) const {
    if (place < image.before) {
      const double shift = place * (first.width() + 4);
      return {{first.min.x + shift, first.min.y}, {first.max.x + shift, first.max.y}};
    }
    const int row = (place - image.before) / image.across, column = (place - image.before) % image.across;
    const render::Point at{plot.min.x + patch * column, plot.min.y + patch * row};
    return {at, {at.x + patch, at.y + patch}};
  }
};

ImageLayout placedImage(const ImageData& made, const render::Rect& box, double small) {
  ImageLayout placed;
  const double above = made.image().before > 0 ? kChipLine * small + 4 : 0;
  const double side = std::max(8.0, std::min(box.width(), box.height() - above));
  placed.first = {box.min, {box.min.x + kChipWidth * small, box.min.y + kChipLine * small}};
  placed.plot = {{box.min.x, box.min.y + above}, {box.min.x + side, box.min.y + above + side}};
  placed.patch = side / made.image().across;
  return placed;
}

std::optional<int> patchAt(const ImageData& made, const ImageLayout& placed, render::Point at) {
  for (int place = 0; place < made.tokens->size(); ++place)
    if (placed.box(made.image(), place).contains(at)) return place;
  return std::nullopt;
}

std::vector<render::Item> imageItems(const ImageData& made, const ViewPlace& place) {
  std::vector<render::Item> items;
  const Theme& theme = place.theme;
  const SentenceImage& image = made.image();
  const ImageLayout placed = placedImage(made, place.box, theme.smallSize);
  items.emplace_back(render::LabelMap{.extent = placed.plot,
                                      .width = image.side,
                                      .height = image.side,
                                      .labels = image.shown,
                                      .palette = image.palette,
                                      .hatch = {},
                                      .space = render::Space::Page});
  const auto weight = [&made](int at) {
    const auto i = static_cast<std::size_t>(at);
    return i < made.weights.size() && made.most > 0 ? static_cast<double>(made.weights[i]) / made.most : 0.0;
  };
  for (int at = image.before; at < made.tokens->size(); ++at) {
    const render::Rect box = placed.box(image, at);
    if (!made.weights.empty())
      items.emplace_back(
          pageFill(box, faded(theme.background, kDimmest * static_cast<float>(1 - std::clamp(weight(at), 0.0, 1.0)))));
    if (placed.patch >= kLeastPatch) items.emplace_back(pageFrameLine(box, faded(theme.border, 0.6f), 0.5f));
  }
  for (int at = 0; at < image.before; ++at) {
    const render::Rect box = placed.box(image, at);
    addBox(items, box, theme.radius, theme.surfaceRaised, theme.border);
    items.emplace_back(
        textAt({(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2},
               elided(made.tokens->tokens[static_cast<std::size_t>(at)].shown, theme.smallSize, box.width() - 4),
               theme.smallSize, theme.text, render::AlignX::Center));
  }
  if (place.figure) return items;
  if (made.key >= 0) items.emplace_back(pageFrameLine(placed.box(image, made.key), theme.accent, 2));
  if (made.query >= 0) items.emplace_back(pageFrameLine(placed.box(image, made.query), theme.selection, 2.5f));
  return items;
}

std::vector<std::string> patchWords(const ImageData& made, int place) {
  const SentenceImage& image = made.image();
  std::vector<std::string> lines;
  if (place < image.before)
    lines.push_back(tokenWords(*made.tokens, place));
  else
    lines.push_back(trFormat("token {}: patch in row {}, column {}", place, (place - image.before) / image.across,
                             (place - image.before) % image.across));
  if (const auto i = static_cast<std::size_t>(place); i < made.weights.size())
    lines.push_back(trFormat("weight from query {}: {}", tokenWords(*made.tokens, made.query),
                             shownProbability(static_cast<double>(made.weights[i]), 3)));
  if (place == made.query) lines.emplace_back(tr("the query of the chosen score"));
  lines.emplace_back(tr("click: choose"));
  return lines;
}

}  // namespace

PictureContent imagePatches(const SentenceShown& shown) {
  auto made = std::make_shared<ImageData>();
  made->tokens = shown.results.tokens();
  if (const HeadPattern* const head = shown.head();
      head && shown.results.score() && shown.results.pass()->tokens == made->tokens) {
    const int n = shown.pass().n();
    made->query = shown.results.score()->query;
    made->key = shown.results.score()->key;
    const auto row = head->weights->begin() + static_cast<std::ptrdiff_t>(made->query) * n;
    made->weights.assign(row, row + n);
    for (std::size_t i = static_cast<std::size_t>(made->image().before); i < made->weights.size(); ++i)
      made->most = std::max(made->most, static_cast<double>(made->weights[i]));
  }
  PictureContent content;
  content.boxed = true;
  content.of = Digest().add(made->tokens, made->query, made->key, made->weights).value();
  content.draw = [made](const ViewPlace& place) { return imageItems(*made, place); };
  const auto at = [made](const ViewPlace& place, render::Point pointer) {
    return patchAt(*made, placedImage(*made, place.box, place.theme.smallSize), pointer);
  };
  content.tip = [made, at](const ViewPlace& place, render::Point pointer, const render::Rect& area) {
    std::vector<render::Item> items;
    if (const auto patch = at(place, pointer)) addTip(items, pointer, patchWords(*made, *patch), area, place.theme);
    return items;
  };
  content.pick = [at, keys = shown.keys()](const ViewPlace& place, render::Point pointer) -> std::optional<Changes> {
    const auto patch = at(place, pointer);
    if (!patch) return std::nullopt;
    return Changes{{keys.of("query"), static_cast<double>(*patch)}, {keys.of("key"), -1.0}};
  };
  content.read = [made](const ViewPlace& place) {
    ReadableView view{.role = ReadableView::Role::Table,
                      .label = tr("Patches"),
                      .description = trFormat("{} tokens", made->tokens->size())};
    view.rows = made->tokens->tokens.size();
    view.cells = [](std::size_t) { return std::size_t{1}; };
    view.text = [made](std::size_t row, std::size_t) {
      return fmt::format("{}", fmt::join(patchWords(*made, static_cast<int>(row)), ", "));
    };
    const ImageLayout placed = placedImage(*made, place.box, place.theme.smallSize);
    view.place = [made, placed](std::size_t row, std::size_t) -> std::optional<render::Point> {
      if (row >= made->tokens->tokens.size()) return std::nullopt;
      const render::Rect box = placed.box(made->image(), static_cast<int>(row));
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
