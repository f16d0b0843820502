// Follows a viewer, a forward and a recording while the publisher of a program with a slate is away:
//   node bench/program-gaps.ts [seconds …]       1, 5, 30 and 300 unless told
// The line of the publisher breaks for so long, then its address changes. Needs ffmpeg.
import process from 'node:process';
import { Live } from '../tests/media/fixtures/live.fixture.ts';
import { GapStage } from '../tests/media/fixtures/program-gap.fixture.ts';
import { BenchResult } from './results.ts';

const given = process.argv.slice(2).map(Number);
const result = new BenchResult('program-gaps', { isQuick: given.length > 0 });
const [here, there] = await Promise.all([Live.start(), Live.start()]);
try {
  const stage = await GapStage.open(here, there);
  for (const seconds of given.length > 0 ? given : [1, 5, 30, 300]) {
    const beganMs = performance.now();
    const onAir = await stage.gap(seconds * 1000);
    const backMs = Math.round(performance.now() - beganMs - seconds * 1000);
    result.add({ what: 'gap', seconds, onAir, backMs });
  }
  await stage.changeAddress();
  result.add({ what: 'after all gaps and a change of address', ...(await stage.close()) });
} finally {
  await Promise.all([here.close(), there.close()]);
}
process.exit(0);
