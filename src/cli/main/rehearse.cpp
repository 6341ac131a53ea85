// SPDX-License-Identifier: Apache-2.0
#include "cli/main/rehearse.hpp"

#include "cli/doctor/checks.hpp"
#include "cli/main/commands.hpp"
#include "cli/terminal/print.hpp"

namespace hild::commands {

namespace {

void on_frame_thread(const config::Frame& frame, rt::Warnings& warnings,
                     std::function<void()> work) {
  needed(rt::Thread::start(thread_options(frame), warnings, std::move(work))).join();
}

}  // namespace

rt::ThreadOptions thread_options(const config::Frame& frame) {
  return {.priority = frame.priority, .cpu = frame.cpu};
}

plan::Machine machine_for(const config::Frame& frame) {
  const auto left = doctor::real_time_share(doctor::Machine("/", {}, frame.cpu, frame.priority));
  return {left.share, left.by_fair_server, left.known, rt::kernel_is_preempt_rt()};
}

std::unique_ptr<rt::Clock> make_clock(config::Frame& frame) {
  if (frame.clock == rt::ClockKind::sleep_spin && !frame.margin) {
    rt::Warnings repeated;  // the frame thread will say the same
    on_frame_thread(frame, repeated, [&] { frame.margin = rt::measure_spin_margin(); });
    cli::tell("hild: spin margin measured: {:.1f} us\n", microseconds(*frame.margin));
  }
  return needed(rt::make_clock(frame.clock, frame.margin.value_or(Duration{})));
}

Observed observe(plan::Assembly& assembly, rt::Warnings& warnings) {
  auto clock = make_clock(assembly.config.frame);
  assembly.bus->observe();
  const auto opened = assembly.bus->open(*clock);
  if (!opened) warnings.push_back({opened.error().message + "; device calls are not measured"});
  return {std::move(clock), opened ? assembly.bus.get() : nullptr};
}

void measure(const plan::Assembly& assembly, const io::Bus* bus, rt::Warnings& warnings,
             std::function<void()> work) {
  on_frame_thread(assembly.config.frame, warnings, std::move(work));
  // A device that gave up while it was read would give up in the run.
  if (bus != nullptr && bus->failed() >= 0) throw bus->failure();
}

std::unique_ptr<plan::Crew> start_workers(const plan::Assembly& assembly, rt::Clock& clock,
                                          rt::Warnings& warnings) {
  plan::Placement placement;
  rt::Warnings repeated;  // the frame thread will say the same
  on_frame_thread(assembly.config.frame, repeated,
                  [&] { placement = plan::place_models(assembly, clock); });
  if (!placement.shares()) return nullptr;
  return needed(plan::Crew::start(std::move(placement), assembly, clock, warnings));
}

plan::Measured rehearse(const plan::Assembly& assembly, rt::Clock& own, io::Bus* bus,
                        plan::Crew* crew, rt::Warnings& warnings) {
  const auto plant = assembly.another_plant();
  if (crew != nullptr) crew->work_for(*plant);
  rt::Clock& clock = crew != nullptr ? crew->clock() : own;
  const exec::Settings& settings = assembly.config.settings;
  plan::Measured measured;
  measure(assembly, bus, warnings, [&] {
    {
      const plan::WithoutBackground frames_alone(*plant);
      measured = plan::rehearse(*plant, bus, clock, settings.grid.period(), settings.takes_whole(),
                                settings.snapshot_every > 0);
      if (crew != nullptr) measured.schedule = plan::rehearse_schedule(*plant, *crew, settings);
    }
    measured.background = plan::background_steps(assembly.config);
    plan::measure_background(measured.background, assembly, clock);
    measured.events = plan::rehearse_events(*plant, clock, settings, measured.p99.io);
    if (settings.keyframes.every > 0) measured.keyframe = plan::rehearse_keyframe(assembly, clock);
  });
  return measured;
}

}  // namespace hild::commands
