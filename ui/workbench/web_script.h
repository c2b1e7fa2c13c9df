// SPDX-License-Identifier: Apache-2.0
// The script and the style sheet of HTML pages. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace sepx::ui {

/// Shows values under the pointer, by keyboard and by the address (#section=1&picture=4&view=loss&row=0&cell=12), and
/// operates the slider. Inserts texts only as text; loads nothing from outside of the page.
std::string_view webScript();
std::string_view webStyle();

/// The content security policy of a page: nothing from elsewhere, and no script other than webScript().
std::string webPolicy();

}  // namespace sepx::ui
