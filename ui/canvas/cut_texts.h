// SPDX-License-Identifier: Apache-2.0
// Texts that a picture shows shortened, with all of each, so that whoever draws it can say the whole under the pointer.
// What shortens a text notes it; a scope collects what was noted on its thread while it lives.
#pragma once

#include <string>
#include <vector>

#include "engine/render/scene.h"

namespace sepx::ui {

struct CutText {
  std::string shown, whole;
};

/// Scopes nest: what the inner one collects the outer one collects too.
class CutTexts {
 public:
  CutTexts();
  ~CutTexts();
  CutTexts(const CutTexts&) = delete;
  CutTexts& operator=(const CutTexts&) = delete;
  const std::vector<CutText>& all() const { return all_; }

  /// `shown` stands in place of `whole`. Nothing where no scope is open.
  static void note(const std::string& shown, const std::string& whole);

 private:
  CutTexts* outer_;
  std::vector<CutText> all_;
};

/// A shortened label and where it stands, page coordinates.
struct CutPlace {
  render::Rect box;
  std::string whole;
};

/// The labels of the page among `items` that show one of `texts`; of equal ones in the order in which they were noted.
std::vector<CutPlace> cutPlaces(const std::vector<render::Item>& items, const std::vector<CutText>& texts);

/// Whether the labels of `items`, read one after the other, say all of `text`, wherever lines end.
bool says(const std::vector<render::Item>& items, const std::string& text);

}  // namespace sepx::ui
