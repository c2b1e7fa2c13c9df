// SPDX-License-Identifier: Apache-2.0
// One group of the inspector: a heading that folds it, the controls in a form, the results as a compact table below
// them, and what is set seldom behind one row at the end. It holds widgets and what a person folded; which rows are
// shown is the inspector's affair. GUI thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ui/properties/registry.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace sepx::app {

/// A parameter with its control, a read-out with its place in the table, or a line that stands alone.
struct InspectorRow {
  std::string key;                                         ///< as declared; empty: of neither
  QWidget* line = nullptr;                                 ///< the control, or the value of a result
  QLabel* name = nullptr;                                  ///< beside it, where there is one
  QLabel* symbol = nullptr;                                ///< of a result
  QWidget* explain = nullptr;                              ///< of a result: opens its card
  std::function<std::string(const ui::Document&)> called;  ///< what a person calls it now
  std::function<bool(const ui::Document&)> applies;        ///< of the declaration
  std::function<bool()> show;                              ///< takes over the present value; false: there is none
  bool detail = false;                                     ///< for experts: folded away
  bool parameter = false;  ///< keeps its place, disabled, while a check box makes it apply or not
  QString about{};         ///< what else it is found by: its help

  bool result() const { return explain != nullptr; }
};

class InspectorGroup final : public QWidget {
  Q_OBJECT

 public:
  explicit InspectorGroup(const QString& title, QWidget* parent = nullptr);

  const QString& title() const { return title_; }
  std::vector<InspectorRow>& rows() { return rows_; }
  const std::vector<InspectorRow>& rows() const { return rows_; }
  void add(InspectorRow row, const QString& help);
  /// Over the whole width of the form; it has no name beside it.
  void addAlone(InspectorRow row);

  /// What of a group is shown: by whether it has rows that say something now, ordinary ones and details.
  struct Shown {
    bool rows = false, details = false;
    bool open = true;       ///< the heading does not fold it
    bool searched = false;  ///< what matches is shown, details too
  };
  void present(const Shown& shown);
  /// Shows the rows that are set seldom, where there are any.
  void openDetails();

  struct Widths {
    int names = 0, lines = 0, alone = 0;  ///< points
    void add(const Widths& other);
  };
  Widths leastWidths() const;
  /// What takes the keyboard, as it stands from top to bottom.
  QList<QWidget*> tabStops() const;

 signals:
  /// The heading was pressed.
  void folded(bool open);
  /// The row of details was pressed.
  void unfolded();

 private:
  /// Controls above results, as ordinary rows and as details have them.
  struct Part {
    QGridLayout* form = nullptr;
    QGridLayout* table = nullptr;
  };
  Part makePart(QVBoxLayout* into);
  Part& partOf(const InspectorRow& row);
  void makeDetails();

  QString title_;
  QToolButton* heading_ = nullptr;
  QWidget* body_ = nullptr;
  Part plain_, seldom_;
  QToolButton* more_ = nullptr;
  QWidget* details_ = nullptr;
  std::vector<InspectorRow> rows_;
};

/// A button that opens a read-out's card: drawn while the pointer is over one of `with`, or it has the keyboard.
QToolButton* makeExplainButton(const std::vector<QWidget*>& with);

}  // namespace sepx::app
