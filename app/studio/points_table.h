// SPDX-License-Identifier: Apache-2.0
// The exhibit's points, one line each: name and colour, coordinates, the end in colour and words, and what else is
// known of each. A click selects. Columns come from the declarations of the exhibit's list (ui::PlacedList); those that
// mean nothing on the page in sight are hidden. It holds no state of its own. GUI thread.
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

  /// Takes over the present points and the selected one; false when there are none.
  bool refresh(int selected);

 signals:
  void chosen(int index);

 private:
  /// A declared member of the list, and the column that shows it.
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
  /// As high as its rows, kMostLines at most, and the bar below them where columns do not fit.
  void fitHeight();
  QIcon endIcon(const std::string& label) const;

  ui::Workbench& workbench_;
  const ui::PlacedList list_;
  // Copies: a registry belongs to a pane, which may be closed.
  std::optional<ui::Property> name_;
  bool colored_ = false;         ///< points have a colour of their own
  std::vector<Column> columns_;  ///< after the name
  int line_ = 0;                 ///< height of a row, points
  bool filling_ = false;         ///< rows come or go: what scrolls meanwhile shows nothing new
};

}  // namespace sepx::app
