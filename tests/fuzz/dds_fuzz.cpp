// SPDX-License-Identifier: Apache-2.0
/// \file
/// Any bytes that a gateway writes into the page give the frame finite values, none of the future
/// and none older than before; and any plans and samples of a node give the page such. The bytes
/// are a task, too, which is one or is refused.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "drivers/dds/inbox.hpp"
#include "drivers/dds_receiver.hpp"

namespace {

using namespace hild;
using namespace hild::dds;

void expect(bool holds) {
  if (!holds) std::abort();
}

constexpr MonoTime begin{1'000'000'000'000};

/// The frame's side of a page that others write to.
class Frame {
 public:
  explicit Frame(Duration min_age)
      : receiver_(page_, places_, start_, begin, min_age, unreadable_) {}
  void look(MonoTime now) {
    std::vector<MonoTime> sampled(2, now);
    receiver_.look(sampled);
    std::vector<double> inputs(3);
    receiver_.put(inputs);
    for (const double value : inputs) expect(std::isfinite(value));
    for (std::size_t n = 0; n < 2; ++n) {
      expect(sampled[n] <= now && sampled[n] >= last_[n]);
      last_[n] = sampled[n];
    }
  }
  [[nodiscard]] const Page& page() const { return page_; }
  [[nodiscard]] std::vector<TwoImages> images() const {
    return page_.images(std::array<std::size_t, 2>{2, 1});
  }
  [[nodiscard]] std::span<std::byte> bytes() { return theirs_; }

 private:
  static std::span<std::byte> all_of(PageHead& head) {
    return {reinterpret_cast<std::byte*>(&head), Page::bytes()};
  }
  Descriptor file_;
  Page page_ = Page::make(file_).value();
  std::span<std::byte> theirs_ = all_of(page_.head());
  rt::Counter unreadable_;
  const std::vector<Places> places_{{0, 2}, {1}};
  const std::vector<double> start_{1, 2, 3};
  Receiver receiver_;
  std::vector<MonoTime> last_{2, begin - Duration{31'536'000'000'000'000}};
};

/// Numbers out of the bytes; zeros behind their end.
class Bytes {
 public:
  explicit Bytes(std::span<const std::uint8_t> bytes) : rest_(bytes) {}
  [[nodiscard]] bool any() const { return !rest_.empty(); }
  template <class T>
  T next() {
    T value{};
    const std::size_t n = std::min(sizeof value, rest_.size());
    std::memcpy(&value, rest_.data(), n);
    rest_ = rest_.subspan(n);
    return value;
  }

 private:
  std::span<const std::uint8_t> rest_;
};

void scribble(Bytes bytes) {
  Frame frame(Duration{1500 * (bytes.next<std::uint8_t>() % 2)});
  MonoTime now = begin;
  while (bytes.any()) {
    const std::span<std::byte> page = frame.bytes();
    const std::size_t at = bytes.next<std::uint16_t>() % (page.size() / 8);
    const auto word = bytes.next<std::uint64_t>();
    std::memcpy(page.data() + 8 * at, &word, sizeof word);
    frame.look(now += Duration{1000});
  }
}

Name any_name(Bytes& bytes) {
  constexpr std::array<std::string_view, 6> names{"a", "b", "V", "mV", "1", "\x1b["};
  return names[bytes.next<std::uint8_t>() % names.size()];
}

void hear(Bytes bytes) {
  Frame frame(Duration{1500 * (bytes.next<std::uint8_t>() % 2)});
  const std::string_view a = "a";
  Inbox inbox({a, {{a, std::string_view("V")}, {std::string_view("b"), std::string_view("1")}}},
              frame.images().front(), frame.page().head().counts);
  MonoTime now = begin;
  while (bytes.any()) {
    const auto kind = bytes.next<std::uint8_t>();
    if (kind % 4 == 0) {
      PeerPlan plan{.run = bytes.next<std::uint8_t>(),
                    .plan = bytes.next<std::uint8_t>(),
                    .utc_behind_tai = kind % 8 == 0 ? 37 : bytes.next<std::int64_t>()};
      for (int n = kind / 16; n > 0; --n)
        plan.signals.push_back({any_name(bytes), any_name(bytes)});
      (void)inbox.take_plan(std::move(plan), kind / 8 % 4, 37);
    } else if (kind % 4 == 1) {
      (void)inbox.lose_writer(kind / 8 % 4, 37);
    } else {
      PeerSample sample{.run = bytes.next<std::uint8_t>(),
                        .plan = bytes.next<std::uint8_t>(),
                        .number = bytes.next<std::uint64_t>(),
                        .origin = bytes.next<std::int64_t>()};
      std::vector<double> values(kind / 16);
      for (double& value : values) value = bytes.next<double>();
      sample.values = values;
      inbox.take_sample(sample, {now, Duration{37'000'000'000}, 37});
    }
    frame.look(now += Duration{1000});
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto task = unpacked(text)) {
    const auto again = unpacked(packed(*task));  // names that are too long were cut
    expect(again && packed(*again) == packed(*task));
  }
  scribble(Bytes({data, size}));
  hear(Bytes({data, size}));
  return 0;
}
