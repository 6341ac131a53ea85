// SPDX-License-Identifier: Apache-2.0
/// Runs whose models are on several threads: whatever is composed, whatever happens in it, and
/// whoever runs what, the records are those of one thread, and a replay gives them again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "exec/model_workers.hpp"
#include "hild/numerics/catalogue.hpp"
#include "model/coupled/couple.hpp"

namespace hild::testing {
namespace {

/// Curved, and jumps every so often.
struct Jumping : Curved {
  static constexpr std::string_view name = "jumping";
  using D = model::Data<Jumping>;
  static SimTime next_time_event(SimTime t, D::P p) noexcept {
    const std::int64_t every = std::llround(p[1] * 1e6);
    return {(t.ns / every + 1) * every};
  }
  static void on_time_event(double, D::NewX x, D::U, D::NewP) noexcept { x[0] *= 0.75; }
};

/// Curved, and falls back when it is up, and rises when it is down.
struct Falling : Curved {
  static constexpr std::string_view name = "falling";
  static constexpr std::array events{model::Event{"up"}, model::Event{"down"}};
  using D = model::Data<Falling>;
  static void event_functions(double, D::X x, D::U, D::P, std::span<double, 2> g) noexcept {
    g[0] = x[0] - 0.9;
    g[1] = -0.9 - x[0];
  }
  static void on_event(std::size_t index, double, D::NewX x, D::U, D::NewP) noexcept {
    x[0] = index == 0 ? -0.3 : 0.3;
  }
};

constexpr std::array samplings{exec::Sampling::frame, exec::Sampling::stage,
                               exec::Sampling::behind};

struct Mixed {
  exec::Settings settings;
  std::unique_ptr<coupled::CoupledStepper> plant;
};

/// Two to twelve models of any rate, under any method that the sampling allows.
Mixed mixed(unsigned seed) {
  Chance chance(seed);
  Mixed made;
  made.settings.sampling = samplings[chance.below(samplings.size())];
  made.settings.overrun.startup_grace = 0;
  made.settings.max_events = 1 + static_cast<int>(chance.below(4));
  std::vector<const numerics::Method*> methods;
  for (const numerics::Method* m : numerics::catalogue()) {
    const bool starts = m->starter == nullptr || m->starter->real_time();
    if (made.settings.sampling == exec::Sampling::frame || (m->real_time() && starts)) {
      methods.push_back(m);
    }
  }
  const std::size_t n = 2 + chance.below(11);
  std::vector<coupled::Part> parts;
  std::vector<std::unique_ptr<model::Stepper>> plants;
  std::vector<coupled::Connection> connections;
  for (std::size_t i = 0; i < n; ++i) {
    const numerics::Method& method = *methods[chance.below(methods.size())];
    coupled::Rate rate;
    const std::size_t kind = chance.below(3);
    if (kind != 2 && chance.one_in(3)) {
      rate.every = 2 + static_cast<int>(chance.below(3));
      rate.background = chance.one_in(2);
    }
    if (kind != 2 && rate.every == 1 && chance.one_in(3)) {
      rate.substeps = 2 + static_cast<int>(chance.below(3));
    }
    plants.push_back(kind == 0   ? model::make_stepper<Curved>(method)
                     : kind == 1 ? model::make_stepper<Jumping>(method)
                                 : model::make_stepper<Falling>(method));
    plants.back()->system().set_parameter(0, 60.0 + 37.0 * static_cast<double>(i));
    plants.back()->system().set_parameter(1, 0.7 + 0.41 * static_cast<double>(chance.below(9)));
    parts.push_back({Name("m" + std::to_string(i)), plants.back()->description(), &method, rate});
    if (chance.one_in(3)) continue;
    connections.push_back(connection_by(chance, n, i));
  }
  made.plant = std::make_unique<coupled::CoupledStepper>(
      std::make_shared<coupled::Composition>(std::move(parts), std::move(connections)),
      std::move(plants), kilohertz);
  if (made.settings.sampling == exec::Sampling::behind) {
    made.settings.lag = part(1_ms, made.plant->method().lag());
  }
  return made;
}

/// In any order, on one thread.
class Shuffled final : public TaskRunner {
 public:
  explicit Shuffled(unsigned seed) : random_(seed) {}
  bool run(Tasks& tasks, std::span<const std::uint16_t> list) noexcept override {
    std::vector<std::uint16_t> order(list.begin(), list.end());
    std::ranges::shuffle(order, random_);
    for (const std::uint16_t task : order) tasks.run(task);
    several = several || order.size() > 1;
    return true;
  }
  bool several = false;

 private:
  std::minstd_rand random_;
};

/// Nothing is taken back: workers run all that is theirs.
class Forced final : public TaskRunner {
 public:
  explicit Forced(rt::Workers& workers) : workers_(&workers) {}
  bool run(Tasks& tasks, std::span<const std::uint16_t> list) noexcept override {
    for (const std::uint16_t task : list) workers_->add(task % workers_->count(), task);
    workers_->share_out(tasks);
    return workers_->wait(600_s);
  }

 private:
  rt::Workers* workers_;
};

/// The records of a run, of which each is all its bytes that do not tell what time it took.
struct RecordedRun {
  io::FrameLayout layout;
  std::vector<std::vector<std::byte>> records;

  [[nodiscard]] io::FrameView view(std::size_t step) const {
    return {layout, records[step].data()};
  }
};

// What of a step a replay has to give again.
std::vector<double> values_of(const io::FrameView& v) {
  const io::FrameHeader& h = v.header();
  std::vector<double> all{static_cast<double>(h.frame),        static_cast<double>(h.span),
                          static_cast<double>(h.state_events), static_cast<double>(h.capped),
                          static_cast<double>(h.capped_by),    static_cast<double>(h.starter),
                          static_cast<double>(h.passes),       static_cast<double>(h.error_ppb),
                          static_cast<double>(h.lateness.ns),  static_cast<double>(h.late_models)};
  for (std::size_t p = 0; p < v.passes(); ++p) {
    all.insert(all.end(), v.inputs(p).begin(), v.inputs(p).end());
    all.push_back(static_cast<double>(v.nominal(p).ns));
  }
  for (const auto values : {v.outputs(), v.states()}) {
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

std::vector<std::vector<double>> values_of(const RecordedRun& run) {
  std::vector<std::vector<double>> all;
  for (std::size_t step = 0; step < run.records.size(); ++step) {
    all.push_back(values_of(run.view(step)));
  }
  return all;
}

RecordedRun records_of(exec::FrameLoop& loop, rt::SlotRing& ring, const io::FrameLayout& layout,
                       MonoTime start, std::int64_t frames) {
  RecordedRun run{layout, {}};
  const rt::Flag stop;
  loop.run(start, frames, stop);
  while (const std::byte* slot = ring.front()) {
    run.records.emplace_back(slot, slot + layout.bytes());
    ring.release();
  }
  return run;
}

constexpr std::int64_t frames = 30;

/// Some frames in which devices take long enough for an overrun, and now and then a parameter is
/// set, or an output falsified.
RecordedRun run_of(Mixed& made, unsigned seed, exec::ModelWorkers* workers, TaskRunner* runner,
                   bool changes, const exec::BackgroundThreads& background = {}) {
  if (workers != nullptr) runner = workers;
  if (runner != nullptr) made.plant->models()->share_work(*runner);
  rt::VirtualClock clock;
  const std::size_t inputs = made.plant->description().inputs.size();
  FakeSampler sampler(
      clock, std::vector<FakeSampler::Input>(inputs, [](double t) { return std::sin(300 * t); }));
  sampler.origin = Rig::start;
  exec::ExternalEvents events;
  Chance chance(seed);
  sampler.on_call = [&](int /*call*/) {
    sampler.cost = chance.one_in(12) ? 1'300'000_ns : 10'000_ns;
    if (!changes || !chance.one_in(8)) return;
    const auto part =
        static_cast<std::uint32_t>(chance.below(made.plant->description().parts.size()));
    exec::Transaction t;
    t.add(exec::SetParameter{2 * part, 50.0 + static_cast<double>(chance.below(60))});
    if (chance.one_in(2)) {
      t.add(exec::Override{.side = exec::Side::output,
                           .signal = part,
                           .kind = exec::OverrideKind::offset,
                           .value = 0.25});
    }
    static_cast<void>(events.submit(t));
  };
  const io::FrameLayout layout = exec::FrameLoop::layout(*made.plant, 0, 0, 1, !background.empty());
  rt::SlotRing ring(layout.bytes(), 4 * frames);
  exec::Parts parts{
      clock,   sampler, *made.plant, plain_inputs(inputs), std::vector<double>(inputs, 0.0),
      &events, &ring};
  parts.workers = workers;
  parts.background = background;
  exec::FrameLoop loop(made.settings, std::move(parts));
  RecordedRun run = records_of(loop, ring, layout, Rig::start, frames);
  for (rt::BackgroundThread* const thread : background) EXPECT_TRUE(thread->settle(600_s));
  return run;
}

/// Gives what was recorded.
class Recorded final : public exec::Replay, public io::Sampler {
 public:
  explicit Recorded(const RecordedRun& run) : run_(&run) {}
  [[nodiscard]] const io::FrameHeader* next() noexcept override {
    if (++step_ == static_cast<std::ptrdiff_t>(run_->records.size())) return nullptr;
    image_ = 0;
    return &view().header();
  }
  [[nodiscard]] bool waits() noexcept override {
    return image_ < view().images() && view().image_waited(image_);
  }
  bool exchange(std::span<const double> /*y*/, std::span<double> u, MonoTime /*now*/,
                std::span<MonoTime> instants) noexcept override {
    if (u.empty() || image_ >= view().images()) return true;
    std::ranges::copy(view().image(image_), u.begin());
    std::ranges::copy(view().instants(image_), instants.begin());
    ++image_;
    return true;
  }
  bool safe() noexcept override { return true; }

 private:
  [[nodiscard]] io::FrameView view() const { return run_->view(static_cast<std::size_t>(step_)); }
  const RecordedRun* run_;
  std::ptrdiff_t step_ = -1;
  std::size_t image_ = 0;
};

RecordedRun replayed(Mixed& made, const RecordedRun& recorded) {
  rt::VirtualClock clock;
  Recorded source(recorded);
  const std::size_t inputs = made.plant->description().inputs.size();
  rt::SlotRing ring(recorded.layout.bytes(), 4 * frames);
  exec::ExternalEvents events;
  exec::Parts parts{
      clock,   source, *made.plant, plain_inputs(inputs), std::vector<double>(inputs, 0.0),
      &events, &ring};
  parts.replay = &source;
  exec::FrameLoop loop(made.settings, std::move(parts));
  return records_of(loop, ring, recorded.layout, Rig::start, frames);
}

std::unique_ptr<rt::Workers> started(std::size_t count) {
  rt::Warnings warnings;
  auto workers = rt::Workers::start(
      {.cpus = std::vector<int>(count, -1), .priority = 0, .period = 50_us, .tasks = 16}, warnings);
  EXPECT_TRUE(workers);
  return std::move(*workers);
}

TEST(ModelsOnSeveralThreads, GiveTheBitsOfOneThreadAndReplayWhateverIsComposed) {
  const std::array crews{started(1), started(2), started(3)};
  int late = 0;
  int events = 0;
  bool several = false;
  for (unsigned seed = 1; seed <= 240; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const bool changes = seed % 2 == 0;
    Mixed serial = mixed(seed);
    const RecordedRun expected = run_of(serial, seed, nullptr, nullptr, changes);
    for (std::size_t step = 0; step < expected.records.size(); ++step) {
      const io::FrameHeader& h = expected.view(step).header();
      late += h.lateness.ns > 0 ? 1 : 0;
      events += h.state_events;
    }

    Mixed other = mixed(seed);
    Shuffled shuffled(seed);
    ASSERT_EQ(values_of(run_of(other, seed, nullptr, &shuffled, changes)), values_of(expected));
    several = several || shuffled.several;

    Mixed shared = mixed(seed);
    rt::Workers& crew = *crews[seed % crews.size()];
    RecordedRun with_workers;
    if (seed % 12 == 0) {
      Forced forced(crew);
      with_workers = run_of(shared, seed, nullptr, &forced, changes);
    } else {
      Chance chance(seed);
      std::vector<int> places;
      for (std::size_t p = 0; p < 12; ++p) {
        places.push_back(static_cast<int>(chance.below(crew.count() + 1)) - 1);
      }
      exec::ModelWorkers workers(crew, places, 600_s);
      with_workers = run_of(shared, seed, &workers, nullptr, changes);
    }
    ASSERT_EQ(values_of(with_workers), values_of(expected));

    if (changes) continue;  // what takes effect at a step is not recorded here
    Mixed again = mixed(seed);
    ASSERT_EQ(values_of(replayed(again, with_workers)), values_of(expected));
  }
  EXPECT_TRUE(several);
  EXPECT_GT(late, 200);
  EXPECT_GT(events, 200);
  for (const auto& crew : crews) EXPECT_GT(crew->run_by_workers(), 0);
}

std::vector<std::unique_ptr<rt::BackgroundThread>> in_background(std::size_t count) {
  rt::Warnings warnings;
  std::vector<std::unique_ptr<rt::BackgroundThread>> all;
  for (std::size_t k = 0; k < count; ++k) {
    auto thread = rt::BackgroundThread::start(
        {.thread = {.priority = 0, .name = Name("test")}, .period = 50_us}, warnings);
    EXPECT_TRUE(thread);
    all.push_back(std::move(*thread));
  }
  return all;
}

// Threads take their time, and the clock of the loop knows nothing of it: some are late, by chance.
// Whatever they did, a replay does.
TEST(ModelsInTheBackground, AreReplayedWhateverTheirThreadsDid) {
  const auto threads = in_background(12);
  exec::BackgroundThreads by_model;
  for (const auto& thread : threads) by_model.push_back(thread.get());
  std::int64_t in_time = 0;
  for (unsigned seed = 1; seed < 160; seed += 2) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Mixed live = mixed(seed);
    const RecordedRun run = run_of(live, seed, nullptr, nullptr, false, by_model);
    bool late = false;
    for (std::size_t step = 0; step < run.records.size(); ++step) {
      const io::FrameHeader& h = run.view(step).header();
      late = late || h.late_models != 0;
      const bool capped = (h.capped >> static_cast<int>(io::Cap::late_steps) & 1) != 0;
      EXPECT_EQ(capped, h.late_models != 0);
      EXPECT_EQ(h.late_models & ~h.capped_by, 0U);
    }
    Mixed again = mixed(seed);
    ASSERT_EQ(values_of(replayed(again, run)), values_of(run));
    if (late) continue;
    ++in_time;
    Mixed serial = mixed(seed);
    ASSERT_EQ(values_of(run_of(serial, seed, nullptr, nullptr, false)), values_of(run));
  }
  EXPECT_GT(in_time, 0) << "those without any in the background";
}

}  // namespace
}  // namespace hild::testing
