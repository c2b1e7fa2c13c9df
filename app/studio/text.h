// SPDX-License-Identifier: Apache-2.0
// Translated texts of the studio as QString.
#pragma once

#include <string>

#include <QString>

#include "ui/properties/tr.h"

namespace sepx::app {

inline QString text(const char* source) {
  return QString::fromUtf8(ui::tr(source));
}
inline QString text(const std::string& source) {
  return QString::fromStdString(ui::tr(source));
}

}  // namespace sepx::app
