import { createWriteStream } from 'node:fs';
import { copyFile, link } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { resolve } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FinishedSegment, SegmentSource, ToldSegment } from '@weir/engine-api';
import { WeirError } from '../core/errors.ts';
import { segmentFile } from './segment-file.ts';
import type { SegmentSpool } from './segment-spool.ts';

const answerWithinMs = 10_000;
/** More than ten seconds of any stream. */
const largestSegment = 256 * 1024 * 1024;

interface Context {
  readonly dataDir: string;
  /** HTTP servers of SRS; a segment is on the one that announced it. */
  readonly servers: readonly string[];
  readonly spool: SegmentSpool;
}

/**
 * Takes what a separate SRS has cut into the spool, before SRS removes it: by a second name where both share the data directory,
 * else over HTTP.
 */
export class SrsSegments {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  async keep(told: ToldSegment, { url, cwd }: SegmentSource): Promise<FinishedSegment> {
    const { dataDir, spool } = this.#context;
    const shared = await segmentFile(dataDir, resolve(cwd || '/', told.file)).catch(() => undefined);
    return spool.keep(told, (path) => (shared === undefined ? this.#bring(url, path) : linkOrCopy(shared, path)));
  }

  /** Names of segments hold their time, so that no other one has the same. */
  async #find(url: string): Promise<IncomingMessage> {
    const [first = '', ...others] = this.#context.servers.map((server) => addressOf(url, server));
    let found = get(first);
    for (const other of others) found = found.catch(() => get(other));
    return found;
  }

  async #bring(url: string, path: string): Promise<void> {
    const answer = await this.#find(url);
    let bytes = 0;
    const bounded = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        done(bytes > largestSegment ? new Error('the segment is too large') : null, chunk);
      },
    });
    await pipeline(answer, bounded, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  }
}

/** Limited to paths of the server, for every stream name. */
function addressOf(path: string, server: string): URL {
  const parts = path.split('/').filter((part) => part !== '');
  if (parts.length === 0 || parts.some((part) => part === '.' || part === '..')) {
    throw new WeirError('invalid_input', 'url: must be the path of a segment');
  }
  return new URL(`${server}/${parts.map(encodeURIComponent).join('/')}`);
}

function get(address: URL | string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(address, { timeout: answerWithinMs, agent: false }, (answer) => {
      if (answer.statusCode === 200) resolve(answer);
      else outgoing.destroy(new Error(`the media server responded with status ${answer.statusCode}`));
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('the media server stopped sending')));
    outgoing.on('error', (cause) =>
      reject(new WeirError('engine_unreachable', 'a segment could not be fetched from the media server', { cause })),
    );
    outgoing.end();
  });
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  // Falls back to copying across file systems.
  await link(from, to).catch(() => copyFile(from, to));
}
