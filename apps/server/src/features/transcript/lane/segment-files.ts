import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { linkFile } from '../../../core/link-file.ts';
import { type SegmentRow, tsidsOf } from './segment-row.ts';

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** Of everything that is ever put there, half-made files too. */
const ownName = new RegExp(`^\\d{1,16}-(?:org|audio|overlay)-(${uuid})\\.(?:ts|ass|m4a|srt)(?:\\.tmp)?$`);

/** The files of segments: what came, and what was made of it. */
export class SegmentFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  org(row: SegmentRow): string {
    return join(this.#directory, `${tsidsOf(row).org}.ts`);
  }

  overlay(row: SegmentRow): string {
    return join(this.#directory, `${tsidsOf(row).overlay}.ts`);
  }

  /** Only while text is burnt in. */
  subtitles(row: SegmentRow): string {
    return join(this.#directory, `${tsidsOf(row).overlay}.ass`);
  }

  /** Gives the file of a finished segment a second name here; says how large it is. */
  async keep(row: SegmentRow, file: string): Promise<number> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    await linkFile(file, this.org(row));
    return (await stat(this.org(row))).size;
  }

  /** The output is what came. */
  async pass(row: SegmentRow): Promise<number> {
    await rm(this.overlay(row), { force: true });
    await linkFile(this.org(row), this.overlay(row));
    return (await stat(this.overlay(row))).size;
  }

  async has(row: SegmentRow): Promise<boolean> {
    return stat(this.org(row)).then(
      () => true,
      () => false,
    );
  }

  async remove(row: SegmentRow): Promise<void> {
    const { org, overlay, subtitles } = {
      org: this.org(row),
      overlay: this.overlay(row),
      subtitles: this.subtitles(row),
    };
    for (const file of [org, overlay, subtitles, `${org}.tmp`, `${overlay}.tmp`]) await rm(file, { force: true });
  }

  /** Removes what no row knows: a process that was killed may have left it. Says how many. */
  async sweep(rows: readonly SegmentRow[]): Promise<number> {
    const known = new Set(rows.map(({ id }) => id));
    const names = await readdir(this.#directory).catch(() => []);
    const orphans = names.filter((name) => {
      const [, id] = ownName.exec(name) ?? [];
      return id !== undefined && (!known.has(id) || name.endsWith('.tmp'));
    });
    for (const name of orphans) await rm(join(this.#directory, name), { force: true });
    return orphans.length;
  }
}
