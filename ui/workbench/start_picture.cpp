// SPDX-License-Identifier: Apache-2.0
// See start_picture.h.
#include "ui/workbench/start_picture.h"

#include <utility>

#include "engine/core/log.h"

namespace sepx::ui {
namespace {

constexpr int kPane = 9;        // selects job lanes of its own: a window has at most four panes
constexpr double kPause = 1.5;  // seconds between two plays
constexpr double kFirstPause = 0.4;

const render::Scene kEmpty;

}  // namespace

class StartPicture::OwnEditor final : public Editor {
 public:
  explicit OwnEditor(Exhibit& exhibit) {
    exhibit.declare(registry_);
    document_ = exhibit.exampleState();
  }
  const Document& document() const override { return document_; }
  std::uint64_t revision() const override { return revision_; }
  const PropertyRegistry& properties() const override { return registry_; }
  Result<void> set(std::string_view key, const Value& value, std::string) override {
    auto next = registry_.set(document_, key, value);
    if (!next) return tl::unexpected(next.error());
    replace(std::move(*next));
    return {};
  }
  void commit(Document next, std::string, std::string) override { replace(std::move(next)); }
  void replace(Document next) override {
    document_ = std::move(next);
    ++revision_;
  }
  void seal() override {}
  void say(std::string errorSentence) override { spdlog::debug("start page: {}", errorSentence); }
  void note(Note) override {}

 private:
  PropertyRegistry registry_;
  Document document_;
  std::uint64_t revision_ = 1;
};

StartPicture::StartPicture(std::unique_ptr<Exhibit> exhibit)
    : exhibit_(std::move(exhibit)), editor_(std::make_unique<OwnEditor>(*exhibit_)), scene_(&kEmpty) {}
StartPicture::~StartPicture() = default;

const Document& StartPicture::document() const {
  return editor_->document();
}

void StartPicture::update(const ExhibitContext& like) {
  ExhibitContext context{{.jobs = like.jobs.inPane(kPane), .pool = like.pool, .gpu = like.gpu, .seed = like.seed},
                         {.theme = like.theme,
                          .area = like.area,
                          .seconds = like.seconds,
                          .scale = like.scale,
                          .pane = kPane,
                          .scripted = like.scripted,
                          .figure = true,  // no advice, no pointer, no panel
                          .legend = like.legend},
                         *editor_};
  scripted_ = like.scripted;
  exhibit_->update(context);
  advance(context);
  scene_ = &exhibit_->scene(context);
}

/// Waits until the picture is complete, plays it, pauses, shows the contrasting state, plays that.
void StartPicture::advance(ExhibitContext& context) {
  if (scripted_ || play_ > plays_ || !exhibit_->complete() || exhibit_->animating()) return;
  if (restSince_ < 0) restSince_ = context.seconds;
  if (context.seconds - restSince_ < (play_ == 0 ? kFirstPause : kPause)) return;
  restSince_ = -1;
  if (play_ > 0 && play_ < plays_) {
    editor_->replace(exhibit_->contrastState(editor_->document()));
    exhibit_->update(context);
  }
  if (++play_ <= plays_ && !exhibit_->run(context, "play.toggle")) play_ = plays_ + 1;
}

bool StartPicture::animating() const {
  return exhibit_->animating() || (!scripted_ && play_ <= plays_ && exhibit_->complete());
}

}  // namespace sepx::ui
