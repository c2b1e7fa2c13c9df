// SPDX-License-Identifier: Apache-2.0
// The parameters and read-outs of the present exhibit as native, accessible widgets, built from the property registry:
// nothing here knows a key, except that `<exhibit>.selected` names the element of the list (`<exhibit>.points[]`) that
// is shown. It holds no state: refresh() reads the workbench, an edit goes through Workbench::set. GUI thread.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ui/workbench/workbench.h"

#include <QScrollArea>

class QGridLayout;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace sepx::app {

class PointsTable;

class Inspector final : public QScrollArea {
  Q_OBJECT

 public:
  explicit Inspector(ui::Workbench& workbench, QWidget* parent = nullptr);

  /// Brings every row up to the workbench's present state.
  void refresh();

 signals:
  /// A parameter was changed or refused here: the picture is due.
  void edited();

 private:
  struct Row {
    QWidget* line = nullptr;
    QLabel* name = nullptr;                                  ///< the label beside it, where there is one
    std::function<std::string(const ui::Document&)> called;  ///< what a person calls it now
    std::function<bool(const ui::Document&)> applies;        ///< of the declaration
    std::function<bool()> show;                              ///< takes over the present value; false: there is none
    bool detail = false;                                     ///< for experts: folded away
  };
  struct Section {
    QWidget* box = nullptr;
    QGridLayout* form = nullptr;
    QToolButton* unfold = nullptr;  ///< shows `details`
    QWidget* details = nullptr;
    QGridLayout* detailForm = nullptr;
    std::vector<Row> rows;
  };

  void build();
  void addPoints();
  Section& section(const std::string& key);
  void addDetails(Section& section);
  void addProperty(const ui::Property& property);
  void addReadOut(const ui::ReadOut& readOut);
  Row numberRow(const ui::Property& property);
  Row toggleRow(const ui::Property& property);
  Row choiceRow(const ui::Property& property);
  Row textRow(const ui::Property& property);
  void place(Row row, const std::string& sectionKey, const QString& help);
  /// True when the row has something to show now.
  bool refreshRow(Row& row);

  /// "flow.points[].e" with the selected index; empty when none is selected.
  std::string presentKey(const std::string& declared) const;
  ui::Value present(const std::string& declared) const;
  bool commit(const std::string& declared, const ui::Value& value, const std::string& group = {});
  int selected() const;

  ui::Workbench& workbench_;
  std::string exhibit_;
  QVBoxLayout* column_ = nullptr;
  PointsTable* points_ = nullptr;
  std::map<std::string, Section> sections_;
};

}  // namespace sepx::app
