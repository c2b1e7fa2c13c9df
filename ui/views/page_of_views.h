// SPDX-License-Identifier: Apache-2.0
// A page that says what is shown as data: it asks for its results in ask(), and makes its views from state and results
// in views(), which is pure. Where they stand, how they are drawn, what the pointer does there, the numbers to export
// and the gestures follow from the views. `Base`: the page of an exhibit (Page<Shared>). Frame thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/page/lane_result.h"
#include "ui/page/page.h"
#include "ui/views/board.h"
#include "ui/views/digest.h"

namespace sepx::ui {

template <class Base>
class PageOfViews : public Base {
 public:
  using Shared = typename Base::Shared;
  using Frame = typename Base::Frame;

  Numbers numbers(const Shared&) const override { return board_.numbers(); }
  std::vector<std::pair<std::string, std::string>> gestures() const override { return board_.gestures(); }
  std::vector<ReadableView> readable() override { return board_.readable(); }
  void reclaim(std::vector<render::Layer>& layers) override { board_.reclaim(layers); }

 protected:
  /// `name`: "reversal.checkpoint"; its layers are "reversal.checkpoint.VIEW". Without one they are called as the
  /// views.
  explicit PageOfViews(const std::string& name) : board_(name.empty() ? name : name + ".") {}
  /// Once a frame: takes over finished results and asks for what is stale.
  virtual void ask(const Frame& frame, ExhibitContext& context) = 0;
  /// What is shown now: from the document, what the pages share, and results that count in results_. What its functions
  /// refer to outlives the frame.
  virtual Views views(const Frame& frame) const = 0;
  /// Digest of all that views() reads beside results_.
  virtual std::uint64_t madeOf(const Frame& frame) const = 0;
  /// A press on a row, a card or a head that the page deals with.
  virtual void pressed(const Frame&, ExhibitContext&, const ViewPress&) {}
  /// A picture over all views that follows the pointer or the clock; its functions may refer to this frame.
  virtual std::optional<PictureContent> over(const Frame&) const { return std::nullopt; }
  /// The content is expected to change soon.
  virtual bool moving(const Frame&) const { return false; }

  void updateViews(const Frame& frame, ExhibitContext& context) {
    ask(frame, context);
    document_ = context.editor.revision();
    place(frame);
  }
  void drawViews(const Frame& frame, std::vector<render::Layer>& into) {
    place(frame);
    board_.scene(frame, into);
    if (const std::optional<PictureContent> picture = over(frame)) board_.drawOver(frame, *picture, into);
  }
  Cursor inputViews(const Frame& frame, ExhibitContext& context, const InputEvent& event) {
    // Of a document that results are not of yet, what is seen still answers: that of before.
    if (document_ == context.editor.revision()) place(frame);
    const Cursor cursor = board_.input(frame, context, event);
    if (const std::string command = board_.takeCommand(); !command.empty()) this->run(frame, context, command);
    if (const std::optional<ViewPress> press = board_.takePress()) pressed(frame, context, *press);
    return cursor;
  }
  const ViewBoard& board() const { return board_; }
  ViewBoard& board() { return board_; }

  ResultSet results_;

 private:
  void place(const Frame& frame) {
    const std::uint64_t now = Digest().add(madeOf(frame), results_.revision()).value();
    if (now != madeOf_) {
      madeOf_ = now;
      board_.show(views(frame));
    }
    board_.place(frame, moving(frame));
  }

  ViewBoard board_;
  std::uint64_t madeOf_ = 0;    ///< digest of what the views were made of
  std::uint64_t document_ = 0;  ///< the revision of the last update
};

}  // namespace sepx::ui
