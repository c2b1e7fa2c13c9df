// SPDX-License-Identifier: Apache-2.0
// Records the texts that a picture shows shortened together with the full texts, so that the full text can be shown in
// a tooltip. The functions that shorten a text call note(). A CutTexts object collects what is noted on its thread
// during its lifetime.
#pragma once

#include <string>
#include <vector>

#include "engine/render/scene.h"

namespace sepx::ui {

struct CutText {
  std::string shown, whole;
};

/// Scopes nest: an outer scope also collects what its inner scopes collect.
class CutTexts {
 public:
  CutTexts();
  ~CutTexts();
  CutTexts(const CutTexts&) = delete;
  CutTexts& operator=(const CutTexts&) = delete;
  const std::vector<CutText>& all() const { return all_; }

  /// Records that `shown` is displayed in place of `whole`. No-op if no scope is open.
  static void note(const std::string& shown, const std::string& whole);

 private:
  CutTexts* outer_;
  std::vector<CutText> all_;
};

/// A shortened label and its bounding box, page coordinates.
struct CutPlace {
  render::Rect box;
  std::string whole;
};

/// Returns the page labels among `items` that show one of `texts`. Equal shortened texts are matched in the order in
/// which they were noted.
std::vector<CutPlace> cutPlaces(const std::vector<render::Item>& items, const std::vector<CutText>& texts);

/// Whether the concatenated labels of `items` contain `text`. Spaces are ignored, so that line breaks do not matter.
bool containsText(const std::vector<render::Item>& items, const std::string& text);

}  // namespace sepx::ui
