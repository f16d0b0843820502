import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { wavHeader } from '@weir/media/wav';

/** Prompts that a person recorded for the telephone exchange Asterisk, and the list of what she says (Debian packages). */
const recordings = '/usr/share/asterisk/sounds/en_US_f_Allison';
const list = '/usr/share/doc/asterisk-core-sounds-en/core-sounds-en.txt.gz';

/** Whole sentences, of several kinds of text. */
export const prompts = [
  'conf-adminmenu',
  'demo-abouttotry',
  'demo-congrats',
  'demo-echotest',
  'demo-moreinfo',
  'demo-nogo',
  'queue-periodic-announce',
  'ss-noservice',
  'tt-allbusy',
] as const;

/** Transcript of a prompt. */
export function textOf(prompt: string): string {
  const lines = gunzipSync(readFileSync(list)).toString('utf8').split('\n');
  const line = lines.find((each) => each.startsWith(`${prompt}: `)) ?? '';
  return line.slice(prompt.length + 2).replace(/\(.*?\)/g, '');
}

/** A prompt as 16-bit samples at 16 kHz. */
export function pcmOf(prompt: string): Buffer {
  const args = ['-v', 'error', '-i', `${recordings}/${prompt}.g722`, '-ar', '16000', '-ac', '1', '-f', 's16le', '-'];
  return execFileSync('ffmpeg', args, { maxBuffer: 64 * 1024 * 1024 });
}

export function wavOf(pcm: Buffer): Buffer {
  return Buffer.concat([wavHeader(pcm.length, 16_000), pcm]);
}

const digits = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** Words as they are compared: how numbers and compounds are written is a matter of taste. */
function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/\d/g, (digit) => ` ${digits[Number(digit)]} `)
    .replace(/['’]/g, '')
    .replace(/[^a-z]+/g, ' ')
    .replace(/voice ?mail/g, 'voicemail')
    .replace(/echo ?test/g, 'echo test')
    .trim()
    .split(' ')
    .filter((word) => word !== '');
}

/** Wrong, missing and added words, and how many there should be. */
export function wordErrors(expected: string, heard: string): { errors: number; words: number } {
  const [left, right] = [wordsOf(expected), wordsOf(heard)];
  return { errors: editDistance(left, right), words: left.length };
}

/** Edit distance of words or characters. */
export function editDistance<T>(left: readonly T[], right: readonly T[]): number {
  let row = right.map((_, column) => column + 1);
  left.forEach((item, line) => {
    let diagonal = line;
    let before = line + 1;
    row = row.map((above, column) => {
      const cost = Math.min(before + 1, above + 1, diagonal + (item === right[column] ? 0 : 1));
      diagonal = above;
      before = cost;
      return cost;
    });
  });
  return row.at(-1) ?? left.length;
}
