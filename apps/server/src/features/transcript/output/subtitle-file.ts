import type { Cue } from '../../../speech/cue.ts';

/** As ffmpeg lays out plain subtitles, so that styles look as people know them. */
const head = `[Script Info]
ScriptType: v4.00+
PlayResX: 384
PlayResY: 288
ScaledBorderAndShadow: yes
WrapStyle: 0

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,Arial,16,&Hffffff,&Hffffff,&H0,&H0,0,0,0,0,100,100,0,0,1,1,0,2,10,10,10,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
`;

/** Cues for libass, on the clock that the packets of their segment have. */
export function assOf(cues: readonly Cue[]): string {
  const lines = cues.map(
    ({ startMs, endMs, text }) => `Dialogue: 0,${time(startMs)},${time(endMs)},Default,,0,0,0,,${plain(text)}\n`,
  );
  return head + lines.join('');
}

function time(ms: number): string {
  const hundredths = Math.max(0, Math.round(ms / 10));
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const seconds = Math.floor(hundredths / 100);
  return `${Math.floor(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}.${two(hundredths % 100)}`;
}

/** Braces and backslashes are commands to libass; what people say is none. A joiner after the backslash makes it a letter. */
function plain(text: string): string {
  return text
    .replaceAll('\\', '\\\u2060')
    .replaceAll('{', '\\{')
    .replaceAll('}', '\\}')
    .split(/\r?\n|\r/)
    .join('\\N');
}
