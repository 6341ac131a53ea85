// SPDX-License-Identifier: Apache-2.0
// Wiring only.

import { accessPanel, storedToken } from './access.js';
import { controlsPanel } from './controls.js';
import { eventsPanel } from './events.js';
import { faultsPanel } from './faults.js';
import { histogramsPanel } from './histograms.js';
import { overrunsPanel } from './overruns.js';
import { modelsPanel } from './models.js';
import { nodesPanel } from './nodes.js';
import { ownerPanel } from './owner.js';
import { parametersPanel } from './parameters.js';
import { plotsPanel } from './plots.js';
import { Connection } from './rpc.js';
import { Run } from './run.js';
import { Signals } from './signals.js';
import { statusPanel } from './status.js';
import { stimuliPanel } from './stimuli.js';

const run = new Run(new Connection(storedToken()));
const signals = new Signals(run);
statusPanel(run);
accessPanel(run);
plotsPanel(run, signals);
controlsPanel(run);
ownerPanel(run);
parametersPanel(run);
faultsPanel(run);
stimuliPanel(run);
histogramsPanel(run);
modelsPanel(run);
nodesPanel(run);
overrunsPanel(run);
eventsPanel(run);
