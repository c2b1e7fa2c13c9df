// SPDX-License-Identifier: Apache-2.0
// A placeholder for a part that a page leaves out because it has no room. Its name is listed at the lower edge of the
// page, like the names of parts whose least size was not met. Pure.
#pragma once

#include <string>

#include "ui/views/arrangement.h"

namespace sepx::ui {

/// A placeholder in a row or column that has other parts too. `called`: the name, translated.
Arrangement leftOut(std::string called);

}  // namespace sepx::ui
