// SPDX-License-Identifier: Apache-2.0
#include "engine/studies/paper_items.h"

#include <array>
#include <cctype>

namespace sepx::studies {

namespace {

constexpr PaperItem kItems[] = {
#define ITEM(PAPER, ID, NAME, WHAT, PLACE, WHY) {PAPER, ID, NAME, WHAT, PLACE, WHY},
#include "engine/studies/paper_items.inc"
#undef ITEM
};

constexpr std::string_view kOfStudy = "study ";

}  // namespace

const char* toString(ItemState state) {
  constexpr std::array kWords{"judged", "shown", "published", "out-of-scope"};
  return kWords[static_cast<std::size_t>(state)];
}

std::span<const PaperItem> paperItems() {
  return kItems;
}

const Study* studyOf(const PaperItem& item) {
  if (const Study* own = findStudy(item.id)) return own;
  const std::string_view place = item.place;
  return place.starts_with(kOfStudy) ? findStudy(place.substr(kOfStudy.size())) : nullptr;
}

ItemState stateOf(const PaperItem& item) {
  if (const Study* study = studyOf(item)) return study->isReproduced() ? ItemState::Judged : ItemState::Published;
  return *item.place == '\0' ? ItemState::OutOfScope : ItemState::Shown;
}

std::string kindOf(const PaperItem& item) {
  std::string kind(item.name, std::string_view(item.name).find(' '));
  for (char& letter : kind)
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return kind;
}

std::string placeOf(const PaperItem& item) {
  const Study* const study = studyOf(item);
  return study != nullptr ? std::string(kOfStudy) + study->id : item.place;
}

}  // namespace sepx::studies
