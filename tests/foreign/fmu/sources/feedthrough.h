/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs are inputs. Real: 0 -> 1 continuous; 2 -> 3 discrete, in event mode only. Whole: 0 -> 1, 2
 * -> 3 (and in 3.0 each type its own); boolean 0 -> 1: in event mode only. Real 4: events so far; 5: a fixed
 * parameter, 6: a tunable one, 7: their sum as event mode saw it. */
#define NX 0
static void start(M* m) {
  m->r[5] = 1;
  m->r[6] = 10;
}
static void derivatives(M* m) { m->r[1] = m->r[0]; }
static void indicators(M* m, double* z) { (void)m, (void)z; }
static void discrete(M* m) {
  m->r[3] = m->r[2];
  for (int k = 0; k < WHOLES; k += 2) m->i[k + 1] = m->i[k], m->b[k + 1] = m->b[k];
  m->r[4] += 1;
  m->r[7] = m->r[5] + m->r[6];
}
static int check(M* m) { return (void)m, 0; }
