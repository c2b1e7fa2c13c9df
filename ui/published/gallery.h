// SPDX-License-Identifier: Apache-2.0
// The gallery of the papers' figures, tables and theorems: a card each with a small picture, what it says, the verdict
// of what was computed here, and how long it takes; by paper, that of the page first. Pure.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/studies/study.h"
#include "ui/views/view.h"

namespace sepx::ui {

/// Its word among the studies of a page.
inline constexpr const char* kGallery = "all";

/// A study as a card shows it.
struct GalleryCard {
  const studies::Study* study = nullptr;               ///< never null
  std::shared_ptr<const studies::StudyResult> made{};  ///< null: not computed yet
  std::optional<double> progress{};                    ///< of one that is being computed
  bool here = true;                                    ///< this page shows it; else that of another exhibit does
  double seconds = 0;                                  ///< that it takes on this machine; 0: not known
  std::string failure{};                               ///< why it could not be computed; empty: it could
};

/// All studies, those of `papers` first, in the order of the papers' items.
std::vector<const studies::Study*> galleryStudies(const std::vector<std::string>& papers);
/// What its paper calls it, "Figure 3", and what it says, a few words.
std::string studyName(const studies::Study& study);
std::string studyClaim(const studies::Study& study);

/// "holds", "in part", "not as published", "not run", "published only", …
std::string galleryVerdict(const GalleryCard& card);
/// `of`: digest of what the cards are made of. `chosen`: by keys.
CardsContent galleryCards(std::vector<GalleryCard> cards, std::optional<std::size_t> chosen, std::uint64_t of);
Numbers galleryNumbers(const std::vector<GalleryCard>& cards);

}  // namespace sepx::ui
