// SPDX-License-Identifier: Apache-2.0
// Reads what the user opens or drops: a session, a lesson, the state of a figure or of a line of text, a table of
// numbers, a checkpoint, a training run, or the folder of a sweep.
// Everything else gets one sentence that says what it is and what to do. Nothing here changes a document;
// Workbench::open does that with the result. Any thread.
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

/// A restored state that is not saved in a file of its own yet.
struct RestoredState {
  Document document;
  std::uint64_t seed = 0;
  bool text = false;  ///< from a line "sepx:1:…"; its paths are not yet those of this machine (withOwnPaths())
};

/// A checkpoint that can be looked at; its headers have been read.
using OpenedModel = std::shared_ptr<const checkpoint::Model>;

/// A text that is not a file of this program, but that an exhibit may be able to use.
struct PlainText {
  std::string refusal;  ///< the message if none can use it, one sentence
};

/// A sweep, which the program follows while shards write it. Nothing of it has been read yet.
struct OpenedSweep {
  std::string folder;  ///< absolute
};

struct Opened {
  std::string path;  ///< of the file itself, also where a folder was given
  std::variant<Session, Lesson, RestoredState, Table, OpenedModel, OpenedSweep, PlainText> content;
  std::string run{};  ///< folder of the training run whose newest weights these are; empty: not of a run
};

/// Reads a file, a folder or a line of state text. BadInput or Usage, with the path, where there is nothing that a
/// window can open. `rules`: folder of the user's rules for checkpoints; empty: none. `cancelled`: called while weights
/// are unpacked; if it returns true, the result is Interrupted.
Result<Opened> readAnyFile(const std::string& path, const std::string& rules = {},
                           const checkpoint::Cancelled& cancelled = {});

/// Whether the content is added to the current document (tables, texts, sweeps and checkpoints) or replaces it
/// (everything else).
bool addsToDocument(const Opened& opened);

/// Whether a document has a section that the program knows ("flow", "flow@2", "panes"), or is empty. A version number
/// alone is not enough, because JSON of other programs may have one too.
bool hasKnownSection(const Document& document, const PropertyRegistry& registry);

/// Removes every known field that the registry refuses, in every pane, so that its default applies. A session of a
/// newer version thus opens as far as it is understood.
Document understood(Document document, const PropertyRegistry& registry);

/// Removes fields that are valid alone but not together (an edge of a view beyond the opposite one, a selected element
/// that is not in its list), so that their defaults apply; `sentence` names them.
Document withoutContradictions(Document document, const PropertyRegistry& registry, std::string& sentence);

/// Describes the first cell that is not a number in a column where at least half of the cells are: "row 3, column w:
/// …". Empty when there is none.
std::string firstNonNumber(const Table& table);

}  // namespace sepx::ui
