// SPDX-License-Identifier: Apache-2.0
// Which page a document shows.
#include "ui/exhibit/page.h"

#include <algorithm>

namespace sepx::ui {

std::function<bool(const Document&)> onPages(std::string key, std::string first, std::vector<std::string> pages,
                                             std::function<bool(const Document&)> also) {
  return [key = std::move(key), first = std::move(first), pages = std::move(pages),
          also = std::move(also)](const Document& document) {
    const Json& word = document.at(key);
    const std::string& shown = word.is_string() ? word.get_ref<const std::string&>() : first;
    return std::find(pages.begin(), pages.end(), shown) != pages.end() && (!also || also(document));
  };
}

}  // namespace sepx::ui
