// SPDX-License-Identifier: Apache-2.0
#include "engine/core/table.h"

#include <algorithm>

namespace sepx {

std::size_t Column::size() const {
  return std::visit([](const auto& list) { return list.size(); }, values);
}

const Column* Table::find(std::string_view wanted) const {
  const auto at =
      std::find_if(columns.begin(), columns.end(), [&](const Column& column) { return column.name == wanted; });
  return at == columns.end() ? nullptr : &*at;
}

}  // namespace sepx
