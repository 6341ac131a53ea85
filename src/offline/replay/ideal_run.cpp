// SPDX-License-Identifier: Apache-2.0
#include "offline/replay/ideal_run.hpp"

#include <algorithm>
#include <limits>

#include "exec/frame_loop.hpp"
#include "exec/timetable.hpp"
#include "offline/replay/everything_fits.hpp"

namespace hild::replay {
namespace {

constexpr MonoTime start{1'000'000'000};

/// Samples the recorded inputs; takes the records away and posts what is to change meanwhile.
class Samples final : public io::Sampler {
 public:
  Samples(const WholeRun& run, const plan::Assembly& assembly, Taken taken)
      : run_(run),
        groups_(assembly.bus->groups()),
        lag_(assembly.config.settings.lag),
        grid_(assembly.config.settings.grid),
        taken_(taken) {}

  bool exchange(std::span<const double> /*y*/, std::span<double> u, MonoTime now,
                std::span<MonoTime> sampled) noexcept override {
    std::ranges::fill(sampled, now);
    if (u.empty()) return true;
    take();
    post(next_frame_ + 1);  // of the next step, to be prepared in the slack of this one
    if (taken_ == Taken::as_recorded) delay(sampled);
    for (std::size_t g = 0; g < sampled.size(); ++g) {
      const SimTime t = SimTime{} + (sampled[g] - start) + lag_;
      run_.inputs.at(g, seconds(t), t, u);
    }
    return true;
  }
  [[nodiscard]] std::size_t groups() const noexcept override { return groups_; }
  bool safe() noexcept override { return true; }

  void take() noexcept {
    while (const std::byte* const made = records->front()) {
      const io::FrameView v(layout, made);
      next_frame_ = v.header().frame + v.header().span;
      states.add(next_frame_, v.states());
      records->release();
    }
  }
  /// What is set up to a frame.
  void post(std::int64_t frame) noexcept {
    const auto& all = run_.inputs.settings();
    for (; posted_ < all.size() && all[posted_].frame <= frame; ++posted_) {
      const auto& s = all[posted_];
      exec::Transaction t;
      t.when = exec::When::at_frame(s.frame);
      all_posted =
          t.add(exec::SetParameter{static_cast<std::uint32_t>(s.parameter), s.value, s.restart}) &&
          events.submit(t) == exec::Refusal::none && all_posted;
    }
    while (events.next_reply()) {
    }
  }

  // The instants of this image as they were in the record.
  void delay(std::span<MonoTime> sampled) noexcept {
    if (next_frame_ != frame_) image_ = 0;
    frame_ = next_frame_;
    const auto offsets = run_.offsets.of(static_cast<std::size_t>(frame_), image_++, groups_);
    for (std::size_t g = 0; g < offsets.size(); ++g) {
      sampled[g] = start + grid_.tick(frame_) + offsets[g];
    }
  }

  rt::SlotRing* records = nullptr;
  io::FrameLayout layout;
  exec::ExternalEvents events{everything_fits};
  Trajectory states;
  bool all_posted = true;

 private:
  const WholeRun& run_;
  std::size_t groups_;
  Duration lag_;
  Grid grid_;
  Taken taken_;
  std::size_t posted_ = 0;
  std::int64_t next_frame_ = 0;
  std::int64_t frame_ = 0;  // of the last image
  std::size_t image_ = 0;   // in that frame, the next
};

}  // namespace

exec::Sampling best_sampling(const plan::Assembly& assembly) {
  const exec::Sampling own = assembly.config.settings.sampling;
  if (own != exec::Sampling::frame) return own;
  return exec::best_sampling(*assembly.method);
}

Result<Trajectory> ideal_run(const plan::Assembly& assembly, const WholeRun& run,
                             exec::Sampling sampling, Taken taken) {
  exec::Settings settings = assembly.config.settings;
  settings.sampling = sampling;
  settings.keep_own_grid();
  rt::VirtualClock clock(start - settings.grid.tick(settings.images_before));
  const auto plant = assembly.another_plant();
  Samples samples(run, assembly, taken);
  samples.layout = assembly.layout(0);
  samples.states.size = run.states.size;
  samples.states.add(0, plant->states());
  rt::SlotRing records(samples.layout.bytes(), 4);
  samples.records = &records;
  samples.post(0);

  exec::Parts parts = assembly.parts(clock, samples, *plant, samples.events, records);
  parts.interlocks.clear();  // the run did not trip them
  parts.alarms.clear();
  exec::FrameLoop loop(settings, parts);
  const rt::Flag stop;
  const exec::Outcome outcome = loop.run(start, run.frames, stop);
  samples.take();
  if (!samples.all_posted) return fail(ExitCode::fault, "a parameter that was set cannot be again");
  if (outcome.end != exec::End::duration) {
    return fail(ExitCode::fault, "frame {}: a value is not finite once every step is in time",
                outcome.frame);
  }
  return std::move(samples.states);
}

}  // namespace hild::replay
