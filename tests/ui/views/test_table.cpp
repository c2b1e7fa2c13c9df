// SPDX-License-Identifier: Apache-2.0
// The table: visible rows, shortened texts, right-aligned numbers, scrolling, the row under the pointer, columns as
// wide as their texts.
#include "ui/views/table.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "ui/canvas/shapes.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

const render::Rect kTableBox{{0, 0}, {400, 210}};

TableView million() {
  TableView table;
  table.columns = {{"name", 0.7}, {"size", 0.3, true}};
  table.rows = 1000000;
  table.text = [](std::size_t row, std::size_t column) {
    return column == 0 ? "tensor " + std::to_string(row) + (row == 3 ? std::string(200, 'x') : "")
                       : std::to_string(row);
  };
  return table;
}

TableView::Place placeOf(const render::Rect& box = kTableBox) {
  return {findTheme("dark"), box, std::nullopt, std::nullopt, false};
}

std::vector<render::Label> labelsOf(const TableView& table, double scroll, const render::Rect& box = kTableBox) {
  std::vector<render::Item> items;
  table.draw(items, placeOf(box), scroll);
  std::vector<render::Label> labels;
  for (const render::Item& item : items)
    if (const auto* label = std::get_if<render::Label>(&item)) labels.push_back(*label);
  return labels;
}

}  // namespace

TEST_CASE("Only visible rows of a table of a million rows are drawn, at any scroll position", "[table]") {
  const TableView table = million();
  const double height = TableView::rowHeight(*findTheme("dark"), false);
  for (const double scroll : {0.0, 5000 * height, table.mostScroll(placeOf())}) {
    const std::vector<render::Label> labels = labelsOf(table, scroll);
    CHECK(labels.size() <= 2 * (kTableBox.height() / height + 1));
    for (const render::Label& label : labels) {
      CHECK(label.at.y > kTableBox.min.y);
      CHECK(label.at.y < kTableBox.max.y);
    }
  }
  CHECK(labelsOf(table, table.mostScroll(placeOf()))[labelsOf(table, table.mostScroll(placeOf())).size() - 4].text.find(
            "999999") != std::string::npos);
}

TEST_CASE("Texts stay in their column, numbers are right-aligned, and the full text of a shortened one is known",
          "[table]") {
  const TableView table = million();
  for (const render::Label& label : labelsOf(table, 0)) {
    const double width = textWidth(label.text, static_cast<double>(label.size));
    if (label.alignX == render::AlignX::Left)
      CHECK(label.at.x + width <= 0.7 * kTableBox.max.x);
    else
      CHECK(label.at.x - width >= 0.6 * kTableBox.max.x);
  }
  const double height = TableView::rowHeight(*findTheme("dark"), false);
  const auto at = [&](std::size_t row) { return render::Point{20, (static_cast<double>(row) + 1.5) * height}; };
  CHECK(table.rowAt(placeOf(), 0, at(3)) == 3u);
  CHECK(table.rowAt(placeOf(), 10 * height, at(3)) == 13u);
  CHECK_FALSE(table.rowAt(placeOf(), 0, {20, 2}));  // the header
  CHECK(table.cutText(placeOf(), 0, at(3)).value().size() > 200);
  CHECK_FALSE(table.cutText(placeOf(), 0, at(4)));
  const double shown = table.reveal(placeOf(), 0, 700);
  CHECK(table.rowAt(placeOf(), shown, {20, kTableBox.max.y - height / 2}) == 700u);
  CHECK(table.reveal(placeOf(), shown, 700) == shown);
}

TEST_CASE("Numbers are not shortened if a text column can give them room", "[table]") {
  TableView table;
  table.columns = {{"a model with a long name", 3}, {"forward", 1, true}, {"reverse", 1, true}};
  table.rows = 2;
  table.text = [](std::size_t row, std::size_t column) {
    return column == 0 ? std::string("masked diffusion with rotary positions") : row == 0 ? "99.81" : "1,234.5";
  };
  for (const double width : {520.0, 260.0, 215.0}) {
    INFO(width);
    const render::Rect box{{0, 0}, {width, 100}};
    for (const render::Label& label : labelsOf(table, 0, box))
      if (label.alignX == render::AlignX::Right) CHECK(label.text.find("…") == std::string::npos);
  }
}

TEST_CASE("Short texts are not shortened if a long one can give them room", "[table]") {
  TableView table;
  table.columns = {{"number", 6}, {"claim", 1.4}, {"here", 0.9}, {"", 1.4}};
  table.rows = 2;
  table.text = [](std::size_t row, std::size_t column) {
    const char* const texts[] = {"largest distance of a prediction from the kernel, all letters, nats", "bound 1e-12",
                                 row == 0 ? "9.93e-17" : "0", "holds"};
    return std::string(texts[column]);
  };
  for (const double width : {700.0, 420.0, 330.0}) {
    INFO(width);
    for (const render::Label& label : labelsOf(table, 0, {{0, 0}, {width, 100}}))
      if (label.text.find("largest") == std::string::npos) CHECK(label.text.find("…") == std::string::npos);
  }
}

TEST_CASE("At the needed width of a table, numbers, their headers and short texts are not shortened", "[table]") {
  TableView table;
  table.columns = {{"W", 6}, {"ratio", 1, true}, {"max|v|/min|v|", 1, true}, {"why", 1}};
  table.rows = 3;
  table.text = [](std::size_t row, std::size_t column) {
    const char* const texts[] = {"W_qk", "1,234.5", "29.6", "a long text of which the beginning suffices here"};
    return row == 2 && column == 1 ? std::string("a text among numbers, which may be cut") : std::string(texts[column]);
  };
  const Theme& theme = *findTheme("dark");
  const double all = table.neededWidth(theme, TableView::Needs::Everything),
               numbers = table.neededWidth(theme, TableView::Needs::Numbers);
  CHECK(numbers < all);
  const auto cut = [&](double width) {
    std::string texts;
    for (const render::Label& label : labelsOf(table, 0, {{0, 0}, {width, 200}}))
      if (label.text.find("…") != std::string::npos && !label.text.starts_with("a ")) texts += label.text + " ";
    return texts;
  };
  CHECK(cut(all).empty());
  CHECK_FALSE(cut(all - 12).empty());
}

TEST_CASE("Columns are as wide as their texts, and the column that gives way is left out first", "[table]") {
  TableView table;
  table.columns = {
      {.title = "optimiser"}, {.title = "basin", .mark = 15, .dropsText = true}, {.title = "loss", .right = true}};
  table.rows = 2;
  table.fitted = true;
  table.text = [](std::size_t row, std::size_t column) {
    return std::vector<std::string>{row == 0 ? "gradient descent" : "SGD", "global minimum", "0.1234"}[column];
  };
  std::size_t marks = 0;
  table.drawMark = [&](std::vector<render::Item>&, std::size_t, std::size_t column, render::Point) {
    CHECK(column == 1);
    ++marks;
  };
  CHECK(labelsOf(table, 0).size() == 9);
  CHECK(marks == 2);
  const std::vector<render::Label> narrow = labelsOf(table, 0, {{0, 0}, {200, 210}});
  CHECK(narrow.size() == 6);  // header and rows of two columns
  CHECK(marks == 4);
  for (const render::Label& label : narrow)
    CHECK(label.text.find("…") == std::string::npos);
  CHECK(table.height(*findTheme("dark")) == Approx(3 * TableView::rowHeight(*findTheme("dark"), false)));
}

TEST_CASE("A table without rows draws only its header, and one without columns draws nothing", "[table]") {
  TableView table;
  CHECK(labelsOf(table, 0).empty());
  table.columns = {{"name"}};
  CHECK(labelsOf(table, 0).size() == 1);
  CHECK(table.mostScroll(placeOf()) == 0);
  CHECK_FALSE(table.rowAt(placeOf(), 0, {20, 100}));
}

TEST_CASE("The column header under the pointer is found, and several rows can be selected", "[table]") {
  TableView table = million();
  const double height = TableView::rowHeight(*findTheme("dark"), false);
  CHECK(table.headAt(placeOf(), {10, height / 2}) == 0u);
  CHECK(table.headAt(placeOf(), {380, height / 2}) == 1u);
  CHECK_FALSE(table.headAt(placeOf(), {10, 1.5 * height}));
  CHECK_FALSE(table.headAt(placeOf(), {500, height / 2}));
  const auto fills = [&table] {
    std::vector<render::Item> items;
    table.draw(items, placeOf(), 0);
    int count = 0;
    for (const render::Item& item : items)
      if (const auto* fill = std::get_if<render::Fill>(&item))
        count += fill->color == findTheme("dark")->selectionMuted;
    return count;
  };
  CHECK(fills() == 0);
  table.chosen = [](std::size_t row) { return row == 1 || row == 4; };
  CHECK(fills() == 2);
}

TEST_CASE("Rows that can be clicked are at least as high as a control in every theme", "[table]") {
  TableView table = million();
  for (const char* name : {"dark", "light", "contrast", "projector"}) {
    const Theme& theme = *findTheme(name);
    CAPTURE(name);
    table.pressed = false;
    const double read = table.rowHeight(theme);
    table.pressed = true;
    CHECK(table.rowHeight(theme) >= kLeastControl);
    CHECK(table.rowHeight(theme) >= read);
    const TableView::Place place{&theme, kTableBox, std::nullopt, std::nullopt, false};
    const auto first = table.middleOf(place, 0, 0, 0), second = table.middleOf(place, 0, 1, 0);
    REQUIRE((first && second));
    CHECK(second->y - first->y == Approx(table.rowHeight(theme)));
    CHECK(table.rowAt(place, 0, {20, first->y + kLeastControl / 2 - 1}) == 0u);
    CHECK(table.rowAt(place, 0, {20, second->y - kLeastControl / 2 + 1}) == 1u);
  }
}
