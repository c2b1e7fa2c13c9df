// SPDX-License-Identifier: Apache-2.0
// The canonical models as vector fields. Any thread.
#pragma once

#include "engine/dynamics/vector_field.h"

namespace sepx::markov {

/// Adds "ew", "ewb", "ewa", "ewab" (parameters p, q).
void addCanonicalFields(dynamics::FieldRegistry& registry);

}  // namespace sepx::markov
