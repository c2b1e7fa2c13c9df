// SPDX-License-Identifier: Apache-2.0
// The parameters and read-outs of the present exhibit as native, accessible widgets, built from the property registry:
// nothing here knows a key, except that `<exhibit>.selected` names the element of the lists (`<exhibit>.points[]`) that
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
class QVBoxLayout;

namespace sepx::app {

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
    QWidget* name = nullptr;                           ///< the label beside it, where there is one
    std::function<bool(const ui::Document&)> applies;  ///< of the declaration
    std::function<bool()> show;                        ///< takes over the present value; false: nothing to show now
  };
  struct Section {
    QWidget* box = nullptr;
    QGridLayout* form = nullptr;
    std::vector<Row> rows;
  };

  void build();
  Section& section(const std::string& key);
  void addProperty(const ui::Property& property);
  void addReadOut(const ui::ReadOut& readOut);
  Row numberRow(const ui::Property& property);
  Row toggleRow(const ui::Property& property);
  Row choiceRow(const ui::Property& property);
  Row textRow(const ui::Property& property);
  void place(Row row, const std::string& sectionKey, const QString& label, const QString& help);

  /// "flow.points[].e" with the selected index; empty when none is selected.
  std::string presentKey(const std::string& declared) const;
  ui::Value present(const std::string& declared) const;
  bool commit(const std::string& declared, const ui::Value& value, const std::string& group = {});
  int selected() const;

  ui::Workbench& workbench_;
  std::string exhibit_;
  QVBoxLayout* column_ = nullptr;
  std::map<std::string, Section> sections_;
};

}  // namespace sepx::app
