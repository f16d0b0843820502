import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { type Installation, InstallError } from './installation.ts';
import { runProgram } from './run-program.ts';

/** What install.sh makes: a folder for each release, and a link to the one that runs. */
export class TarballInstallation implements Installation {
  readonly kind = 'tarball';
  readonly #home: string;
  readonly #previous: string;

  constructor(home: string) {
    this.#home = home;
    this.#previous = basename(readlinkSync(join(home, 'current')));
  }

  get incoming(): string {
    return join(this.#home, 'incoming');
  }

  prepare(version: string, file: string): void {
    const fresh = join(this.#releases, '.new');
    rmSync(fresh, { recursive: true, force: true });
    mkdirSync(fresh, { mode: 0o755 });
    runProgram('tar', ['-xzf', file, '-C', fresh, '--strip-components=1', '--no-same-owner']);
    const { version: found } = JSON.parse(readFileSync(join(fresh, 'package.json'), 'utf8')) as { version?: string };
    if (found !== version) throw new InstallError(`the file is version ${found}`);
    // Complete before it is named.
    rmSync(join(this.#releases, version), { recursive: true, force: true });
    renameSync(fresh, join(this.#releases, version));
  }

  switchTo(version: string): void {
    this.#pointTo(version);
  }

  goBack(): void {
    this.#pointTo(this.#previous);
  }

  tidy(version: string): void {
    const kept = [version, this.#previous];
    for (const name of readdirSync(this.#releases))
      if (!kept.includes(name)) rmSync(join(this.#releases, name), { recursive: true, force: true });
  }

  get #releases(): string {
    return join(this.#home, 'releases');
  }

  #pointTo(version: string): void {
    const link = join(this.#home, '.current');
    rmSync(link, { force: true });
    symlinkSync(`releases/${version}`, link);
    renameSync(link, join(this.#home, 'current'));
    const placeUnits = join(this.#home, 'current/deploy/place-units');
    if (existsSync(placeUnits)) runProgram('sh', [placeUnits]);
  }
}
