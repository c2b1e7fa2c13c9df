// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sentence_arguments.h"

#include <limits>
#include <ostream>

#include <CLI/CLI.hpp>

#include "app/cli/declare.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "engine/core/terminal_text.h"
#include "engine/core/try.h"

namespace sepx::app::cli {

namespace {

/// ForwardModel::open. If the error names the page Mapping as the remedy, the corresponding option is named too.
Result<std::shared_ptr<const forward::ForwardModel>> openModel(const Model& stored) {
  auto opened = forward::ForwardModel::open(stored);
  if (opened || opened.error().message.find("page Mapping") == std::string::npos) return opened;
  return failf(opened.error().kind, N_("{}; use --rules to name a folder with such a mapping"), opened.error().message);
}

}  // namespace

std::string SentenceInput::token(std::int64_t id) const {
  return words ? printable(words->shown(static_cast<std::int32_t>(id))) : fmt::format("{}", id);
}

void SentenceInput::printNotes(std::ostream& err) const {
  for (const std::string& note : notes)
    err << "sepx: " << trf(N_("note: {}"), printable(note)) << "\n";
}

void SentenceInput::addTo(Json& json) const {
  if (!input.pixels.empty()) return;
  json["ids"] = input.ids;
  if (!words) return;
  json["tokens"] = Json::array();
  for (const std::int32_t id : input.ids)
    json["tokens"].push_back(words->shown(id));
}

void SentenceArgument::declare(CLI::App& command, bool pixels) {
  addOption(command, "checkpoint", path_, N_("a weight file, the index of a sharded checkpoint, or a folder"),
            "CHECKPOINT")
      ->required();
  addOption(command, "--text", text_, N_("the sentence, encoded by the tokenizer beside the weights"), "T")
      ->each([&given = given_](const std::string&) { given = true; });
  addOption(command, "--ids", ids_, N_("the sentence as token ids"), "1,2,3");
  if (pixels)
    addOption(command, "--pixels", pixels_,
              N_("an image: a PNG, or an .npy file normalised as the model was trained on them"), "FILE");
  addOption(command, "--tokenizer", tokenizer_, N_("a tokenizer other than the one beside the weights"), "FILE");
  rules_.declare(command);
}

Result<SentenceInput> SentenceArgument::read() const {
  const int given = int{given_} + int{!ids_.empty()} + int{!pixels_.empty()};
  if (given > 1)
    return failf(ErrorKind::Usage, N_("--text, --ids and --pixels are mutually exclusive: give only one of them"));
  if (given == 0) return failf(ErrorKind::Usage, N_("give one of --text, --ids and (for models of images) --pixels"));
  SentenceInput sentence;
  SEPX_ASSIGN(sentence.stored, rules_.open(path_));
  SEPX_ASSIGN(sentence.model, openModel(sentence.stored));
  SEPX_TRY(openWords(sentence));
  SEPX_ASSIGN(sentence.input, inputFor(sentence));
  addNotes(sentence);
  return sentence;
}

/// Ids do not come from the tokenizer, so its own note is left out for them.
void SentenceArgument::addNotes(SentenceInput& sentence) const {
  if (!sentence.words) return;
  if (given_ && !sentence.words->note().empty()) sentence.notes.push_back(sentence.words->note());
  if (std::string beyond = sentence.words->beyond(sentence.model->plan().vocabulary); !beyond.empty())
    sentence.notes.push_back(std::move(beyond));
}

Result<void> SentenceArgument::openWords(SentenceInput& sentence) const {
  if (!pixels_.empty()) return {};
  auto opened = ui::SentenceWords::open(*sentence.stored->checkpoint, tokenizer_);
  if (opened) {
    sentence.words = *std::move(opened);
    return {};
  }
  // Ids need no tokenizer.
  if (given_ || !tokenizer_.empty()) return tl::unexpected(std::move(opened).error());
  return {};
}

Result<forward::Input> SentenceArgument::inputFor(const SentenceInput& sentence) const {
  forward::Input input;
  if (!pixels_.empty()) {
    const auto& plan = sentence.model->plan();
    if (plan.image && !pixels_.ends_with(".npy")) {
      SEPX_ASSIGN(const auto image, ui::openImage(pixels_, *plan.image, *sentence.stored->checkpoint));
      input.pixels = image->pixels;
    } else {
      SEPX_ASSIGN(input.pixels, ui::pixelsOfNpy(pixels_));
    }
    return input;
  }
  if (!given_) {
    for (const std::string& word : toWords(ids_)) {
      SEPX_ASSIGN(const long long id, toInteger("--ids", word, 0, std::numeric_limits<std::int32_t>::max()));
      input.ids.push_back(static_cast<std::int32_t>(id));
    }
    return input;
  }
  const std::int64_t vocabulary = sentence.model->plan().vocabulary;
  SEPX_ASSIGN(const auto tokens, sentence.words->encode(text_, true));
  for (const tokenizer::Token& token : tokens) {
    if (token.id >= vocabulary)
      return failf(ErrorKind::BadInput,
                   N_("{}: the tokenizer ({}) gives token {}, but the weights have tokens 0 to {}: they do not match; "
                      "choose another with --tokenizer"),
                   sentence.stored->checkpoint->path(), sentence.words->from(), token.id, vocabulary - 1);
    input.ids.push_back(static_cast<std::int32_t>(token.id));
  }
  return input;
}

}  // namespace sepx::app::cli
