// SPDX-License-Identifier: Apache-2.0
//
// The shortest honest hardware-in-the-loop program: what hild is measured against.
//
// Each frame: sleep to the absolute tick, one Comedi instruction list (outputs due now, then
// inputs), one RTAM-2 step of a DC motor by hand, the new outputs kept for the next tick's list. No
// events, no record, no overrun policy: whatever hild costs above this program is the price of what
// hild adds.

#include <comedilib.h>
#include <getopt.h>
#include <sched.h>
#include <sys/mman.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace {

// hild's own exit codes, so that a test may treat both programs alike.
constexpr int exit_done = 0, exit_usage = 1, exit_fault = 2, exit_device = 4;
constexpr std::int64_t second_ns = 1'000'000'000;

struct Options {
  std::string device = "/dev/comedi0";           // empty: --no-device
  std::int64_t ticks = 1000, in_ns = second_ns;  // so many in so long
  std::int64_t frames = 1000;
  unsigned reads = 8, writes = 2;
  unsigned read_subdevice = 0, write_subdevice = 1;
  int priority = 80, cpu = -1;
};

[[noreturn]] void fail(int code, const std::string& what) {
  std::fprintf(stderr, "bare_loop: %s\n", what.c_str());
  std::exit(code);
}

[[noreturn]] void fail_errno(const std::string& what) {
  fail(exit_fault, what + ": " + std::strerror(errno));
}

constexpr const char* usage =
    "usage: bare_loop [--rate HZ | --period NS] [--frames N] [--priority P (0: not real-time)] "
    "[--cpu C]\n"
    "                 [--device PATH | --no-device] [--reads N] [--writes M]\n"
    "                 [--read-subdevice S] [--write-subdevice S]";

std::int64_t number(const char* name, const char* text, std::int64_t least, std::int64_t most) {
  char* end = nullptr;
  errno = 0;
  const long long value = std::strtoll(text, &end, 10);
  if (errno != 0 || end == text || *end != '\0' || value < least || value > most)
    fail(exit_usage, std::string("--") + name + ": expected a whole number from " +
                         std::to_string(least) + " to " + std::to_string(most) + ", found '" +
                         text + "'");
  return value;
}

Options parse(int argc, char** argv) {
  static const option table[] = {{"rate", required_argument, nullptr, 'r'},
                                 {"period", required_argument, nullptr, 't'},
                                 {"frames", required_argument, nullptr, 'f'},
                                 {"priority", required_argument, nullptr, 'p'},
                                 {"cpu", required_argument, nullptr, 'c'},
                                 {"device", required_argument, nullptr, 'd'},
                                 {"no-device", no_argument, nullptr, 'D'},
                                 {"reads", required_argument, nullptr, 'n'},
                                 {"writes", required_argument, nullptr, 'm'},
                                 {"read-subdevice", required_argument, nullptr, 'i'},
                                 {"write-subdevice", required_argument, nullptr, 'o'},
                                 {nullptr, 0, nullptr, 0}};
  Options o;
  int index = 0;
  for (int c = 0; (c = getopt_long(argc, argv, "", table, &index)) != -1;) {
    if (c == '?') fail(exit_usage, usage);
    const auto value = [&](std::int64_t least, std::int64_t most) {
      return number(table[index].name, optarg, least, most);
    };
    switch (c) {
      case 'r':
        o.ticks = value(1, 1'000'000);
        o.in_ns = second_ns;
        break;
      case 't':
        o.ticks = 1;
        o.in_ns = value(1'000, second_ns);
        break;
      case 'f':
        o.frames = value(1, 10'000'000);
        break;
      case 'p':
        o.priority = static_cast<int>(value(0, 99));
        break;
      case 'c':
        o.cpu = static_cast<int>(value(0, CPU_SETSIZE - 1));
        break;
      case 'd':
        o.device = optarg;
        break;
      case 'D':
        o.device.clear();
        break;
      case 'n':
        o.reads = static_cast<unsigned>(value(0, 64));
        break;
      case 'm':
        o.writes = static_cast<unsigned>(value(0, 64));
        break;
      case 'i':
        o.read_subdevice = static_cast<unsigned>(value(0, 63));
        break;
      case 'o':
        o.write_subdevice = static_cast<unsigned>(value(0, 63));
        break;
      default:
        fail(exit_usage, usage);
    }
  }
  if (optind != argc) fail(exit_usage, usage);
  return o;
}

// A brushed DC motor: x = {armature current, A; shaft speed, rad/s}, u = {voltage, V; load torque,
// N m}.
struct Motor {
  using State = std::array<double, 2>;
  static constexpr double R = 2.0, L = 0.5, Ke = 0.1, Kt = 0.1, B = 0.02, J = 0.02;

  static State derivative(const State& x, double volts, double torque) {
    return {(volts - R * x[0] - Ke * x[1]) / L, (Kt * x[0] - B * x[1] - torque) / J};
  }

  State x{}, previous{};
  bool started = false;

  // RTAM-2: predict the middle of the frame from this derivative and the last, step with the
  // derivative there. The first step has no last derivative and takes the present one for it (Euler
  // to the middle).
  void step(double h, double volts, double torque) {
    const State now = derivative(x, volts, torque);
    if (!started) previous = now;
    started = true;
    State middle{};
    for (std::size_t i = 0; i < x.size(); ++i)
      middle[i] = x[i] + h / 8 * (5 * now[i] - previous[i]);
    const State at_middle = derivative(middle, volts, torque);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += h * at_middle[i];
    previous = now;
  }
};

// The converters, one instruction list a frame: writes first, as outputs are due at the tick
// itself.
class Converters {
 public:
  explicit Converters(const Options& o)
      : writes_(o.writes),
        in_(o.reads, middle_count),
        out_(o.writes, middle_count),
        path_(o.device) {
    if (path_.empty()) return;
    device_.reset(comedi_open(path_.c_str()));
    if (!device_)
      fail(exit_device, "cannot open " + path_ + ": " + comedi_strerror(comedi_errno()));
    for (unsigned i = 0; i < o.writes; ++i) add(INSN_WRITE, o.write_subdevice, i, &out_[i]);
    for (unsigned i = 0; i < o.reads; ++i) add(INSN_READ, o.read_subdevice, i, &in_[i]);
    list_.n_insns = static_cast<unsigned>(instructions_.size());
    list_.insns = instructions_.data();
  }

  void transfer(std::int64_t frame) {
    if (instructions_.empty()) return;
    const int done = comedi_do_insnlist(device_.get(), &list_);
    if (done == static_cast<int>(list_.n_insns)) return;
    fail(exit_device, path_ + " failed in frame " + std::to_string(frame) + ", " +
                          std::to_string(std::max(done, 0)) + " of " +
                          std::to_string(list_.n_insns) +
                          " instructions done: " + comedi_strerror(comedi_errno()));
  }

  [[nodiscard]] double volts(std::size_t channel) const {
    return channel < in_.size() ? span * static_cast<double>(in_[channel]) / max_count - span / 2
                                : 0.0;
  }

  void set_volts(std::size_t channel, double volts) {
    const double count = std::clamp((volts + span / 2) / span, 0.0, 1.0) * max_count;
    out_[channel] = static_cast<lsampl_t>(count + 0.5);
  }

  [[nodiscard]] std::size_t outputs() const { return writes_; }

 private:
  static constexpr double span = 20.0,
                          max_count = 65535.0;  // comedi_test: 16 bit, range 0 is -10 V..10 V
  static constexpr lsampl_t middle_count = 0x7fff;

  struct Close {
    void operator()(comedi_t* device) const { comedi_close(device); }
  };

  void add(unsigned what, unsigned subdevice, unsigned channel, lsampl_t* data) {
    comedi_insn instruction{};
    instruction.insn = what;
    instruction.n = 1;
    instruction.data = data;
    instruction.subdev = subdevice;
    instruction.chanspec = static_cast<unsigned>(CR_PACK(channel, 0, AREF_GROUND));
    instructions_.push_back(instruction);
  }

  std::size_t writes_;
  std::vector<lsampl_t> in_, out_;
  std::string path_;
  std::vector<comedi_insn> instructions_;
  comedi_insnlist list_{};
  std::unique_ptr<comedi_t, Close> device_;
};

std::int64_t now_ns() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * second_ns + t.tv_nsec;
}

void sleep_until(std::int64_t t_ns) {
  const timespec t{t_ns / second_ns, t_ns % second_ns};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) == EINTR) {
  }
}

void become_real_time(const Options& o) {
  if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) fail_errno("cannot lock memory");
  if (o.cpu >= 0) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(o.cpu), &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0)
      fail_errno("cannot run on CPU " + std::to_string(o.cpu));
  }
  if (o.priority > 0) {
    sched_param parameter{};
    parameter.sched_priority = o.priority;
    if (sched_setscheduler(0, SCHED_FIFO, &parameter) != 0)
      fail_errno("cannot take FIFO priority " + std::to_string(o.priority));
  }
}

// Nearest-rank quantile; the sample is sorted.
std::int64_t quantile(const std::vector<std::int64_t>& sorted, double q) {
  const auto rank = static_cast<std::size_t>(q * static_cast<double>(sorted.size() - 1) + 0.5);
  return sorted[rank];
}

std::string summary(std::vector<std::int64_t> sample) {
  std::sort(sample.begin(), sample.end());
  const auto sum = std::accumulate(sample.begin(), sample.end(), std::int64_t{0});
  const auto avg = sum / static_cast<std::int64_t>(sample.size());
  return "{\"min\": " + std::to_string(sample.front()) + ", \"avg\": " + std::to_string(avg) +
         ", \"p50\": " + std::to_string(quantile(sample, 0.5)) +
         ", \"p99\": " + std::to_string(quantile(sample, 0.99)) +
         ", \"max\": " + std::to_string(sample.back()) + "}";
}

}  // namespace

int main(int argc, char** argv) {
  const Options o = parse(argc, argv);
  Converters io(o);
  Motor motor;
  const auto count = static_cast<std::size_t>(o.frames);
  // wake: tick to awake. busy: awake to work done. frame: tick to work done, so instructions in all
  // where one guest nanosecond is one instruction.
  std::vector<std::int64_t> wake(count), busy(count), frame(count);
  std::int64_t overruns = 0;
  const double h =
      static_cast<double>(o.in_ns) / static_cast<double>(second_ns) / static_cast<double>(o.ticks);

  become_real_time(o);
  const std::int64_t start = now_ns() + 10'000'000;
  const auto tick = [&](std::int64_t n) {  // never accumulates the rounding of 1/rate
    return start + n / o.ticks * o.in_ns + n % o.ticks * o.in_ns / o.ticks;
  };
  for (std::int64_t n = 0; n < o.frames; ++n) {
    const std::int64_t due = tick(n);
    sleep_until(due);
    const std::int64_t awake = now_ns();
    io.transfer(n);
    motor.step(h, 2.4 * io.volts(0), 0.001 * io.volts(1));
    for (std::size_t i = 0; i < io.outputs(); ++i)
      io.set_volts(i, i % 2 == 0 ? motor.x[1] / 50 : motor.x[0]);
    const std::int64_t done = now_ns();
    if (done > tick(n + 1)) ++overruns;
    const auto k = static_cast<std::size_t>(n);
    wake[k] = awake - due;
    busy[k] = done - awake;
    frame[k] = done - due;
  }
  std::printf(
      "{\"program\": \"bare_loop\", \"rate_hz\": %g, \"frames\": %lld, \"reads\": %u, "
      "\"writes\": %u, "
      "\"device\": %s, \"overruns\": %lld, \"wake_ns\": %s, \"busy_ns\": %s, \"frame_ns\": %s}\n",
      1 / h, static_cast<long long>(o.frames), o.reads, o.writes,
      o.device.empty() ? "null" : ("\"" + o.device + "\"").c_str(),
      static_cast<long long>(overruns), summary(wake).c_str(), summary(busy).c_str(),
      summary(frame).c_str());
  return exit_done;
}
