// SPDX-License-Identifier: Apache-2.0
// Layers and properties of pages.
#include "ui/views/page_kit.h"

#include <algorithm>
#include <atomic>

#include "ui/canvas/symbol_labels.h"
#include "ui/properties/language.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

std::uint64_t nextRevision() {
  // One counter per process: renderers cache images of layers by revision, whichever page made them.
  static std::atomic<std::uint64_t> counter{0};
  return ++counter;
}

render::Rect flipped(const render::Rect& page) {
  return {{page.min.x, -page.max.y}, {page.max.x, -page.min.y}};
}

std::uint64_t bits(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ull;  // FNV-1a
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return hash;
}

LayerKey frameKey(const PageArea& frame) {
  const render::Rect& a = frame.area;
  return {bits(a.min.x),
          bits(a.min.y),
          bits(a.max.x),
          bits(a.max.y),
          bits(std::string_view(frame.theme.key)),
          bits(static_cast<double>(frame.theme.textSize)),
          languageRevision(),
          static_cast<std::uint64_t>(frame.figure),
          static_cast<std::uint64_t>(frame.compact),
          static_cast<std::uint64_t>(frame.panels)};
}

void PageLayers::add(std::vector<render::Layer>& into, const std::string& name, LayerKey key, const Make& make,
                     bool still, bool clip) {
  Kept& kept = kept_[name];
  if (kept.layer.revision == 0 || kept.key != key) {
    kept.key = std::move(key);
    kept.layer.name = name;
    kept.layer.items = make();
    typesetSymbols(kept.layer.items);
    kept.layer.revision = nextRevision();
    kept.layer.still = still;
    kept.layer.clip = clip;
  }
  if (!kept.layer.items.empty()) into.push_back(kept.layer);
}

void PageLayers::addSentence(std::vector<render::Layer>& into, const std::string& name, const PageArea& area,
                             const std::string& text) {
  if (text.empty() || area.figure) return;
  add(into, name, keyWith(frameKey(area), text), [&] {
    std::vector<render::Item> items;
    ui::addSentence(items, area.area, sentenceCase(text), area.theme);
    return items;
  });
}

void addMissing(std::vector<render::Item>& items, const render::Rect& box, const std::string& text,
                const PageArea& area) {
  if (!area.figure && !text.empty()) ui::addSentence(items, box, text, area.theme);
}

void setAsStep(Editor& editor, std::string_view key, const Value& value) {
  editor.seal();
  if (const Result<void> done = editor.set(key, value); !done) editor.say(done.error().message);
  editor.seal();
}

std::function<bool(const Document&)> onPages(std::string key, std::string first, std::vector<std::string> pages,
                                             std::function<bool(const Document&)> also) {
  return [key = std::move(key), first = std::move(first), pages = std::move(pages),
          also = std::move(also)](const Document& document) {
    const Json& word = document.at(key);
    const std::string& shown = word.is_string() ? word.get_ref<const std::string&>() : first;
    return std::find(pages.begin(), pages.end(), shown) != pages.end() && (!also || also(document));
  };
}

}  // namespace sepx::ui
