// Built-in AI in a whole product on one core, with publishers, viewers and browsers on the others:
//   npm run bench -- ai          all of it, about 15 minutes
//   npm run bench -- ai alone    CPU time and wrong words of the process alone
//   npm run bench -- ai growing  how late text that grows while it is said is known, and what that costs, of the process alone
//   npm run bench -- ai words    wrong words with segments of 2 and 10 seconds, and subtitles beside the speech
//   npm run bench -- ai whip     wrong words of a browser that publishes by WHIP
//   npm run bench -- ai gone     what is noticed when a provider is away for a minute
//   npm run bench -- ai load     what four transcribed streams cost, and what their viewers notice
//   npm run bench -- ai pages    how late text is on the pages of the players, in Chromium
//   npm run bench -- ai talk     how soon the assistant of a room speaks, in Chromium
// With --quick only to see that it works. On a machine with other work the figures say little: built-in AI has low priority.
// Needs ffmpeg with flite, Debian's asterisk-core-sounds-en-g722, taskset and Chromium; fetches the models once.
import { BenchResult } from '../results.ts';
import { alone } from './alone.ts';
import { gone } from './gone.ts';
import { growing } from './growing.ts';
import { load } from './load.ts';
import { pages } from './pages.ts';
import { talk } from './talk.ts';
import { whip } from './whip.ts';
import { words } from './words.ts';

const parts = { alone, growing, words, whip, gone, load, pages, talk };
const given = process.argv.slice(2);
const isQuick = given.includes('--quick');
const wanted = given.filter((name) => name !== '--quick');
for (const name of wanted)
  if (!(name in parts)) throw new Error(`unknown: ${name}; known: ${Object.keys(parts).join(', ')}`);
for (const [name, part] of Object.entries(parts))
  if (wanted.length === 0 || wanted.includes(name)) await part(new BenchResult(`ai-${name}`, { isQuick }), isQuick);
process.exit(0);
