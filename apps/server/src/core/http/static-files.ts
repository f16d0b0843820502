import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
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
 * client can write leads anywhere else.
 */
export class StaticFiles {
  readonly #files: ReadonlyMap<string, StaticFile>;

  private constructor(files: ReadonlyMap<string, StaticFile>) {
    this.#files = files;
  }

  static async list(directory: string): Promise<StaticFiles> {
    const names = (await readdir(directory, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'));
    const present = new Set(names);
    const files = new Map<string, StaticFile>();
    for (const name of names) {
      const type = types[extname(name)];
      if (type === undefined) continue;
      const variant = async (suffix: string): Promise<Variant> => {
        const file = join(directory, name + suffix);
        return { file, bytes: (await stat(file)).size };
      };
      const compressed = encodings.filter(({ suffix }) => present.has(name + suffix));
      const { size, mtimeMs } = await stat(join(directory, name));
      files.set(name, {
        type,
        etag: `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`,
        plain: await variant(''),
        encoded: await Promise.all(
          compressed.map(async ({ encoding, suffix }) => ({ encoding, ...(await variant(suffix)) })),
        ),
      });
    }
    return new StaticFiles(files);
  }

  has(name: string): boolean {
    return this.#files.has(name);
  }

  send(request: FastifyRequest, reply: FastifyReply, name: string): FastifyReply {
    const file = this.#files.get(name);
    if (!file) throw new WeirError('not_found', 'there is no such file');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new WeirError('wrong_method', 'this file is read-only');
    }
    reply.headers({ etag: file.etag, vary: 'accept-encoding', 'x-content-type-options': 'nosniff' });
    if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
    const accepted = acceptedEncodings(request.headers['accept-encoding']);
    const best = file.encoded.find(({ encoding }) => accepted.has(encoding));
    if (best) reply.header('content-encoding', best.encoding);
    const { file: path, bytes } = best ?? file.plain;
    reply.headers({ 'content-type': file.type, 'content-length': bytes });
    return reply.send(request.method === 'HEAD' ? null : createReadStream(path));
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
