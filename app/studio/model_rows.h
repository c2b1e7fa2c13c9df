// SPDX-License-Identifier: Apache-2.0
// The open checkpoint as rows of the library: its name with a spark line of the layers' symmetry, and a row a layer
// with the number, as the exhibit of the active pane tells it (ModelTree). GUI thread.
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
  /// `group`: of the library's models; its rows come first in it.
  ModelRows(ui::Workbench& workbench, QTreeWidgetItem* group);

  /// Takes over the model of the active pane; no row where it shows none.
  void refresh();
  /// Of the model as shown; empty: none.
  const std::string& title() const { return shown_.title; }
  /// Whether `item` is one of them: then the exhibit goes to that layer.
  bool activate(QTreeWidgetItem* item);

 private:
  QString name() const;  ///< of the model, for a person
  void fill(QTreeWidgetItem* row, const ui::ModelTree::Row& from) const;

  ui::Workbench& workbench_;
  QTreeWidgetItem* group_;
  QTreeWidgetItem* model_ = nullptr;
  ui::ModelTree shown_;
};

/// What a person calls a checkpoint: one that ships by its name in plain words, and that it does.
QString modelWords(const std::string& path, const std::string& assets);

/// Draws the spark line of a model's row (kSparkRole: its numbers) at the right of the second column.
void drawSparkLines(QTreeWidget* list);

}  // namespace sepx::app
