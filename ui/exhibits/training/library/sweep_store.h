// SPDX-License-Identifier: Apache-2.0
// Reads the sweep in the library's folder in the background. Frame thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "ui/exhibits/training/library/library_rows.h"
#include "ui/exhibits/training/library/library_store.h"
#include "ui/exhibits/training/library/sweep_picture.h"
#include "ui/page/exhibit_context.h"
#include "ui/page/lane.h"

namespace sepx::ui {

/// Reads the sweep in the library's folder about once a second, also while programs write into it, and makes the
/// picture of it that the document describes. Takes no lock and never blocks a frame.
class SweepStore {
 public:
  /// To be called once a frame while the sweep is visible.
  void update(ExhibitContext& context, const LibraryStore& runs, const LibraryRows& view, const LibraryState& state,
              const SweepChoice& choice);
  void readAgain() { due_ = true; }

  /// Null: not yet, or there is none.
  const std::shared_ptr<const SweepPicture>& picture() const { return picture_; }
  /// Why there is no picture: one sentence; empty: there is one, or it is being read.
  const std::string& failure() const { return failure_; }
  bool complete() const { return reading_.complete() && drawing_.complete(); }
  std::uint64_t revision() const { return revision_; }  ///< changes with picture() and failure()

 private:
  using ReadingPointer = std::shared_ptr<const sweep::SweepReading>;
  using PicturePointer = std::shared_ptr<const SweepPicture>;
  struct ReadRequest {
    std::string folder;
    std::uint64_t runs = 0;
    bool operator==(const ReadRequest&) const = default;
  };
  struct ReadResult {
    ReadingPointer reading;
    std::string failure;
  };
  struct DrawRequest {
    ReadingPointer reading;
    SweepChoice choice;
    std::string search, filter;
    bool operator==(const DrawRequest&) const = default;
  };

  void startReading(ExhibitContext& context, const LibraryStore& runs);
  void takeReading(ExhibitContext& context);

  Lane<ReadRequest, ReadResult> reading_{"training.library.sweep"};
  Lane<DrawRequest, PicturePointer> drawing_{"training.library.sweep.picture"};
  ReadingPointer read_;
  PicturePointer picture_;
  std::string folder_, failure_;
  std::uint64_t runsSeen_ = 0, revision_ = 1;
  double since_ = 0;  ///< host time of the last start
  bool due_ = true;
};

}  // namespace sepx::ui
