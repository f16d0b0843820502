import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProgramInput } from '@weir/contract';
import { slateFolder } from '@weir/engine-api';
import { fileOptions, runTool, stillOptions } from '@weir/process';
import { WeirError } from '../../core/errors.ts';
import { Semaphore } from '../../core/semaphore.ts';
import type { Sources } from '../../media-sources/sources.ts';
import { plainArt, type SlateArt } from './program-plan.ts';

type Slate = Pick<ProgramInput, 'picture' | 'text' | 'music' | 'leastBitrate'>;

/** Changes when files are made in another way. */
const version = 1;
const filmSeconds = 15;
const musicSeconds = 60;
const mostFps = 30;
const withinMs = 120_000;
const mostFileBytes = 32 * 1024 * 1024;
/** Lower priority than viewers and publishers. */
const niceness = 10;
const bounds = { atOnce: 1, waiting: 20, refusal: 'too many slates are being made, try again' };
const quiet = ['-hide_banner', '-nostdin', '-loglevel', 'warning', '-y'];

interface Context {
  readonly dataDir: string;
  readonly sources: Pick<Sources, 'forSlate'>;
}

/**
 * Converts uploads for slates into files for the engine: one format, a bounded size, with the text drawn. The engine never opens an upload
 * itself. The name of a file is derived from everything that it depends on, so a file that exists is current.
 */
export class SlateFiles {
  readonly #directory: string;
  readonly #sources: Context['sources'];
  readonly #turns = new Semaphore(bounds);
  readonly #running = new Map<string, Promise<string>>();

  constructor({ dataDir, sources }: Context) {
    this.#directory = join(dataDir, slateFolder);
    this.#sources = sources;
  }

  /** Returns the files of a slate and makes those that are missing. Throws an explanation if an upload is unusable. */
  async of(slate: Slate | undefined): Promise<SlateArt> {
    if (!slate) return plainArt;
    const { picture, text, music, leastBitrate } = slate;
    return {
      picture: picture === '' && text === '' ? '' : await this.#picture(picture, text),
      music: music === '' ? '' : await this.#music(music),
      leastKbps: leastBitrate,
    };
  }

  /** Removes files that no slate uses any more. */
  async keepOnly(art: readonly SlateArt[]): Promise<void> {
    const kept = new Set(art.flatMap(({ picture, music }) => [picture, music]));
    const names = await readdir(this.#directory).catch(() => []);
    for (const name of names) {
      if (!kept.has(name) && !this.#running.has(name.slice(0, 32)))
        await rm(join(this.#directory, name), { force: true });
    }
  }

  async #picture(uuid: string, text: string): Promise<string> {
    const name = nameOf(['picture', uuid, text]);
    const known = (await this.#find(`${name}.png`)) ?? (await this.#find(`${name}.mkv`));
    return known ?? this.#once(name, () => this.#makePicture(name, uuid, text));
  }

  async #music(uuid: string): Promise<string> {
    const name = nameOf(['music', uuid]);
    return (await this.#find(`${name}.flac`)) ?? this.#once(name, () => this.#makeMusic(name, uuid));
  }

  async #makePicture(name: string, uuid: string, text: string): Promise<string> {
    const source = uuid === '' ? undefined : await this.#sources.forSlate(uuid, 'video');
    const { width, height } = slateSize(source ?? { width: 0, height: 0 }, text !== '');
    const folder = await mkdtemp(join(tmpdir(), 'weir-slate-'));
    try {
      const script = join(folder, 'text.ass');
      const isCaption = source !== undefined;
      if (text !== '') await writeFile(script, slateScript(text, { width, height, isCaption }));
      const shape = [`scale=${width}:${height}`, 'setsar=1', ...(text === '' ? [] : [`ass=${filterValue(script)}`])];
      const color = ['-f', 'lavfi', '-i', `color=c=0x10151d:s=${width}x${height}:r=1`];
      const still = source && stillOptions(source.path);
      const input = source ? [...(still ?? fileOptions), '-i', `file:${source.path}`] : color;
      if (!source || still) {
        const output = ['-frames:v', '1', '-vf', [...shape, 'format=rgb24'].join(), '-c:v', 'png', '-f', 'image2pipe'];
        return await this.#make(`${name}.png`, [...input, '-map', '0:v:0', ...output], text);
      }
      const film = ['-t', String(filmSeconds), '-r', String(mostFps), '-vf', [...shape, 'format=yuv420p'].join()];
      const codec = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '18', '-threads', '2', '-f', 'matroska'];
      return await this.#make(`${name}.mkv`, [...input, '-map', '0:v:0', '-an', ...film, ...codec], text);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #makeMusic(name: string, uuid: string): Promise<string> {
    const { path } = await this.#sources.forSlate(uuid, 'audio');
    const output = ['-map', '0:a:0', '-vn', '-t', String(musicSeconds), '-ac', '2', '-ar', '48000', '-c:a', 'flac'];
    return this.#make(`${name}.flac`, [...fileOptions, '-i', `file:${path}`, ...output, '-f', 'flac']);
  }

  async #make(file: string, args: readonly string[], text = ''): Promise<string> {
    await mkdir(this.#directory, { recursive: true });
    const path = join(this.#directory, file);
    const part = `${path}.part`;
    try {
      const { isMissing, code, cut, said, reason } = await runTool({
        command: 'ffmpeg',
        args: [...quiet, ...args, '-fs', String(mostFileBytes), `file:${part}`],
        niceness,
        withinMs,
      });
      if (isMissing) throw new WeirError('unavailable', 'ffmpeg is not installed, on Debian: apt-get install ffmpeg');
      const made = await stat(part).catch(() => undefined);
      if (code !== 0 || cut || !made || made.size === 0) {
        throw new WeirError('invalid_input', `the slate cannot be made: ${cut ? `it took too long` : plain(reason)}`);
      }
      if (text !== '' && said.some((line) => /failed to find any fallback|no usable fontconfig/i.test(line))) {
        const message = 'text: this server has no font for it, on Debian: apt-get install fonts-noto-cjk';
        throw new WeirError('invalid_input', message);
      }
      await rename(part, path);
      return file;
    } finally {
      await rm(part, { force: true });
    }
  }

  async #find(file: string): Promise<string | undefined> {
    return (await stat(join(this.#directory, file)).catch(() => undefined))?.isFile() ? file : undefined;
  }

  #once(name: string, make: () => Promise<string>): Promise<string> {
    const running = this.#running.get(name) ?? this.#turns.run(make).finally(() => this.#running.delete(name));
    this.#running.set(name, running);
    return running;
  }
}

function nameOf(parts: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([version, ...parts]))
    .digest('hex')
    .slice(0, 32);
}

/** A path as the value of a filter's option. */
function filterValue(path: string): string {
  return path.replace(/[\\':,;[\]]/g, (sign) => `\\\\\\${sign}`);
}

/** Paths of this machine stay private. */
function plain(reason: string): string {
  return reason.replace(/file:\S+|\/\S+/g, 'the file').slice(0, 200);
}

/** Longer side of a slate's picture in pixels. */
const longest = 1920;

interface TextPlace {
  readonly width: number;
  readonly height: number;
  /** On a picture, at its lower end; else in the middle of our own. */
  readonly isCaption: boolean;
}

/** Even size with the proportions of a picture. Text is drawn at full size; a film is not enlarged for nothing. */
function slateSize({ width, height }: { readonly width: number; readonly height: number }, isEnlarged: boolean) {
  if (width <= 0 || height <= 0) return { width: longest, height: 1080 };
  const factor = Math.min(isEnlarged ? Number.POSITIVE_INFINITY : 1, longest / Math.max(width, height));
  const even = (length: number) => Math.max(2, Math.round((length * factor) / 2) * 2);
  return { width: even(width), height: even(height) };
}

/** The text as a script of libass, which finds a font for each character and breaks lines. */
function slateScript(text: string, { width, height, isCaption }: TextPlace): string {
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
