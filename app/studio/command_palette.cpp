// SPDX-License-Identifier: Apache-2.0
// See command_palette.h.
#include "app/studio/command_palette.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "app/studio/fuzzy.h"
#include "app/studio/text.h"
#include "ui/properties/tr.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMetaObject>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace sepx::app {

namespace {

constexpr int kIndexRole = Qt::UserRole;
constexpr int kTitle = 0, kGroup = 1, kDetail = 2;
constexpr int kLines = 14;       // rows shown at once
constexpr int kCharacters = 84;  // width in digits
constexpr int kMostRows = 400;   // only the best matches
constexpr int kLeastRow = 24;    // points, for use with a pointer

struct Ranked {
  int index;
  int score;
  bool byWords = false;    ///< each typed word begins a word of the entry
  bool scattered = false;  ///< letters inside words, not adjacent
};

/// Letters and digits in lower case without accents, with one blank between words and at both ends.
QString wordsOf(const QString& text) {
  QString words(QStringLiteral(" "));
  for (const QChar character : text.normalized(QString::NormalizationForm_D).toLower()) {
    if (character.category() == QChar::Mark_NonSpacing) continue;
    const bool letter = character.isLetterOrNumber();
    if (letter || words.back() != u' ') words += letter ? character : QChar(u' ');
  }
  return words.back() == u' ' ? words : words + u' ';
}

/// The texts of an entry that are searched, in the form of wordsOf().
struct EntryWords {
  QString title, grey, about, key;
};

/// Empty if a typed word begins no word of the entry; of three words, one may be missing. Whole words and words of the
/// title count more, and a title that contains the text as it was typed counts most.
std::optional<int> wordScore(const QString& typed, const EntryWords& in, int popularity) {
  constexpr int kMissing = 100, kPopularPhrase = 50, kPopular = 4, kKey = 200;
  constexpr int kOfTitle = 60, kOfGrey = 30, kOfAbout = 10, kWhole = 8, kPhrase = 40, kBegins = 12;
  const QStringList words = typed.split(u' ', Qt::SkipEmptyParts);
  if (words.isEmpty()) return std::nullopt;
  if (in.key == typed) return kKey;
  int score = 0;
  qsizetype missing = 0;
  for (const QString& word : words) {
    int best = 0;
    for (const auto& [text, weight] : {std::pair(&in.title, kOfTitle), {&in.grey, kOfGrey}, {&in.about, kOfAbout}})
      if (text->contains(u' ' + word))
        best = std::max(best, weight + (text->contains(u' ' + word + u' ') ? kWhole : 0));
    if (best == 0 && ++missing > words.size() / 3) return std::nullopt;
    score += best;
  }
  const QString phrase = typed.chopped(1);
  if (in.title.contains(phrase)) score += kPhrase + (popularity > 1 && words.size() > 1 ? kPopularPhrase : 0);
  if (in.title.startsWith(phrase)) score += kBegins;
  // Of two titles that contain the words, the shorter one wins; otherwise the order of the entries decides.
  const bool titled = score >= kOfTitle;
  return score / int(words.size()) - int(missing) * kMissing + (popularity > 0 ? kPopular : 0) -
         (titled ? int(in.title.size()) / 8 : 0);
}

/// Whether the matched letters are neither adjacent nor at beginnings of words.
bool isScattered(const FuzzyMatch& match, const QString& text) {
  int breaks = 0;
  for (qsizetype i = 0; i < match.places.size(); ++i) {
    const int at = match.places[i];
    const bool next = i > 0 && at == match.places[i - 1] + 1;
    const bool begins = at == 0 || (at < text.size() && !text[at - 1].isLetterOrNumber());
    breaks += !next && !begins;
  }
  return breaks > 1 || (breaks == 1 && match.places.size() <= 3);
}

/// Best first; disabled entries come after all enabled ones. If an entry matches by words, entries that match only by
/// scattered letters are left out.
std::vector<Ranked> ranked(const std::vector<PaletteEntry>& entries, const QString& typed) {
  constexpr int kDisabled = 1000, kByWords = 400;
  std::vector<Ranked> found;
  const QString words = wordsOf(typed);
  bool anyByWords = false;
  for (int i = 0; i < int(entries.size()); ++i) {
    const PaletteEntry& entry = entries[std::size_t(i)];
    const int last = entry.enabled ? 0 : kDisabled;
    const EntryWords in{wordsOf(entry.title), wordsOf(entry.grey()), wordsOf(entry.about), wordsOf(entry.key)};
    if (const auto score = wordScore(words, in, entry.popularity)) {
      found.push_back({i, *score + kByWords - last, true});
      anyByWords = anyByWords || entry.enabled;
      continue;
    }
    auto match = fuzzyMatch(typed, entry.title);
    QString matched = entry.title;
    // "file open" and "errata" find an entry by its menu or its key, with a slightly lower score than by its title.
    for (const QString& also : {entry.grey() + u' ' + entry.title, entry.key}) {
      auto other = fuzzyMatch(typed, also);
      if (other) other->score -= 6;
      if (!other || (match && other->score <= match->score)) continue;
      match = other;
      matched = also;
    }
    if (match) found.push_back({i, match->score - last, false, isScattered(*match, matched)});
  }
  if (anyByWords) std::erase_if(found, [](const Ranked& one) { return one.scattered; });
  std::stable_sort(found.begin(), found.end(), [](const Ranked& a, const Ranked& b) { return a.score > b.score; });
  return found;
}

}  // namespace

CommandPalette::CommandPalette(std::vector<PaletteEntry> entries, QWidget* parent)
    : QDialog(parent, Qt::Dialog | Qt::FramelessWindowHint), entries_(std::move(entries)) {
  setObjectName(QStringLiteral("palette"));
  setWindowTitle(text(N_("Commands")));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 8, 8, 8);
  field_ = new QLineEdit;
  field_->setObjectName(QStringLiteral("palette.field"));
  field_->setPlaceholderText(
      text(N_("Command, page, parameter, published figure, run, file, lesson, layer or tensor")));
  field_->setAccessibleName(text(N_("Find a command")));
  field_->installEventFilter(this);
  column->addWidget(field_);
  list_ = new QTreeWidget;
  list_->setObjectName(QStringLiteral("palette.list"));
  list_->setAccessibleName(text(N_("Commands found")));
  list_->setColumnCount(3);
  list_->setHeaderHidden(true);
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setFocusPolicy(Qt::NoFocus);  // the field keeps the keyboard focus and moves the selection
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(kTitle, QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(kGroup, QHeaderView::ResizeToContents);
  list_->header()->setSectionResizeMode(kDetail, QHeaderView::ResizeToContents);
  column->addWidget(list_);
  none_ = new QLabel(text(N_("Nothing matches.")));
  none_->setVisible(false);
  column->addWidget(none_);
  const int line = std::max(kLeastRow, fontMetrics().height() + 6);
  // Not larger than the window below it.
  const QSize room = parent ? parent->size() - QSize(3 * line, 6 * line) : QSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX);
  list_->setMinimumSize(std::min(fontMetrics().horizontalAdvance(u'0') * kCharacters, room.width()),
                        std::min(line * kLines, room.height()));
  connect(field_, &QLineEdit::textChanged, this, &CommandPalette::filter);
  connect(list_, &QTreeWidget::itemClicked, this, &CommandPalette::choose);
  filter();
  field_->setFocus();
}

void CommandPalette::filter() {
  list_->clear();
  constexpr int kMostOfDetail = 24;  // digits; a long value must not narrow the titles
  const int height = std::max(kLeastRow, fontMetrics().height() + 6);
  const int room = kMostOfDetail * fontMetrics().horizontalAdvance(u'0');
  for (const Ranked& one : ranked(entries_, field_->text())) {
    if (list_->topLevelItemCount() >= kMostRows) break;
    const PaletteEntry& entry = entries_[std::size_t(one.index)];
    auto* item = new QTreeWidgetItem(
        list_, {entry.title, entry.grey(), fontMetrics().elidedText(entry.detail, Qt::ElideRight, room)});
    item->setData(kTitle, kIndexRole, one.index);
    item->setSizeHint(kTitle, QSize(0, height));
    item->setTextAlignment(kDetail, Qt::AlignRight | Qt::AlignVCenter);
    item->setForeground(kGroup, palette().placeholderText());
    item->setToolTip(kTitle, entry.title + u'\n' + (entry.about.isEmpty() ? entry.grey() : entry.about));
    if (!entry.enabled) item->setDisabled(true);
  }
  QTreeWidgetItem* first = list_->topLevelItem(0);
  if (first && !first->isDisabled()) list_->setCurrentItem(first);
  none_->setVisible(first == nullptr);
}

void CommandPalette::choosePast(int by) {
  const int count = list_->topLevelItemCount();
  const int from = list_->indexOfTopLevelItem(list_->currentItem());
  for (int step = 1; step <= count; ++step) {
    auto* item = list_->topLevelItem(std::clamp(from + by * step, 0, count - 1));
    if (item->isDisabled()) continue;
    list_->setCurrentItem(item);
    // The list has no focus, so the field's description tells a screen reader what is selected.
    field_->setAccessibleDescription(item->text(kTitle));
    return;
  }
}

void CommandPalette::choose() {
  QTreeWidgetItem* item = list_->currentItem();
  if (!item || item->isDisabled()) return;
  const auto run = entries_[std::size_t(item->data(kTitle, kIndexRole).toInt())].run;
  accept();
  if (run) QMetaObject::invokeMethod(parent() ? parent() : this, run, Qt::QueuedConnection);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched != field_ || event->type() != QEvent::KeyPress) return QDialog::eventFilter(watched, event);
  switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down:
      return choosePast(1), true;
    case Qt::Key_Up:
      return choosePast(-1), true;
    case Qt::Key_PageDown:
      return choosePast(kLines), true;
    case Qt::Key_PageUp:
      return choosePast(-kLines), true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return choose(), true;
    default:
      return QDialog::eventFilter(watched, event);
  }
}

}  // namespace sepx::app
