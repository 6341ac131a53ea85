// SPDX-License-Identifier: Apache-2.0
/// The models of `growth`: one of each size along each axis. The smallest of all axes is the same.
#include "support/grown.hpp"

namespace hild::test {
namespace {

using Base = Grown<Sizes{}, "grown">;
HILD_MODEL(Base);

using Channels100 = Grown<Sizes{.channels = 100}, "grown-channels-100">;
HILD_MODEL(Channels100);
using Channels1000 = Grown<Sizes{.channels = 1000}, "grown-channels-1000">;
HILD_MODEL(Channels1000);
using Channels2500 = Grown<Sizes{.channels = 2500}, "grown-channels-2500">;
HILD_MODEL(Channels2500);

using States100 = Grown<Sizes{.states = 100}, "grown-states-100">;
HILD_MODEL(States100);
using States1000 = Grown<Sizes{.states = 1000}, "grown-states-1000">;
HILD_MODEL(States1000);
using States10000 = Grown<Sizes{.states = 10'000}, "grown-states-10000">;
HILD_MODEL(States10000);

using Events1 = Grown<Sizes{.events = 1}, "grown-events-1">;
HILD_MODEL(Events1);
using Events10 = Grown<Sizes{.events = 10}, "grown-events-10">;
HILD_MODEL(Events10);
using Events100 = Grown<Sizes{.events = 100}, "grown-events-100">;
HILD_MODEL(Events100);
using Events1000 = Grown<Sizes{.events = 1000}, "grown-events-1000">;
HILD_MODEL(Events1000);

using Parameters1000 = Grown<Sizes{.parameters = 1000}, "grown-parameters-1000">;
HILD_MODEL(Parameters1000);
using Parameters10000 = Grown<Sizes{.parameters = 10'000}, "grown-parameters-10000">;
HILD_MODEL(Parameters10000);
#ifndef __clang__  // which gives up on so long a table when it is compiled
using Parameters100000 = Grown<Sizes{.parameters = 100'000}, "grown-parameters-100000">;
HILD_MODEL(Parameters100000);
#endif

// Much of what an image for readers holds: states, and parameters that no frame touches otherwise.
using Images = Grown<Sizes{.states = 5000, .parameters = 10'000}, "grown-images">;
HILD_MODEL(Images);

}  // namespace
}  // namespace hild::test
