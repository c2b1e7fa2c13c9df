// SPDX-License-Identifier: Apache-2.0
// The gallery of the papers' figures, tables and theorems. Each has a card with a small picture, its claim, the verdict
// of the results computed here and the time that it takes. Cards are grouped by paper; the paper of the page comes
// first. Pure.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/studies/study.h"
#include "ui/views/view.h"

namespace sepx::ui {

/// Its key among the studies of a page.
inline constexpr const char* kGallery = "all";

/// The data of a card.
struct GalleryCard {
  const studies::Study* study = nullptr;               ///< never null
  std::shared_ptr<const studies::StudyResult> made{};  ///< null: not computed yet
  std::optional<double> progress{};                    ///< share done, from 0 to 1; only while it is computed
  bool here = true;                                    ///< this page shows it; otherwise a page of another exhibit does
  double seconds = 0;                                  ///< duration on this machine; 0: not known
  std::string failure{};                               ///< why the computation failed; empty: it did not
};

/// All studies, those of `papers` first, in the order of the items of each paper.
std::vector<const studies::Study*> galleryStudies(const std::vector<std::string>& papers);
/// The name of a study in its paper, "Figure 3", and its claim in a few words.
std::string studyName(const studies::Study& study);
std::string studyClaim(const studies::Study& study);

/// "holds", "in part", "not as published", "not run", "published only", …
std::string galleryVerdict(const GalleryCard& card);
/// `of`: digest of the cards' data. `chosen`: the card selected with the keyboard.
CardsContent galleryCards(std::vector<GalleryCard> cards, std::optional<std::size_t> chosen, std::uint64_t of);
Numbers galleryNumbers(const std::vector<GalleryCard>& cards);

}  // namespace sepx::ui
