import { runPlane } from '@weir/plane';
import { startEngine } from './engine.ts';
import { startSrsGate } from './srs-gate.ts';

runPlane('engine', (boot, log, launcher, hidden) => {
  const { srs } = boot.config;
  return srs ? startSrsGate(boot, log, srs) : startEngine(boot, log, launcher, hidden);
});
