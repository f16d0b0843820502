/** Longer side of a slate's picture in pixels. */
const longest = 1920;

interface TextPlace {
  readonly width: number;
  readonly height: number;
  /** On a picture, at its lower end; else in the middle of our own. */
  readonly isCaption: boolean;
}

/** Even size with the proportions of a picture. Text is drawn at full size; a film is not enlarged for nothing. */
export function slateSize({ width, height }: { readonly width: number; readonly height: number }, isEnlarged: boolean) {
  if (width <= 0 || height <= 0) return { width: longest, height: 1080 };
  const factor = Math.min(isEnlarged ? Number.POSITIVE_INFINITY : 1, longest / Math.max(width, height));
  const even = (length: number) => Math.max(2, Math.round((length * factor) / 2) * 2);
  return { width: even(width), height: even(height) };
}

/** The text as a script of libass, which finds a font for each character and breaks lines. */
export function slateScript(text: string, { width, height, isCaption }: TextPlace): string {
  const size = Math.round(Math.min(width, height) / (isCaption ? 14 : 11));
  const margin = Math.round(Math.min(width, height) / 16);
  // Colours are alpha, blue, green, red: our light text, and our dark ground behind it.
  const box = isCaption ? `3,${Math.round(size / 3)},0,2` : '1,0,0,5';
  const style = `Text,sans-serif,${size},&H00F8F5F2,&H00F8F5F2,&H5A1D1510,&H5A1D1510,-1,0,0,0,100,100,0,0,${box}`;
  const lines = [`Dialogue: 0,0:00:00.00,9:59:59.00,Text,,0,0,0,,${escaped(text)}`];
  if (!isCaption) lines.push(`Dialogue: 0,0:00:00.00,9:59:59.00,Text,,0,0,0,,${mark(width, height)}`);
  return [
    '[Script Info]',
    'ScriptType: v4.00+',
    `PlayResX: ${width}`,
    `PlayResY: ${height}`,
    'WrapStyle: 0',
    '[V4+ Styles]',
    'Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding',
    `Style: ${style},${margin},${margin},${margin},1`,
    '[Events]',
    'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text',
    ...lines,
    '',
  ].join('\n');
}

/** Braces and backslashes mean something to libass. */
function escaped(text: string): string {
  return text
    .replace(/\\/g, '\\\u2060')
    .replace(/[{}]/g, '\\$&')
    .replace(/\r?\n/g, '\\N')
    .replace(/\p{Cc}/gu, ' ');
}

/** The two waves of the product, above the text. */
function mark(width: number, height: number): string {
  const unit = Math.min(width, height) / 1080;
  const [x, y] = [Math.round(width / 2 - 96 * unit), Math.round(height / 2 - 230 * unit)];
  const wave =
    'm 0 0 b 24 0 24 20 64 20 b 96 20 96 0 128 0 b 160 0 160 20 192 20 l 192 32 b 152 32 152 12 128 12 b 104 12 104 32 64 32 b 24 32 24 12 0 12';
  const scale = Math.round(unit * 100);
  const at = (top: number, color: string) =>
    `{\\an7\\pos(${x},${top})\\bord0\\shad0\\fscx${scale}\\fscy${scale}\\1c${color}\\p1}${wave}{\\p0}`;
  return `${at(y, '&HA5B04F&')}`;
}
