import { execFileSync } from 'node:child_process';

const latin = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf';
const chinese = '/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf';

interface Frame {
  readonly name: string;
  /** From top to bottom. */
  readonly lines: readonly string[];
  readonly size: number;
  readonly color?: string;
  readonly background?: string;
  readonly font?: string;
  /** Position of the first line, and distance between lines. */
  readonly top?: number;
  readonly left?: number;
  /** Frame size; 1280 × 720 if not given. */
  readonly resolution?: string;
  /** Dark box behind the text. */
  readonly isBoxed?: boolean;
}

/** Typical text of streams: titles, captions, tickers, scores. */
export const frames: readonly Frame[] = [
  { name: 'English', lines: ['Welcome to the evening show', 'Tonight: how rivers shape cities'], size: 44 },
  { name: 'Chinese', lines: ['欢迎收看今天的新闻节目', '请保持安全距离'], size: 48, font: chinese },
  { name: 'small', lines: ['Camera two, main stage', 'Recorded in front of a live audience'], size: 20 },
  {
    name: 'low contrast',
    lines: ['Weather warning in force', 'until Sunday morning'],
    size: 40,
    color: '0x707880',
    background: '0x485058',
  },
  {
    name: 'ticker',
    lines: ['BREAKING NEWS: markets close higher after a quiet day of trading in Europe'],
    size: 26,
    color: 'white',
    background: '0x902020',
    top: 660,
    left: 30,
  },
  { name: 'digits', lines: ['12:45:30', 'Score 104 : 98', '+49 30 901820'], size: 52 },
];

/** Capitals and digits in a small frame, between which the recognizer leaves spaces out. */
export const boxedCapitals: Frame = {
  name: 'boxed capitals',
  lines: ['WEIR DEMO 42', 'LOCK 7 OPENS AT 9'],
  size: 36,
  resolution: '640x360',
  top: 80,
  left: 80,
  isBoxed: true,
};

/** A frame over a picture that is not plain. */
export function drawFrame(frame: Frame, codec: 'mjpeg' | 'png' = 'mjpeg'): Buffer {
  const { lines, size, color = 'white', background, font = latin, top = 200, left = 120 } = frame;
  const { resolution = '1280x720', isBoxed = false } = frame;
  const box = isBoxed ? ':box=1:boxcolor=black:boxborderw=12' : '';
  const source = background
    ? `color=c=${background}:s=${resolution}:d=1`
    : `gradients=s=${resolution}:c0=0x102040:c1=0x406080:d=1:speed=0.00001:seed=1`;
  const texts = lines.map(
    (text, index) =>
      `drawtext=fontfile=${font}:text='${text.replaceAll(/[:%]/g, '\\$&')}':fontsize=${size}:fontcolor=${color}:x=${left}:y=${top + index * size * 2}${box}`,
  );
  const args = ['-v', 'error', '-f', 'lavfi', '-i', source, '-vf', texts.join(','), '-frames:v', '1'];
  return execFileSync(
    'ffmpeg',
    [...args, '-c:v', codec, ...(codec === 'mjpeg' ? ['-q:v', '4'] : []), '-f', 'image2pipe', '-'],
    { maxBuffer: 32 * 1024 * 1024 },
  );
}
