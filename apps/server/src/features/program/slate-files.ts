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
import { slateScript, slateSize } from './slate-text.ts';

type Slate = Pick<ProgramInput, 'picture' | 'text' | 'music' | 'leastBitrate'>;

/** Changes when files are made in another way. */
const version = 1;
const filmSeconds = 15;
const musicSeconds = 60;
const mostFps = 30;
const withinMs = 120_000;
const mostFileBytes = 32 * 1024 * 1024;
/** Viewers and publishers go first. */
const niceness = 10;
const bounds = { atOnce: 1, waiting: 20, refusal: 'too many slates are being made, try again' };
const quiet = ['-hide_banner', '-nostdin', '-loglevel', 'warning', '-y'];

interface Context {
  readonly dataDir: string;
  readonly sources: Pick<Sources, 'forSlate'>;
}

/**
 * What owners upload for slates, made into files that the engine reads: of one format, of a bounded size, with the text drawn. The engine
 * never opens what somebody uploaded. Names are made of everything that a file depends on, so one that is there is right.
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

  /** Makes what is missing. Throws with what is wrong about an upload. */
  async of(slate: Slate | undefined): Promise<SlateArt> {
    if (!slate) return plainArt;
    const { picture, text, music, leastBitrate } = slate;
    return {
      picture: picture === '' && text === '' ? '' : await this.#picture(picture, text),
      music: music === '' ? '' : await this.#music(music),
      leastKbps: leastBitrate,
    };
  }

  /** Removes what no slate has any more. */
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

/** Paths of this machine are nobody's business. */
function plain(reason: string): string {
  return reason.replace(/file:\S+|\/\S+/g, 'the file').slice(0, 200);
}
