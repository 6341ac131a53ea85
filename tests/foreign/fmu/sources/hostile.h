/* SPDX-License-Identifier: Apache-2.0 */
/* x' = -x from 1, of an FMU that means harm as soon as it is loaded. */
#include "support/hostile.h"
#define NX 1
static void start(M* m) { m->r[0] = 1; }
static void derivatives(M* m) { m->r[1] = -m->r[0]; }
static void indicators(M* m, double* z) { (void)m, (void)z; }
static void discrete(M* m) { (void)m; }
static int check(M* m) { return (void)m, 0; }
