// SPDX-License-Identifier: Apache-2.0
/// A model of ten thousand states and a sparse Jacobian: what `hild check` takes for it.
#include "support/plate.hpp"

namespace hild::test {
namespace {

using Plate100 = Plate<100>;
HILD_MODEL(Plate100);

}  // namespace
}  // namespace hild::test
