import { transcriptDefaults } from '@weir/contract';
import { WeirError } from '../../../core/errors.ts';

type Check = (value: string) => boolean;

const oneOf =
  (...values: string[]): Check =>
  (value) =>
    values.includes(value);
const whole =
  (least: number, most: number): Check =>
  (value) =>
    /^\d{1,6}$/.test(value) && Number(value) >= least && Number(value) <= most;
/** `800k`, `2M`, `1200000`; up to 100 Mbps. */
const rate: Check = (value) => {
  const [, digits = '', unit = ''] = /^(\d{1,9})([kKmM]?)$/.exec(value) ?? [];
  const bits = Number(digits) * (unit === '' ? 1 : /k/i.test(unit) ? 1000 : 1_000_000);
  return digits !== '' && bits >= 10_000 && bits <= 100_000_000;
};

type Rule = readonly [name: string, check: Check];

const codec: Rule = ['-c:v', oneOf('libx264', 'h264')];
const profile: Rule = ['-profile:v', oneOf('baseline', 'main', 'high')];
const presets = ['ultrafast', 'superfast', 'veryfast', 'faster', 'fast', 'medium', 'slow', 'slower', 'veryslow'];
const preset: Rule = ['-preset:v', oneOf(...presets)];
const tune: Rule = ['-tune', oneOf('zerolatency', 'film', 'animation', 'grain', 'stillimage', 'fastdecode')];

/** Options that may be set, each by its names, and what it takes. All have exactly one value, and none names a file. */
const options: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...['-c:v', '-vcodec', '-codec:v'].map((name) => [name, codec] as const),
  ...['-profile:v', '-profile'].map((name) => [name, profile] as const),
  ...['-preset:v', '-preset'].map((name) => [name, preset] as const),
  ...['-tune', '-tune:v'].map((name) => [name, tune] as const),
  ['-bf', ['-bf', whole(0, 16)]],
  ['-crf', ['-crf', whole(0, 51)]],
  ['-g', ['-g', whole(1, 1000)]],
  ['-refs', ['-refs', whole(1, 16)]],
  ['-threads', ['-threads', whole(1, 64)]],
  ['-level', ['-level:v', (value) => /^[1-6](\.[0-2])?$/.test(value)]],
  ['-pix_fmt', ['-pix_fmt', oneOf('yuv420p')]],
  ...['-b:v', '-vb'].map((name): [string, Rule] => [name, ['-b:v', rate]]),
  ['-maxrate', ['-maxrate', rate]],
  ['-bufsize', ['-bufsize', rate]],
]);

/** Text of options → arguments of ffmpeg: known options with known values only, each once. */
export function parseCodecParams(text: string): string[] {
  const words = (text.trim() === '' ? transcriptDefaults.videoCodecParams : text).trim().split(/\s+/);
  const found = new Map<string, string>([['-c:v', 'libx264']]);
  for (let at = 0; at < words.length; at += 2) {
    const [name, check] = options.get(words[at] ?? '') ?? [];
    const value = words[at + 1] ?? '';
    if (!name || !check?.(value)) {
      throw new WeirError(
        'invalid_input',
        'videoCodecParams: may contain only supported libx264 options, each with a value',
      );
    }
    found.set(name, name === '-c:v' ? 'libx264' : value);
  }
  return [...found].flat();
}
