// SPDX-License-Identifier: Apache-2.0
// The arrangement of the inspector in the studio's real window: first the group of the page, headings that fold, the
// table of results, the search field above them, and values with the precision of a drag.
#include <stdexcept>

#include <catch2/catch.hpp>

#include "app/studio/inspector.h"
#include "tests/folders.h"
#include "tests/hosts/studio_rig.h"

#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSlider>
#include <QTest>
#include <QToolButton>

namespace {

using namespace sepx;
using tests::kBad;
using tests::Studio;

void goToPage(Studio& studio, const std::string& exhibit, const std::string& page) {
  REQUIRE(studio.workbench().set("exhibit", exhibit));
  REQUIRE(studio.workbench().set(exhibit + ".page", page));
  studio.window->wake();
  studio.settle();
}

app::InspectorGroup& groupOf(Studio& studio, const std::string& key) {
  auto* const found =
      studio.window->inspector().findChild<app::InspectorGroup*>(QString::fromStdString("inspector.group." + key));
  REQUIRE(found);
  return *found;
}

/// The heading of a group, or its row "More".
QToolButton& foldOf(Studio& studio, const std::string& group, const char* role) {
  for (auto* button : groupOf(studio, group).findChildren<QToolButton*>())
    if (button->property("role").toString() == QLatin1String(role)) return *button;
  throw std::runtime_error("the group has no such line");
}
QToolButton& headingOf(Studio& studio, const std::string& group) {
  return foldOf(studio, group, "section");
}

bool isShown(Studio& studio, const char* key) {
  return studio.child<QWidget>(key).isVisibleTo(studio.window.get());
}

/// Whether the widget draws anything.
bool hasInk(QWidget& widget) {
  const QImage image = widget.grab().toImage();
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (image.pixel(x, y) != image.pixel(0, 0)) return true;
  return false;
}

}  // namespace

TEST_CASE("The inspector is scrolled to its top after a change of page, and not when values change") {
  Studio studio;
  studio.addPoint(kBad);
  QScrollBar& bar = *studio.window->inspector().verticalScrollBar();
  REQUIRE(Studio::waitFor([&] { return bar.maximum() > 0; }));
  bar.setValue(bar.maximum());
  const int before = bar.value();
  REQUIRE(before > 0);
  REQUIRE(studio.workbench().set("flow.p", 0.6));
  studio.window->wake();
  studio.settle();
  CHECK(bar.value() == before);
  goToPage(studio, "flow", "optimisers");
  CHECK(bar.value() == 0);
  bar.setValue(bar.maximum());
  goToPage(studio, "training", "own");
  CHECK(bar.value() == 0);
}

TEST_CASE("The group of the page is first and open, and a folded heading stays folded in the next window") {
  const std::string home = tests::freshFolder("studio-groups");
  {
    Studio studio(home);
    goToPage(studio, "training", "own");
    const auto top = [&](const char* group) {
      return groupOf(studio, group).mapTo(studio.window->inspector().widget(), QPoint(0, 0)).y();
    };
    CHECK(top("own") < top(""));
    CHECK(headingOf(studio, "own").isChecked());
    CHECK(isShown(studio, "training.own.result.differences"));
    CHECK_FALSE(headingOf(studio, "").isChecked());
    CHECK_FALSE(isShown(studio, "training.step"));
    for (const auto* button : studio.window->inspector().findChildren<QToolButton*>())
      CHECK_FALSE(button->text().startsWith(QLatin1String("Details")));

    QTest::mouseClick(&headingOf(studio, "own"), Qt::LeftButton);
    CHECK_FALSE(isShown(studio, "training.own.result.differences"));
    QToolButton& runs = headingOf(studio, "");
    CHECK(runs.height() >= 24);
    runs.setFocus();
    QTest::keyClick(&runs, Qt::Key_Space);
    CHECK(isShown(studio, "training.step"));
    QTest::keyClick(&runs, Qt::Key_Left);
    CHECK_FALSE(isShown(studio, "training.step"));
    QTest::keyClick(&runs, Qt::Key_Return);
    CHECK(isShown(studio, "training.step"));
    CHECK(studio.text("training.page") == "own");  // Return is handled by the heading
  }
  Studio again(home);
  goToPage(again, "training", "own");
  CHECK_FALSE(headingOf(again, "own").isChecked());
  CHECK(headingOf(again, "").isChecked());
  goToPage(again, "training", "library");
  CHECK(headingOf(again, "").isChecked());  // the heading is opened on every page
}

TEST_CASE("Rarely used rows are behind one row at the end of their group") {
  Studio studio;
  goToPage(studio, "weights", "matrix");
  constexpr const char* kSeldom = "weights.tensors";
  CHECK_FALSE(isShown(studio, kSeldom));
  QToolButton& more = foldOf(studio, "", "name");
  CHECK(more.text() == QLatin1String("More"));
  CHECK(more.accessibleName().contains(headingOf(studio, "").text()));
  CHECK(more.height() >= 24);
  studio.window->inspector().ensureWidgetVisible(&more);
  QTest::mouseClick(&more, Qt::LeftButton);
  studio.settle();
  CHECK(isShown(studio, kSeldom));
  QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
  CHECK(studio.child<QWidget>(kSeldom).mapTo(studio.window.get(), QPoint(0, 0)).y() >
        more.mapTo(studio.window.get(), QPoint(0, 0)).y());
  more.click();
  CHECK_FALSE(isShown(studio, kSeldom));
  studio.window->inspector().searchField()->setText(QStringLiteral("tensors"));
  CHECK(isShown(studio, kSeldom));
}

TEST_CASE(
    "Results are in a table below the controls, and a row's button is drawn only under the pointer or with the focus") {
  Studio studio;
  studio.addPoint(kBad);
  REQUIRE(studio.workbench().set("flow.selected", 0.0));
  studio.window->wake();
  studio.settle();
  auto& loss = studio.child<QLabel>("flow.points[].loss");
  auto& limit = studio.child<QLabel>("flow.points[].limit.kind");
  auto& weight = studio.child<app::NumberEdit>("flow.points[].w");
  auto& explain = studio.child<QToolButton>("flow.points[].loss#explain");
  const auto placeOf = [&](QWidget& one) { return one.mapTo(studio.window.get(), QPoint(0, 0)); };
  CHECK(placeOf(weight).y() < placeOf(loss).y());
  CHECK(placeOf(loss).x() == placeOf(limit).x());
  const int step = std::abs(placeOf(limit).y() - placeOf(loss).y());
  CHECK(step >= 24);
  CHECK(step <= 28);
  CHECK(explain.isVisibleTo(studio.window.get()));
  CHECK(std::min(explain.width(), explain.height()) >= 24);
  CHECK_FALSE(explain.accessibleName().isEmpty());
  CHECK((explain.focusPolicy() & Qt::TabFocus) != 0);
  QTest::mouseMove(&studio.viewport(), QPoint(20, 20));
  REQUIRE(Studio::waitFor([&] { return !loss.underMouse(); }));
  CHECK_FALSE(hasInk(explain));
  explain.setFocus(Qt::TabFocusReason);
  REQUIRE(Studio::waitFor([&] { return explain.hasFocus(); }));
  CHECK(hasInk(explain));
  weight.setFocus();
  REQUIRE(Studio::waitFor([&] { return !explain.hasFocus(); }));
  CHECK_FALSE(hasInk(explain));
  studio.window->inspector().ensureWidgetVisible(&loss);
  studio.settle();
  QTest::mouseMove(&loss, loss.rect().center());
  CHECK(Studio::waitFor([&] { return loss.underMouse() && hasInk(explain); }));
}

TEST_CASE("No control of the inspector is too small for a pointer") {
  Studio studio;
  studio.addPoint(kBad);
  REQUIRE(studio.workbench().set("flow.selected", 0.0));
  for (const char* page : {"plane", "optimisers", "chain"}) {
    goToPage(studio, "flow", page);
    int seen = 0;
    for (auto* const group : studio.window->inspector().findChildren<app::InspectorGroup*>())
      for (QWidget* const stop : group->tabStops()) {
        if (!stop->isVisible()) continue;
        INFO(page << ' ' << stop->objectName().toStdString() << ' ' << stop->accessibleName().toStdString());
        CHECK(std::min(stop->width(), stop->height()) >= 24);
        ++seen;
      }
    CHECK(seen > 12);
  }
}

TEST_CASE("The search finds rows of folded groups by label, symbol, key and help, and moves the focus to the field") {
  Studio studio;
  goToPage(studio, "training", "own");
  constexpr const char* kRate = "training.own.optimisation.learning_rate";
  QTest::keyClick(studio.window.get(), Qt::Key_F, Qt::ControlModifier);
  auto& field = studio.child<QLineEdit>("inspector.search");
  REQUIRE(Studio::waitFor([&] { return field.hasFocus(); }));
  const int all = int(groupOf(studio, "own").rows().size());
  QTest::keyClicks(&field, QStringLiteral("learning rate"));
  CHECK(isShown(studio, kRate));
  CHECK(headingOf(studio, "own").isVisibleTo(studio.window.get()));  // shows the group of the row
  CHECK_FALSE(isShown(studio, "training.own.result.differences"));
  int shown = 0;
  for (const app::InspectorRow& row : groupOf(studio, "own").rows())
    shown += row.line->isVisibleTo(studio.window.get());
  CHECK(shown < all / 4);
  QTest::keyClick(&field, Qt::Key_Return);
  QWidget* const reached = QApplication::focusWidget();
  REQUIRE(reached);
  CHECK(studio.window->inspector().isAncestorOf(reached));
  CHECK(reached->accessibleName().contains(QLatin1String("learning rate"), Qt::CaseInsensitive));

  field.setFocus();
  QTest::keyClick(&field, Qt::Key_Escape);
  CHECK(field.text().isEmpty());
  CHECK(field.hasFocus());
  CHECK(isShown(studio, "training.own.result.differences"));

  field.setText(QStringLiteral("optimisation.learning_rate"));  // the key
  CHECK(isShown(studio, kRate));
  field.setText(QStringLiteral("no row has these words"));
  CHECK_FALSE(isShown(studio, kRate));
  const auto labels = studio.window->inspector().findChildren<QLabel*>();
  CHECK(std::any_of(labels.begin(), labels.end(), [](const QLabel* one) {
    return one->isVisible() && one->text().contains(QLatin1String("Ctrl+K"));
  }));
  field.clear();

  goToPage(studio, "flow", "optimisers");
  field.setText(QStringLiteral("sampling.radius"));  // a folded group of this page
  CHECK(isShown(studio, "flow.sampling.radius"));
  CHECK(headingOf(studio, "sampling").isVisibleTo(studio.window.get()));
  CHECK_FALSE(isShown(studio, "flow.p"));
}

TEST_CASE(
    "A field shows its value with the precision of a drag, and the full value in the tooltip and with the focus") {
  Studio studio;
  const double exact = 0.68944433012;
  REQUIRE(studio.workbench().set("flow.p", exact));
  studio.window->wake();
  studio.settle();
  auto& p = studio.child<app::NumberEdit>("flow.p");
  studio.window->viewport().activate();
  REQUIRE(Studio::waitFor([&] { return !p.hasFocus(); }));
  CHECK(p.text() == QLatin1String("0.6894"));
  CHECK(p.toolTip().startsWith(QLatin1String("0.68944433012")));
  p.setFocus();
  REQUIRE(Studio::waitFor([&] { return p.hasFocus(); }));
  CHECK(p.text() == QLatin1String("0.68944433012"));
  QTest::keyClick(&p, Qt::Key_Return);
  studio.child<QSlider>("flow.q#slider").setFocus();
  REQUIRE(Studio::waitFor([&] { return !p.hasFocus(); }));
  CHECK(p.text() == QLatin1String("0.6894"));
  CHECK(studio.real("flow.p") == exact);  // reading it has not changed it
  // A small value is not rounded to another one.
  studio.addPoint(kBad);
  REQUIRE(studio.workbench().set("flow.selected", 0.0));
  for (const auto& [value, words] :
       {std::pair(0.0000123456, "1.2346\u00b710\u207b\u2075"), std::pair(-0.77377127, "\u22120.77377"),
        std::pair(1.170872288, "1.17087"), std::pair(0.25, "0.25")}) {
    REQUIRE(studio.workbench().set("flow.points[0].e", value));
    studio.window->wake();
    studio.settle();
    auto& field = studio.child<app::NumberEdit>("flow.points[].e");
    CHECK(field.text().toStdString() == words);
    // Qt sets its text again when a field is shown or the style changes.
    field.hide();
    field.show();
    QEvent restyled(QEvent::StyleChange);
    QCoreApplication::sendEvent(&field, &restyled);
    CHECK(field.text().toStdString() == words);
    CHECK(studio.real("flow.points[0].e") == value);
  }
}
