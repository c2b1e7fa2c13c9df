// SPDX-License-Identifier: Apache-2.0
// The exhibit's points, one per row: name and colour, coordinates, where the point ends in colour and words, and other
// values of it. A click selects. Columns come from the declarations of the exhibit's list (ui::PlacedList); columns
// that do not apply to the visible page are hidden. It stores no values of its own. GUI thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/studio/plain_list.h"
#include "ui/page/exhibit.h"
#include "ui/workbench/workbench.h"

#include <QIcon>

namespace sepx::app {

class PointsTable final : public PlainList {
  Q_OBJECT

 public:
  PointsTable(ui::Workbench& workbench, ui::PlacedList list, QWidget* parent = nullptr);

  /// Shows the current points and the selected one; false when there are no points.
  bool refresh(int selected);

 signals:
  void chosen(int index);

 private:
  /// A declared member of the list that has a column.
  struct Column {
    std::optional<ui::Property> property;
    std::optional<ui::ReadOut> readOut;
    std::string member;  ///< "e", "limit.loss"
  };
  void addReadOuts();
  bool applies(const Column& column) const;
  QString titleOf(const Column& column) const;
  ui::Value value(int index, const std::string& member) const;
  void setCount(int count);
  void showPoint(int index);
  void showName(int index);
  bool isEnd(const std::string& member) const;
  void showEnd(int index, int column, const Column& shown);
  void showVisible();
  /// As high as its rows, at most kMostLines, and the scroll bar below them if the columns do not fit.
  void fitHeight();
  QIcon endIcon(const std::string& label) const;

  ui::Workbench& workbench_;
  const ui::PlacedList list_;
  // Copies, because a registry belongs to a pane, which may be closed.
  std::optional<ui::Property> name_;
  bool colored_ = false;         ///< each point has its own colour
  std::vector<Column> columns_;  ///< those after the name
  int line_ = 0;                 ///< height of a row, points
  bool filling_ = false;         ///< rows are added or removed: ignore scrolling
};

}  // namespace sepx::app
