// SPDX-License-Identifier: Apache-2.0
// Carries the workbench's wake() from worker threads to the GUI thread: a queued signal.
#pragma once

#include <QObject>

namespace sepx::app {

class Waker final : public QObject {
  Q_OBJECT

 signals:
  void woken();
};

}  // namespace sepx::app
