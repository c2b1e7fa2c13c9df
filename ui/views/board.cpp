// SPDX-License-Identifier: Apache-2.0
// See board.h.
#include "ui/views/board.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "ui/canvas/page_draw.h"
#include "ui/canvas/symbol_labels.h"
#include "ui/properties/language.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/views/digest.h"
#include "ui/views/part_names.h"

namespace sepx::ui {

namespace {

constexpr double kMissingLine = 1.6;  // height of the line of missing parts, multiples of the small type size
constexpr double kLeastChart = 6;     // least height of a chart above that line, multiples of the type size
constexpr const char* kMissing = "missing";
constexpr double kWidestTip = 0.6;  // share of the width of the page

/// Whether two points are as close as those of a press and a release in a click.
bool near(render::Point a, render::Point b) {
  constexpr double kStill = 3;  // points
  return std::hypot(a.x - b.x, a.y - b.y) <= kStill;
}

}  // namespace

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
      editor.say(with.error().message);
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

void Views::addAt(const render::Rect& box, Arrangement part) {
  if (arrangement.kind != Arrangement::Kind::Stack) {
    std::vector<Arrangement> below;
    if (!views.empty()) below.push_back(std::move(arrangement));
    arrangement = {.kind = Arrangement::Kind::Stack, .parts = std::move(below)};
  }
  arrangement.parts.push_back(std::move(part));
  arrangement.parts.back().at = box;
}

void Views::addAt(const render::Rect& box, View view) {
  addAt(box, viewNamed(view.name));
  views.push_back(std::move(view));
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
  const ViewPlace at{shown.box, area.theme, area.figure, divided(), choice_.legend && !divided()};
  digest.add(digests_[shown.view], shown.box, area.theme.key, languageRevision(), area.theme.textSize, at.figure,
             at.panel, at.legend);
  if (shown.placed && shown.key == digest.value()) return;
  shown.key = digest.value();
  std::unique_ptr<PlacedView> before;
  {
    const CutTexts cut;
    before = std::exchange(shown.placed, placeView(views_.views[shown.view], at));
    shown.cutWhenPlaced = cut.all();
  }
  if (before) shown.placed->takeOver(*before);
  for (const auto& [name, part] : choice_.parts)
    if (name == prefix_ + shown.name) shown.placed->showPart(part);
  shown.left = 0;
  draw(shown);
}

void ViewBoard::draw(Shown& shown) {
  shown.layer.name = prefix_ + shown.name;
  const CutTexts cut;
  shown.layer.items = shown.placed->items();
  std::vector<CutText> texts = shown.cutWhenPlaced;
  texts.insert(texts.end(), cut.all().begin(), cut.all().end());
  shown.cut = cutPlaces(shown.layer.items, texts);
  typesetSymbols(shown.layer.items);
  shown.layer.revision = nextRevision();
  shown.layer.clip = shown.placed->clipped();
  shown.layer.within = shown.placed->within();
}

void ViewBoard::place(const PageArea& area, bool moving) {
  Digest digest;
  digest.add(area.area, area.theme.key, languageRevision(), area.theme.textSize, area.figure, moving);
  if (placedOf_ == digest.value()) return;  // it is called several times per frame
  placedOf_ = digest.value();
  std::vector<Shown> before = std::exchange(shown_, {});
  for (const PlacedPart& part : parts(area)) {
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
    shown.layer.still = !moving && shown.placed->still();
  }
  alignCharts();
}

std::vector<PlacedPart> ViewBoard::parts(const PageArea& area) {
  const auto natural = [&](const std::string& name, double width) {
    const View* const view = named(name);
    return view ? heightOf(*view, width, area.theme, area.figure) : 0.0;
  };
  if (area.figure) return figureParts(area);
  Arrangement whole = views_.arrangement;
  const NamedView byName = [this](const std::string& name) { return named(name); };
  needNumbersWhole(whole, byName, area.theme);
  nameParts(whole, byName);
  std::vector<std::string> missing;
  std::vector<PlacedPart> all = placeParts(whole, area.area, natural, &missing);
  const double line = kMissingLine * static_cast<double>(area.theme.smallSize);
  if (missing.empty() || area.audience || area.area.height() < 6 * line) return all;
  const render::Rect rest{area.area.min, {area.area.max.x, area.area.max.y - line}};
  missing.clear();
  all = placeParts(whole, rest, natural, &missing);
  for (PlacedPart& part : all)  // a part at a fixed position also ends above the line
    if (part.box.min.y < rest.max.y) part.box.max.y = std::min(part.box.max.y, rest.max.y);
  // A chart that would have no room for its own text above the line takes precedence over the line.
  const auto low = [&](const PlacedPart& part) {
    const View* const view = named(part.view);
    const auto* const chart = view ? std::get_if<ChartContent>(&view->content) : nullptr;
    const double size = area.theme.textSize;
    return chart && !chart->chart.plot && part.box.height() < kLeastChart * size && part.box.max.y > rest.max.y - size;
  };
  if (std::ranges::any_of(all, low)) return placeParts(whole, area.area, natural);
  const std::string text = trFormat("In a larger pane: {}.", listed(missing));
  std::erase_if(views_.views, [](const View& view) { return view.name == kMissing; });
  views_.views.push_back({kMissing, TextContent{.lines = {{{text}, NoteLine::Role::Muted}}, .oneLine = true}});
  digests_.resize(views_.views.size());
  digests_.back() = digestOf(views_.views.back());
  const double pad = area.theme.space;
  all.push_back({kMissing, {{rest.min.x + pad, rest.max.y}, {rest.max.x - pad, area.area.max.y}}});
  return all;
}

/// Gives the plots of aligned charts that begin at the same x the same left margin.
void ViewBoard::alignCharts() {
  for (Shown& shown : shown_) {
    double left = shown.placed->left();
    if (!(left > 0)) continue;
    for (const Shown& other : shown_)
      if (other.box.min.x == shown.box.min.x) left = std::max(left, other.placed->left());
    if (std::exchange(shown.left, left) == left) continue;
    shown.placed->leaveLeft(left);
    draw(shown);
  }
}

const View* ViewBoard::named(const std::string& name) const {
  const auto view =
      std::find_if(views_.views.begin(), views_.views.end(), [&name](const View& one) { return one.name == name; });
  return view == views_.views.end() ? nullptr : &*view;
}

const ViewBoard::Shown* ViewBoard::shownAs(const std::string& name) const {
  const auto found = std::find_if(shown_.begin(), shown_.end(), [&name](const Shown& one) { return one.name == name; });
  return found == shown_.end() ? nullptr : &*found;
}

std::optional<render::Rect> ViewBoard::boxOf(const std::string& name) const {
  const Shown* const shown = shownAs(name);
  return shown ? std::optional(shown->box) : std::nullopt;
}

std::size_t ViewBoard::inRow(const std::string& name) const {
  const Shown* const shown = shownAs(name);
  return shown ? shown->placed->inRow() : 1;
}

void ViewBoard::reveal(const std::string& name, std::size_t index) {
  for (Shown& shown : shown_)
    if (shown.name == name && shown.placed->reveal(index)) draw(shown);
}

std::optional<double> ViewBoard::xUnder(std::optional<render::Point> page) const {
  for (const Shown& shown : shown_)
    if (const auto x = page ? shown.placed->xAt(*page) : std::nullopt) return x;
  return std::nullopt;
}

std::vector<render::Item> ViewBoard::cursorsAt(double x) const {
  std::vector<render::Item> items;
  for (const Shown& shown : shown_)
    append(items, shown.placed->cursorAt(x));
  return items;
}

/// The layer is made again only if its digest has changed.
void ViewBoard::drawOver(const PageArea& area, std::vector<render::Layer>& into) {
  const bool asked = views_.over && !divided();
  const std::optional<PictureContent> picture = asked ? views_.over(area) : std::nullopt;
  if (!picture) return;
  Digest digest;
  digest.add(picture->of, area.area, area.theme.key, languageRevision(), area.theme.textSize, area.figure, contents_);
  tips_.add(
      into, prefix_ + "over", {digest.value()},
      [&] {
        return picture->draw({area.area, area.theme, area.figure});
      },
      false, picture->clipped);
}

bool ViewBoard::pressedPart(const Shown* shown, ExhibitContext& context, const PointerPressed& press) {
  // A window manager makes a window active when it is clicked, and delivers the same click right afterwards.
  constexpr double kActivation = 0.2;
  const std::optional<Part> armed = std::exchange(armed_, std::nullopt);
  const View* const view = shown ? &views_.views[shown->view] : nullptr;
  const auto target = view ? shown->placed->target(*view, {press.x, press.y}) : std::nullopt;
  if (!target) return false;
  const ViewPress made{shown->name, target->index, target->head, press.modifiers};
  const auto* const cards = std::get_if<CardsContent>(&view->content);
  if (cards && cards->onRelease) {
    if (press.down && context.seconds - activated_ >= kActivation) armed_ = Part{shown->name, *target};
    if (!press.down && armed && armed->view == shown->name && armed->target == *target) press_ = made;
    return true;
  }
  if (!press.down) return false;
  if (shown->placed->act(context, *target)) return true;
  press_ = made;
  press_->twice = lastPart_ && lastPart_->view == shown->name && lastPart_->target == *target &&
                  isSecondClick(press, context.seconds - lastPart_->seconds) && !press.modifiers.ctrl &&
                  !press.modifiers.shift;
  lastPart_ = press_->twice ? std::nullopt : std::optional(Part{shown->name, *target, context.seconds});
  return true;
}

ViewBoard::Shown* ViewBoard::under(render::Point page) {
  for (auto at = shown_.rbegin(); at != shown_.rend(); ++at)
    if (at->box.contains(page) && at->placed->answers()) return &*at;
  return nullptr;
}

void ViewBoard::scene(const PageArea& area, std::vector<render::Layer>& into) {
  for (Shown& shown : shown_) {
    if (shown.layer.items.empty()) continue;
    std::vector<render::Item> items = std::exchange(shown.layer.items, {});
    into.push_back(shown.layer);
    into.back().items = std::move(items);
  }
  drawTip(area, into);
  drawOver(area, into);
}

const CutPlace* ViewBoard::cutAt(render::Point page) const {
  for (auto at = shown_.rbegin(); at != shown_.rend(); ++at)
    for (const CutPlace& one : at->cut)
      if (one.box.contains(page) && (!at->layer.within || at->layer.within->contains(page))) return &one;
  return nullptr;
}

/// Draws the tip of the view under the pointer, and the whole of a text that is shortened there.
void ViewBoard::drawTip(const PageArea& area, std::vector<render::Layer>& into) {
  if (area.figure || (grip_ && !grip_->grip.over) || (!grip_ && !area.pointer)) return;
  const Shown* const shown = grip_ ? nullptr : under(*area.pointer);
  const CutPlace* const cut = grip_ ? nullptr : cutAt(*area.pointer);
  if (!shown && !cut && !grip_) return;
  Digest digest;
  digest.add(area.pointer, area.area, contents_, grip_.has_value(), shown ? shown->layer.revision : 0);
  tips_.add(
      into, prefix_ + "tip", {digest.value()},
      [&] {
        if (grip_) return grip_->grip.over();
        std::vector<render::Item> items;
        if (shown) items = shown->placed->tip(views_.views[shown->view], *area.pointer, area.area);
        if (cut && !containsText(items, cut->whole))
          addTip(items, *area.pointer, wrapped(cut->whole, area.theme.smallSize, kWidestTip * area.area.width()),
                 area.area, area.theme);
        return items;
      },
      false, false);
}

/// A view that was drawn again meanwhile has a new revision and keeps its new items.
void ViewBoard::reclaim(std::vector<render::Layer>& layers) {
  for (Shown& shown : shown_)
    for (render::Layer& layer : layers)
      if (layer.revision == shown.layer.revision) shown.layer.items = std::move(layer.items);
}

std::string ViewBoard::viewAt(render::Point page) const {
  for (auto at = shown_.rbegin(); at != shown_.rend(); ++at)
    if (at->box.contains(page) && at->placed->answers()) return at->name;
  return {};
}

Cursor ViewBoard::slideTo(Shown& shown, Editor& editor, render::Point at) {
  const View& view = views_.views[shown.view];
  if (const std::optional<double> x = shown.placed->slide(view, at, true))
    std::get<ChartContent>(view.content).slide(editor, *x, heldAt_);
  return Cursor::ResizeHorizontal;
}

void ViewBoard::release(Editor& editor) {
  if (held_ || grip_) editor.seal();
  held_.reset();
  grip_.reset();
}

std::optional<Cursor> ViewBoard::dragged(ExhibitContext& context, const InputEvent& event) {
  Editor& editor = context.editor;
  if (const auto* focus = std::get_if<FocusChanged>(&event); focus && !focus->focused) release(editor);
  const auto held = std::find_if(shown_.begin(), shown_.end(), [this](const Shown& one) { return one.name == held_; });
  if (held == shown_.end()) held_.reset();
  if (const auto* key = std::get_if<KeyPressed>(&event); key && key->down && key->key == Key::Escape && grip_) {
    const Held back = *grip_;
    if (back.moved && back.grip.takeBack) back.grip.takeBack(editor, back.before);
    release(editor);
  }
  if (const auto* move = std::get_if<PointerMoved>(&event)) {
    const render::Point at{move->x, move->y};
    if (held_) return slideTo(*held, editor, at);
    if (!grip_) return std::nullopt;
    const render::Point from = grip_->from;
    grip_->moved = grip_->moved || std::hypot(at.x - from.x, at.y - from.y) >= grip_->grip.still;
    if (grip_->moved) grip_->grip.drag(editor, at, move->modifiers.shift);
    return grip_->grip.dragCursor.value_or(grip_->grip.cursor);
  }
  const auto* const press = std::get_if<PointerPressed>(&event);
  if (!press || press->down || press->button != (grip_ ? grip_->button : Button::Left) || (!held_ && !grip_))
    return std::nullopt;
  const std::optional<Held> let = grip_;
  const bool slid = held_.has_value();
  release(editor);
  const render::Point at{press->x, press->y};
  if (let && !near(let->from, at)) lastPress_ = -1;  // a drag is not half of a double click
  if (let && let->grip.drop) let->grip.drop(context, at);
  for (Shown& shown : shown_)
    if (let) adjust(shown, PlacedView::Adjust::Drop, at);
  for (const Shown& shown : shown_)
    if (let && let->twice == shown.name && near(let->from, at))
      shown.placed->twice(views_.views[shown.view], editor, at);
  return slid ? std::optional(Cursor::Cross) : std::nullopt;
}

bool ViewBoard::hold(Shown& shown, Editor& editor, render::Point at, Button button, bool shift) {
  const View& view = views_.views[shown.view];
  std::optional<PictureGrip> grip =
      button == Button::Left ? shown.placed->hold(view, at) : shown.placed->holdOther(view, at);
  if (!grip || grip_) return false;
  editor.seal();
  grip_ = Held{*std::move(grip), at, editor.document(), button};
  grip_->moved = grip_->grip.atOnce;
  if (grip_->moved) grip_->grip.drag(editor, at, shift);
  return true;
}

Cursor ViewBoard::pressed(Shown& shown, ExhibitContext& context, render::Point at, const PointerPressed& press) {
  Editor& editor = context.editor;
  const View& view = views_.views[shown.view];
  const bool twice = lastPress_ >= 0 && isSecondClick(press, context.seconds - lastPress_) && near(at, lastAt_);
  lastPress_ = twice ? -1 : context.seconds;
  lastAt_ = at;
  const std::optional<PictureGrip> grip = shown.placed->hold(view, at);
  const bool later = twice && grip && grip->again;
  if (twice && !later && (shown.placed->twice(view, editor, at) || adjust(shown, PlacedView::Adjust::Twice, at)))
    return shown.placed->cursor(view, at);
  if (adjust(shown, PlacedView::Adjust::Click, at)) return shown.placed->cursor(view, at);
  if (const std::optional<double> x = shown.placed->slide(view, at, false)) {
    editor.seal();
    held_ = shown.name;
    heldAt_ = *x;
    return slideTo(shown, editor, at);
  }
  if (hold(shown, editor, at, Button::Left, press.modifiers.shift)) {
    if (later) grip_->twice = shown.name;
    return grip_->grip.cursor;
  }
  command_ = shown.placed->command(at);
  if (const std::optional<Changes> changes = shown.placed->pick(view, at)) apply(editor, *changes);
  return shown.placed->cursor(view, at);
}

void ViewBoard::scrolled(Shown& shown, Editor& editor, render::Point at, double notches, const Theme& theme) {
  const View& view = views_.views[shown.view];
  const auto* const table = std::get_if<TableContent>(&view.content);
  for (Shown& one : shown_) {
    const auto* const other = std::get_if<TableContent>(&views_.views[one.view].content);
    const bool together = table && other && !table->scrollsWith.empty() && other->scrollsWith == table->scrollsWith;
    if ((together || &one == &shown) && one.placed->scroll(notches * TableView::rowHeight(theme, true) * 3)) draw(one);
  }
  shown.placed->wheel(view, editor, at, notches);
  adjust(shown, PlacedView::Adjust::Wheel, at, notches);
}

/// True: the view shows another part of its content and was drawn again.
bool ViewBoard::adjust(Shown& shown, PlacedView::Adjust how, render::Point at, double notches) {
  if (!shown.placed->adjust(views_.views[shown.view], how, at, notches)) return false;
  draw(shown);
  return true;
}

Cursor ViewBoard::input(const PageArea& area, ExhibitContext& context, const InputEvent& event) {
  if (const std::optional<Cursor> cursor = dragged(context, event)) return *cursor;
  if (const auto* focus = std::get_if<FocusChanged>(&event)) {
    armed_.reset();
    if (focus->focused) activated_ = context.seconds;
  }
  Shown* const shown = area.pointer ? under(*area.pointer) : nullptr;
  if (const auto* part = std::get_if<PointerPressed>(&event);
      part && part->button == Button::Left && pressedPart(shown, context, *part))
    return Cursor::Hand;
  if (!shown) return Cursor::Arrow;
  if (const auto* wheel = std::get_if<Scrolled>(&event))
    scrolled(*shown, context.editor, *area.pointer, wheel->dy, area.theme);
  const auto* const press = std::get_if<PointerPressed>(&event);
  if (press && press->down && press->button == Button::Left) return pressed(*shown, context, *area.pointer, *press);
  if (press && press->down) {
    // A context menu acts on the chosen card, so a right click chooses the card under the pointer first.
    const View& view = views_.views[shown->view];
    const auto* const cards = std::get_if<CardsContent>(&view.content);
    const auto card = cards && cards->chosen && !cards->onRelease && press->button == Button::Right
                          ? shown->placed->target(view, *area.pointer)
                          : std::nullopt;
    if (card && !card->head && !cards->chosen(card->index)) press_ = ViewPress{shown->name, card->index, false, {}};
    hold(*shown, context.editor, *area.pointer, press->button, press->modifiers.shift);
  }
  return shown->placed->cursor(views_.views[shown->view], *area.pointer);
}

}  // namespace sepx::ui
