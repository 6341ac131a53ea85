/* SPDX-License-Identifier: Apache-2.0 */
/* A ball without drag: h, v; their derivatives; g (4), restitution e (5), impacts so far (6). It
 * acts on a crossing alone: h not above the floor, and falling; and leaves it just above, since to
 * leave it at 0 would be to cross once more. */
#include <float.h>
#define NX 2
#define NZ 1
static void start(M* m) {
  m->r[0] = 1;
  m->r[4] = 9.80665;
  m->r[5] = 0.8;
}
static void derivatives(M* m) {
  m->r[2] = m->r[1];
  m->r[3] = -m->r[4];
}
static void indicators(M* m, double* z) { z[0] = m->r[0]; }
static void discrete(M* m) {
  if (m->r[0] > 0 || m->r[1] >= 0) return;
  m->r[0] = DBL_MIN;
  m->r[1] = -m->r[5] * m->r[1];
  m->r[6] += 1;
  m->values_changed = 1;
}
static int check(M* m) { return (void)m, 0; }
