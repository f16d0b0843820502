import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, normalize, sep } from 'node:path';
import { WeirError } from './errors.ts';

/** A folder that typed paths may lead into. */
export interface PathRoot {
  /** Prefixes that people write; a path starts with one of these and a slash. */
  readonly written: readonly string[];
  readonly directory: string;
}

const longestPath = 4096;
/** Control characters end lines and names elsewhere; a backslash or an encoded dot or slash is nothing anybody's file needs, and a separator somewhere. */
const suspicious = /[\p{Cc}\\]|%(?:2e|2f|5c|00)/iu;

/**
 * The one way from a path that somebody typed to a path that is used. It compares real paths, so that `..`, links and names
 * that only begin like a root lead nowhere else. What it answers is below a root; what it refuses is never touched.
 */
export class PathResolver {
  readonly #roots: readonly PathRoot[];

  constructor(roots: readonly PathRoot[]) {
    this.#roots = roots;
  }

  /** The roots as people write them, for messages. */
  get written(): string {
    return this.#roots.flatMap(({ written }) => written).join(', ');
  }

  /** Resolves an existing entry to its real path. */
  async existing(typed: string): Promise<string> {
    const path = this.#locate(typed);
    return this.#belowRoot(await real(path));
  }

  /** Resolves a file to be written: its folder exists below a root, and its name is no link to elsewhere. */
  async writable(typed: string): Promise<string> {
    const path = await this.#entry(typed);
    const facts = await lstat(path).catch(() => undefined);
    if (facts && !facts.isFile()) throw refused('must be a regular file');
    return path;
  }

  /** Resolves an entry to be removed: the entry itself, never a link's target. */
  async removable(typed: string): Promise<string> {
    const path = await this.#entry(typed);
    if (!(await lstat(path).catch(() => undefined))) throw new WeirError('not_found', 'file: does not exist');
    return path;
  }

  /** The entry of a folder below a root, with every link on the way to that folder followed. */
  async #entry(typed: string): Promise<string> {
    const path = this.#locate(typed);
    const folder = await this.#belowRoot(await real(dirname(path)), { orRoot: true });
    return join(folder, basename(path));
  }

  #locate(typed: string): string {
    if (typed.length === 0 || typed.length > longestPath || suspicious.test(typed)) throw refused('must be a path');
    for (const { written, directory } of this.#roots) {
      for (const name of written) {
        if (!typed.startsWith(`${name}/`)) continue;
        const inside = normalize(typed.slice(name.length + 1));
        if (inside === '.' || inside === '..' || inside.startsWith(`..${sep}`)) throw this.#outside();
        return join(directory, inside);
      }
    }
    throw this.#outside();
  }

  async #belowRoot(path: string, { orRoot = false } = {}): Promise<string> {
    for (const { directory } of this.#roots) {
      const root = await realpath(directory).catch(() => undefined);
      if (root === undefined) continue;
      if (path.startsWith(root.endsWith(sep) ? root : root + sep) || (orRoot && path === root)) return path;
    }
    throw this.#outside();
  }

  #outside(): WeirError {
    return refused(`must be below ${this.written}`);
  }
}

async function real(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    throw new WeirError('not_found', 'file: does not exist', { cause });
  }
}

function refused(why: string): WeirError {
  return new WeirError('invalid_input', `file: ${why}`);
}
