// SPDX-License-Identifier: Apache-2.0
// One field that finds everything by a few letters, or by words of what it shows: commands with their keys, parameters
// and pages of all exhibits, published figures, lessons, files, runs, layers and tensors. Arrows choose, Enter does it,
// Escape closes. A window of its own, since nothing of Qt can lie over the picture. GUI thread.
#pragma once

#include <functional>
#include <vector>

#include <QDialog>
#include <QString>

class QLabel;
class QLineEdit;
class QTreeWidget;

namespace sepx::app {

struct PaletteEntry {
  QString title;   ///< "Undo: move point 3"
  QString group;   ///< "Edit", "Parameter", "Lesson"
  QString detail;  ///< its key, or its present value
  bool enabled = true;
  std::function<void()> run;
  QString key{};    ///< "flow.gauss.sigma": found by it as well
  QString where{};  ///< "Flow › Plane": the exhibit and page that it leads to
  QString part{};   ///< of that page, where it takes more to tell it from another
  QString about{};  ///< what it means or shows, found by whole beginnings of words
  /// How often people look for it: among equally good matches 1 comes before 0; 2 also comes before a better one when
  /// its title has all that was typed.
  int sought = 0;

  /// At the right of the title.
  const QString& grey() const { return where.isEmpty() ? group : where; }
};

class CommandPalette final : public QDialog {
  Q_OBJECT

 public:
  explicit CommandPalette(std::vector<PaletteEntry> entries, QWidget* parent = nullptr);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void filter();
  void choose();
  void choosePast(int by);

  std::vector<PaletteEntry> entries_;
  QLineEdit* field_ = nullptr;
  QTreeWidget* list_ = nullptr;
  QLabel* none_ = nullptr;
};

}  // namespace sepx::app
