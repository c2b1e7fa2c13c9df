// SPDX-License-Identifier: Apache-2.0
// The page Published: figures, a table and a theorem of Attention-Structure beside what comes out here.
#include "ui/properties/tr.h"
#include "ui/published/published_page.h"

namespace sepx::ui {

std::unique_ptr<RacePage> makePublishedPage() {
  return std::make_unique<PublishedPage>(PublishedKind{.exhibit = "training",
                                                       .word = "published",
                                                       .label = N_("Published"),
                                                       .paper = "Attention-Structure",
                                                       .firstPage = "experiments"});
}

}  // namespace sepx::ui
