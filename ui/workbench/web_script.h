// SPDX-License-Identifier: Apache-2.0
// The one script and the one style of our pages (HTML). Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace sepx::ui {

/// Shows values under the pointer, by keyboard and by the address (#section=1&picture=4&view=loss&row=0&cell=12), and
/// moves the slider. Puts texts in as text alone; asks for nothing outside of the page.
std::string_view webScript();
std::string_view webStyle();

/// What a page allows itself: nothing from elsewhere, and of scripts webScript() alone.
std::string webPolicy();

}  // namespace sepx::ui
