// SPDX-License-Identifier: Apache-2.0
// The preview of ExportDialog: the figure as the clipboard would get it, made in steps so that the dialog stays
// responsive.
#include <algorithm>

#include "app/studio/export_dialog.h"
#include "app/studio/text.h"
#include "ui/page/exhibit.h"
#include "ui/properties/tr.h"

#include <QComboBox>
#include <QLabel>
#include <QPixmap>

namespace sepx::app {

void ExportDialog::describeNumbers() {
  due_.stop();
  const Numbers numbers = workbench_.exhibit(shownPane()).numbers();
  QStringList lines;
  for (const Table& table : numbers.tables) {
    if (format() == "csv" && QString::fromStdString(table.name) != table_->currentData().toString()) continue;
    QStringList columns;
    for (const Column& column : table.columns) {
      const QString unit = column.unit.empty() ? QString() : QStringLiteral(" [%1]").arg(text(column.unit.c_str()));
      columns << QString::fromStdString(column.name) + unit;
    }
    lines << text(N_("%1: %2 rows of %3"))
                 .arg(QString::fromStdString(table.name))
                 .arg(table.rows())
                 .arg(columns.join(QStringLiteral(", ")));
  }
  if (format() == "npz") {
    for (const Grid& grid : numbers.grids) {
      QStringList sizes;
      for (const std::size_t size : grid.shape)
        sizes << QString::number(size);
      lines << QString::fromStdString(grid.name) + QStringLiteral(": ") + sizes.join(QStringLiteral(" × "));
    }
  }
  preview_->setPixmap(QPixmap());
  preview_->setText(lines.isEmpty() ? text(N_("There are no numbers yet.")) : lines.join(QStringLiteral("\n\n")));
}

void ExportDialog::dropPreview() {
  const bool expected = !previewDone();
  due_.stop();
  stepping_.stop();
  maker_.reset();
  if (expected) preview_->setText(text(N_("No preview without a graphics device.")));
}

void ExportDialog::startPreview() {
  // Read each time, because the window may have lost its device and created another one while the dialog is open.
  gpu::Context* const device = workbench_.gpu();
  if (!device) return preview_->setText(text(N_("No preview without a graphics device.")));
  ui::FigureRequest small = request();
  small.lesson = false;  // a page is previewed by its first picture
  small.sweep = {};
  const double room = std::min(preview_->width() / small.width, preview_->height() / small.height);
  small.scale = std::max(0.1, 0.95 * room * devicePixelRatioF());
  if (preview_->pixmap(Qt::ReturnByValue).isNull()) preview_->setText(text(N_("Rendering the preview…")));
  maker_ = std::make_unique<ui::FigureMaker>(workbench_, device, small);
  stepping_.start(0);
}

void ExportDialog::stepPreview() {
  if (!maker_ || !maker_->step()) return;
  stepping_.stop();
  const auto outcome = maker_->outcome();
  const std::string png = maker_->clip().png;
  remark_->setText(QString::fromStdString(maker_->remark()));
  remark_->setVisible(!remark_->text().isEmpty());
  maker_.reset();
  if (!outcome) return preview_->setText(QString::fromStdString(outcome.error().message));
  showPreview(png);
}

void ExportDialog::showPreview(const std::string& png) {
  QPixmap picture;
  if (!picture.loadFromData(reinterpret_cast<const uchar*>(png.data()), uint(png.size()), "PNG")) return;
  picture.setDevicePixelRatio(devicePixelRatioF());
  preview_->setPixmap(picture);
}

}  // namespace sepx::app
