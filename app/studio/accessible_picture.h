// SPDX-License-Identifier: Apache-2.0
// Makes the picture of the exhibit accessible to assistive programs: its views are children of the viewport's widget,
// and their rows and cells are children of the views, with names, roles, values and positions on the screen. The place
// that is read by keyboard is announced as the focus. GUI thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "app/studio/viewport.h"
#include "ui/page/readable.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QPointer>

namespace sepx::app {

/// The cell at `at`, in points as in the view: among the cells whose square contains it, the one with the nearest
/// centre. `row`: search this row only. Empty between cells. If cells have no positions, each has the box of the view,
/// and the first one is returned.
std::optional<ui::ReadableCell> cellAt(const ui::ReadableView& view, std::optional<std::size_t> row, render::Point at);

class AccessiblePicture final : public QAccessibleWidget {
 public:
  /// From now on, the accessible object of `widget` is an AccessiblePicture.
  static void describe(QWidget& widget, Viewport& viewport);
  /// The object of `widget`; null while no assistive program requests accessible objects.
  static AccessiblePicture* of(QWidget* widget);

  AccessiblePicture(QWidget* widget, Viewport& viewport);
  ~AccessiblePicture() override;

  /// After a frame: announces views that appeared or disappeared, new messages, and the place that is read now.
  void follow();

  int childCount() const override;
  QAccessibleInterface* child(int index) const override;
  int indexOfChild(const QAccessibleInterface* child) const override;
  QAccessibleInterface* childAt(int x, int y) const override;
  QAccessibleInterface* focusChild() const override;

  // Used by its parts.
  /// A view, one of its rows, or one cell of that row; without an index, all of it.
  struct Part {
    std::string view;
    std::optional<std::size_t> row{}, cell{};
    auto operator<=>(const Part&) const = default;
  };
  QAccessibleInterface* part(const Part& part) const;
  std::optional<ui::ReadableView> view(const std::string& name) const;
  /// Number of parts registered with Qt: those that were requested since the views changed.
  std::size_t registered() const { return parts_.size(); }
  std::optional<ui::ReadingPlace> reading() const;
  bool read(const Part& part) const;
  /// Converts points of the picture's window to screen coordinates.
  QRect onScreen(const render::Rect& box) const;
  /// The inverse of onScreen().
  render::Point inPicture(QPoint screen) const;

 private:
  std::vector<std::string> names() const;
  double unitsPerPoint() const;  ///< units of the widget per point of the picture
  void forget() const;

  QPointer<Viewport> viewport_;
  mutable std::map<Part, QAccessible::Id> parts_;   ///< those that were requested
  mutable std::vector<std::string> known_;          ///< the views that parts_ belong to
  std::optional<ui::ReadingPlace> announcedPlace_;  ///< the place announced last
  std::size_t announcedMessages_ = 0;               ///< number of messages announced
};

}  // namespace sepx::app
