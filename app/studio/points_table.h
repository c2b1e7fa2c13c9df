// SPDX-License-Identifier: Apache-2.0
// The exhibit's points, one line each: name, coordinates, and the end in colour and words. A click selects. Columns
// come from the declarations of `<exhibit>.points[]`; it holds no state of its own. GUI thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/studio/plain_list.h"
#include "ui/workbench/workbench.h"

#include <QIcon>

namespace sepx::app {

class PointsTable final : public PlainList {
  Q_OBJECT

 public:
  explicit PointsTable(ui::Workbench& workbench, QWidget* parent = nullptr);

  /// Takes over the present points and the selected one; false when there are none.
  bool refresh(int selected);

 signals:
  void chosen(int index);

 private:
  void showPoint(int index);
  void showVisible();
  QIcon endIcon(const std::string& label) const;

  ui::Workbench& workbench_;
  std::string list_;  ///< "flow.points"
  // Copies: a registry belongs to a pane, which may be closed.
  std::optional<ui::Property> name_;
  std::vector<ui::Property> coordinates_;
  std::optional<ui::ReadOut> end_;
  int line_ = 0;  ///< height of a row, points
};

}  // namespace sepx::app
