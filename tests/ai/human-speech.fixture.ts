import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { wavHeader } from '@weir/media/wav';

/** Prompts that a person recorded for the telephone exchange Asterisk, and the lists of what she says (Debian packages). */
const recordings = {
  en: '/usr/share/asterisk/sounds/en_US_f_Allison',
  es: '/usr/share/asterisk/sounds/es_MX_f_Allison',
} as const;
type Language = keyof typeof recordings;

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
export const textOf = (prompt: string): string => readText(prompt, 'en');

/** A prompt as 16-bit samples at 16 kHz. */
export const pcmOf = (prompt: string): Buffer => readPcm(prompt, 'en');

/** The same in Spanish. */
export const spanish = {
  textOf: (prompt: string): string => readText(prompt, 'es'),
  pcmOf: (prompt: string): Buffer => readPcm(prompt, 'es'),
};

function readText(prompt: string, language: Language): string {
  const list = `/usr/share/doc/asterisk-core-sounds-${language}/core-sounds-${language}.txt.gz`;
  const lines = gunzipSync(readFileSync(list)).toString('utf8').split('\n');
  const line = lines.find((each) => each.startsWith(`${prompt}: `)) ?? '';
  return line.slice(prompt.length + 2).replace(/\(.*?\)/g, '');
}

function readPcm(prompt: string, language: Language): Buffer {
  const file = `${recordings[language]}/${prompt}.g722`;
  const args = ['-v', 'error', '-i', file, '-ar', '16000', '-ac', '1', '-f', 's16le', '-'];
  return execFileSync('ffmpeg', args, { maxBuffer: 64 * 1024 * 1024 });
}

export function wavOf(pcm: Buffer): Buffer {
  return Buffer.concat([wavHeader(pcm.length, 16_000), pcm]);
}

const digits = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** Words as they are compared: how numbers and compounds are written is a matter of taste. */
function wordsOf(text: string): string[] {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
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
