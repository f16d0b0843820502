import { createReadStream, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { WeirError } from '../errors.ts';

interface Variant {
  readonly file: string;
  readonly bytes: number;
}

interface StaticFile {
  readonly type: string;
  readonly etag: string;
  readonly plain: Variant;
  /** Compressed at build time, best first. */
  readonly encoded: readonly (Variant & { readonly encoding: string })[];
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

const encodings = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
] as const;

/**
 * The files of one directory, listed once. A request names an entry of that list or nothing at all, so no path a
 * client can write leads anywhere else. Each is looked at when it is first asked for: hundreds of them at every start
 * would be a twentieth of it.
 */
export class StaticFiles {
  readonly #directory: string;
  readonly #names: ReadonlySet<string>;
  readonly #files = new Map<string, StaticFile>();
  readonly #texts = new Map<string, string>();

  private constructor(directory: string, names: ReadonlySet<string>) {
    this.#directory = directory;
    this.#names = names;
  }

  static async list(directory: string): Promise<StaticFiles> {
    const names = (await readdir(directory, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'));
    return new StaticFiles(directory, new Set(names));
  }

  has(name: string): boolean {
    return this.#names.has(name) && types[extname(name)] !== undefined;
  }

  send(request: FastifyRequest, reply: FastifyReply, name: string): FastifyReply {
    if (!this.has(name)) throw new WeirError('not_found', 'there is no such file');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new WeirError('wrong_method', 'this file is read-only');
    }
    const file = this.#file(name);
    reply.headers({ etag: file.etag, vary: 'accept-encoding', 'x-content-type-options': 'nosniff' });
    if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
    const accepted = acceptedEncodings(request.headers['accept-encoding']);
    const best = file.encoded.find(({ encoding }) => accepted.has(encoding));
    if (best) reply.header('content-encoding', best.encoding);
    const { file: path, bytes } = best ?? file.plain;
    reply.headers({ 'content-type': file.type, 'content-length': bytes });
    return reply.send(request.method === 'HEAD' ? null : createReadStream(path));
  }

  /** Content of a file that is filled in before it is sent. */
  async text(name: string): Promise<string> {
    if (!this.has(name)) throw new WeirError('not_found', 'there is no such file');
    const known = this.#texts.get(name) ?? (await readFile(join(this.#directory, name), 'utf8'));
    this.#texts.set(name, known);
    return known;
  }

  #file(name: string): StaticFile {
    const known = this.#files.get(name);
    if (known) return known;
    const plain = join(this.#directory, name);
    const { size, mtimeMs } = statSync(plain);
    const file: StaticFile = {
      type: types[extname(name)] ?? '',
      etag: `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`,
      plain: { file: plain, bytes: size },
      encoded: encodings
        .filter(({ suffix }) => this.#names.has(name + suffix))
        .map(({ encoding, suffix }) => ({ encoding, file: plain + suffix, bytes: statSync(plain + suffix).size })),
    };
    this.#files.set(name, file);
    return file;
  }
}

function acceptedEncodings(header: string | string[] | undefined): ReadonlySet<string> {
  const accepted = new Set<string>();
  for (const part of String(header ?? '').split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) accepted.add(name);
  }
  return accepted;
}
