// SPDX-License-Identifier: Apache-2.0
// The translations that tr() uses at present. Any thread.
#pragma once

#include "ui/properties/catalogue.h"

namespace sepx::ui {

/// Null: English.
const Translations* presentTranslations();

/// While an object of this class exists, tr() returns English on its thread.
class EnglishTexts {
 public:
  EnglishTexts();
  ~EnglishTexts();
  EnglishTexts(const EnglishTexts&) = delete;
  EnglishTexts& operator=(const EnglishTexts&) = delete;
};

}  // namespace sepx::ui
