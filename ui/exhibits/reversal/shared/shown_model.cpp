// SPDX-License-Identifier: Apache-2.0
// See shown_model.h.
#include "ui/exhibits/reversal/shared/shown_model.h"

#include <utility>

#include "engine/core/try.h"
#include "engine/data/pairs.h"
#include "engine/data/source_config.h"
#include "engine/train/saved_model.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

std::optional<ShownModel> shownModel(const ReversalShared& shared, const std::shared_ptr<RunData>& data,
                                     const ShownModel* before, std::string& sentence) {
  if (shared.requestModel) shared.requestModel();
  const RacingRun* const racing = shownRun(shared);
  ShownModel shown;
  std::string none = noRunsSentence(shared);
  if (racing) {
    shown.name = racing->name();
    shown.run = modelRequest(*racing, shared, {}, data, before && before->run ? &*before->run : nullptr, none);
    if (shown.run) return shown;
  }
  if ((racing && !shared.shipped) || shared.assets.empty()) {
    sentence = none;
    return std::nullopt;
  }
  const bool causal = racing && racing->run && racing->run->config() && racing->run->config()->model.causal;
  shown.folder = shared.assets + (causal ? "/models/arm" : "/models/mdm");
  return shown;
}

Result<WholeModel> readShown(const ShownModel& shown) {
  if (shown.run && shown.run->config.data.kind != data::SourceKind::Pairs)
    return fail(ErrorKind::Usage,
                trFormat("{} was trained on other data; forward and reverse queries exist only for pairs of letters",
                         shown.name));
  if (shown.run) return readModel(*shown.run);
  SEPX_ASSIGN(train::RunConfig config, train::savedConfig(shown.folder));
  SEPX_TRY(train::resolve(config, *data::makePairs(config.data.seed)));
  SEPX_ASSIGN(train::SavedModel saved, train::readSaved(shown.folder, config));
  return WholeModel{std::move(config), -1, ModelSource::Checkpoint, std::move(saved.theta)};
}

std::string titleOf(const ShownModel& shown, const WholeModel& model) {
  if (!shown.run) return trFormat("{}, which ships with the program", model.config.name);
  return trFormat("{}, step {}", shown.name, stepText(model.step));
}

}  // namespace sepx::ui
