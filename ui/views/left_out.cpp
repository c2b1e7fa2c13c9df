// SPDX-License-Identifier: Apache-2.0
#include "ui/views/left_out.h"

#include <limits>
#include <utility>

namespace sepx::ui {

Arrangement leftOut(std::string called) {
  Arrangement part{.kind = Arrangement::Kind::Column};
  part.leastHeight = std::numeric_limits<double>::infinity();
  part.order = std::numeric_limits<int>::max();
  part.called = std::move(called);
  return part;
}

}  // namespace sepx::ui
