// SPDX-License-Identifier: Apache-2.0
#include "control/server/rig.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

namespace hild::testing {

ServerRig::ServerRig(const exec::AdmissionSettings& admission)
    : plant(clock, model::make_stepper<Bench>(numerics::forward_euler)),
      records_(layout().bytes(), 4096),
      sampler(clock, records_),
      events(admission),
      io_(std::make_unique<boost::asio::io_context>(1)) {
  settings.snapshot_every = 1;
  settings.overrun.startup_grace = 0;
  control.socket = folder.path("control.sock");
  control.rate = 1e6;
}

ServerRig::~ServerRig() { end(); }

ServerRig& ServerRig::start(bool frames) {
  exec::Parts parts{clock, sampler, plant, wires, {0.0, 0.0}, &events, &records_};
  parts.first_frame = first_frame;
  for (const config::Alarm& one : alarms) parts.alarms.push_back(one.alarm);
  loop_ = std::make_unique<exec::FrameLoop>(settings, std::move(parts));
  server_ = std::make_unique<server::Server>(*io_, control, run(), users);
  const auto opened = server_->open();
  EXPECT_TRUE(opened) << opened.error().message;
  times_.emplace(loop_->times());
  std::vector<record::Sink*> sinks = server_->sinks();
  sinks.push_back(&*times_);
  if (records_are_kept) sinks.push_back(&recording);
  recorder_ = std::make_unique<record::Recorder>(records_, layout(), std::move(sinks));
  EXPECT_TRUE(recorder_->start());
  io_thread_ = std::thread([this] { io_->run(); });
  if (frames) run_frames();
  return *this;
}

void ServerRig::run_frames() {
  loop_thread_ = std::thread([this] {
    outcome = loop_->run(Rig::start, INT64_MAX / 4, stop);
    ended.raise();
  });
  // Of the first frame all is known when the record of the second is there.
  while (loop_->statistics().frames.get() == 0 || recorder_->records() < 2)
    std::this_thread::yield();
}

void ServerRig::run_past(std::int64_t frame) const {
  const exec::Statistics& s = loop_->statistics();
  const auto past = [&] {
    const bool frozen = loop_->snapshot().mode().frozen;  // at that frame, or after its step
    return s.sim_time_ns.get() >= settings.grid.tick(frozen ? frame : frame + 1).ns;
  };
  while (!past() && !ended.raised()) ::usleep(200);
  EXPECT_TRUE(past()) << "the run ended before";
}

void ServerRig::catch_up() const {
  const exec::Statistics& s = loop_->statistics();
  const std::int64_t records = s.steps.get() + s.frozen_frames.get();
  while (recorder_->records() < records) ::usleep(200);
}

void ServerRig::end() {
  stop.raise();
  if (loop_thread_.joinable()) loop_thread_.join();
  ended.raise();
  if (io_thread_.joinable()) {
    boost::asio::post(*io_, [this] { server_->close(); });
    io_thread_.join();
  }
  if (recorder_) recorder_->stop();
}

std::uint16_t ServerRig::port() const {
  const std::string where = server_->where();
  return static_cast<std::uint16_t>(std::stoi(where.substr(where.rfind(':') + 1)));
}

io::FrameLayout ServerRig::layout() { return exec::FrameLoop::layout(plant); }

server::Run ServerRig::run() {
  return {.model = "bench",
          .method = "forward-euler",
          .version = "1.2.3",
          .settings = settings,
          .layout = layout(),
          .description = plant.description(),
          .start_parameters = {0, 0.01, 1},
          .inputs = {{"daq channel 0"}, {}},
          .outputs = {{"daq channel 1", 2.5}, {}, {}},
          .device_counters = device_counters,
          .device_faults = PacedSampler::known_faults,
          .alarms = alarms,
          .loop = *loop_,
          .events = events,
          .stop = stop,
          .ended = ended,
          .arm = [this](bool wanted) { armed = wanted; },
          .armed = [this] { return armed; },
          .nodes = agreement,
          .recorders = [this] { return recorders; },
          .record =
              [this](std::size_t recorder, bool on) {
                if (!why_not.empty()) return why_not;
                recorders[recorder].state = on ? "recording" : "idle";
                return std::string();
              },
          .launch = launch,
          .model_ending = [this] { return model_ending; },
          .guard = [this] { return guarding; },
          .ending = [this] { return ending; },
          .tell = [this](const std::string& words,
                         bool bad) { log.push_back((bad ? "bad " : "") + words); }};
}

}  // namespace hild::testing
