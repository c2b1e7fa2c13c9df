// SPDX-License-Identifier: Apache-2.0
// Puts the Training exhibit together: a race (ui/race) with the pages and experiments of training. It also accepts text
// files that the user drops. It changes the document only through the Editor. Frame thread only.
#include "ui/exhibits/training/training_exhibit.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "engine/core/try.h"
#include "ui/exhibits/training/own/own_data.h"
#include "ui/exhibits/training/shared/experiments.h"
#include "ui/exhibits/training/training_pages.h"
#include "ui/race/race_exhibit.h"

namespace sepx::ui {

namespace {

std::string absolutePath(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path whole = std::filesystem::absolute(path, failed);
  return failed ? path : whole.lexically_normal().string();
}

class TrainingExhibit final : public RaceExhibit {
 public:
  TrainingExhibit() : RaceExhibit(trainingRaces()) { setPages(makeTrainingPages()); }

  std::string name() const override { return tr("Training"); }
  std::string about() const override {
    return tr(
        "Train small transformers and watch W_qk form while the loss falls: encoder against decoder, starts, "
        "constraints.");
  }
  Document contrastState(const Document& mine) const override {
    return mine.with("training.page", mine.at("training.page") == "structure" ? "curves" : "structure");
  }
  Result<void> importTable(ExhibitContext& context, const Table& table, const std::string& name) override;
  bool openText(ExhibitContext& context, const std::string& path) override;
};

/// Makes a dropped file the data of the new run, as one step that can be undone.
Result<void> TrainingExhibit::importTable(ExhibitContext& context, const Table& table, const std::string& name) {
  SEPX_ASSIGN(const std::string column, textColumn(table, name));
  context.editor.commit(withOwnText(context.editor.document(), absolutePath(name), column), tr("use a text as data"));
  return {};
}

bool TrainingExhibit::openText(ExhibitContext& context, const std::string& path) {
  context.editor.commit(withOwnText(context.editor.document(), absolutePath(path), textMember(path)),
                        tr("use a text as data"));
  return true;
}

}  // namespace

std::unique_ptr<Exhibit> makeTrainingExhibit() {
  return std::make_unique<TrainingExhibit>();
}

}  // namespace sepx::ui
