// SPDX-License-Identifier: Apache-2.0
/// \file
/// The driver of converter cards keeps what every driver owes: on a card that is not there, and
/// where there is one. The virtual rig has two; one of them, `comedi_test`, is detached while it
/// runs.
#include <unistd.h>

#include <cstdlib>

#include "support/driver_conformance.hpp"
#include "tests/drivers/fake_card.hpp"
#include "tests/drivers/fake_options.hpp"

namespace hild::test {
namespace {

struct ComediAnalog {
  using Options = FakeOptions;
  static constexpr std::string_view driver = "comedi";
  static constexpr double resolution = 20.0 / 4095;  // of a card of 12 bits
  static std::string missing() {
    if (std::getenv("HILD_TEST_CARD") == nullptr) {
      return "no card to try: HILD_TEST_CARD=1 takes /dev/comedi0, whatever is wired to it";
    }
    attach();
    return {};
  }
  static Texts device() { return {{"path", "/dev/comedi0"}, {"calibration", "none"}}; }
  static std::vector<Texts> inputs() {
    return {{{"subdevice", "0"}, {"channel", "0"}, {"range", "-10 V..10 V"}},
            {{"subdevice", "0"}, {"channel", "1"}, {"range", "-10 V..10 V"}}};
  }
  static std::vector<Texts> outputs() {
    return {{{"subdevice", "1"}, {"channel", "0"}, {"range", "-10 V..10 V"}},
            {{"subdevice", "1"}, {"channel", "1"}, {"range", "-10 V..10 V"}}};
  }
  static void fail(io::Device& /*device*/) { run("comedi_config -r /dev/comedi0"); }

 private:
  // Refused where it is attached already.
  static void attach() { run("comedi_config /dev/comedi0 comedi_test 1000000,100000"); }
  static void run(const char* command) {
    static_cast<void>(std::system(command));  // NOLINT(cert-env33-c): in the rig
  }
};

/// Analog inputs that the card samples each 20 us, and all else that it has.
struct ComediCommanded {
  using Options = FakeOptions;
  static constexpr std::string_view driver = "comedi";
  static constexpr double resolution = 20.0 / 65535;
  static Texts device() {
    card.reset();  // there is one at a time
    card = std::make_unique<FakeCard>();
    (*card)->by_clock = true;
    return {{"path", card->path()},
            {"calibration", "none"},
            {"command.period", "20 us"},
            {"command.scans", "256"}};
  }
  static std::vector<Texts> inputs() {
    return {{{"subdevice", "2"}, {"channel", "1"}, {"digital", "true"}},
            {{"subdevice", "0"}, {"channel", "0"}},
            {{"subdevice", "3"}, {"channel", "0"}, {"counter", "true"}, {"reset", "true"}},
            {{"subdevice", "0"}, {"channel", "2"}}};
  }
  static std::vector<Texts> outputs() {
    return {{{"subdevice", "1"}, {"channel", "0"}},
            {{"subdevice", "2"}, {"channel", "0"}, {"digital", "true"}},
            {{"subdevice", "4"}, {"channel", "1"}, {"pwm", "1 ms"}}};
  }
  static void fail(io::Device& /*device*/) { card->end(true); }

 private:
  static inline std::unique_ptr<FakeCard> card;
};

INSTANTIATE_TYPED_TEST_SUITE_P(ComediCommanded, DriverConformance, ComediCommanded);
/// The same card, sampled by its own clock: it cannot be detached while it does.
struct ComediSampled : ComediAnalog {
  static Texts device() {
    auto keys = ComediAnalog::device();
    keys.emplace("command.period", "20 ms");
    return keys;
  }
  static void fail(io::Device& device) = delete;
};

INSTANTIATE_TYPED_TEST_SUITE_P(ComediAnalog, DriverConformance, ComediAnalog);
INSTANTIATE_TYPED_TEST_SUITE_P(ComediSampled, DriverConformance, ComediSampled);

}  // namespace
}  // namespace hild::test
