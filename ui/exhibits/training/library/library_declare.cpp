// SPDX-License-Identifier: Apache-2.0
// The properties and read-outs of the page Library.
#include <algorithm>

#include "ui/exhibits/training/library/library_page.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

// clang-format off
void LibraryPage::declare(PropertyRegistry& registry, const RaceShared&) {
  const Condition here = onPages("training.page", "experiments", {"library"});
  const Condition listed = [](const Document& document) { return document.at("training.library.view") != "sweep"; };
  const auto follows = [this](bool tags) {
    return [this, tags](const Document& before, const Document& with) { return edited(before, with, tags); };
  };
  declareParameters(registry, {.prefix = "training.library.", .applies = here, .undoable = false}, {
      {.key = "view", .into = &LibraryState::look, .label = N_("View"),
       .options = {{"cards", N_("cards")}, {"table", N_("table")}, {"differences", N_("what differs")},
                   {"sweep", N_("sweep")}},
       .help = N_("Cards with the loss curve, a table whose columns can be chosen, the fields in which the selected "
                  "runs differ, or the chart and the table of the sweep whose folder is listed."),
       .inPicture = true},
      {.key = "search", .into = &LibraryState::search, .label = N_("Search"), .fallback = "",
       .help = N_("Only runs that have every one of these words in their name, note, tags, notes or folder. The list "
                  "is updated with every letter that is typed."), .eager = true},
      {.key = "filter", .into = &LibraryState::filter, .label = N_("Filter"), .fallback = "",
       .help = N_("Conditions on config fields and final metrics, as in \"model.d_model >= 64, objective = masked\". "
                  "The comparisons are = != < <= > >= and has; conditions are separated by a comma or \"and\". A run "
                  "that does not have the value is not shown. A time is written as the table prints it, or as a day, "
                  "today or yesterday: \"created >= yesterday\".")},
      {.key = "sort", .into = &LibraryState::sort, .label = N_("Order by"), .fallback = "created",
       .help = N_("The config field, final metric or field of the record by which the runs are ordered: created, "
                  "used, folder, name, state, step, loss, model.d_model. Runs without a value are last. If they are "
                  "ordered by a time, they are grouped by day."),
       .applies = listed},
      {.key = "descending", .into = &LibraryState::descending, .label = N_("Descending"), .fallback = true,
       .help = N_("Whether the largest value, or the latest time, is first."), .applies = listed},
      {.key = "columns", .into = &LibraryState::columns, .label = N_("Columns"),
       .fallback = "state step loss validation symmetry objective d_model tags created used",
       .help = N_("The columns of the table, separated by blanks: config fields, final metrics, state, step, steps, "
                  "created, used (when the run was last opened, trained or branched), name, folder, tags, notes, "
                  "parent."),
       .inPicture = true, .applies = listed},
      {.key = "lessons", .into = &LibraryState::lessons, .label = N_("Runs of lessons"), .fallback = false,
       .help = N_("Whether runs that lessons trained are listed too, in a group of their own. They are removed when the window closes."),
       .inPicture = true},
      {.key = "folder", .into = &LibraryState::folder, .label = N_("Folder"), .fallback = "",
       .help = N_("The folder whose runs are listed; empty: the one in which this window creates its runs."), .detail = true,
       .file = true},
      {.key = "selected", .into = Into::by<LibraryState>([](LibraryState& state, const Value& names) { state.chosen = separateNames(toString(names)); }),
       .label = N_("Selected runs"), .fallback = "",
       .help = N_("Names of the selected runs, separated by commas: their folders relative to the listed one."), .detail = true},
      {.key = "tags", .label = N_("Tags"), .fallback = "",
       .help = N_("Tags of the selected runs, separated by commas. They are kept in the file notes.json of each run."),
       .inPicture = true, .follow = follows(true), .live = [this] { return Value(sharedTags(view_.chosen())); }},
      {.key = "notes", .label = N_("Notes"), .fallback = "",
       .help = N_("Notes on the selected runs. They are kept in the file notes.json of each run."),
       .inPicture = true, .follow = follows(false), .live = [this] { return Value(sharedNotes(view_.chosen())); }}});
  declareParameters(registry, {.prefix = "training.library.", .applies = here}, {
      {.key = "trash", .into = Into::by<LibraryState>([](LibraryState& state, const Value& ids) { state.deleted = separateNames(toString(ids)); }),
       .label = N_("Deleted runs"), .fallback = "",
       .help = N_("The locations in the trash of the runs that were deleted here, separated by commas. Undo puts the runs back."),
       .detail = true, .inPicture = true}});
  declareReadOuts(registry);
  sweep_.declare(registry, view_);
}

void LibraryPage::declareReadOuts(PropertyRegistry& registry) {
  const Condition here = onPages("training.page", "experiments", {"library"});
  const auto whole = [](auto get) { return [get](int) -> Value { return get(); }; };
  const auto lines = [](const std::vector<std::string>& all) {
    std::string text;
    for (const std::string& one : all)
      text += (text.empty() ? "" : "\n") + one;
    return text;
  };
  sepx::ui::declareReadOuts(registry, {.prefix = "training.library.", .applies = here}, {
      {.key = "count", .label = N_("Runs in the folder"), .help = N_("How many runs the folder has."), .digits = 0,
       .get = whole([this] { return static_cast<double>(view_.all().size()); })},
      {.key = "shown", .label = N_("Runs shown"), .help = N_("How many runs pass search and filter."), .digits = 0,
       .get = whole([this] { return static_cast<double>(view_.shown().size()); })},
      {.key = "names", .label = N_("Names"), .help = N_("The runs that are shown, in their order."),
       .get = whole([this] {
         std::vector<std::string> names;
         for (const auto& run : view_.shown())
           names.push_back(view_.nameOf(*run));
         return joinedNames(names);
       }), .detail = true},
      {.key = "problem", .label = N_("What is wrong"),
       .help = N_("Why filter, order or columns were not applied as typed; empty: they were."),
       .get = whole([this, lines] { return lines(view_.problems()); })},
      {.key = "selected_count", .label = N_("Runs selected"), .help = N_("How many of the runs shown are selected."), .digits = 0,
       .get = whole([this] { return static_cast<double>(view_.chosen().size()); })},
      {.key = "differences", .label = N_("Fields that differ"),
       .help = N_("The config fields in which the selected runs differ."),
       .get = whole([this] {
         std::string text;
         if (view_.chosen().size() < 2) return text;
         for (const train::RunDifference& one : train::whatDiffers(view_.chosen()))
           if (!one.metric) text += (text.empty() ? "" : ", ") + one.key;
         return text;
       })},
      {.key = "deleted", .label = N_("In the trash"),
       .help = N_("How many runs were moved to the trash here and can be put back."), .digits = 0,
       .get = whole([this] { return static_cast<double>(store_.trashed()); }), .detail = true}});
  const Getters of([this](int index) -> const train::RunSummary* {
    const train::RunList& shown = view_.shown();
    return index >= 0 && static_cast<std::size_t>(index) < shown.size() ? shown[static_cast<std::size_t>(index)].get()
                                                                       : nullptr;
  });
  const auto field = [this, of](const char* key) {
    return of([this, key](const train::RunSummary& run) -> Value {
      const train::RunValue value = view_.fields().of(run, *view_.fields().find(key));
      if (const auto* const number = std::get_if<double>(&value)) return *number;
      const auto* const text = std::get_if<std::string>(&value);
      return text ? Value(*text) : Value();
    });
  };
  sepx::ui::declareReadOuts(registry, {.prefix = "training.library.runs[].", .applies = here, .detail = true}, {
      {.key = "name", .label = N_("Name"), .help = N_("The folder of the run, relative to the listed one."),
       .get = of([this](const train::RunSummary& run) { return view_.nameOf(run); })},
      {.key = "state", .label = N_("State"), .help = N_("What the run does or did. Interrupted (killed in scripts and files): the program that trained it ended."),
       .get = field("state"), .words = [](const std::string& word) { return valueWords("state", word); }},
      {.key = "step", .label = N_("Step"), .help = N_("Number of steps that the run has completed."), .digits = 0,
       .get = field("step")},
      {.key = "loss", .label = N_("Loss"), .unit = N_("nats"), .help = N_("The last training loss."), .digits = 4,
       .get = field("loss")},
      {.key = "validation", .label = N_("Validation loss"), .unit = N_("nats"), .help = N_("The last validation loss."),
       .digits = 4, .get = field("validation")},
      {.key = "tags", .label = N_("Tags"), .help = N_("Tags of the run."), .get = field("tags")},
      {.key = "notes", .label = N_("Notes"), .help = N_("Notes on the run."), .get = field("notes")},
      {.key = "group", .label = N_("Group"), .help = N_("The day, or Lessons, under which the run is listed."),
       .get = [this](int index) -> Value {
         for (const LibraryRows::Row& row : view_.rows())
           if (row.run && static_cast<int>(*row.run) == index) return Value(view_.groups()[row.group].title);
         return Value();
       }},
      {.key = "row", .label = N_("Row"), .help = N_("The cells of the run's row in the table."),
       .get = of([this](const train::RunSummary& run) {
         std::string text;
         for (const std::size_t column : view_.columns())
           text += (text.empty() ? "" : " | ") +
                   valueWords(view_.fields().keys()[column], view_.fields().of(run, column));
         return text;
       })},
      {.key = "failure", .label = N_("What is wrong"), .help = N_("Why the run cannot be read; empty: it can."),
       .get = of(&train::RunSummary::failure)}});
}
// clang-format on

/// The document never contains tags and notes. What the user types is written to the files of the runs.
Result<Document> LibraryPage::edited(const Document& before, const Document& with, bool tags) {
  const std::string key = tags ? "training.library.tags" : "training.library.notes";
  const Json& typed = with.at(key);
  if (!typed.is_string() || before.at(key) == typed) return with;  // a document is being opened
  const Json& selected = before.at("training.library.selected");   // possibly chosen in this frame
  const std::vector<std::string> names = separateNames(selected.is_string() ? selected.get<std::string>() : "");
  const train::RunList chosen = view_.named(names);
  if (chosen.empty()) return fail(ErrorKind::Usage, tr("choose a run first"));
  for (const auto& run : chosen)
    if (!run->failure.empty()) return fail(ErrorKind::Usage, run->failure);
  std::string text = typed.get<std::string>();
  if (text != (tags ? sharedTags(chosen) : sharedNotes(chosen))) edits_.push_back({names, tags, std::move(text)});
  return before.has(key) ? before.without(key) : before;
}

}  // namespace sepx::ui
