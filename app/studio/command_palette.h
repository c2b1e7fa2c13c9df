// SPDX-License-Identifier: Apache-2.0
// A search field that finds everything by a few letters, or by words that describe it: commands with their keys,
// parameters and pages of all exhibits, published figures, lessons, files, runs, layers and tensors. The arrow keys
// select, Enter executes, Escape closes. It is a separate window, because Qt cannot draw widgets over the picture. GUI
// thread.
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
  QString detail;  ///< its key, or its current value
  bool enabled = true;
  std::function<void()> run;
  QString key{};    ///< "flow.gauss.sigma": also searched
  QString where{};  ///< "Flow › Plane": the exhibit and page that it leads to
  QString part{};   ///< part of that page, if the entry needs it to differ from another one
  QString about{};  ///< what it means or shows; searched by beginnings of words
  /// How often users look for it: among equally good matches, 1 comes before 0; 2 also comes before a better match if
  /// its title contains everything that was typed.
  int popularity = 0;

  /// Text at the right of the title.
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
