// SPDX-License-Identifier: Apache-2.0
#include "drivers/can_listener.hpp"

#include <linux/can/error.h>
#include <poll.h>

#include <cerrno>

#include "drivers/can_socket.hpp"

namespace hild::can {
namespace {

constexpr std::size_t heard_at_once = 256;

/// What a controller tells of itself: a class of errors, or some bits of a byte that goes with it.
struct ErrorWords {
  canid_t kind;
  std::size_t byte;  // 0: it is the class alone
  unsigned bits;
  std::string_view words;
};
constexpr std::array error_words{
    ErrorWords{CAN_ERR_TX_TIMEOUT, 0, 0, "sending took too long"},
    ErrorWords{CAN_ERR_LOSTARB, 0, 0, "arbitration lost"},
    ErrorWords{CAN_ERR_CRTL, 1, CAN_ERR_CRTL_RX_OVERFLOW, "no room for what was received"},
    ErrorWords{CAN_ERR_CRTL, 1, CAN_ERR_CRTL_TX_OVERFLOW, "no room for what is to be sent"},
    ErrorWords{CAN_ERR_CRTL, 1, CAN_ERR_CRTL_RX_WARNING, "error warning in receiving"},
    ErrorWords{CAN_ERR_CRTL, 1, CAN_ERR_CRTL_TX_WARNING, "error warning in sending"},
    ErrorWords{CAN_ERR_CRTL, 1, CAN_ERR_CRTL_RX_PASSIVE, "error passive in receiving"},
    ErrorWords{CAN_ERR_CRTL, 1, CAN_ERR_CRTL_TX_PASSIVE, "error passive in sending"},
    ErrorWords{CAN_ERR_CRTL, 1, CAN_ERR_CRTL_ACTIVE, "error active again"},
    ErrorWords{CAN_ERR_PROT, 0, 0, "protocol error"},
    ErrorWords{CAN_ERR_PROT, 2, CAN_ERR_PROT_BIT, "bit error"},
    ErrorWords{CAN_ERR_PROT, 2, CAN_ERR_PROT_FORM, "form error"},
    ErrorWords{CAN_ERR_PROT, 2, CAN_ERR_PROT_STUFF, "stuff error"},
    ErrorWords{CAN_ERR_PROT, 2, CAN_ERR_PROT_OVERLOAD, "overload"},
    ErrorWords{CAN_ERR_TRX, 0, 0, "transceiver error"},
    ErrorWords{CAN_ERR_ACK, 0, 0, "nobody acknowledged"},
    ErrorWords{CAN_ERR_BUSOFF, 0, 0, "bus off"},
    ErrorWords{CAN_ERR_BUSERROR, 0, 0, "bus error"},
    ErrorWords{CAN_ERR_RESTARTED, 0, 0, "restarted"},
};

/// With as many digits as the identifier has room for, so that one of 29 bits is seen to be one.
Name written(canid_t id) {
  return Name((id & CAN_EFF_FLAG) != 0 ? fmt::format("{:#010x}", id & CAN_EFF_MASK)
                                       : fmt::format("{:#05x}", id & CAN_SFF_MASK));
}

}  // namespace

CanListener::CanListener(const Setup& setup, Descriptor socket, rt::Clock& clock)
    : setup_(setup),
      socket_(std::move(socket)),
      clock_(clock),
      messages_(setup.all_messages()),
      table_(messages_),
      states_(messages_.size()),
      frames_(heard_at_once) {
  std::vector<iovec> rooms;
  for (Frame& frame : frames_) rooms.push_back({frame.whole().data(), frame.whole().size()});
  reads_ = StampedReads(rooms, clock_.now(), dropped_);
}

Result<std::optional<io::Heard>> CanListener::hear(MonoTime until) {
  for (;;) {
    while (next_ < came_) {
      if (auto heard = look_at(next_++)) return heard;
    }
    if (const int error = read(); error != 0) return refuse(error, "receive", setup_.link());
    if (came_ == 0 && !wait(until)) return std::nullopt;
  }
}

// 0, or the errno of a socket that is of no more use.
int CanListener::read() noexcept {
  const int came = reads_.read(socket_.get(), clock_);
  const int error = came < 0 ? errno : 0;
  next_ = 0;
  came_ = static_cast<std::size_t>(std::max(came, 0));
  return is_lasting(error) ? error : 0;
}

// False where nothing has come by then. A signal ends nothing.
bool CanListener::wait(MonoTime until) const noexcept {
  const Duration left = until - clock_.now();
  if (left.ns <= 0) return false;
  pollfd there{.fd = socket_.get(), .events = POLLIN, .revents = 0};
  const timespec time{.tv_sec = left.ns / 1'000'000'000, .tv_nsec = left.ns % 1'000'000'000};
  return ::ppoll(&there, 1, &time, nullptr) != 0;
}

std::optional<io::Heard> CanListener::look_at(std::size_t slot) {
  const Frame& frame = frames_[slot];
  const std::int64_t dropped = dropped_.get();
  const auto [size, arrived, sender, sender_size] = reads_.take(slot);
  if (size != CAN_MTU && size != CANFD_MTU) return {};  // no frame
  values_.clear();
  remark_.clear();
  if (dropped_.get() > dropped) {
    remark("{} before it were lost, for which the kernel had no room", dropped_.get() - dropped);
  }
  const std::size_t length = std::min(frame.length(), size - Frame::header);
  io::Heard heard;
  heard.at = arrived;
  heard.bytes = frame.payload().first(length);
  if ((frame.id() & CAN_ERR_FLAG) != 0) {
    tell_error(frame);
  } else {
    name(frame, heard);
  }
  heard.values = values_;
  heard.remark = {remark_.data(), remark_.size()};
  return heard;
}

void CanListener::name(const Frame& frame, io::Heard& heard) {
  address_ = written(frame.id());
  heard.address = address_.view();
  const bool asks = (frame.id() & CAN_RTR_FLAG) != 0;
  const auto found = table_.find(frame.id() & ~CAN_RTR_FLAG);
  if (found) heard.name = setup_.database().messages[*found].name;
  if (asks) {
    heard.bytes = {};  // its length is that of the answer
    remark("a remote frame, which asks for it");
  } else if (found) {
    take_apart(*found, frame, heard.bytes.size());
  }
}

void CanListener::take_apart(std::size_t m, const Frame& frame, std::size_t length) {
  const Incoming& message = messages_[m];
  if (length < message.length) {
    return remark("shorter than its message: {} bytes of {}", length, message.length);
  }
  check(m, frame);
  const auto payload = frame.payload();
  for (const Incoming::Part& part : message.parts) {
    if (!part.presence.in(payload)) continue;
    const Signal& signal = setup_.database().messages[m].signals[part.input];
    const std::uint64_t raw = part.field.get(payload);
    values_.push_back({signal.name, part.field.value_of(raw), signal.unit, word_of(signal, raw)});
  }
}

void CanListener::check(std::size_t m, const Frame& frame) {
  const auto payload = frame.payload().first(messages_[m].length);
  switch (messages_[m].protection.check(payload, states_[m])) {
    case Verdict::lost:
      return remark("its counter says that some before it are missing");
    case Verdict::wrong_crc:
      return remark("its checksum is wrong");
    case Verdict::wrong_sequence:
    case Verdict::repeated:
      return remark("its counter does not follow");
    case Verdict::ok:
      break;
  }
}

void CanListener::tell_error(const Frame& frame) {
  const std::size_t before = remark_.size();
  for (const ErrorWords& one : error_words) {
    const bool told = one.byte == 0 || (frame.payload()[one.byte] & one.bits) != 0;
    if ((frame.id() & one.kind) != 0 && told) remark("{}", one.words);
  }
  if (remark_.size() == before) remark("the controller tells of an error");
}

template <class... Args>
void CanListener::remark(fmt::format_string<Args...> format, Args&&... args) {
  if (remark_.size() > 0) remark_.append(std::string_view("; "));
  fmt::format_to(fmt::appender(remark_), format, std::forward<Args>(args)...);
}

}  // namespace hild::can
