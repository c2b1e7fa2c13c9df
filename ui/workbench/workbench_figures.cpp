// SPDX-License-Identifier: Apache-2.0
// Figures that leave the program while the window goes on.
#include "ui/properties/tr.h"
#include "ui/workbench/figure.h"
#include "ui/workbench/workbench_impl.h"

namespace sepx::ui {

Result<void> Workbench::exportFigure(FigureRequest request) {
  return fail(ErrorKind::OutputFailed, request.path + ": " + tr("this window makes no figures"));
}

}  // namespace sepx::ui
