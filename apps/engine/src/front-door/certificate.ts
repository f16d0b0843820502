import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdir, readFile, watch } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Log, StartError, TaskGroup } from '@weir/plane';
import { errorMessage } from '@weir/plane/error-message';

interface CertificatePair {
  readonly key: string;
  readonly cert: string;
}

const keyFile = 'nginx.key';
const certFile = 'nginx.crt';

/** Key and certificate are two files: this long after a change both are there. */
const settleMs = 100;

/** Reads the pair in use and hands over every later one that is sound. A bad or missing pair changes nothing. */
export class Certificate {
  readonly #directory: string;
  readonly #onPair: (pair: CertificatePair) => void;
  readonly #log: Log;
  readonly #pollMs: number;
  readonly #tasks: TaskGroup;
  #lastSeen = '';

  constructor(options: {
    directory: string;
    onPair: (pair: CertificatePair) => void;
    log: Log;
    pollMs?: number | undefined;
  }) {
    this.#directory = options.directory;
    this.#onPair = options.onPair;
    this.#log = options.log;
    this.#pollMs = options.pollMs ?? 30_000;
    this.#tasks = new TaskGroup(options.log);
  }

  async open(): Promise<void> {
    try {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw new StartError(`The directory ${this.#directory} could not be created: check WEIR_DATA.`, { cause: error });
    }
    await this.#load();
    this.#tasks.spawn('certificate-watch', (signal) => this.#watch(signal));
    // The files may be links to a directory that is not watched, and some file systems report no changes.
    this.#tasks.spawn('certificate-poll', async (signal) => {
      while (!signal.aborted) {
        await sleep(this.#pollMs, undefined, { signal });
        await this.#load();
      }
    });
  }

  async close(): Promise<void> {
    await this.#tasks.close();
  }

  async #watch(signal: AbortSignal): Promise<void> {
    for await (const { filename } of watch(this.#directory, { signal })) {
      if (filename !== keyFile && filename !== certFile && filename !== null) continue;
      await sleep(settleMs, undefined, { signal });
      await this.#load();
    }
  }

  async #load(): Promise<void> {
    const found = await this.#read();
    if (!found) return;
    const content = found instanceof Error ? found.message : found.key + found.cert;
    if (content === this.#lastSeen) return;
    this.#lastSeen = content;
    try {
      if (found instanceof Error) throw found;
      check(found);
      this.#onPair(found);
    } catch (error) {
      this.#log.warn({ reason: errorMessage(error) }, 'certificate ignored');
    }
  }

  async #read(): Promise<CertificatePair | Error | undefined> {
    try {
      const paths = [keyFile, certFile].map((name) => join(this.#directory, name));
      const [key = '', cert = ''] = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
      return { key, cert };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return 'code' in error && error.code === 'ENOENT' ? undefined : error;
    }
  }
}

/** A key of another type than the certificate's passes TLS set-up without an error, so compare here. */
function check({ key, cert }: CertificatePair): void {
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
    throw new Error('the private key does not match the certificate');
}
