// SPDX-License-Identifier: Apache-2.0
/// \file
/// When each of several models is run within a frame, and by whom: distributions over the run, of
/// models that are run beside one another. Filled on the recorder's thread, read on any.
#pragma once

#include <algorithm>
#include <deque>
#include <mutex>

#include "exec/histogram.hpp"
#include "recording/record/sink.hpp"

namespace hild::server {

class ModelTimes final : public record::Sink {
 public:
  static constexpr std::size_t kept = 64;  ///< runs of models in a frame; those beyond are left out

  /// The runs that come in one place of a frame's list, which are of one model.
  struct Runs {
    std::size_t model = 0;
    int worker = -1;        ///< that had it last, as of io::ModelRun
    exec::Histogram start;  ///< after the tick
    exec::Histogram took;
  };

  void frame(const io::FrameView& record) override {
    std::size_t place = 0;
    for (const io::ModelRun& run : record.runs()) {
      if (run.worker == io::in_background) {
        add_in_background(run);
      } else if (place < kept) {
        add(place++, run);
      }
    }
  }
  /// Calls `see` with each of them, and then with those in the background, whose steps have no
  /// place in a frame.
  template <class See>
  void each(See see) const {
    const std::scoped_lock lock(mutex_);
    for (const Runs& runs : places_) see(runs);
    for (const Runs& runs : background_) see(runs);
  }

 private:
  void add(std::size_t place, const io::ModelRun& run) {
    const std::scoped_lock lock(mutex_);
    if (place == places_.size()) places_.emplace_back();
    if (place >= places_.size()) return;
    Runs& runs = places_[place];
    // A step in which a model was set aside has others in its places.
    if (runs.took.count() > 0 && runs.model != run.model) return;
    runs.model = run.model;
    runs.worker = run.worker;
    runs.start.add(run.start);
    runs.took.add(Duration{run.took});
  }

  void add_in_background(const io::ModelRun& run) {
    const std::scoped_lock lock(mutex_);
    auto its = std::ranges::find(background_, std::size_t{run.model}, &Runs::model);
    if (its == background_.end()) {
      background_.emplace_back();
      its = background_.end() - 1;
      its->model = run.model;
      its->worker = run.worker;
    }
    its->took.add(Duration{run.took});
  }

  mutable std::mutex mutex_;
  std::deque<Runs> places_;      // which do not move
  std::deque<Runs> background_;  // likewise
};

}  // namespace hild::server
