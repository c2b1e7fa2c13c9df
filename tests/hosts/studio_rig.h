// SPDX-License-Identifier: Apache-2.0
// The studio's real window for tests, as main() creates it, and simulated input. One QApplication for the process.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>

#include <catch2/catch.hpp>

#include "app/studio/main_window.h"
#include "app/studio/number_edit.h"
#include "app/studio/studio_style.h"
#include "app/studio/waker.h"
#include "app/window_session.h"
#include "tests/hosts/process.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDialog>
#include <QDropEvent>
#include <QMessageBox>
#include <QMimeData>
#include <QTest>
#include <QTimer>
#include <QUrl>

namespace sepx::tests {

inline constexpr render::Point kBad{0.3, 0.3},
    kGood{0.6, -1.3};  // local and global minimum at p = 0.5, q = 0.8 (fixtures)

/// One application for the process: Qt allows only one at a time, and it must not outlive main's statics.
inline QApplication& application() {
  static int count = 1;
  static char name[] = "test_studio";
  static char* words[] = {name, nullptr};
  static QApplication* made = [] {
    qputenv("QT_QPA_PLATFORM", "xcb");
    QApplication::setAttribute(Qt::AA_DontCreateNativeWidgetSiblings);
    QApplication::setStyle(new app::StudioStyle);
    return new QApplication(count, words);
  }();
  return *made;
}

/// The studio as main() creates it, with the window on the screen and the first picture drawn.
struct Studio {
  app::Waker waker;
  std::unique_ptr<app::WindowSession> session;
  std::unique_ptr<app::MainWindow> window;

  /// Uses its own settings and recent files; `home` empty: in a fresh folder.
  explicit Studio(std::string home = {}) {
    application();
    if (home.empty()) home = freshFolder("studio-home");
    for (const char* name : {"XDG_CONFIG_HOME", "XDG_STATE_HOME"})
      qputenv(name, QByteArray::fromStdString(home + "/" + name));
    app::Options options;
    options.threads = 1;
    auto context = gpu::Context::create(app::contextOptions(options, true));
    REQUIRE(context);
    REQUIRE((*context)->validating());
    session = std::make_unique<app::WindowSession>(options, std::move(*context), false, [this] { emit waker.woken(); });
    window = std::make_unique<app::MainWindow>(*session);
    window->setAsking(false);
    QObject::connect(&waker, &app::Waker::woken, window.get(), &app::MainWindow::wake);
    window->resize(1280, 720);
    window->show();
    window->activateWindow();
    REQUIRE(waitFor([this] { return session->drawn() > 0 && QApplication::activeWindow() == window.get(); }));
    settle();
  }

  /// Number of error messages of the window.
  std::size_t errors() const {
    const auto& all = session->workbench().messages();
    return static_cast<std::size_t>(std::count_if(
        all.begin(), all.end(), [](const ui::Message& one) { return one.level == ui::Message::Level::Error; }));
  }

  ~Studio() {
    const auto messages = session->validationOutcome();
    window.reset();
    session.reset();
    if (!messages) FAIL_CHECK(messages.error().message);
  }

  static bool waitFor(const std::function<bool()>& condition) {
    return QTest::qWaitFor(condition, static_cast<int>(std::chrono::milliseconds(kPatience).count()));
  }
  ui::Workbench& workbench() { return session->workbench(); }
  void settle() {
    REQUIRE(waitFor([this] { return workbench().settled() && !session->needsFrame(); }));
    // Nested layouts are computed one per round of events. Qt paints after the last one, and a test reads positions
    // then.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
  }
  QWindow& viewport() { return *static_cast<QWindow*>(window->viewport().receiver()); }
  std::string text(const char* key) { return ui::toString(workbench().get(key).value_or(ui::Value())); }
  double real(const char* key) {
    const ui::Value value = workbench().get(key).value_or(ui::Value());
    const auto* number = std::get_if<double>(&value);
    return number ? *number : NAN;
  }
  /// The position of a point of the plane in the viewport, in Qt points.
  QPoint at(render::Point data) {
    const auto pixels = workbench().toPixels("flow", data);
    REQUIRE(pixels);
    const double ratio = window->viewport().pixelRatio();
    return {int(std::lround(pixels->x / ratio)), int(std::lround(pixels->y / ratio))};
  }
  void addPoint(render::Point at) {
    REQUIRE(workbench().set("flow.p", 0.5));
    REQUIRE(workbench().set("flow.q", 0.8));
    REQUIRE(workbench().addPoint({at.x, at.y}));
    window->wake();
    settle();
  }
  void drag(QPoint from, QPoint to) {
    QTest::mouseMove(&viewport(), from);
    QTest::mousePress(&viewport(), Qt::LeftButton, {}, from, 20);
    constexpr int kSteps = 8;
    for (int i = 1; i <= kSteps; ++i)
      QTest::mouseMove(&viewport(), from + (to - from) * i / kSteps, 20);
    QTest::mouseRelease(&viewport(), Qt::LeftButton, {}, to, 20);
  }
  Result<void> open(const std::string& path) {
    auto opened = workbench().open(path);
    window->wake();
    return opened;
  }
  /// Waits until the file is opened or refused, and no question is open.
  void waitForOpening() {
    QTest::qWait(50);  // a dropped or chosen file is opened after the event
    REQUIRE(waitFor([this] { return workbench().opening().empty() && !QApplication::activeModalWidget(); }));
    settle();
  }
  void drop(const std::string& file) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QString::fromStdString(file))});
    QDropEvent event(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window->viewport().receiver(), &event);
    waitForOpening();
  }
  template <class Widget>
  Widget& child(const char* name) {
    auto* found = window->findChild<Widget*>(QString::fromLatin1(name));
    REQUIRE(found);
    return *found;
  }
  void type(app::NumberEdit& edit, const char* text) {
    edit.setFocus();
    edit.selectAll();
    QTest::keyClicks(&edit, QString::fromLatin1(text));
    QTest::keyClick(&edit, Qt::Key_Return);
  }
};

/// Answers every question during its lifetime and counts them. A question may appear after a job has read a file, so
/// the test waits for the end of its action, not for a time.
class Answers {
 public:
  explicit Answers(QMessageBox::StandardButton button) {
    QObject::connect(&watch_, &QTimer::timeout, &watch_, [this, button] {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (!box || !box->button(button)) return;
      ++asked_;
      box->button(button)->click();
    });
    watch_.start(20);
  }
  int asked() const { return asked_; }

 private:
  QTimer watch_;
  int asked_ = 0;
};

/// Answers the next dialog: `act` gets it and must close it.
template <class Dialog>
void whenDialog(const std::function<void(Dialog&)>& act, int afterMs = 200) {
  QTimer::singleShot(afterMs, [act, afterMs] {
    if (auto* dialog = qobject_cast<Dialog*>(QApplication::activeModalWidget())) {
      // A dialog that stays open would block the test forever.
      QTimer::singleShot(kPatience, dialog, &QDialog::reject);
      act(*dialog);
    } else {
      whenDialog<Dialog>(act, afterMs);
    }
  });
}

}  // namespace sepx::tests
