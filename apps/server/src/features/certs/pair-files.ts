import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { WeirError } from '../../core/errors.ts';
import type { PemPair } from './pem-pair.ts';

/** The engine looks for these, in this directory, and serves what they hold as soon as both fit together. */
const keyName = 'nginx.key';
const certificateName = 'nginx.crt';

/**
 * The pair in use. Two files cannot change as one, so both are written beside their places first; the certificate
 * moves before the key, which tells a start after a crash whether to finish or to forget what it finds.
 */
export class PairFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Undefined unless both files are there. */
  async read(): Promise<PemPair | undefined> {
    const [key, crt] = await Promise.all([this.#text(keyName), this.#text(certificateName)]);
    return key === undefined || crt === undefined ? undefined : { key, crt };
  }

  async hasAny(): Promise<boolean> {
    const texts = await Promise.all([this.#text(keyName), this.#text(certificateName)]);
    return texts.some((text) => text !== undefined);
  }

  async install({ key, crt }: PemPair): Promise<void> {
    try {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
      await this.recover();
      await this.#stage(certificateName, crt);
      await this.#stage(keyName, key);
      await this.#move(certificateName);
      await this.#move(keyName);
    } catch (cause) {
      await this.recover().catch(() => undefined);
      throw new WeirError('certificate_failed', 'the certificate could not be written to the disk', { cause });
    }
  }

  /** After a crash: a certificate already in its place gets its key; anything less never happened. */
  async recover(): Promise<void> {
    const [key, crt] = await Promise.all([this.#text(staged(keyName)), this.#text(staged(certificateName))]);
    if (key !== undefined && crt === undefined) return this.#move(keyName);
    for (const name of [keyName, certificateName]) await rm(join(this.#directory, staged(name)), { force: true });
  }

  async #stage(name: string, text: string): Promise<void> {
    const file = await open(join(this.#directory, staged(name)), 'w', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  #move(name: string): Promise<void> {
    return rename(join(this.#directory, staged(name)), join(this.#directory, name));
  }

  async #text(name: string): Promise<string | undefined> {
    try {
      return await readFile(join(this.#directory, name), 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw new WeirError('certificate_failed', 'the certificate files could not be read', { cause: error });
    }
  }
}

function staged(name: string): string {
  return `${name}.new`;
}
