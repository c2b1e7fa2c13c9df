// SPDX-License-Identifier: Apache-2.0
// The parameters and read-outs of the active pane as native, accessible widgets, built from the property registry: no
// key is hard-coded here. It stores no values: refresh() reads the workbench, and an edit goes through Workbench::set.
// GUI thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/studio/inspector_group.h"

#include "ui/page/exhibit.h"
#include "ui/workbench/workbench.h"

#include <QScrollArea>

class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace sepx::app {

class PointsTable;

class Inspector final : public QScrollArea {
  Q_OBJECT

 public:
  explicit Inspector(ui::Workbench& workbench, QWidget* parent = nullptr);

  /// Updates every row to the current state of the workbench.
  void refresh();

  /// A parameter that currently has a field, for the palette.
  struct Reachable {
    std::string key;  ///< as declared
    QString name, value;
  };
  std::vector<Reachable> reachable() const;
  /// Moves the keyboard focus to the field of a parameter; false when there is none.
  bool goTo(const std::string& declared);
  /// Moves the keyboard focus to the first heading.
  void goToFirst();
  /// The search field. It limits the rows to those with all typed words in their label, symbol, key, help or group
  /// title, in all groups of the page. It belongs above the rows; the caller that places it owns it.
  QLineEdit* searchField() const { return search_; }

 signals:
  /// A parameter was changed or refused here, so a new picture is due.
  void edited();
  /// The user requests the card of the read-out with this full key.
  void explainRequested(const std::string& key);

 protected:
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Section {
    InspectorGroup* group = nullptr;
    bool paged = false;  ///< some of its rows apply only on some pages
    InspectorGroup::Shown shown{};
  };
  /// The declarations of one exhibit and the widgets made from them.
  struct Rows {
    std::vector<ui::PropertyGroup> groups;
    std::optional<ui::PlacedList> placed;
    std::vector<std::unique_ptr<ui::Property>> declared;
    QVBoxLayout* column = nullptr;
    QLabel* pane = nullptr;  ///< number of the pane, if there are several; or why there are no rows
    QLabel* none = nullptr;  ///< shown when the search finds nothing
    PointsTable* points = nullptr;
    std::map<std::string, Section> sections;
    std::vector<std::string> order;                 ///< keys of the sections, as declared
    std::optional<std::vector<std::string>> first;  ///< the sections that belong to the visible page
    bool fitted = false;                            ///< the dock is as wide as the widest row
    std::unique_ptr<QWidget> hiddenWidgets;         ///< the widgets, while the inspector shows another exhibit
  };

  // inspector_rows.cpp
  /// Shows the rows of the visible exhibit, which are created once.
  void build();
  QWidget* makeRows();
  void addPoints();
  Section& section(const std::string& key);
  void addProperty(const ui::Property& declared);
  void addReadOut(const ui::ReadOut& declared);
  /// Adds buttons for the commands of a group, which are visible where its parameters are.
  void addCommands(const std::string& group, const std::function<bool(const ui::Document&)>& applies);
  void place(InspectorRow row, const std::string& sectionKey, const QString& help);
  void copyNumber(const std::string& declared);
  std::string groupOf(const std::string& key) const;
  const ui::PropertyGroup* knownGroup(const std::string& group) const;
  QString titleOf(const std::string& group) const;

  enum class Shown { No, Disabled, Yes };
  /// Disabled: the row would apply if a check box were on.
  Shown refreshRow(InspectorRow& row);
  void refreshRows(Section& part);
  bool matchesSearch(const InspectorRow& row, const InspectorGroup& group) const;
  void makeSearch();
  void goToFound();
  /// The document with every check box on.
  const ui::Document& withEveryToggle();
  /// Minimum width of a row, and the width that the widest row of any page needs; points.
  int leastRow() const;
  int widthOfRows() const;
  void refreshPane();
  bool hidden();
  void pageFirst();
  void setTabStops();
  void toTopOfPage();
  /// Sections that belong to the visible page are open and all others folded, until the user changes that.
  bool isOpen(const std::string& group, const std::string& alsoOpen) const;
  std::string defaultOpenGroup() const;
  int rankOf(const std::string& group) const;
  void fold(const std::string& group, bool open);
  void settleLayout();

  /// Full key in the active pane; for a member of the list, with the selected index. Empty when none is selected.
  std::string fullKey(const std::string& declared) const;
  ui::Value present(const std::string& declared) const;
  bool commit(const std::string& declared, const ui::Value& value, const std::string& group = {});
  int selected() const;

  ui::Workbench& workbench_;
  std::string exhibit_;
  Rows rows_;                               ///< of that exhibit
  std::map<std::string, Rows> cachedRows_;  ///< rows of exhibits that were visible before, by exhibit key
  ui::Document toggled_;                    ///< withEveryToggle() at the revision toggledAt_
  std::uint64_t toggledAt_ = ~0ull;
  QLineEdit* search_ = nullptr;
  QStringList searchWords_;           ///< words typed
  std::string page_;                  ///< visible exhibit, page and pane
  std::map<std::string, bool> open_;  ///< "flow.show": folded (false) or opened by the user
};

}  // namespace sepx::app
