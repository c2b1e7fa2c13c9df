// SPDX-License-Identifier: Apache-2.0
// The dictionary was generated once from the declared keys with their defaults, the likeliest last. States of version 1
// were written with it, so it must not change: another dictionary needs another version number after "sepx:". It is in
// a file of its own because it names keys of exhibits, which the document does not know.
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
