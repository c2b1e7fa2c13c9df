// SPDX-License-Identifier: Apache-2.0
// A page to take home: one HTML file with pictures, what a script of ours says of them under the pointer, a slider over
// pictures that belong together, and the text of a lesson. It asks for nothing outside of itself, shows its pictures
// and texts also without its script, and carries its recipe. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "ui/document/lesson.h"
#include "ui/workbench/web_picture.h"

namespace sepx::ui {

inline constexpr std::size_t kLargestPage = 5'000'000;  ///< bytes

/// What the pictures of a section go through.
struct WebSlider {
  std::string label;                ///< "p"
  std::vector<std::string> values;  ///< one a picture
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
  std::string language = "en";  ///< as HTML calls it
  bool answers = true;          ///< of questions, folded away; homework has none
};

/// The file. OutputFailed where it would be larger than kLargestPage; the sentence names no file.
Result<std::string> webPage(const WebPage& page);

}  // namespace sepx::ui
