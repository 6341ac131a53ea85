// SPDX-License-Identifier: Apache-2.0
#include "tests/drivers/fake_card.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <span>
#include <stdexcept>

namespace hild::test {
namespace {

using State = FakeCard::State;

// The card there is, whose it is, and its file.
State* card = nullptr;
FakeCard* owner = nullptr;
int waits = 0;
dev_t card_device = 0;
ino_t card_inode = 0;

bool is_card(int file) noexcept {
  struct stat found {};
  return card != nullptr && ::fstat(file, &found) == 0 && found.st_dev == card_device &&
         found.st_ino == card_inode;
}

struct Subdevice {
  unsigned type, channels, flags;
  lsampl_t maxdata;
  unsigned ranges;
};

std::array<Subdevice, 6> subdevices() noexcept {
  const unsigned commands = (card->commands ? SDF_CMD_READ | SDF_CMD : 0U) |
                            (card->wide ? static_cast<unsigned>(SDF_LSAMPL) : 0U);
  return {{{COMEDI_SUBD_AI, 4, SDF_READABLE | SDF_GROUND | commands, 65535, 2},
           {COMEDI_SUBD_AO, 2, SDF_WRITABLE | SDF_GROUND, 65535, 1},
           {COMEDI_SUBD_DIO, 8, SDF_READABLE | SDF_WRITABLE, 1, 1},
           {COMEDI_SUBD_COUNTER, 2, SDF_READABLE | SDF_WRITABLE, 0xFF'FFFF, 1},
           {COMEDI_SUBD_PWM, 2, SDF_READABLE | SDF_WRITABLE, 1000, 1},
           {COMEDI_SUBD_AI, 1, SDF_READABLE | SDF_GROUND, 65535, 2}}};
}

int tell_device(comedi_devinfo* info) noexcept {
  *info = {};
  info->version_code = 0x000700;
  info->n_subdevs = static_cast<unsigned>(subdevices().size());
  std::strcpy(info->driver_name, "fake_card");  // NOLINT: it fits
  std::strcpy(info->board_name, "fake_card");   // NOLINT: it fits
  info->read_subdevice = card->read_subdevice;
  info->write_subdevice = 1;
  return 0;
}

int tell_subdevices(comedi_subdinfo* info) noexcept {
  unsigned place = 0;
  for (const Subdevice& s : subdevices()) {
    *info = {};
    info->type = s.type;
    info->n_chan = s.channels;
    info->subd_flags = s.flags;
    info->len_chanlist = 16;
    info->maxdata = s.maxdata;
    info->range_type = (place++ << 16U) | s.ranges;
    ++info;
  }
  return 0;
}

int tell_ranges(const comedi_rangeinfo* info) noexcept {
  auto* range = static_cast<comedi_krange*>(info->range_ptr);
  for (unsigned i = 0; i < (info->range_type & 0xFFFFU); ++i) {
    const int end = i == 0 ? 10'000'000 : 5'000'000;  // in millionths
    *range++ = {-end, end, UNIT_volt};
  }
  return 0;
}

int configure(unsigned subdevice, unsigned channel, std::span<lsampl_t> data) noexcept {
  switch (data[0]) {
    case INSN_CONFIG_DIO_INPUT:
      card->directions &= ~(1U << channel);
      return 0;
    case INSN_CONFIG_DIO_OUTPUT:
      card->directions |= 1U << channel;
      return 0;
    case INSN_CONFIG_DIO_QUERY:
      data[1] = (card->directions >> channel) & 1U;
      return 0;
    case INSN_CONFIG_RESET:
      ++card->resets[channel];
      card->counter[channel] = 0;
      return 0;
    case INSN_CONFIG_SET_COUNTER_MODE:
      if (data[1] == 99) return EINVAL;  // a mode that it does not have
      card->mode[channel] = data[1];
      return 0;
    case INSN_CONFIG_ARM:
      card->armed[channel] = static_cast<int>(data[1]);
      return 0;
    case INSN_CONFIG_PWM_SET_PERIOD:
      if (subdevice != 4) return EINVAL;
      card->pwm_period_ns =
          (data[1] + card->pwm_step_ns - 1) / card->pwm_step_ns * card->pwm_step_ns;
      return 0;
    case INSN_CONFIG_PWM_GET_PERIOD:
      data[1] = card->pwm_period_ns;
      return 0;
    default:
      return EINVAL;
  }
}

// 0, or an errno.
int carry_out(const comedi_insn& insn) noexcept {
  const std::span<lsampl_t> data(insn.data, insn.n);
  const unsigned channel = CR_CHAN(insn.chanspec);
  if (insn.insn == INSN_INTTRIG) {
    if (!card->given || card->running) return EINVAL;
    card->running = true;
    return 0;
  }
  if (insn.subdev >= subdevices().size() || channel >= subdevices()[insn.subdev].channels) {
    return EINVAL;
  }
  if (insn.insn == INSN_CONFIG) return configure(insn.subdev, channel, data);
  if (insn.insn == INSN_BITS) {
    card->bits = (card->bits & ~data[0]) | (data[1] & data[0]);
    data[1] = card->bits;
    return 0;
  }
  lsampl_t* line = nullptr;
  switch (insn.subdev) {
    case 0:
      if (card->given) return EBUSY;  // what a command has, no instruction reads
      ++card->instructions;
      [[fallthrough]];
    case 5:
      line = &card->analog_in[channel];
      break;
    case 1:
      line = &card->analog_out[channel];
      break;
    case 3:
      line = &card->counter[channel];
      break;
    case 4:
      line = &card->width[channel];
      break;
    default:
      return EINVAL;
  }
  if (insn.insn == INSN_READ) {
    data[0] = *line;
  } else {
    if (data[0] > subdevices()[insn.subdev].maxdata) return EINVAL;
    *line = data[0];
  }
  return 0;
}

bool leave(unsigned& sources, unsigned able) noexcept {
  const unsigned asked = sources;
  sources &= able;
  return asked != 0 && sources == asked;
}

bool single(unsigned sources) noexcept { return (sources & (sources - 1)) == 0; }

/// To the next multiple of its step; false where that changes it.
bool round(unsigned& time) noexcept {
  const unsigned asked = time;
  time = (time + card->step_ns - 1) / card->step_ns * card->step_ns;
  return time == asked;
}

/// The five tests of the core: the number of the first that finds something.
int try_command(comedi_cmd& c) noexcept {
  bool good = leave(c.start_src, card->by_trigger ? TRIG_INT : TRIG_NOW);
  good = leave(c.scan_begin_src, TRIG_TIMER) && good;
  good = leave(c.convert_src, TRIG_TIMER) && good;
  good = leave(c.scan_end_src, TRIG_COUNT) && good;
  good = leave(c.stop_src, card->endless ? TRIG_COUNT | TRIG_NONE : TRIG_COUNT) && good;
  if (!good) return 1;
  if (!single(c.stop_src)) return 2;
  if (c.convert_arg < 1000) {
    c.convert_arg = 1000;
    return 3;
  }
  good = round(c.convert_arg);
  if (c.scan_begin_arg < c.convert_arg * c.chanlist_len) {
    c.scan_begin_arg = c.convert_arg * c.chanlist_len;
    good = false;
  }
  good = round(c.scan_begin_arg) && good;
  if (!good) return 4;
  if (c.chanlist != nullptr && card->in_order &&
      !std::is_sorted(c.chanlist, c.chanlist + c.chanlist_len)) {
    return 5;
  }
  return 0;
}

std::int64_t monotonic_ns() noexcept {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

int start_command(comedi_cmd command) noexcept {
  if (card->refuses != 0) return card->refuses;
  if (card->given) return EBUSY;
  if (command.chanlist == nullptr || try_command(command) != 0) return EINVAL;
  card->command = command;
  std::copy_n(command.chanlist, command.chanlist_len, card->channels.begin());
  card->given = true;
  card->running = command.start_src == TRIG_NOW;
  card->error = false;
  card->waiting = 0;
  card->made = 0;
  card->started_ns = monotonic_ns();
  ++card->starts;
  return 0;
}

unsigned sample_size() noexcept { return card->wide ? sizeof(lsampl_t) : sizeof(sampl_t); }

void put_bytes(unsigned from, unsigned to) noexcept {
  std::array<unsigned char, 64> whole{};
  for (unsigned i = 0; i < card->command.chanlist_len; ++i) {
    const lsampl_t wide = card->analog_in[CR_CHAN(card->channels[i])];
    const auto narrow = static_cast<sampl_t>(wide);
    std::memcpy(&whole[i * sample_size()],
                card->wide ? static_cast<const void*>(&wide) : static_cast<const void*>(&narrow),
                sample_size());
  }
  if (!card->running) return;
  if (card->waiting + (to - from) > FakeCard::buffer) {
    card->running = false;
    card->error = true;
    return;
  }
  std::memcpy(&card->bytes[card->waiting], &whole[from], to - from);
  card->waiting += to - from;
}

unsigned scan_size() noexcept { return card->command.chanlist_len * sample_size(); }

void make_those_due() noexcept {
  if (!card->by_clock || !card->running) return;
  const std::int64_t due =
      (monotonic_ns() - card->started_ns) / std::max(card->command.scan_begin_arg, 1U);
  for (; card->made < due && card->running; ++card->made) put_bytes(0, scan_size());
}

// Whether there is something to be told, as comedi_poll() of the core has it.
bool is_ready() noexcept {
  make_those_due();
  return card->waiting > 0 || !card->running;
}

// One that goes by the clock is looked at again after a scan's time.
int wait_for_card(pollfd& asks, timespec most) noexcept {
  if (!is_ready() && owner->on_wait) {
    owner->on_wait(waits++);
  } else if (!is_ready()) {
    if (card->by_clock) most = {0, card->command.scan_begin_arg};
    ::syscall(SYS_ppoll, nullptr, 0, &most, nullptr, 0);
  }
  asks.revents = is_ready() ? POLLIN : 0;
  return asks.revents != 0 ? 1 : 0;
}

// As comedi_read() of the core has it: -errno, or bytes.
ssize_t read_card(void* to, std::size_t most) noexcept {
  if (card->gone) return -ENODEV;
  if (!card->given) return -EINVAL;
  make_those_due();
  if (card->waiting == 0) {
    if (card->running || (card->by_trigger && !card->error && card->made == 0)) return -EAGAIN;
    card->given = false;
    return card->error ? -EPIPE : 0;
  }
  const auto bytes = static_cast<unsigned>(std::min<std::size_t>(most, card->waiting));
  std::memcpy(to, card->bytes.data(), bytes);
  std::memmove(card->bytes.data(), &card->bytes[bytes], card->waiting - bytes);
  card->waiting -= bytes;
  return bytes;
}

int carry_out_all(const comedi_insnlist& list) noexcept {
  for (unsigned i = 0; i < list.n_insns; ++i) {
    if (const int error = carry_out(list.insns[i]); error != 0) return -error;
  }
  return static_cast<int>(list.n_insns);
}

int control(unsigned long request, void* argument) noexcept {
  if (card->gone) return -ENODEV;
  switch (static_cast<unsigned>(request)) {  // the library has it as an int
    case COMEDI_DEVINFO:
      return tell_device(static_cast<comedi_devinfo*>(argument));
    case COMEDI_SUBDINFO:
      return tell_subdevices(static_cast<comedi_subdinfo*>(argument));
    case COMEDI_CHANINFO:
      return 0;  // all channels of a subdevice are alike
    case COMEDI_RANGEINFO:
      return tell_ranges(static_cast<comedi_rangeinfo*>(argument));
    case COMEDI_INSNLIST:
      return carry_out_all(*static_cast<comedi_insnlist*>(argument));
    case COMEDI_INSN: {
      auto* insn = static_cast<comedi_insn*>(argument);
      const int error = carry_out(*insn);
      return error != 0 ? -error : static_cast<int>(insn->n);
    }
    case COMEDI_LOCK:
    case COMEDI_UNLOCK:
      return 0;
    case COMEDI_CMDTEST:
      return try_command(*static_cast<comedi_cmd*>(argument));
    case COMEDI_CMD:
      return -start_command(*static_cast<comedi_cmd*>(argument));
    case COMEDI_CANCEL:
      ++card->cancels;
      card->given = card->running = false;
      return 0;
    case COMEDI_BUFCONFIG:
      static_cast<comedi_bufconfig*>(argument)->size = FakeCard::buffer;
      return 0;
    case COMEDI_SETRSUBD: {
      const auto wanted = reinterpret_cast<std::uintptr_t>(argument);
      if (wanted != 0 || !card->commands) return -EINVAL;
      card->read_subdevice = 0;
      return 0;
    }
    default:
      return -EINVAL;
  }
}

}  // namespace

FakeCard::FakeCard() : path_("/tmp/hild-fake-card-XXXXXX") {
  void* const memory =
      ::mmap(nullptr, sizeof(State), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const int file = ::mkstemp(path_.data());
  struct stat found {};
  if (memory == MAP_FAILED || file < 0 || ::fstat(file, &found) != 0) {
    throw std::runtime_error("no fake card");
  }
  ::close(file);
  state_ = card = new (memory) State;
  owner = this;
  waits = 0;
  card_device = found.st_dev;
  card_inode = found.st_ino;
}

FakeCard::~FakeCard() {
  card = nullptr;
  ::unlink(path_.c_str());
  ::munmap(state_, sizeof(State));
}

void FakeCard::scan() {
  put_bytes(0, scan_size());
  ++state_->made;
}
void FakeCard::begin_scan(unsigned bytes) { put_bytes(0, bytes); }
void FakeCard::finish_scan(unsigned bytes) {
  put_bytes(bytes, scan_size());
  ++state_->made;
}
void FakeCard::end(bool error) {
  state_->running = false;
  state_->error = error;
}

}  // namespace hild::test

// In the place of those of the C library, for this whole program.
extern "C" int ioctl(int file, unsigned long request, ...) noexcept {
  va_list arguments;
  va_start(arguments, request);
  void* const argument = va_arg(arguments, void*);
  va_end(arguments);
  if (!hild::test::is_card(file)) {
    return static_cast<int>(::syscall(SYS_ioctl, file, request, argument));
  }
  const int result = hild::test::control(request, argument);
  if (result >= 0) return result;
  errno = -result;
  return -1;
}

// By another name here, since the C library says of that one that it only writes what it reads.
extern "C" int answer_ppoll(pollfd* files, nfds_t count, const timespec* most,
                            const sigset_t* signals) asm("ppoll");
extern "C" int answer_ppoll(pollfd* files, nfds_t count, const timespec* most,
                            const sigset_t* signals) {
  if (count == 1 && hild::test::is_card(files->fd)) {
    return hild::test::wait_for_card(*files, *most);
  }
  timespec left = most != nullptr ? *most : timespec{};  // the kernel writes what is left
  return static_cast<int>(
      ::syscall(SYS_ppoll, files, count, most != nullptr ? &left : nullptr, signals, _NSIG / 8));
}

extern "C" ssize_t read(int file, void* to, std::size_t most) {
  if (!hild::test::is_card(file)) return ::syscall(SYS_read, file, to, most);
  const ssize_t result = hild::test::read_card(to, most);
  if (result >= 0) return result;
  errno = static_cast<int>(-result);
  return -1;
}
