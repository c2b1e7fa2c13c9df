// SPDX-License-Identifier: Apache-2.0
// How a figure, its numbers or a film leave the program: format, size on paper, type, theme, with a preview made by the
// same FigureMaker that writes the file. Remembers its answers. It makes nothing itself but the preview. GUI thread.
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
  /// `asShown`: size and scale of what is on screen. All outlive the dialog; the device of the workbench need not.
  ExportDialog(const ui::Workbench& workbench, ui::Settings& settings, ui::FigureRequest asShown,
               QWidget* parent = nullptr);
  ~ExportDialog() override;

  /// As the fields say, without a path.
  ui::FigureRequest request() const;
  /// "png", "frames", …
  std::string format() const;
  /// Of the table, for CSV: ".paths.csv"; else ".png", or "/" for a folder of frames.
  QString suffix() const;
  /// Keeps the answers for next time.
  void remember();
  /// There is a picture to look at, or none is to be expected.
  bool previewDone() const { return !maker_ && !due_.isActive(); }

 public slots:
  /// The device is about to go: the preview that is being made holds memory of it.
  void dropPreview();
  /// Shows the fields that the format needs and makes the preview anew: also after a device was set up again.
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
  int shownPane() const;  ///< whose numbers the preview tells
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
  QCheckBox* lesson_ = nullptr;  ///< of a page: all of it
  QComboBox* slider_ = nullptr;  ///< keys of parameters; empty: none
  QDoubleSpinBox *from_ = nullptr, *to_ = nullptr, *pictures_ = nullptr;
  QScrollArea* views_ = nullptr;
  std::vector<QCheckBox*> panels_;  ///< in views_
  QStringList checked_;             ///< names of views, of all pages, the last one checked last
  QLabel *size_ = nullptr, *remark_ = nullptr;
  bool zoomed_ = false;  ///< some chart of the window is not whole
  QTimer due_, stepping_;
  std::unique_ptr<ui::FigureMaker> maker_;
};

}  // namespace sepx::app
