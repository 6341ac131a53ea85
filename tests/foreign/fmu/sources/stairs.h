/* SPDX-License-Identifier: Apache-2.0 */
/* A slope that grows by 1 every 0.1 s: x; its derivative; count of steps as whole number 0. The
 * event comes when its time has come, and not a rounding earlier. */
#define NX 1
static void start(M* m) { (void)m; }
static void derivatives(M* m) { m->r[1] = (double)m->i[0]; }
static void indicators(M* m, double* z) { (void)m, (void)z; }
static void discrete(M* m) {
  if (m->next >= 0 && m->time >= m->next) ++m->i[0];
  m->next = 0.1 * (double)(m->i[0] + 1);
}
static int check(M* m) { return (void)m, 0; }
