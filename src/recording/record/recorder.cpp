// SPDX-License-Identifier: Apache-2.0
#include "recording/record/recorder.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>
#include <utility>

#include "recording/record/words.hpp"

namespace hild::record {

Recorder::Recorder(rt::SlotRing& ring, const io::FrameLayout& layout, std::vector<Sink*> sinks,
                   OverrunAttribution* attribution)
    : ring_(ring), layout_(layout), sinks_(std::move(sinks)), attribution_(attribution) {}

Recorder::~Recorder() { stop(); }

Result<void> Recorder::start() {
  rt::Warnings none;  // nothing is asked for that could be refused
  const rt::ThreadOptions ordinary{.priority = 0, .cpu = -1, .name = Name("hild-record")};
  auto thread = rt::Thread::start(ordinary, none, [this] { take_until_stopped(); });
  if (!thread) return fail(thread.error().code, "recording: {}", thread.error().message);
  thread_ = std::move(*thread);
  return {};
}

void Recorder::take_until_stopped() {
  // Short against the time a ring takes to fill, long against the cost of looking.
  constexpr Duration nap = 5_ms;
  while (!stop_.raised()) {
    const std::uint32_t before = handover_ != nullptr ? handover_->records.rung() : 0;
    const std::size_t taken = drain();
    if (taken == 0 && handover_ == nullptr) {
      std::this_thread::sleep_for(std::chrono::nanoseconds(nap.ns));
    } else if (taken == 0) {
      Duration patience = nap;
      (void)handover_->records.wait(before, patience);
    } else if (handover_ != nullptr) {
      handover_->places.ring();
    }
  }
}

void Recorder::stop() {
  if (std::exchange(stopped_, true)) return;
  stop_.raise();
  thread_.reset();  // joins: from here this thread is the ring's only consumer
  while (drain() > 0) {
  }
  each_sink([](Sink& sink) { sink.flush(); });
}

// Hands over what is in the ring now, so that a stop is noticed; where the loop waits for places,
// a quarter of the ring at most, so that it fills them beside.
std::size_t Recorder::drain() {
  std::size_t ready = ring_.ready();
  if (handover_ != nullptr) ready = std::min(ready, ring_.slots() / 4);
  if (attribution_ != nullptr) {
    for (std::size_t n = 0; n < ready; ++n) {
      attribution_->note(io::FrameView(layout_, ring_.peek(n)).header());
    }
    attribution_->collect(ready < ring_.slots() / 2);
  }
  for (std::size_t n = 0; n < ready; ++n) {
    const io::FrameView record(layout_, ring_.front());
    const io::FrameHeader& h = record.header();
    if (keyframes_ != nullptr) drain_keyframes(h.due);
    if (attribution_ != nullptr && is_overrun(h)) {
      // Until it is released the slot is the consumer's.
      const_cast<io::FrameHeader&>(h).cause = attribution_->cause_of(h);
    }
    each_sink([&record](Sink& sink) { sink.frame(record); });
    ring_.release();
    records_.add();
  }
  return ready;
}

// Those of the step due then, each of which was there before the record of the step was, and of
// steps that were dropped.
void Recorder::drain_keyframes(MonoTime due) {
  while (const std::byte* const slot = keyframes_->front()) {
    const auto keyframe = exec::KeyframeView::in(slot);
    if (keyframe.head.tick > due) break;
    each_sink([&keyframe](Sink& sink) { sink.keyframe(keyframe); });
    keyframes_->release();
  }
}

// A sink that fails (a full disk, no memory) must end neither the run nor the other sinks.
template <class Call>
void Recorder::each_sink(Call call) {
  for (Sink*& sink : sinks_) {
    if (sink == nullptr) continue;
    try {
      call(*sink);
    } catch (const std::exception& e) {
      failures_.emplace_back(e.what());
      sink = nullptr;
      tell_(failures_.back());
    }
  }
}

}  // namespace hild::record
