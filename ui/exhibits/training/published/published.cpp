// SPDX-License-Identifier: Apache-2.0
// The page Published: figures, tables and theorems of Attention-Structure and of Local-to-Global beside the results of
// this program.
#include "ui/properties/tr.h"
#include "ui/published/published_page.h"

namespace sepx::ui {

std::unique_ptr<RacePage> makePublishedPage() {
  return std::make_unique<PublishedPage>(PublishedKind{.exhibit = "training",
                                                       .key = "published",
                                                       .label = N_("Published"),
                                                       .papers = {"Attention-Structure", "Local-to-Global"},
                                                       .firstPage = "experiments"});
}

}  // namespace sepx::ui
