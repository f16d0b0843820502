/** Names of libass styles that the editor has a control for. */
type StyleName =
  | 'Fontsize'
  | 'PrimaryColour'
  | 'Outline'
  | 'OutlineColour'
  | 'BackColour'
  | 'BorderStyle'
  | 'Bold'
  | 'Alignment'
  | 'MarginV';

/** Style of burnt-in text. Lengths refer to a frame of 288 lines, whatever the video has. */
export interface SubtitleStyle {
  readonly fontSize: number;
  /** `#rrggbb`, as in browsers. */
  readonly colour: string;
  readonly outline: number;
  readonly outlineColour: string;
  /** Box behind the text instead of an outline. */
  readonly isBoxed: boolean;
  readonly isBold: boolean;
  readonly position: number;
  readonly margin: number;
}

/** Height of the frame that styles refer to. */
export const styleLines = 288;

/**
 * Positions by rows from the top. These are SSA numbers, which a forced style keeps; ASS's key pad numbers would put
 * text elsewhere.
 */
export const positions = [
  [5, 'topLeft'],
  [6, 'topCenter'],
  [7, 'topRight'],
  [9, 'middleLeft'],
  [10, 'middleCenter'],
  [11, 'middleRight'],
  [1, 'bottomLeft'],
  [2, 'bottomCenter'],
  [3, 'bottomRight'],
] as const;

/** Defaults for missing properties. */
const usual: SubtitleStyle = {
  fontSize: 16,
  colour: '#ffffff',
  outline: 1,
  outlineColour: '#000000',
  isBoxed: false,
  isBold: false,
  position: 2,
  margin: 10,
};

type Entry = readonly [name: string, value: string];

export function parseForceStyle(text: string): SubtitleStyle {
  const values = new Map(parseEntries(text).map(([name, value]) => [name.toLowerCase(), value]));
  const number = (name: StyleName, otherwise: number) => {
    const value = Number(values.get(name.toLowerCase()) || Number.NaN);
    return Number.isFinite(value) ? value : otherwise;
  };
  const colour = (name: StyleName, otherwise: string) =>
    fromAssColour(values.get(name.toLowerCase()) ?? '') ?? otherwise;
  return {
    fontSize: number('Fontsize', usual.fontSize),
    colour: colour('PrimaryColour', usual.colour),
    outline: number('Outline', usual.outline),
    outlineColour: colour('OutlineColour', usual.outlineColour),
    isBoxed: number('BorderStyle', 1) !== 1,
    isBold: number('Bold', 0) !== 0,
    position: number('Alignment', usual.position),
    margin: number('MarginV', usual.margin),
  };
}

/** Changes a style text. Keeps everything else, including properties without a control. */
export function withStyle(text: string, change: Partial<SubtitleStyle>): string {
  const { fontSize, colour, outline, outlineColour, isBoxed, isBold, position, margin } = change;
  const changes: (readonly [StyleName, string] | undefined)[] = [
    fontSize === undefined ? undefined : ['Fontsize', String(fontSize)],
    colour === undefined ? undefined : ['PrimaryColour', toAssColour(colour)],
    outline === undefined ? undefined : ['Outline', String(outline)],
    outlineColour === undefined ? undefined : ['OutlineColour', toAssColour(outlineColour)],
    isBoxed === undefined ? undefined : ['BorderStyle', isBoxed ? '3' : '1'],
    isBold === undefined ? undefined : ['Bold', isBold ? '1' : '0'],
    position === undefined ? undefined : ['Alignment', String(position)],
    margin === undefined ? undefined : ['MarginV', String(margin)],
  ];
  const entries = changes
    .filter((one) => one !== undefined)
    .reduce<readonly Entry[]>((all, [name, value]) => put(all, name, value), parseEntries(text));
  return entries.map(([name, value]) => (value === '' ? name : `${name}=${value}`)).join(',');
}

function put(entries: readonly Entry[], name: StyleName, value: string): readonly Entry[] {
  const isIt = ([one]: Entry) => one.toLowerCase() === name.toLowerCase();
  if (!entries.some(isIt)) return [...entries, [name, value]];
  return entries.map((entry) => (isIt(entry) ? [entry[0], value] : entry));
}

function parseEntries(text: string): Entry[] {
  return text
    .split(',')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [name = '', value = ''] = part.split(/=(.*)/s).map((side) => side.trim());
      return [name, value];
    });
}

/** `&HAABBGGRR` or `&HBBGGRR`: blue first, with an optional leading byte for transparency. */
function fromAssColour(value: string): string | undefined {
  const [, blue, green, red] = /^&H(?:[0-9a-f]{2})?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})&?$/i.exec(value) ?? [];
  return red === undefined ? undefined : `#${red}${green}${blue}`.toLowerCase();
}

function toAssColour(value: string): string {
  const [, red = 'ff', green = 'ff', blue = 'ff'] = /^#(..)(..)(..)$/.exec(value) ?? [];
  return `&H00${blue}${green}${red}`.toUpperCase();
}
