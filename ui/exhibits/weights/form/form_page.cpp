// SPDX-License-Identifier: Apache-2.0
// The form page put together: sums, pointer, panel with completions, commands.
#include "ui/exhibits/weights/form/form_page.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <imgui/imgui.h>

#include "ui/properties/tr.h"
#include "ui/properties/widgets.h"

namespace sepx::ui {

namespace {

constexpr std::size_t kCompletions = 6;

}  // namespace

std::unique_ptr<WeightsPage> makeFormPage() {
  return std::make_unique<FormPage>();
}

void FormPage::ask(const PageFrame& frame, ExhibitContext& context) {
  others_ = context.editor.properties().text(context.editor.document(), "weights.form.others");
  scripted_ = context.scripted;
  const bool before = data_.vocabularyKnown();
  data_.update(frame.shared, others_, context);
  const bool news = !before && data_.vocabularyKnown();
  if (news) takeWords(context);
  const auto text = [&](const char* key) { return context.editor.properties().text(context.editor.document(), key); };
  std::array<std::string, 2> typed{text("weights.form.queryText"), text("weights.form.keyText")};
  if (typed == typed_ && !news) return;
  typed_ = std::move(typed);
  for (std::size_t i = 0; i < typed_.size(); ++i)
    unknown_[i] = data_.vocabulary().tokens.empty() || data_.vocabulary().find(typed_[i]) ? "" : typed_[i];
}

/// Words that the document named before they were known (a script, a session): they become their tokens.
void FormPage::takeWords(ExhibitContext& context) {
  Editor& editor = context.editor;
  Document next = editor.document();  // one change: an editor may show it only after the frame
  bool changed = false;
  for (const char* key : {"weights.form.query", "weights.form.key"}) {
    const std::string text = editor.properties().text(editor.document(), std::string(key) + "Text");
    if (text.empty() || data_.vocabulary().tokens.empty()) continue;
    const std::optional<std::int64_t> token = data_.vocabulary().find(text);
    if (!token)
      editor.say(sentenceCase(noTokenReads(data_.vocabulary(), text)));
    else if (static_cast<double>(*token) != editor.properties().real(editor.document(), key))
      next = next.with(key, *token), changed = true;
  }
  if (changed) editor.replace(std::move(next));
}

std::string noTokenReads(const checkpoint::Vocabulary& words, const std::string& text) {
  std::string sentence = fmt::format("{} “{}”", tr("no token reads"), text), some;
  for (const std::int64_t token : nearestTokens(words, text, 4))
    some += (some.empty() ? "" : ", ") + words.shown(token);
  return some.empty() ? sentence : sentence + fmt::format("; {} {}", tr("tokens that begin like it:"), some);
}

std::string FormPage::unknownWords() const {
  std::string text;
  std::set<std::string> said;
  const auto add = [&](const std::string& word) {
    if (!said.insert(word).second) return;
    text += (text.empty() ? "" : " ") + sentenceCase(noTokenReads(data_.vocabulary(), word));
  };
  for (const std::string& word : unknown_)
    if (!word.empty()) add(word);
  for (const std::string& word : data_.unknown())
    add(word);
  return text;
}

std::vector<FormBar> FormPage::headBars(const WeightsShared& shared) const {
  std::vector<FormBar> bars;
  if (!data_.result()) return bars;
  double sum = 0;
  const auto& heads = data_.result()->heads;
  for (std::size_t h = 0; h < heads.size(); ++h) {
    FormBar bar{std::to_string(h),  sum, sum + heads[h].form, false, shared.state.head == static_cast<int>(h),
                static_cast<int>(h)};
    sum = bar.to;
    bars.push_back(std::move(bar));
  }
  bars.push_back({tr("sum"), 0, sum, true, shared.state.head < 0, -1});
  return bars;
}

std::vector<FormBar> FormPage::restBars(const WeightsShared& shared) const {
  std::vector<FormBar> bars;
  if (!data_.result()) return bars;
  const FormResult& result = *data_.result();
  const attention::HeadTerms total = result.total(shared.state.head);
  bars.push_back({tr("form"), 0, total.form, true, false, -1});
  double sum = total.form;
  const auto add = [&](bool there, const char* name, double value) {
    if (!there) return;
    bars.push_back({name, sum, sum + value, false, false, -1});
    sum += value;
  };
  add(result.hasNorm, tr("norm"), total.norm);
  add(result.hasBias, "b_Q·k", total.queryBias);
  add(result.hasBias, "q·b_K", total.keyBias);
  add(result.hasBias, "b_Q·b_K", total.bothBiases);
  add(result.hasRope, tr("rotation"), total.rope);
  bars.push_back({tr("score"), 0, total.score, true, true, -1});
  return bars;
}

/// What begins like a text that was no token, to be clicked.
void FormPage::completions(ExhibitContext& context, bool query) {
  const std::string& text = unknown_[query ? 0 : 1];
  if (text.empty()) return;
  const std::string key = query ? "weights.form.query" : "weights.form.key";
  for (const std::int64_t token : nearestTokens(data_.vocabulary(), text, kCompletions)) {
    const std::string label = data_.nameOf(token) + "##" + key + std::to_string(token);
    if (!ImGui::Selectable(label.c_str())) continue;
    context.controls->accept(key + "Text");
    setAsStep(context.editor, key, static_cast<double>(token));
    break;
  }
}

void FormPage::panel(const PageFrame& frame, ExhibitContext& context, PagePanel& panel) {
  panel.heading(tr("Two tokens"));
  const bool words = !data_.vocabulary().tokens.empty();
  if (words) {
    panel.row("weights.form.queryText");
    completions(context, true);
  }
  panel.row("weights.form.query");
  if (words) {
    panel.row("weights.form.keyText");
    completions(context, false);
  }
  panel.rows("weights.form.", {"key", "offset"});
  if (panel.button(tr("Swap"), "weights.form-swap")) run(frame, context, "weights.form-swap");
  if (words)
    panel.sentence(fmt::format("{} {} {} {}.", data_.vocabulary().tokens.size(), tr("words from"),
                               data_.vocabulary().from, tr("beside the weights")));
  else if (data_.vocabularyKnown())
    panel.sentence(tr("No list of words lies beside the weights, so tokens are chosen by their index."));
  panel.heading(tr("The score"));
  for (const char* key : {"weights.form.sum", "weights.form.norm", "weights.form.biases", "weights.form.rope",
                          "weights.form.score", "weights.form.check"}) {
    // What this model does not have is not listed.
    const auto found = context.editor.properties().find(key);
    if (found && found->readOut && !std::holds_alternative<std::monostate>(found->readOut->get(-1))) panel.row(key);
  }
  panel.heading(tr("Ranking of keys"));
  panel.row("weights.form.others");
  if (const std::string unknown = unknownWords(); !unknown.empty()) panel.sentence(unknown);
  panel.row("weights.form.same_order");
}

std::vector<WeightsPage::Command> FormPage::commands(const WeightsShared& shared, const Document&) {
  const auto swap = [&state = shared.state](ExhibitContext& context) {
    context.editor.seal();
    context.editor.commit(context.editor.document()
                              .with("weights.form.query", state.formKey)
                              .with("weights.form.key", state.formQuery)
                              .with("weights.form.queryText", std::string())
                              .with("weights.form.keyText", std::string()),
                          tr("swap query and key"));
    context.editor.seal();
  };
  return {{"weights.form-swap", tr("Swap query and key"), "", tr("Exhibit"), data_.tokens() > 0, swap}};
}

}  // namespace sepx::ui
