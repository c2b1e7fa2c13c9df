// SPDX-License-Identifier: Apache-2.0
// One group of the inspector: a heading that folds it, the controls in a form, the results as a compact table below
// them, and rarely used rows, folded, at the end. It holds the widgets and which of them the user folded; the inspector
// decides which rows are shown. GUI thread.
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
  std::string key;                                         ///< as declared; empty: a line that stands alone
  QWidget* line = nullptr;                                 ///< the control, or the value of a result
  QLabel* name = nullptr;                                  ///< label beside it, if there is one
  QLabel* symbol = nullptr;                                ///< symbol of a result
  QWidget* explain = nullptr;                              ///< button of a result that opens its card
  std::function<std::string(const ui::Document&)> called;  ///< its current name for the user
  std::function<bool(const ui::Document&)> applies;        ///< from the declaration; empty: always
  std::function<bool()> show;                              ///< displays the current value; false: there is none
  bool detail = false;                                     ///< for experts: folded away
  bool parameter = false;  ///< stays in place, disabled, while it does not apply because of a check box
  QString about{};         ///< its help, which is searched too

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
  /// Adds a line over the whole width of the form, without a name beside it.
  void addAlone(InspectorRow row);

  /// What is shown of a group. `rows`, `details`: whether any ordinary row or detail has something to show now.
  struct Shown {
    bool rows = false, details = false;
    bool open = true;       ///< not folded by its heading
    bool searched = false;  ///< all rows that match are shown, details too
  };
  void present(const Shown& shown);
  /// Shows the rarely used rows, if there are any.
  void openDetails();

  struct Widths {
    int names = 0, lines = 0, alone = 0;  ///< points
    void add(const Widths& other);
  };
  Widths leastWidths() const;
  /// The widgets that take the keyboard focus, from top to bottom.
  QList<QWidget*> tabStops() const;

 signals:
  /// The heading was pressed.
  void folded(bool open);
  /// The row of details was pressed.
  void unfolded();

 private:
  /// Controls above results; one part has the ordinary rows, another the details.
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

/// A button that opens a read-out's card. Drawn while the pointer is over it or one of `with`, or it has the keyboard
/// focus.
QToolButton* makeExplainButton(const std::vector<QWidget*>& with);

}  // namespace sepx::app
