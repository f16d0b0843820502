import { transcriptDefaults } from '@weir/contract';
import { WeirError } from '../../../core/errors.ts';

type Check = (value: string) => boolean;

const number =
  (least: number, most: number): Check =>
  (value) =>
    /^-?\d{1,4}(\.\d{1,3})?$/.test(value) && Number(value) >= least && Number(value) <= most;
const flag: Check = (value) => ['0', '1', '-1'].includes(value);
/** `&HAABBGGRR`, as libass has it. */
const colour: Check = (value) => /^&H[0-9A-Fa-f]{6,8}&?$/.test(value);
const fontName: Check = (value) => /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,63}$/u.test(value);

/** Fields of a style that may be set, and what each takes. None of them names a file. */
const fields: ReadonlyMap<string, readonly [name: string, check: Check]> = new Map(
  (
    [
      ['Fontname', fontName],
      ['Fontsize', number(1, 200)],
      ['PrimaryColour', colour],
      ['SecondaryColour', colour],
      ['OutlineColour', colour],
      ['BackColour', colour],
      ['Bold', flag],
      ['Italic', flag],
      ['Underline', flag],
      ['StrikeOut', flag],
      ['ScaleX', number(1, 1000)],
      ['ScaleY', number(1, 1000)],
      ['Spacing', number(-100, 100)],
      ['Angle', number(-360, 360)],
      ['BorderStyle', (value) => ['1', '3', '4'].includes(value)],
      ['Outline', number(0, 100)],
      ['Shadow', number(0, 100)],
      ['Alignment', number(1, 11)],
      ['MarginL', number(0, 2000)],
      ['MarginR', number(0, 2000)],
      ['MarginV', number(0, 2000)],
    ] satisfies [string, Check][]
  ).map(([name, check]) => [name.toLowerCase(), [name, check]]),
);

/**
 * `Alignment=2,MarginV=20` → the same, of known names and plain values only. It becomes part of a filter of ffmpeg's, so nothing
 * else may be in it.
 */
export function parseForceStyle(text: string): string {
  const parts = (text.trim() === '' ? transcriptDefaults.forceStyle : text)
    .split(',')
    .filter((part) => part.trim() !== '');
  return parts
    .map((part) => {
      const [given = '', value = ''] = part.split(/=(.*)/s).map((side) => side.trim());
      const [name, check] = fields.get(given.toLowerCase()) ?? [];
      if (!name || !check?.(value))
        throw new WeirError(
          'invalid_input',
          'forceStyle: may contain only style fields such as Alignment=2,MarginV=20',
        );
      return `${name}=${value}`;
    })
    .join(',');
}
