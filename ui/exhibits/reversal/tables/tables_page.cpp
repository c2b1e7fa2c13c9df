// SPDX-License-Identifier: Apache-2.0
// The page Tables: tables and figures of Reversal beside the results of this program.
#include "ui/exhibits/reversal/shared/reversal_page.h"
#include "ui/properties/tr.h"
#include "ui/published/published_page.h"

namespace sepx::ui {

std::unique_ptr<ReversalPage> makeTablesPage() {
  return std::make_unique<PublishedPage>(PublishedKind{
      .exhibit = "reversal", .key = "tables", .label = N_("Tables"), .papers = {"Reversal"}, .firstPage = "race"});
}

}  // namespace sepx::ui
