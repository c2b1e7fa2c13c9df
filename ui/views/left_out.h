// SPDX-License-Identifier: Apache-2.0
// What a page leaves out because it knows that there is no room: its name is said at the lower edge as that of a part
// whose least size was not met. Pure.
#pragma once

#include <string>

#include "ui/views/arrangement.h"

namespace sepx::ui {

/// Of a row or column that has other parts. `called`: translated.
Arrangement leftOut(std::string called);

}  // namespace sepx::ui
