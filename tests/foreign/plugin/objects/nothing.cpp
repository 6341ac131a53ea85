// SPDX-License-Identifier: Apache-2.0
/// A shared object that is no model.
extern "C" int answer() { return 42; }
