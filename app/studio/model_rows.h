// SPDX-License-Identifier: Apache-2.0
// The open checkpoint as rows of the library: its name with a sparkline of the layers' symmetry, and one row per layer
// with its value, as the exhibit of the active pane provides them (ModelTree). GUI thread.
#pragma once

#include "ui/page/exhibit.h"
#include "ui/workbench/workbench.h"

#include <QObject>
#include <QString>

class QTreeWidget;
class QTreeWidgetItem;

namespace sepx::app {

class ModelRows final : public QObject {
  Q_OBJECT

 public:
  /// `group`: the library's group of models; these rows come first in it.
  ModelRows(ui::Workbench& workbench, QTreeWidgetItem* group);

  /// Shows the model of the active pane, or no row if it has none.
  void refresh();
  /// Title of the model that is shown; empty: none.
  const std::string& title() const { return shown_.title; }
  /// Whether `item` is one of these rows. If it is a layer, the exhibit shows that layer.
  bool activate(QTreeWidgetItem* item);

 private:
  QString name() const;  ///< of the model, for the user
  void fill(QTreeWidgetItem* row, const ui::ModelTree::Row& from) const;

  ui::Workbench& workbench_;
  QTreeWidgetItem* group_;
  QTreeWidgetItem* model_ = nullptr;
  ui::ModelTree shown_;
};

/// The name of a checkpoint for the user; one that ships with the program is called by its name, marked as bundled.
QString modelWords(const std::string& path, const std::string& assets);

/// Draws the sparkline of a model's row (its numbers are in kSparkRole) in the second column.
void drawSparkLines(QTreeWidget* list);

}  // namespace sepx::app
