// Measures memory and descriptors of the whole product before and after N viewers joined and left.
//   node bench/webrtc/churn.mjs [--n 1000] [--rounds 2] [--transport own]
// "Before" is after a hundred viewers: by then the processes have loaded and compiled what they need. The young generation of V8 is kept
// small here: otherwise it grows by tens of megabytes with the work of a second, which hides what stays.
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BenchResult } from '../results.ts';
import { descriptors, enginePids, residentMb, startOn, startProduct, whepUrl } from './product.mjs';

const { values } = parseArgs({
  options: {
    n: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '2' },
    transport: { type: 'string', default: 'own' },
  },
});

async function comeAndGo(count) {
  const child = startOn(1, process.execPath, [join(import.meta.dirname, 'comers.mjs'), whepUrl, String(count)]);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('not everybody was served');
}

/** The least of some looks: what waits to be collected is not kept. */
async function sample() {
  const samples = [];
  for (let n = 0; n < 15; n++) {
    await sleep(1000);
    const { engine, workers } = enginePids();
    samples.push({
      engineMb: residentMb(engine),
      workersMb: residentMb(workers),
      engineDescriptors: descriptors(engine),
      workersDescriptors: descriptors(workers),
    });
  }
  return Object.fromEntries(Object.keys(samples[0]).map((key) => [key, Math.min(...samples.map((each) => each[key]))]));
}

const product = await startProduct({
  WEIR_RTC_TRANSPORT: values.transport,
  NODE_OPTIONS: '--max-semi-space-size=1',
});
try {
  await comeAndGo(100);
  const result = new BenchResult('webrtc-churn');
  result.add({ transport: values.transport, joined: 100, ...(await sample()) });
  for (let round = 1; round <= Number(values.rounds); round++) {
    const startedMs = performance.now();
    await comeAndGo(Number(values.n));
    const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
    const after = await sample();
    const { viewers } = await product.sent();
    result.add({ transport: values.transport, joined: Number(values.n), seconds, ...after, viewers });
  }
} finally {
  await product.close();
}
