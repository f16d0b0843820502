// Dubbing in a whole product, with a provider on loopback:
//   npm run bench -- dubbing         all of it, about 9 minutes
//   npm run bench -- dubbing long    two hours of film in 2,000 groups: memory of the control plane, and how the studio scrolls in Chromium
//   npm run bench -- dubbing sync    half an hour of flashes and voices: how far apart they are in the export
//   npm run bench -- dubbing outage  a provider that is away in the middle of each step, once for a minute
// With --quick only to see that it works. Needs ffmpeg and Chromium.
import { BenchResult } from '../results.ts';
import { long } from './long.ts';
import { outage } from './outage.ts';
import { sync } from './sync.ts';

const parts = { long, sync, outage };
const given = process.argv.slice(2);
const isQuick = given.includes('--quick');
const wanted = given.filter((name) => name !== '--quick');
for (const [name, part] of Object.entries(parts))
  if (wanted.length === 0 || wanted.includes(name))
    await part(new BenchResult(`dubbing-${name}`, { isQuick }), isQuick);
process.exit(0);
