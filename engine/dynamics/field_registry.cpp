// SPDX-License-Identifier: Apache-2.0
// The list of textbook fields. A new field is one line here; its factory make<Name>() is in fields/<name>.cpp.
#include "engine/dynamics/vector_field.h"

#define SEPX_TEXTBOOK_FIELDS(FIELD) FIELD(Duffing)

namespace sepx::dynamics {

#define SEPX_DECLARE(NAME) std::unique_ptr<VectorField> make##NAME();
SEPX_TEXTBOOK_FIELDS(SEPX_DECLARE)
#undef SEPX_DECLARE

FieldRegistry textbookFields() {
  FieldRegistry registry;
#define SEPX_ADD(NAME) registry.add(make##NAME());
  SEPX_TEXTBOOK_FIELDS(SEPX_ADD)
#undef SEPX_ADD
  return registry;
}

}  // namespace sepx::dynamics
