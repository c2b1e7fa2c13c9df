// SPDX-License-Identifier: Apache-2.0
// See no_device.h.
#include "app/studio/no_device.h"

#include "app/studio/studio_style.h"
#include "app/studio/text.h"

#include <QApplication>
#include <QMessageBox>

namespace sepx::app {

void showNoDevice(int argc, char** argv, const Error& error) {
  QApplication::setStyle(new StudioStyle);  // shows the reason, a text of a driver, as plain text
  const QApplication application(argc, argv);
  QMessageBox box(QMessageBox::Critical, text(N_("Separatrix cannot start")),
                  text(N_("Separatrix draws with Vulkan, and no usable Vulkan device was found.")));
  QString more = QString::fromStdString(error.message);
  if (!more.isEmpty()) more[0] = more[0].toUpper();
  box.setInformativeText(
      more + QStringLiteral("\n\n") +
      text(N_("Mesa's software driver needs no graphics card. “sepx doctor” lists what is found on this machine.")));
  box.setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  box.addButton(text(N_("Close")), QMessageBox::AcceptRole);
  box.exec();
}

}  // namespace sepx::app
