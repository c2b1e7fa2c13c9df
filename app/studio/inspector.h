// SPDX-License-Identifier: Apache-2.0
// The parameters and read-outs of the active pane as native, accessible widgets, built from the property registry:
// nothing here knows a key. It holds no state: refresh() reads the workbench, an edit goes through Workbench::set. GUI
// thread.
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

  /// Brings every row up to the workbench's present state.
  void refresh();

  /// A parameter that has a field now, for the palette.
  struct Reachable {
    std::string key;  ///< as declared
    QString name, value;
  };
  std::vector<Reachable> reachable() const;
  /// The keyboard to the field of a parameter; false when there is none.
  bool goTo(const std::string& declared);
  /// The keyboard to the first heading.
  void goToFirst();
  /// Narrows the rows to those that have all words typed in their label, symbol, key or help, in all groups of the
  /// page. It stands above the rows; whoever places it owns it.
  QLineEdit* searchField() const { return search_; }

 signals:
  /// A parameter was changed or refused here: the picture is due.
  void edited();
  /// The card of a read-out is wanted, by its full key.
  void explainAsked(const std::string& key);

 protected:
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Section {
    InspectorGroup* group = nullptr;
    bool paged = false;  ///< a row of it means something on some pages alone
    InspectorGroup::Shown shown{};
  };
  /// What is declared by one exhibit, and the widgets made of it.
  struct Rows {
    std::vector<ui::PropertyGroup> groups;
    std::optional<ui::PlacedList> placed;
    std::vector<std::unique_ptr<ui::Property>> declared;
    QVBoxLayout* column = nullptr;
    QLabel* pane = nullptr;  ///< which one this is, where there are several; why there are no rows
    QLabel* none = nullptr;  ///< nothing was found
    PointsTable* points = nullptr;
    std::map<std::string, Section> sections;
    std::vector<std::string> order;                 ///< of the sections, as declared
    std::optional<std::vector<std::string>> first;  ///< the sections that belong to the page in sight
    bool fitted = false;                            ///< the dock is as wide as the widest row
    std::unique_ptr<QWidget> outOfSight;            ///< the widgets, while the inspector shows another exhibit's
  };

  // inspector_rows.cpp
  /// Shows the rows of the exhibit in sight, which are made once.
  void build();
  QWidget* makeRows();
  void addPoints();
  Section& section(const std::string& key);
  void addProperty(const ui::Property& declared);
  void addReadOut(const ui::ReadOut& declared);
  /// Buttons of the commands that belong to a group; shown where its parameters are.
  void addCommands(const std::string& group, const std::function<bool(const ui::Document&)>& applies);
  void place(InspectorRow row, const std::string& sectionKey, const QString& help);
  void copyNumber(const std::string& declared);
  std::string groupOf(const std::string& key) const;
  const ui::PropertyGroup* knownGroup(const std::string& group) const;
  QString titleOf(const std::string& group) const;

  enum class Shown { No, Disabled, Yes };
  /// Disabled: what a check box would make apply.
  Shown refreshRow(InspectorRow& row);
  void refreshRows(Section& part);
  bool isSought(const InspectorRow& row, const InspectorGroup& group) const;
  void makeSearch();
  void goToFound();
  /// The document with every check box on.
  const ui::Document& withEveryToggle();
  /// Of the widest row there may be, points: the same on every page.
  int leastRow() const;
  int widthOfRows() const;
  void refreshPane();
  bool hidden();
  void pageFirst();
  void setTabStops();
  void toTopOfPage();
  /// What belongs to the page in sight is open, all else is folded, until a person says otherwise.
  bool isOpen(const std::string& group, const std::string& alsoOpen) const;
  std::string openBeside() const;
  int rankOf(const std::string& group) const;
  void fold(const std::string& group, bool open);
  void settleLayout();

  /// A member of the list with the selected index, in the active pane; empty when none is selected.
  std::string fullKey(const std::string& declared) const;
  ui::Value present(const std::string& declared) const;
  bool commit(const std::string& declared, const ui::Value& value, const std::string& group = {});
  int selected() const;

  ui::Workbench& workbench_;
  std::string exhibit_;
  Rows rows_;                         ///< of that exhibit
  std::map<std::string, Rows> kept_;  ///< of those that were in sight before, by their keys
  ui::Document toggled_;              ///< withEveryToggle() of a revision of the history
  std::uint64_t toggledAt_ = ~0ull;
  QLineEdit* search_ = nullptr;
  QStringList sought_;                ///< words
  std::string page_;                  ///< exhibit, page and pane in sight
  std::map<std::string, bool> open_;  ///< "flow.show": what a person folded (false) or opened
};

}  // namespace sepx::app
