// SPDX-License-Identifier: Apache-2.0
// Draws the panel from declarations: nothing here knows a range or a help text.
#include "ui/exhibits/weights/shared/weights_panel.h"

#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

void drawChoice(const PageFrame& frame, PagePanel& panel) {
  const WeightsShared& shared = frame.shared;
  panel.heading(tr("Model"));
  panel.readOut("weights.model");
  panel.readOut("weights.family");
  if (!shared.layer) return;
  if (shared.model->map.stacks().size() > 1) panel.control("weights.stack");
  panel.control("weights.layer");
  panel.control("weights.head");
}

void drawScores(const PageFrame& frame, PagePanel& panel) {
  if (!frame.shared.layer) return;
  panel.heading(tr("Scores"));
  panel.readOut("weights.symmetry");
  panel.readOut("weights.directionality.excess");
  panel.readOut("weights.directionality.sum");
  panel.readOut("weights.outliers.rows");
  panel.readOut("weights.outliers.columns");
  if (frame.shared.moments && frame.shared.moments->nonfinite > 0) panel.readOut("weights.nonfinite");
  panel.control("weights.score.gamma");
  panel.control("weights.score.variant");
  panel.control("weights.score.ddof");
  if (frame.shared.layer->kvHeads < frame.shared.layer->heads) panel.control("weights.gqa");
  if (frame.shared.layer->norm) panel.control("weights.norm.folded");
}

}  // namespace

void drawWeightsPanel(const PageFrame& frame, WeightsPage& page, ExhibitContext& context) {
  PagePanel panel(context, "##weights.panel");
  drawChoice(frame, panel);
  if (page.aboutMatrix()) drawScores(frame, panel);
  page.panel(frame, context, panel);
}

}  // namespace sepx::ui
