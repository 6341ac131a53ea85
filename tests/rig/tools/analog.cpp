// SPDX-License-Identifier: Apache-2.0
//
// One analog channel by hand, for scripts in the guest: a witness beside hild, in raw counts.

#include <comedilib.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

constexpr const char* usage =
    "usage: analog DEVICE SUBDEVICE CHANNEL read            print the counts\n"
    "       analog DEVICE SUBDEVICE CHANNEL write COUNTS\n";

int fail(const char* what) {
  std::fprintf(stderr, "analog: %s: %s\n", what, comedi_strerror(comedi_errno()));
  return 1;
}

unsigned number(const char* text) { return static_cast<unsigned>(std::strtoul(text, nullptr, 0)); }

}  // namespace

int main(int argc, char** argv) {
  const std::string_view verb = argc > 4 ? argv[4] : "";
  const bool write = verb == "write" && argc == 6;
  if (!(verb == "read" && argc == 5) && !write) {
    std::fputs(usage, stderr);
    return 1;
  }
  comedi_t* device = comedi_open(argv[1]);
  if (device == nullptr) return fail(argv[1]);
  const unsigned subdevice = number(argv[2]);
  const unsigned channel = number(argv[3]);
  comedi_loglevel(0);
  if (write) {
    const lsampl_t counts = number(argv[5]);
    return comedi_data_write(device, subdevice, channel, 0, AREF_GROUND, counts) < 0
               ? fail("cannot write")
               : 0;
  }
  lsampl_t counts = 0;
  if (comedi_data_read(device, subdevice, channel, 0, AREF_GROUND, &counts) < 0) {
    return fail("cannot read");
  }
  std::printf("%u\n", counts);
  return 0;
}
