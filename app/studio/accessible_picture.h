// SPDX-License-Identifier: Apache-2.0
// The picture of the exhibit for assistive programs: its views are children of the viewport's widget, their rows and
// cells children of those, with names, roles, values and places on the screen. What is read by keyboard is announced as
// the focus. GUI thread.
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

/// The cell at `at`, points as the view's: of those whose squares hold it, the one with the nearest middle. `row`: of
/// this row alone. Nothing between cells. Cells without places have the box of the view: the first one.
std::optional<ui::ReadableCell> cellAt(const ui::ReadableView& view, std::optional<std::size_t> row, render::Point at);

class AccessiblePicture final : public QAccessibleWidget {
 public:
  /// From now on the accessible object of `widget` is one of these.
  static void describe(QWidget& widget, Viewport& viewport);
  /// The widget's; null where nobody asks for accessible objects.
  static AccessiblePicture* of(QWidget* widget);

  AccessiblePicture(QWidget* widget, Viewport& viewport);
  ~AccessiblePicture() override;

  /// After a frame: announces views that came or went, what was said, and what is read now.
  void follow();

  int childCount() const override;
  QAccessibleInterface* child(int index) const override;
  int indexOfChild(const QAccessibleInterface* child) const override;
  QAccessibleInterface* childAt(int x, int y) const override;
  QAccessibleInterface* focusChild() const override;

  // For its parts.
  /// Which view, which of its rows, which cell of that; none: all of it.
  struct Part {
    std::string view;
    std::optional<std::size_t> row{}, cell{};
    auto operator<=>(const Part&) const = default;
  };
  QAccessibleInterface* part(const Part& part) const;
  std::optional<ui::ReadableView> view(const std::string& name) const;
  /// How many parts are registered with Qt: those that were asked for since the views changed.
  std::size_t registered() const { return parts_.size(); }
  std::optional<ui::ReadingPlace> reading() const;
  bool read(const Part& part) const;
  /// From points of the picture's window to the screen.
  QRect onScreen(const render::Rect& box) const;
  /// The way back.
  render::Point inPicture(QPoint screen) const;

 private:
  std::vector<std::string> names() const;
  double unitsPerPoint() const;  ///< of the widget, to a point of the picture
  void forget() const;

  QPointer<Viewport> viewport_;
  mutable std::map<Part, QAccessible::Id> parts_;  ///< those that were asked for
  mutable std::vector<std::string> known_;         ///< the views that parts_ belong to
  std::optional<ui::ReadingPlace> told_;           ///< what was announced last
  std::size_t said_ = 0;                           ///< messages that were announced
};

}  // namespace sepx::app
