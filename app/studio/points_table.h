// SPDX-License-Identifier: Apache-2.0
// The exhibit's points, one line each: name, coordinates, and the end in colour and words. A click selects. Columns
// come from the declarations of `<exhibit>.points[]`; it holds no state of its own. GUI thread.
#pragma once

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
  QIcon endIcon(const std::string& label) const;

  ui::Workbench& workbench_;
  std::string list_;  ///< "flow.points"
  const ui::Property* name_ = nullptr;
  std::vector<const ui::Property*> coordinates_;
  const ui::ReadOut* end_ = nullptr;
};

}  // namespace sepx::app
