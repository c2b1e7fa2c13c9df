// SPDX-License-Identifier: Apache-2.0
// See accessible_picture.h.
#include "app/studio/accessible_picture.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sepx::app {

namespace {

using Role = ui::ReadableView::Role;
constexpr const char* kViewport = "sepx-viewport";  // property of the widget: the viewport that it shows
constexpr double kCellSide = 12;                    // points; side of a cell, which has a position but no size

QString shown(const std::string& text) {
  return QString::fromStdString(text);
}

std::size_t cellsOf(const ui::ReadableView& view, std::size_t row) {
  return row < view.rows && view.cells ? view.cells(row) : 0;
}

/// A view, one of its rows, or a cell of a row. It stores no data, because the content may change after the part was
/// requested.
class PicturePart final : public QAccessibleInterface, public QAccessibleActionInterface {
 public:
  PicturePart(const AccessiblePicture& picture, AccessiblePicture::Part part)
      : picture_(picture), part_(std::move(part)) {}
  const AccessiblePicture::Part& part() const { return part_; }

  bool isValid() const override {
    const auto view = picture_.view(part_.view);
    return view && (!part_.row || *part_.row < view->rows) && (!part_.cell || *part_.cell < cellsOf(*view, *part_.row));
  }
  QObject* object() const override { return nullptr; }
  QWindow* window() const override { return picture_.window(); }
  QAccessibleInterface* parent() const override {
    if (part_.cell) return picture_.part({part_.view, part_.row});
    if (part_.row) return picture_.part({part_.view});
    return QAccessible::queryAccessibleInterface(picture_.object());
  }
  int childCount() const override {
    const auto view = picture_.view(part_.view);
    if (!view || part_.cell) return 0;
    return static_cast<int>(part_.row ? cellsOf(*view, *part_.row) : view->rows);
  }
  QAccessibleInterface* child(int index) const override {
    if (index < 0 || index >= childCount()) return nullptr;
    const auto at = static_cast<std::size_t>(index);
    return part_.row ? picture_.part({part_.view, part_.row, at}) : picture_.part({part_.view, at});
  }
  int indexOfChild(const QAccessibleInterface* child) const override {
    const auto* const of = dynamic_cast<const PicturePart*>(child);
    if (!of || of->part_.view != part_.view || !of->part_.row || (part_.row && of->part_.row != part_.row)) return -1;
    return static_cast<int>(part_.row ? of->part_.cell.value_or(0) : *of->part_.row);
  }
  QAccessibleInterface* childAt(int x, int y) const override;
  QRect rect() const override;
  QString text(QAccessible::Text which) const override;
  void setText(QAccessible::Text, const QString&) override {}
  QAccessible::Role role() const override;
  QAccessible::State state() const override {
    QAccessible::State state;
    state.readOnly = true;
    state.focusable = true;
    const auto reading = picture_.reading();
    state.focused = reading && part_ == AccessiblePicture::Part{reading->view, reading->row, reading->cell};
    return state;
  }
  void* interface_cast(QAccessible::InterfaceType type) override {
    return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
  }
  QStringList actionNames() const override { return {setFocusAction()}; }
  void doAction(const QString& action) override {
    if (action == setFocusAction()) picture_.read(part_);
  }
  QStringList keyBindingsForAction(const QString&) const override { return {}; }

 private:
  const AccessiblePicture& picture_;
  const AccessiblePicture::Part part_;
};

/// Only the part that is found becomes an object, because a series may have as many cells as a run has steps.
QAccessibleInterface* PicturePart::childAt(int x, int y) const {
  if (part_.cell) return nullptr;
  const auto view = picture_.view(part_.view);
  const auto found = view ? cellAt(*view, part_.row, picture_.inPicture({x, y})) : std::nullopt;
  if (!found) return nullptr;
  return part_.row ? picture_.part({part_.view, part_.row, found->cell}) : picture_.part({part_.view, found->row});
}

QRect PicturePart::rect() const {
  const auto view = picture_.view(part_.view);
  if (!view) return {};
  const std::size_t row = part_.row.value_or(0);
  if (!part_.cell || *part_.cell >= cellsOf(*view, row)) return picture_.onScreen(view->box);
  const auto at = view->place ? view->place(row, *part_.cell) : std::nullopt;
  if (!at) return picture_.onScreen(view->box);
  return picture_.onScreen(
      {{at->x - kCellSide / 2, at->y - kCellSide / 2}, {at->x + kCellSide / 2, at->y + kCellSide / 2}});
}

QString PicturePart::text(QAccessible::Text which) const {
  const auto view = picture_.view(part_.view);
  if (!view) return {};
  if (which == QAccessible::Description && !part_.row) return shown(view->description);
  if (which == QAccessible::UserText) return shown(view->name);
  if (which != QAccessible::Name && which != QAccessible::Value) return {};
  if (part_.cell)
    return *part_.cell < cellsOf(*view, *part_.row) ? shown(view->text(*part_.row, *part_.cell)) : QString();
  if (which == QAccessible::Value) return {};
  if (!part_.row) return shown(view->label.empty() ? view->name : view->label);
  if (view->rowName) return shown(view->rowName(*part_.row));
  return cellsOf(*view, *part_.row) > 0 ? shown(view->text(*part_.row, 0)) : QString();
}

QAccessible::Role PicturePart::role() const {
  const auto view = picture_.view(part_.view);
  const Role of = view ? view->role : Role::Text;
  if (part_.cell) return of == Role::Matrix || of == Role::Table ? QAccessible::Cell : QAccessible::ListItem;
  if (part_.row) return of == Role::Matrix || of == Role::Table ? QAccessible::Row : QAccessible::List;
  switch (of) {
    case Role::Chart:
      return QAccessible::Chart;
    case Role::Matrix:
    case Role::Table:
      return QAccessible::Table;
    case Role::Points:
      return QAccessible::Graphic;
    default:
      return QAccessible::StaticText;
  }
}

bool squareHolds(render::Point middle, render::Point at) {
  return std::abs(middle.x - at.x) <= kCellSide / 2 && std::abs(middle.y - at.y) <= kCellSide / 2;
}

QAccessibleInterface* makeFor(const QString&, QObject* object) {
  auto* const widget = qobject_cast<QWidget*>(object);
  auto* const viewport = widget ? qobject_cast<Viewport*>(widget->property(kViewport).value<QObject*>()) : nullptr;
  return viewport ? new AccessiblePicture(widget, *viewport) : nullptr;
}

}  // namespace

std::optional<ui::ReadableCell> cellAt(const ui::ReadableView& view, std::optional<std::size_t> row, render::Point at) {
  const auto& place = view.seen ? view.seen : view.place;
  const std::size_t first = row.value_or(0), end = row ? std::min(*row + 1, view.rows) : view.rows;
  if (!view.box.contains(at) || first >= end) return std::nullopt;
  if (view.under) {
    const auto found = view.under(at);
    return found && found->row >= first && found->row < end ? found : std::nullopt;
  }
  if (!place) return cellsOf(view, first) > 0 ? std::optional(ui::ReadableCell{first, 0}) : std::nullopt;
  std::optional<ui::ReadableCell> nearest;
  double least = kCellSide * kCellSide;  // more than any distance within a square
  for (std::size_t r = first; r < end; ++r) {
    const std::size_t cells = cellsOf(view, r);
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const std::optional<render::Point> middle = place(r, cell);
      if (!middle || !squareHolds(*middle, at)) continue;
      const double dx = middle->x - at.x, dy = middle->y - at.y, distance = dx * dx + dy * dy;
      if (distance < least) nearest = ui::ReadableCell{r, cell}, least = distance;
    }
  }
  return nearest;
}

void AccessiblePicture::describe(QWidget& widget, Viewport& viewport) {
  [[maybe_unused]] static const bool once = [] {
    QAccessible::installFactory(makeFor);
    return true;
  }();
  widget.setProperty(kViewport, QVariant::fromValue(static_cast<QObject*>(&viewport)));
  // Qt may have created another object when the widget got its first property.
  QAccessibleInterface* const made = QAccessible::queryAccessibleInterface(&widget);
  if (made && !dynamic_cast<AccessiblePicture*>(made))
    QAccessible::deleteAccessibleInterface(QAccessible::uniqueId(made));
}

AccessiblePicture* AccessiblePicture::of(QWidget* widget) {
  return QAccessible::isActive() ? dynamic_cast<AccessiblePicture*>(QAccessible::queryAccessibleInterface(widget))
                                 : nullptr;
}

AccessiblePicture::AccessiblePicture(QWidget* widget, Viewport& viewport)
    : QAccessibleWidget(widget, QAccessible::Canvas), viewport_(&viewport) {}

AccessiblePicture::~AccessiblePicture() {
  forget();
}

std::vector<std::string> AccessiblePicture::names() const {
  std::vector<std::string> all;
  if (viewport_)
    for (const ui::ReadableView& view : viewport_->workbench().readable())
      all.push_back(view.name);
  return all;
}

std::optional<ui::ReadableView> AccessiblePicture::view(const std::string& name) const {
  if (viewport_)
    for (ui::ReadableView& view : viewport_->workbench().readable())
      if (view.name == name) return std::move(view);
  return std::nullopt;
}

std::optional<ui::ReadingPlace> AccessiblePicture::reading() const {
  return viewport_ ? viewport_->workbench().reading() : std::nullopt;
}

bool AccessiblePicture::read(const Part& part) const {
  if (!viewport_ || !viewport_->workbench().read({part.view, part.row.value_or(0), part.cell.value_or(0)}))
    return false;
  viewport_->schedule();
  return true;
}

double AccessiblePicture::unitsPerPoint() const {
  return viewport_ ? viewport_->scale() / viewport_->pixelRatio() : 1;
}

render::Point AccessiblePicture::inPicture(QPoint screen) const {
  const QPoint at = widget()->mapFromGlobal(screen);
  return {at.x() / unitsPerPoint(), at.y() / unitsPerPoint()};
}

QRect AccessiblePicture::onScreen(const render::Rect& box) const {
  if (!viewport_) return {};
  const double points = unitsPerPoint();
  const QRectF inWidget(box.min.x * points, box.min.y * points, box.width() * points, box.height() * points);
  return QRect(widget()->mapToGlobal(inWidget.topLeft().toPoint()), inWidget.size().toSize());
}

void AccessiblePicture::forget() const {
  for (const auto& [part, id] : std::exchange(parts_, {}))
    QAccessible::deleteAccessibleInterface(id);
}

QAccessibleInterface* AccessiblePicture::part(const Part& part) const {
  const auto found = parts_.find(part);
  if (found != parts_.end()) return QAccessible::accessibleInterface(found->second);
  auto* const made = new PicturePart(*this, part);
  parts_[part] = QAccessible::registerAccessibleInterface(made);
  return made;
}

int AccessiblePicture::childCount() const {
  return static_cast<int>(names().size());
}

QAccessibleInterface* AccessiblePicture::child(int index) const {
  const std::vector<std::string> all = names();
  if (index < 0 || static_cast<std::size_t>(index) >= all.size()) return nullptr;
  return part({all[static_cast<std::size_t>(index)]});
}

int AccessiblePicture::indexOfChild(const QAccessibleInterface* child) const {
  const auto* const of = dynamic_cast<const PicturePart*>(child);
  if (!of || of->part().row) return -1;
  const std::vector<std::string> all = names();
  const auto found = std::ranges::find(all, of->part().view);
  return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

QAccessibleInterface* AccessiblePicture::childAt(int x, int y) const {
  if (!viewport_) return nullptr;
  const std::vector<ui::ReadableView> all = viewport_->workbench().readable();
  const auto found = std::find_if(all.rbegin(), all.rend(),
                                  [&](const ui::ReadableView& view) { return onScreen(view.box).contains(x, y); });
  return found != all.rend() ? part({found->name}) : nullptr;
}

QAccessibleInterface* AccessiblePicture::focusChild() const {
  const auto now = reading();
  return now ? part({now->view, now->row, now->cell}) : nullptr;
}

void AccessiblePicture::follow() {
  if (std::vector<std::string> now = names(); now != known_) {
    known_ = std::move(now);
    forget();
    QAccessibleEvent event(widget(), QAccessible::ObjectReorder);
    QAccessible::updateAccessibility(&event);
  }
  const auto& messages = viewport_ ? viewport_->workbench().messages() : std::vector<ui::Message>();
  if (messages.size() > announcedMessages_) {
    widget()->setAccessibleDescription(QString::fromStdString(messages.back().text));  // Qt announces it
    QAccessibleEvent alert(widget(), QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
  }
  announcedMessages_ = messages.size();
  constexpr std::size_t kMost = 4096;  // if there are more, all are freed, and created again on request
  if (parts_.size() > kMost) forget();
  const std::optional<ui::ReadingPlace> now = reading();
  if (std::exchange(announcedPlace_, now) == now || !now) return;
  QAccessibleEvent event(part({now->view, now->row, now->cell}), QAccessible::Focus);
  QAccessible::updateAccessibility(&event);
}

}  // namespace sepx::app
