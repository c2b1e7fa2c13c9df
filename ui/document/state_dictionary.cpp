// SPDX-License-Identifier: Apache-2.0
// The text was made once of the declared keys with their defaults, the likeliest last. States of the first version were
// written with it, so it never changes: another one belongs to another number behind "sepx:". It stands apart because
// it names keys of exhibits, which the document knows nothing of.
#include "ui/document/state_dictionary.h"

namespace sepx::ui {

std::string_view stateDictionary() {
  // clang-format off
  static constexpr std::string_view kText =
#include "ui/document/state_dictionary.inc"
  ;
  // clang-format on
  return kText;
}

}  // namespace sepx::ui
