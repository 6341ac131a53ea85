// SPDX-License-Identifier: Apache-2.0
/// A model that puts 5 V out until somebody sets the first word of the file $HILD_TRIPWIRE: then it
/// never returns from its derivatives. What hangs it is not a request that the run must serve.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

#include "hild/model/integrated.hpp"

namespace hild::model {
namespace {

const volatile int* tripwire() noexcept {
  static constexpr int never = 0;
  const char* const path = std::getenv("HILD_TRIPWIRE");
  const int file = path != nullptr ? ::open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return &never;
  void* const word = ::mmap(nullptr, sizeof(int), PROT_READ, MAP_SHARED | MAP_POPULATE, file, 0);
  ::close(file);
  return word == MAP_FAILED ? &never : static_cast<const int*>(word);
}

struct Tripwire {
  static constexpr std::string_view name = "tripwire";
  static constexpr std::string_view summary = "5 V until it is tripped; then it hangs";
  static constexpr std::array states{State{"x", "V", 5}};
  static constexpr std::array<Input, 0> inputs{};
  static constexpr std::array outputs{Output{"y", "V"}};
  static constexpr std::array<Parameter, 0> parameters{};
  using D = Data<Tripwire>;

  static void derivatives(double /*t*/, D::X /*x*/, D::U /*u*/, D::P /*p*/, D::DX dx) noexcept {
    static const volatile int* const tripped = tripwire();
    while (*tripped != 0) {
    }
    dx[0] = 0;
  }
  static void outputs_of(double /*t*/, D::X x, D::U /*u*/, D::P /*p*/, D::Y y) noexcept {
    y[0] = x[0];
  }
};

HILD_MODEL(Tripwire);

}  // namespace
}  // namespace hild::model
