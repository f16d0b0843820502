import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { linkFile } from '../core/link-file.ts';

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

interface Names {
  /** Between the sequence and the id of a segment: `org` in `7-org-….ts`. */
  readonly kinds: readonly string[];
  readonly endings: readonly string[];
}

/** A folder for the files of segments. Every name there is `{sequence}-{kind}-{id}.{ending}`, half-made ones with `.tmp`. */
export class SegmentFolder {
  readonly #directory: string;
  readonly #ownName: RegExp;

  constructor(directory: string, { kinds, endings }: Names) {
    this.#directory = directory;
    this.#ownName = new RegExp(`^\\d{1,16}-(?:${kinds.join('|')})-${uuid}\\.(?:${endings.join('|')})(?:\\.tmp)?$`);
  }

  path(name: string): string {
    return join(this.#directory, name);
  }

  /** Gives the file of a finished segment a second name here; says how large it is. */
  async keep(name: string, file: string): Promise<number> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    await linkFile(file, this.path(name));
    return (await stat(this.path(name))).size;
  }

  has(name: string): Promise<boolean> {
    return stat(this.path(name)).then(
      () => true,
      () => false,
    );
  }

  /** Half-made ones too. */
  async remove(names: readonly string[]): Promise<void> {
    const paths = names.flatMap((one) => [this.path(one), this.path(`${one}.tmp`)]);
    await Promise.all(paths.map((path) => rm(path, { force: true })));
  }

  /** Removes what is not needed: a process that was killed may have left it. Says how many. */
  async sweep(needed: ReadonlySet<string>): Promise<number> {
    const names = await readdir(this.#directory).catch(() => []);
    const orphans = names.filter((name) => this.#ownName.test(name) && !needed.has(name));
    for (const name of orphans) await rm(this.path(name), { force: true });
    return orphans.length;
  }
}
