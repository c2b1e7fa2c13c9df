// SPDX-License-Identifier: Apache-2.0
// See reader.h.
#include "ui/workbench/reader.h"

#include <algorithm>
#include <utility>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

/// Text of one field of an element that the user placed: "Weight w = 0.3"; empty: the field does not apply now.
std::string wordsOf(Pane& pane, const std::string& key) {
  const auto found = pane.properties().find(key);
  if (!found) return {};
  const Document& document = pane.withWindow();
  if (found->property) {
    const Property& property = *found->property;
    if (property.applies && !property.applies(document)) return {};
    const std::string value = formatValue(property, pane.properties().get(document, key));
    return value.empty() ? value : nameOf(property, document) + " = " + value;
  }
  const ReadOut& readOut = *found->readOut;
  if (readOut.applies && !readOut.applies(document)) return {};
  const std::string value = formatValue(readOut, readOut.get(found->index));
  return value.empty() ? value : nameOf(readOut, document) + " = " + value;
}

/// A view of the elements that the user placed, one row each: the position, then its numbers one by one.
std::optional<ReadableView> placedView(Pane& pane) {
  const std::optional<PlacedList> placed = pane.exhibit().placed();
  const Json* const elements = placed ? &pane.document().at(placed->list) : nullptr;
  if (!elements || !elements->is_array() || elements->empty() || !pane.scene()) return std::nullopt;
  ReadableView view;
  view.name = placed->list;
  view.role = ReadableView::Role::Points;
  view.label = tr("Points");
  view.rows = elements->size();
  view.description = trFormat("{} points in the picture", view.rows);
  view.cells = [count = 1 + placed->columns.size()](std::size_t) { return count; };
  view.text = [&pane, list = *placed, count = view.rows](std::size_t row, std::size_t cell) {
    const std::string which = trFormat("point {} of {}", row + 1, count);
    if (cell > 0) return which + ": " + wordsOf(pane, list.key(row, list.columns[cell - 1]));
    std::string text =
        which + ": " + wordsOf(pane, list.key(row, list.x)) + ", " + wordsOf(pane, list.key(row, list.y));
    for (const std::string& outcome : list.outcomes)
      if (const std::string words = wordsOf(pane, list.key(row, outcome)); !words.empty()) text += ", " + words;
    return text;
  };
  view.place = [&pane, list = *placed](std::size_t row, std::size_t) -> std::optional<render::Point> {
    const PropertyRegistry& registry = pane.properties();
    const render::Scene& scene = *pane.scene();
    const render::Point page = render::toPage(scene, {registry.real(pane.document(), list.key(row, list.x)),
                                                      registry.real(pane.document(), list.key(row, list.y))});
    return scene.plot.contains(page) ? std::optional(page) : std::nullopt;
  };
  return view;
}

void moveBy(ReadableView& view, render::Point origin) {
  const auto moved = [origin](render::Point at) { return render::Point{origin.x + at.x, origin.y + at.y}; };
  view.box = {moved(view.box.min), moved(view.box.max)};
  for (auto* const places : {&view.place, &view.seen}) {
    if (!*places) continue;
    *places = [moved, place = std::move(*places)](std::size_t row, std::size_t cell) {
      const auto at = place(row, cell);
      return at ? std::optional(moved(*at)) : std::nullopt;
    };
  }
  if (view.under)
    view.under = [origin, under = std::move(view.under)](render::Point at) {
      return under({at.x - origin.x, at.y - origin.y});
    };
  if (view.at)
    view.at = [moved, where = std::move(view.at)](render::Point data) {
      const auto at = where(data);
      return at ? std::optional(moved(*at)) : std::nullopt;
    };
}

/// Moves one forward or back; false at the end.
bool step(std::size_t& at, std::size_t count, bool back) {
  if (back ? at == 0 : at + 1 >= count) return false;
  at += back ? -1 : 1;
  return true;
}

std::size_t cellsOf(const ReadableView& view, std::size_t row) {
  return row < view.rows && view.cells ? view.cells(row) : 0;
}

}  // namespace

std::vector<ReadableView> Reader::views(int pane) {
  std::vector<ReadableView> all;
  if (pane < 1 || static_cast<std::size_t>(pane) > panes_.places().size()) return all;
  Pane& of = panes_.at(pane);
  const render::Rect& picture = panes_.places()[static_cast<std::size_t>(pane - 1)].picture;
  if (std::optional<ReadableView> placed = placedView(of)) {
    placed->box = {{0, 0}, {picture.width(), picture.height()}};
    all.push_back(*std::move(placed));
  }
  for (ReadableView& view : of.exhibit().readable())
    all.push_back(std::move(view));
  for (ReadableView& view : all)
    moveBy(view, picture.min);
  return all;
}

std::optional<render::Point> Reader::place(std::string_view view, render::Point data) {
  const auto whose = splitPaneKey(view);
  if (!whose) return std::nullopt;
  const auto in = [&](int pane, const std::string& name) -> std::optional<render::Point> {
    for (const ReadableView& one : views(pane))
      if (one.name == name) return one.at ? one.at(data) : std::nullopt;
    return std::nullopt;
  };
  if (const auto at = in(whose->pane, whose->key)) return at;
  return in(panes_.activeNumber(), panes_.active().exhibit().key() + "." + std::string(view));
}

namespace {

bool plain(const KeyPressed& press) {
  return press.down && !press.modifiers.ctrl && !press.modifiers.alt && !press.modifiers.super;
}

}  // namespace

bool Reader::begin(const KeyPressed& press) {
  if (!plain(press) || press.key != Key::Tab) return false;
  const std::optional<ReadingPlace> next = nextView(press.modifiers.shift);
  if (!next) return end(), false;
  reading_ = next;
  show();
  return true;
}

bool Reader::key(const KeyPressed& press) {
  if (!reading_ || !plain(press)) return false;
  if (press.key == Key::Tab) return begin(press);
  switch (press.key) {
    case Key::Escape:
      end();
      return true;
    case Key::Enter:
      this->press();
      return true;
    case Key::Left:
    case Key::Right:
    case Key::Up:
    case Key::Down:
    case Key::Home:
    case Key::End:
      return walk(press);
    default:
      return false;
  }
}

std::optional<ReadingPlace> Reader::nextView(bool back) {
  const std::vector<ReadableView> all = views(panes_.activeNumber());
  if (all.empty()) return std::nullopt;
  const auto now = std::find_if(all.begin(), all.end(),
                                [this](const ReadableView& one) { return reading_ && one.name == reading_->view; });
  std::size_t next = back ? all.size() - 1 : 0;
  if (now != all.end()) {
    next = static_cast<std::size_t>(now - all.begin());
    if (!step(next, all.size(), back)) return std::nullopt;
  }
  return ReadingPlace{all[next].name, 0, 0};
}

/// Left and Right move along a row, Up and Down to the previous or next row, Home and End to its ends. At an end
/// nothing happens.
bool Reader::walk(const KeyPressed& press) {
  for (const ReadableView& view : views(panes_.activeNumber())) {
    if (view.name != reading_->view) continue;
    ReadingPlace to = *reading_;
    const std::size_t cells = cellsOf(view, to.row);
    if (press.key == Key::Left || press.key == Key::Right) step(to.cell, cells, press.key == Key::Left);
    if (press.key == Key::Up || press.key == Key::Down) step(to.row, view.rows, press.key == Key::Up);
    if (press.key == Key::Home) to.cell = 0;
    if (press.key == Key::End) to.cell = cells > 0 ? cells - 1 : 0;
    const std::size_t there = cellsOf(view, to.row);
    to.cell = std::min(to.cell, there > 0 ? there - 1 : 0);
    reading_ = to;
    show();
    return true;
  }
  end();
  return true;
}

bool Reader::read(const ReadingPlace& place) {
  for (const ReadableView& view : views(panes_.activeNumber())) {
    if (view.name != place.view) continue;
    reading_ = place;
    show();
    return true;
  }
  return false;
}

std::optional<ReadingPlace> Reader::reading() {
  Pane& pane = panes_.active();
  if (reading_) {
    const std::vector<ReadableView> all = views(pane.number());
    const bool there = std::ranges::any_of(all, [this](const ReadableView& one) {
      return one.name == reading_->view && reading_->row < std::max<std::size_t>(one.rows, 1);
    });
    if (!there) end();
  }
  if (reading_) return reading_;
  const std::optional<PlacedList> placed = pane.exhibit().placed();
  const std::optional<std::size_t> chosen = placed ? placed->chosen(pane.document()) : std::nullopt;
  return chosen ? std::optional(ReadingPlace{placed->list, *chosen, 0}) : std::nullopt;
}

/// Makes the picture show the cell that is read as if the pointer were on it.
void Reader::show() {
  shown_.reset();
  for (const ReadableView& view : views(panes_.activeNumber()))
    if (view.name == reading_->view && reading_->cell < cellsOf(view, reading_->row) && view.place)
      shown_ = view.place(reading_->row, reading_->cell);
  if (shown_)
    panes_.active().push(PointerMoved{shown_->x, shown_->y, {}});
  else
    panes_.active().push(PointerLeft{});
}

void Reader::press() {
  if (!shown_) return;
  for (const bool down : {true, false})
    panes_.active().push(PointerPressed{Button::Left, down, shown_->x, shown_->y, {}});
}

void Reader::end() {
  if (!std::exchange(reading_, std::nullopt)) return;
  if (std::exchange(shown_, std::nullopt)) panes_.active().push(PointerLeft{});
}

}  // namespace sepx::ui
