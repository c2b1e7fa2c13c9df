// SPDX-License-Identifier: Apache-2.0
// The fields of ExportDialog for a page (HTML): the parameter of its slider, and the whole lesson.
#include <algorithm>
#include <cmath>

#include "app/studio/export_dialog.h"
#include "app/studio/fields.h"
#include "app/studio/text.h"
#include "ui/document/lesson.h"
#include "ui/page/exhibit.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>

namespace sepx::app {

namespace {

constexpr double kWidest = 1e6;  // a wider range does not tell which values are useful

/// Whether a property can be on the slider: a number of the exhibit that applies now and is not a rarely used detail.
bool slides(const ui::Property& property, const std::string& section, const ui::Document& document) {
  const bool number = property.kind == ui::Kind::Real || property.kind == ui::Kind::Integer;
  return number && !property.detail && property.listOf.empty() && property.key.starts_with(section + ".") &&
         property.key.find("[]") == std::string::npos && (!property.applies || property.applies(document));
}

}  // namespace

void ExportDialog::addPage(QGridLayout* form) {
  lesson_ = new QCheckBox;
  lesson_->setObjectName(QStringLiteral("export.lesson"));
  placeField(form, lesson_, QString());
  nameField(lesson_, nullptr, text(N_("The whole lesson")));
  lesson_->setChecked(workbench_.lesson() != nullptr);
  connect(lesson_, &QCheckBox::toggled, this, &ExportDialog::refresh);
  slider_ = addChoice(form, "slider", N_("Slider"));
  slider_->addItem(text(N_("none")), QString());
  const int pane = workbench_.activePane();
  const ui::Document& document = workbench_.paneDocument();
  for (const ui::Property& property : workbench_.properties().properties()) {
    if (!slides(property, workbench_.exhibitKey(), document)) continue;
    slider_->addItem(QString::fromStdString(ui::nameOf(property, document)),
                     QString::fromStdString(workbench_.inPane(property.key, pane)));
  }
  from_ = addNumber(form, "slider-from", N_("From"), -kWidest, kWidest, 4);
  to_ = addNumber(form, "slider-to", N_("To"), -kWidest, kWidest, 4);
  pictures_ = addNumber(form, "slider-pictures", N_("Pictures"), 2, ui::kMostSwept, 0);
  pictures_->setValue(ui::FigureSweep{}.count);
  connect(slider_, &QComboBox::activated, this, &ExportDialog::takeSlider);
}

/// Sets the range to that of the parameter, or slightly inside it if its ends are excluded.
void ExportDialog::takeSlider() {
  const auto found = workbench_.find(slider_->currentData().toString().toStdString());
  if (!found || !found->property) return;
  const ui::Property& property = *found->property;
  double low = property.min, high = property.max;
  if (!(high - low <= kWidest)) {
    const ui::Value now = workbench_.properties().get(workbench_.paneDocument(), property.key);
    const double* const value = std::get_if<double>(&now);
    low = value ? std::clamp(*value, -kWidest / 2, kWidest / 2) : 0;
    high = low + 10 * std::max(property.step, 1e-3);
  } else if (property.open) {
    constexpr double kInside = 0.1;
    const double inside = kInside * (high - low);
    low += inside;
    high -= inside;
  }
  const QSignalBlocker quiet[]{QSignalBlocker(from_), QSignalBlocker(to_)};
  from_->setValue(low);
  to_->setValue(high);
  refresh();
}

ui::FigureSweep ExportDialog::sweep() const {
  ui::FigureSweep sweep;
  if (from_->value() == to_->value()) return sweep;
  sweep.key = slider_->currentData().toString().toStdString();
  sweep.from = from_->value();
  sweep.to = to_->value();
  sweep.count = static_cast<int>(pictures_->value());
  return sweep;
}

void ExportDialog::showPageFields(bool page) {
  const bool lesson = page && workbench_.lesson() != nullptr;
  const bool whole = lesson && lesson_->isChecked();
  const bool slides = page && !whole && slider_->count() > 1;
  setRowShown(lesson_, lesson);
  setRowShown(slider_, slides);
  const bool chosen = slides && !slider_->currentData().toString().isEmpty();
  for (QWidget* field : std::initializer_list<QWidget*>{from_, to_, pictures_})
    setRowShown(field, chosen);
}

}  // namespace sepx::app
