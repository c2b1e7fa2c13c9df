// SPDX-License-Identifier: Apache-2.0
// What a person opens or drops, read: a session, a lesson, the state of a figure or of a line of text, a table of
// numbers, a checkpoint, or the folder of a sweep.
// Everything else gets one sentence that says what it is and what to do. Nothing here changes a document;
// Workbench::open does that with the answer. Any thread.
#pragma once

#include <string>
#include <variant>

#include "engine/checkpoint/model_cache.h"
#include "engine/core/result.h"
#include "engine/core/table.h"
#include "ui/document/lesson.h"
#include "ui/document/session.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

/// A state to look at that is not a file of its own yet.
struct Recreated {
  Document document;
  std::uint64_t seed = 0;
  bool text = false;  ///< of a line "sepx:1:…", whose paths are not yet those of this machine (withOwnPaths())
};

/// A checkpoint that can be looked at; its headers have been read.
using OpenedModel = std::shared_ptr<const checkpoint::Model>;

/// A text that is none of our files, which an exhibit may have a use for.
struct PlainText {
  std::string refusal;  ///< where none has: one sentence
};

/// A sweep, which the program follows while shards write: nothing of it is read yet.
struct OpenedSweep {
  std::string folder;  ///< absolute
};

struct Opened {
  std::string path;  ///< of the file itself, where a folder was given
  std::variant<Session, Lesson, Recreated, Table, OpenedModel, OpenedSweep, PlainText> content;
  std::string run{};  ///< folder of the training run whose newest weights these are; empty: of none
};

/// BadInput or Usage with the path when there is nothing in it for a window.
/// `rules`: folder of the person's rules for checkpoints; empty: none. `cancelled`: asked while weights are unpacked;
/// Interrupted when it says yes.
Result<Opened> readAnything(const std::string& path, const std::string& rules = {},
                            const checkpoint::Cancelled& cancelled = {});

/// Tables, texts, sweeps and checkpoints are taken into the document there is, everything else takes its place.
bool joinsDocument(const Opened& opened);

/// Whether a document has a section that the program knows ("flow", "flow@2", "panes"), or none at all: JSON of other
/// programs may carry a number called version too.
bool isOurs(const Document& document, const PropertyRegistry& registry);

/// Every known field that the registry refuses, in every pane, is taken out, so that its default holds: a session of a
/// newer version opens as far as it is understood.
Document understood(Document document, const PropertyRegistry& registry);

/// Fields that are fine alone but not together (an edge of a view beyond the opposite one, a selected element that is
/// not in its list) are taken out, so that their defaults hold; `sentence` says of which.
Document consistent(Document document, const PropertyRegistry& registry, std::string& sentence);

/// The first cell that keeps a column from being numbers, where most of its cells are: "row 3, column w: …". Empty when
/// there is none.
std::string oddCell(const Table& table);

}  // namespace sepx::ui
