// SPDX-License-Identifier: Apache-2.0
// See run_sentence.h.
#include "ui/exhibits/training/sequence/run_sentence.h"

#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/core/try.h"
#include "engine/data/encode.h"
#include "engine/nn/objective.h"
#include "engine/train/checkpoint_writer.h"
#include "engine/train/family_export.h"
#include "ui/exhibits/training/shared/shown_token.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

/// The checkpoint that the run would write into a folder, held in memory.
Result<std::shared_ptr<const checkpoint::Model>> inMemory(const WholeModel& whole, const std::string& name) {
  const nn::ParameterLayout layout(whole.config.model);
  const train::FamilyExport out = train::exportFamily(whole.config, layout, whole.theta, {});
  checkpoint::Contents contents;
  contents.config = nlohmann::json::parse(out.config.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  contents.configFrom = "config.json";
  for (const train::ExportedTensor& tensor : out.tensors) {
    const std::vector<float> values = train::valuesOf(tensor);
    const auto bytes = std::as_bytes(std::span(values));
    checkpoint::TensorInfo info;
    info.name = tensor.name;
    info.dtype = checkpoint::Dtype::F32;
    info.dtypeName = "F32";
    info.shape = tensor.shape;
    info.bytes = bytes.size();
    info.stored = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
    contents.tensors.push_back(std::move(info));
  }
  auto model = std::make_shared<checkpoint::Model>();
  SEPX_ASSIGN(model->checkpoint, checkpoint::Checkpoint::ofTensors(std::move(contents), name));
  model->map = checkpoint::mapAttention(*model->checkpoint);
  return std::shared_ptr<const checkpoint::Model>(std::move(model));
}

Result<std::vector<tokenizer::Token>> typed(const data::Source& source, std::string_view text) {
  const data::TypedText read = data::readTyped(source, text);
  if (!read.unknown.empty()) return fail(ErrorKind::BadInput, notInVocabulary(read.unknown));
  if (read.tokens.empty()) return fail(ErrorKind::BadInput, tr("the text has no token of this run's data"));
  std::vector<tokenizer::Token> tokens;
  for (const std::int32_t token : read.tokens)
    tokens.push_back({static_cast<std::uint32_t>(token), 0, 0, false});
  return tokens;
}

/// The words of the run's data, into which typed text is split.
Result<SentenceWordsPointer> wordsOf(const RunSentenceRequest& request, const train::RunConfig& config) {
  return request.model.data->with(
      request.model.config.data, request.model.dataFolders,
      [&](const data::Source& source) -> Result<SentenceWordsPointer> {
        SentenceWords::Given given;
        given.words.from = tr("the run's data");
        given.words.marks = checkpoint::Vocabulary::Marks::ByteLevel;
        for (std::int32_t token = 0; token < source.vocabulary(); ++token)
          given.words.tokens.push_back(source.word(token));
        if (nn::objectiveInfo(config.objective.kind).masks && source.maskToken() >= 0) given.mask = source.maskToken();
        given.longest = static_cast<std::size_t>(config.model.length);
        given.example.resize(given.longest);
        given.example.resize(
            static_cast<std::size_t>(source.sequence(data::Split::Validation, 0, config.model.length, given.example)));
        // RunData creates the source again if it was used with another config in the meantime.
        given.encode = [data = request.model.data, of = request.model.config.data,
                        dataFolders = request.model.dataFolders](std::string_view text) {
          return data->with(of, dataFolders, [text](const data::Source& again) { return typed(again, text); });
        };
        return SentenceWords::of(std::move(given));
      });
}

}  // namespace

Result<RunSentencePointer> makeRunSentence(const RunSentenceRequest& request) {
  if (request.model.config.model.readsImages())
    return fail(ErrorKind::BadInput, tr("this run reads images; only runs of token sequences are shown here"));
  SEPX_ASSIGN(const WholeModel whole, readModel(request.model));
  auto made = std::make_shared<RunSentence>();
  made->folder = request.model.folder;
  made->step = whole.step;
  made->source = whole.source;
  SEPX_ASSIGN(made->model,
              inMemory(whole, fmt::format("{}, {}", request.model.folder, trFormat("step {}", whole.step))));
  if (request.before && request.before->folder == made->folder) {
    made->words = request.before->words;
  } else {
    SEPX_ASSIGN(made->words, wordsOf(request, whole.config));
  }
  return RunSentencePointer(std::move(made));
}

}  // namespace sepx::ui
