// SPDX-License-Identifier: Apache-2.0
// Writes a self-contained HTML page: pictures, a script that shows their values under the pointer, a slider for
// pictures that belong together, and the text of a lesson. The page loads nothing from outside, shows its pictures and
// texts without its script too, and contains its recipe. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "ui/document/lesson.h"
#include "ui/workbench/web_picture.h"

namespace sepx::ui {

inline constexpr std::size_t kLargestPage = 5'000'000;  ///< bytes

/// The parameter values that the pictures of a section show.
struct WebSlider {
  std::string label;                ///< "p"
  std::vector<std::string> values;  ///< one per picture
  std::size_t start = 0;            ///< the picture that is shown first
};

struct WebSection {
  std::string title;  ///< empty: none
  std::vector<Block> prose{};
  std::vector<WebPicture> pictures{};  ///< one, or those of `slider`
  std::optional<WebSlider> slider{};
  std::vector<Question> questions{};
};

struct WebPage {
  std::string title, recipe, version;
  std::vector<Block> introduction{};
  std::vector<WebSection> sections{};
  std::string language = "en";  ///< HTML language tag
  bool answers = true;          ///< whether answers of questions are included, collapsed; false for homework
};

/// The text of the file. OutputFailed where it would be larger than kLargestPage; the message names no file.
Result<std::string> webPage(const WebPage& page);

}  // namespace sepx::ui
