// SPDX-License-Identifier: Apache-2.0
// The label and the explanation of every config field. Constant data.
#pragma once

#include <string_view>

namespace sepx::ui {

struct FieldWords {
  std::string_view place;    ///< "model.d_model"
  const char *label, *help;  ///< N_()
};

/// Null: there is no such field.
const FieldWords* wordsOf(std::string_view place);

}  // namespace sepx::ui
