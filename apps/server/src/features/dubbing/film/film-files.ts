import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const nameForm = /^[0-9a-f]{32}(?:-t\d{3})?$/;

/** Samples per second of voices and of the track they stand in: mono, s16. */
export const voiceRate = 24_000;
/** Sample rate for speech recognition. */
export const speechRate = 16_000;

/** File paths of a project. Names consist of validated ids and digests, so no path leaves the folder. */
export class FilmFiles {
  readonly directory: string;

  constructor(home: string, project: string) {
    if (!uuidForm.test(project)) throw new Error('not the id of a project');
    this.directory = join(home, project);
  }

  /** The film's sound, 16 kHz, mono, s16, from its first moment to its last. */
  get speech(): string {
    return join(this.directory, 'speech.pcm');
  }

  /**
   * Loudness, one byte for each hundredth of a second. Written last, so its presence means that the audio is complete.
   */
  get levels(): string {
    return join(this.directory, 'levels.bin');
  }

  /** `pcm` is what is mixed, `aac` what is listened to. */
  voice(name: string, form: 'pcm' | 'aac'): string {
    if (!nameForm.test(name)) throw new Error('not the name of a voice');
    return join(this.directory, 'voices', `${name}.${form}`);
  }

  export(name: string): string {
    if (!nameForm.test(name)) throw new Error('not the name of an export');
    return join(this.directory, 'exports', `${name}.mp4`);
  }

  /** Suffix of incomplete files. */
  scratch(name: string): string {
    return join(this.directory, `${name}.part`);
  }

  async make(): Promise<void> {
    await mkdir(join(this.directory, 'voices'), { recursive: true, mode: 0o700 });
    await mkdir(join(this.directory, 'exports'), { recursive: true, mode: 0o700 });
  }

  /** Keeps these voices and exports, and nothing else of the kind. */
  async keepOnly(kind: 'voices' | 'exports', names: ReadonlySet<string>): Promise<void> {
    const folder = join(this.directory, kind);
    for (const file of await readdir(folder).catch(() => [])) {
      const [name = ''] = file.split('.');
      if (!names.has(name)) await rm(join(folder, file), { force: true });
    }
  }

  async remove(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }
}
