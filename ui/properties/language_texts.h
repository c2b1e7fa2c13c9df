// SPDX-License-Identifier: Apache-2.0
// Where tr() looks at this moment. Any thread.
#pragma once

#include "ui/properties/catalogue.h"

namespace sepx::ui {

/// Null: English.
const Translations* presentTranslations();

}  // namespace sepx::ui
