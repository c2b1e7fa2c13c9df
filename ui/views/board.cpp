// SPDX-License-Identifier: Apache-2.0
// See board.h.
#include "ui/views/board.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include "ui/properties/tr.h"
#include "ui/views/digest.h"

namespace sepx::ui {

void apply(Editor& editor, const Changes& changes) {
  if (changes.empty()) return;
  if (changes.size() == 1) {
    setAsStep(editor, changes.front().first, changes.front().second);
    return;
  }
  Document next = editor.document();
  for (const auto& [key, value] : changes) {
    Result<Document> with = editor.properties().set(next, key, value);
    if (!with) {
      editor.say(with.error().sentence);
      return;
    }
    next = *std::move(with);
  }
  const auto found = editor.properties().find(changes.front().first);
  editor.seal();
  editor.commit(std::move(next), found && found->property ? tr(found->property->label) : changes.front().first, {});
  editor.seal();
}

Views sentenceAlone(std::string text) {
  return {{{"sentence", TextContent{.lines = {{{std::move(text)}}}, .centred = true}}}, viewNamed("sentence")};
}

void ViewBoard::show(Views views) {
  views_ = std::move(views);
  ++contents_;
  digests_.clear();
  for (const View& view : views_.views)
    digests_.push_back(digestOf(view));
  placedOf_ = 0;
}

void ViewBoard::make(Shown& shown, const PageArea& area) {
  Digest digest;
  digest.add(digests_[shown.view], shown.box, area.theme.key, area.theme.textSize, area.figure);
  if (shown.placed && shown.key == digest.value()) return;
  shown.key = digest.value();
  const std::unique_ptr<PlacedView> before =
      std::exchange(shown.placed, placeView(views_.views[shown.view], {shown.box, area.theme, area.figure}));
  if (before) shown.placed->takeOver(*before);
  draw(shown);
}

void ViewBoard::draw(Shown& shown) {
  shown.layer.name = prefix_ + shown.name;
  shown.layer.items = shown.placed->items();
  shown.layer.revision = nextRevision();
  shown.layer.clip = shown.placed->clipped();
}

void ViewBoard::place(const PageArea& area, bool moving) {
  Digest digest;
  digest.add(area.area, area.theme.key, area.theme.textSize, area.figure, moving);
  if (placedOf_ == digest.value()) return;  // it is called several times a frame
  placedOf_ = digest.value();
  std::vector<Shown> before = std::exchange(shown_, {});
  const auto natural = [&](const std::string& name, double width) {
    const View* const view = named(name);
    return view ? heightOf(*view, width, area.theme, area.figure) : 0.0;
  };
  for (const PlacedPart& part : placeParts(views_.arrangement, area.area, natural)) {
    const View* const view = named(part.view);
    if (!view) continue;
    const auto old =
        std::find_if(before.begin(), before.end(), [&part](const Shown& one) { return one.name == part.view; });
    Shown& shown = shown_.emplace_back(old == before.end() ? Shown() : std::move(*old));
    if (old != before.end()) before.erase(old);
    shown.view = static_cast<std::size_t>(view - views_.views.data());
    shown.name = part.view;
    shown.box = part.box;
    make(shown, area);
    shown.layer.still = !moving;
  }
}

const View* ViewBoard::named(const std::string& name) const {
  const auto view =
      std::find_if(views_.views.begin(), views_.views.end(), [&name](const View& one) { return one.name == name; });
  return view == views_.views.end() ? nullptr : &*view;
}

std::optional<render::Rect> ViewBoard::boxOf(const std::string& name) const {
  const auto found = std::find_if(shown_.begin(), shown_.end(), [&name](const Shown& one) { return one.name == name; });
  return found == shown_.end() ? std::nullopt : std::optional(found->box);
}

ViewBoard::Shown* ViewBoard::under(render::Point page) {
  for (auto at = shown_.rbegin(); at != shown_.rend(); ++at)
    if (at->box.contains(page)) return &*at;
  return nullptr;
}

void ViewBoard::scene(const PageArea& area, std::vector<render::Layer>& into) {
  for (const Shown& shown : shown_)
    if (!shown.layer.items.empty()) into.push_back(shown.layer);
  if (!area.pointer || area.figure || grip_) return;
  const Shown* const shown = under(*area.pointer);
  if (!shown) return;
  Digest digest;
  digest.add(shown->layer.revision, *area.pointer, area.area, contents_);
  tips_.add(
      into, prefix_ + "tip", {digest.value()},
      [&] { return shown->placed->tip(views_.views[shown->view], *area.pointer, area.area); }, false, false);
}

Cursor ViewBoard::input(const PageArea& area, ExhibitContext& context, const InputEvent& event) {
  const auto slideTo = [&](Shown& shown, render::Point at) {
    const View& view = views_.views[shown.view];
    if (const std::optional<double> x = shown.placed->slide(view, at, true))
      std::get<ChartContent>(view.content).slide(context.editor, *x, heldAt_);
    return Cursor::ResizeHorizontal;
  };
  const auto release = [&] {
    if (held_ || grip_) context.editor.seal();
    held_.reset();
    grip_.reset();
  };
  if (const auto* focus = std::get_if<FocusChanged>(&event); focus && !focus->focused) release();
  const auto held = std::find_if(shown_.begin(), shown_.end(), [this](const Shown& one) { return one.name == held_; });
  if (held == shown_.end()) held_.reset();
  if (const auto* move = std::get_if<PointerMoved>(&event); move && held_) return slideTo(*held, {move->x, move->y});
  const auto* const press = std::get_if<PointerPressed>(&event);
  if (const auto* move = std::get_if<PointerMoved>(&event); move && grip_) {
    grip_->drag(context.editor, {move->x, move->y});
    return grip_->cursor;
  }
  if (press && press->button == Button::Left && !press->down && grip_) {
    const PictureGrip let = *grip_;
    release();
    if (let.drop) let.drop(context, {press->x, press->y});
  }
  if (press && press->button == Button::Left && !press->down && held_) {
    release();
    return Cursor::Cross;
  }
  Shown* const shown = area.pointer ? under(*area.pointer) : nullptr;
  if (!shown) return Cursor::Arrow;
  const View& view = views_.views[shown->view];
  if (const auto* wheel = std::get_if<Scrolled>(&event)) {
    const auto* const table = std::get_if<TableContent>(&view.content);
    for (Shown& one : shown_) {
      const auto* const other = std::get_if<TableContent>(&views_.views[one.view].content);
      const bool together = table && other && !table->scrollsWith.empty() && other->scrollsWith == table->scrollsWith;
      if ((together || &one == shown) && one.placed->scroll(wheel->dy * TableView::rowHeight(area.theme) * 3))
        draw(one);
    }
    return shown->placed->cursor(view, *area.pointer);
  }
  if (press && press->button == Button::Left && press->down) {
    if (const std::optional<double> x = shown->placed->slide(view, *area.pointer, false)) {
      context.editor.seal();
      held_ = shown->name;
      heldAt_ = *x;
      return slideTo(*shown, *area.pointer);
    }
    if (std::optional<PictureGrip> grip = shown->placed->hold(view, *area.pointer)) {
      context.editor.seal();
      grip_ = std::move(grip);
      return grip_->cursor;
    }
    command_ = shown->placed->command(*area.pointer);
    if (const std::optional<Changes> changes = shown->placed->pick(view, *area.pointer))
      apply(context.editor, *changes);
  }
  return shown->placed->cursor(view, *area.pointer);
}

Strip ViewBoard::controls() const {
  Strip all;
  for (const Shown& shown : shown_)
    if (const Strip* const strip = shown.placed->controls())
      all.buttons.insert(all.buttons.end(), strip->buttons.begin(), strip->buttons.end());
  return all;
}

Numbers ViewBoard::numbers() const {
  Numbers all;
  for (const View& view : views_.views) {
    Numbers of = view.numbers ? view.numbers() : Numbers();
    std::ranges::move(of.tables, std::back_inserter(all.tables));
    std::ranges::move(of.grids, std::back_inserter(all.grids));
    const auto* const matrix = std::get_if<MatrixContent>(&view.content);
    if (view.numbers || !matrix || !matrix->values) continue;
    all.grids.push_back({view.name,
                         {static_cast<std::size_t>(matrix->rows), static_cast<std::size_t>(matrix->columns)},
                         std::vector<double>(matrix->values->begin(), matrix->values->end())});
  }
  return all;
}

std::vector<ReadableView> ViewBoard::readable() {
  std::vector<ReadableView> all;
  for (Shown& shown : shown_) {
    std::optional<ReadableView> view = shown.placed->read();
    if (!view) continue;
    view->name = prefix_ + shown.name;
    view->box = shown.box;
    if (view->place)
      view->place = [this, &shown, place = std::move(view->place)](std::size_t row, std::size_t cell) {
        if (shown.placed->reveal(row)) draw(shown);
        return place(row, cell);
      };
    all.push_back(*std::move(view));
  }
  return all;
}

std::vector<std::pair<std::string, std::string>> ViewBoard::gestures() const {
  bool slides = false, reads = false, rows = false, cells = false, picks = false;
  for (const Shown& shown : shown_) {
    const auto& content = views_.views[shown.view].content;
    if (const auto* chart = std::get_if<ChartContent>(&content)) {
      slides = slides || chart->slide;
      reads = true;
    }
    if (const auto* table = std::get_if<TableContent>(&content)) rows = rows || table->pick || table->pickCell;
    if (const auto* matrix = std::get_if<MatrixContent>(&content)) {
      picks = picks || matrix->pick;
      cells = true;
    }
  }
  std::vector<std::pair<std::string, std::string>> all;
  if (slides) all.emplace_back(tr("drag in a chart"), tr("move its line"));
  if (reads) all.emplace_back(tr("hover over a chart"), tr("the value under the pointer"));
  if (rows) all.emplace_back(tr("click a row of the table"), tr("show it"));
  if (picks) all.emplace_back(tr("click an entry of a matrix"), tr("choose it"));
  if (cells) all.emplace_back(tr("hover over a matrix"), tr("the entry under the pointer"));
  return all;
}

}  // namespace sepx::ui
