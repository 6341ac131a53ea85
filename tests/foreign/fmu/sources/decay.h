/* SPDX-License-Identifier: Apache-2.0 */
/* x' = -k x from 1, with k (2) from a file among its resources; no number where there is none. */
#include <math.h>
#include <stdio.h>
#define NX 1
static void start(M* m) {
  char path[sizeof m->resources + 16];
  snprintf(path, sizeof path, "%srate.csv", m->resources);
  FILE* file = fopen(path, "r");
  m->r[0] = 1;
  if (file == NULL || fscanf(file, "%lf", &m->r[2]) != 1) m->r[2] = NAN;
  if (file != NULL) fclose(file);
}
static void derivatives(M* m) { m->r[1] = -m->r[2] * m->r[0]; }
static void indicators(M* m, double* z) { (void)m, (void)z; }
static void discrete(M* m) { (void)m; }
static int check(M* m) { return (void)m, 0; }
