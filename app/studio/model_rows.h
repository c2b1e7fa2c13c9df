// SPDX-License-Identifier: Apache-2.0
// The open checkpoint as rows of the library: its name with a spark line of the layers' symmetry, and a row a layer
// with the number. Everything is read from the workbench by key; it holds no state of its own but what the rows show.
// GUI thread.
#pragma once

#include <string>
#include <vector>

#include "ui/workbench/workbench.h"

#include <QObject>

class QTreeWidget;
class QTreeWidgetItem;

namespace sepx::app {

class ModelRows final : public QObject {
  Q_OBJECT

 public:
  /// `group`: of the library's models; its rows come first in it.
  ModelRows(ui::Workbench& workbench, QTreeWidgetItem* group);

  /// Takes over the model of the active pane; no row where it shows none.
  void refresh();
  /// Whether `item` is one of them: then the exhibit goes to that layer.
  bool activate(QTreeWidgetItem* item);

 private:
  struct Layer {
    std::string stack;
    double layer = 0;
    ui::Value symmetry;
    bool operator==(const Layer&) const = default;
  };
  struct Shown {
    std::string model, stack;
    double layer = -1;  ///< the chosen one
    std::vector<Layer> layers;
    bool operator==(const Shown&) const = default;
  };
  Shown read() const;
  ui::Value value(const std::string& key) const;
  void fill(QTreeWidgetItem* layer, const Layer& from, bool chosen) const;

  ui::Workbench& workbench_;
  QTreeWidgetItem* group_;
  QTreeWidgetItem* model_ = nullptr;
  Shown shown_;
};

/// Draws the spark line of a model's row (kSparkRole: its numbers) at the right of the second column.
void drawSparkLines(QTreeWidget* list);

}  // namespace sepx::app
