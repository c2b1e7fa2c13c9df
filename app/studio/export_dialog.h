// SPDX-License-Identifier: Apache-2.0
// The dialog that exports a figure, its numbers or a film: format, size on paper, type size, theme, with a preview made
// by the same FigureMaker that writes the file. Remembers the choices. It makes only the preview, not the file. GUI
// thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/workbench/figure.h"
#include "ui/workbench/settings.h"
#include "ui/workbench/workbench.h"

#include <QDialog>
#include <QStringList>
#include <QTimer>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QScrollArea;

namespace sepx::app {

class ExportDialog final : public QDialog {
  Q_OBJECT

 public:
  /// `asShown`: size and scale of what is on screen. `workbench` and `settings` must outlive the dialog; the device
  /// need not.
  ExportDialog(const ui::Workbench& workbench, ui::Settings& settings, ui::FigureRequest asShown,
               QWidget* parent = nullptr);
  ~ExportDialog() override;

  /// The request that the fields describe, without a path.
  ui::FigureRequest request() const;
  /// "png", "frames", …
  std::string format() const;
  /// File name suffix. For CSV it includes the table: ".paths.csv"; else ".png", or "/" for a folder of frames.
  QString suffix() const;
  /// Stores the choices for next time.
  void remember();
  /// The preview is shown, or none is to be expected.
  bool previewDone() const { return !maker_ && !due_.isActive(); }

 public slots:
  /// Call before the device is released, because a preview in progress holds memory of it.
  void dropPreview();
  /// Shows the fields that the format needs and starts a new preview. Also called after a device was created again.
  void refresh();

 private:
  void addFormat(QGridLayout* form);
  void addSize(QGridLayout* form);
  void addViews(QGridLayout* form);
  void addLook(QGridLayout* form);
  void addFilm(QGridLayout* form);
  void addPage(QGridLayout* form);
  void takeSlider();
  ui::FigureSweep sweep() const;
  void showPageFields(bool page);
  void recall();
  void takePreset();
  void fitHeight();
  void listViews();
  std::vector<std::string> chosenViews() const;
  int shownPane() const;  ///< the pane whose numbers the preview describes
  void describeSize();
  void describeNumbers();
  void startPreview();
  void stepPreview();
  void showPreview(const std::string& png);
  QComboBox* addChoice(QGridLayout* form, const char* name, const char* label);
  QDoubleSpinBox* addNumber(QGridLayout* form, const char* name, const char* label, double min, double max, int digits);
  void setRowShown(QWidget* field, bool shown);

  const ui::Workbench& workbench_;
  ui::Settings& settings_;
  ui::FigureRequest asShown_;
  QLabel* preview_ = nullptr;
  QComboBox *format_ = nullptr, *table_ = nullptr, *pane_ = nullptr, *preset_ = nullptr, *theme_ = nullptr;
  QDoubleSpinBox *width_ = nullptr, *height_ = nullptr, *scale_ = nullptr, *textSize_ = nullptr;
  QDoubleSpinBox *seconds_ = nullptr, *rate_ = nullptr;
  QCheckBox *legend_ = nullptr, *caption_ = nullptr, *part_ = nullptr;
  QCheckBox* lesson_ = nullptr;  ///< a page contains the whole lesson
  QComboBox* slider_ = nullptr;  ///< keys of parameters; empty: none
  QDoubleSpinBox *from_ = nullptr, *to_ = nullptr, *pictures_ = nullptr;
  QScrollArea* views_ = nullptr;
  std::vector<QCheckBox*> panels_;  ///< in views_
  QStringList checked_;             ///< names of checked views of all pages, in the order of checking
  QLabel *size_ = nullptr, *remark_ = nullptr;
  bool zoomed_ = false;  ///< a chart of the window is zoomed in
  QTimer due_, stepping_;
  std::unique_ptr<ui::FigureMaker> maker_;
};

}  // namespace sepx::app
