// SPDX-License-Identifier: Apache-2.0
// Where tr() looks at this moment. Any thread.
#pragma once

#include "ui/properties/catalogue.h"

namespace sepx::ui {

/// Null: English.
const Translations* presentTranslations();

/// While one lives, tr() on its thread answers English.
class EnglishTexts {
 public:
  EnglishTexts();
  ~EnglishTexts();
  EnglishTexts(const EnglishTexts&) = delete;
  EnglishTexts& operator=(const EnglishTexts&) = delete;
};

}  // namespace sepx::ui
