import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Installation, InstallError } from './installation.ts';
import { runProgram } from './run-program.ts';

const scripts = ['preinst', 'postinst', 'prerm', 'postrm'];
/** Fields of dpkg's records that no package has. */
const notInPackages = /^(Status|Conffiles|Config-Version):/;

/** The Debian package. Its files lie where dpkg put them, so the previous ones are packed before they go. */
export class DebianInstallation implements Installation {
  readonly kind = 'deb';
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get incoming(): string {
    return join(this.#folder, 'incoming');
  }

  prepare(version: string, file: string): void {
    const fields = runProgram('dpkg-deb', ['-f', file, 'Package', 'Version']);
    // Previews have another sign there.
    if (fields.trimEnd() !== `Package: weir\nVersion: ${version.replace('-', '~')}`)
      throw new InstallError('the file is another package');
    this.#packInstalled();
    this.#file = file;
  }

  #file = '';

  switchTo(): void {
    install(this.#file);
  }

  goBack(): void {
    install(this.#previous);
  }

  tidy(): void {
    rmSync(this.incoming, { recursive: true, force: true });
  }

  get #previous(): string {
    return join(this.#folder, 'previous.deb');
  }

  /** As `dpkg-repack` does: the installed files with the records of dpkg about them. */
  #packInstalled(): void {
    const root = join(this.#folder, 'previous');
    rmSync(root, { recursive: true, force: true });
    mkdirSync(join(root, 'DEBIAN'), { recursive: true, mode: 0o755 });
    const list = join(this.#folder, 'previous.list');
    const paths = runProgram('dpkg-query', ['-L', 'weir']).split('\n');
    const own = paths.filter(isOwnFile).map((path) => path.slice(1));
    writeFileSync(list, `${own.join('\n')}\n`);
    const archive = join(this.#folder, 'previous.tar');
    runProgram('tar', ['-cf', archive, '--no-recursion', '-C', '/', '-T', list]);
    runProgram('tar', ['-xf', archive, '-C', root]);
    writeFileSync(join(root, 'DEBIAN/control'), controlOf(runProgram('dpkg-query', ['-s', 'weir'])));
    for (const name of [...scripts, 'conffiles']) {
      const record = `/var/lib/dpkg/info/weir.${name}`;
      if (!existsSync(record)) continue;
      writeFileSync(join(root, 'DEBIAN', name), readFileSync(record), { mode: name === 'conffiles' ? 0o644 : 0o755 });
    }
    runProgram('dpkg-deb', ['--root-owner-group', '-Znone', '--build', root, this.#previous]);
    for (const path of [archive, list, root]) rmSync(path, { recursive: true, force: true });
  }
}

/** Folders follow from their files; `/lib` and the like are links on some systems, which belong to others. */
function isOwnFile(path: string): boolean {
  const facts = path === '' ? undefined : lstatSync(path, { throwIfNoEntry: false });
  if (!facts || facts.isDirectory()) return false;
  return !facts.isSymbolicLink() || /^\/usr\/(lib|share\/doc)\/weir\//.test(path);
}

function controlOf(status: string): string {
  const kept: string[] = [];
  let isLeftOut = false;
  for (const line of status.trimEnd().split('\n')) {
    // Further lines of a field begin with a space.
    if (!line.startsWith(' ')) isLeftOut = notInPackages.test(line);
    if (!isLeftOut) kept.push(line);
  }
  return `${kept.join('\n')}\n`;
}

function install(file: string): void {
  const options = ['-y', '-q', '--no-install-recommends', '--allow-downgrades', '--reinstall'];
  const keepSettings = ['-o', 'Dpkg::Options::=--force-confold'];
  // The caller restarts the service, once.
  const env = { ...process.env, RESTARTED_BY_UPDATE: 'yes' };
  runProgram('apt-get', ['install', ...options, ...keepSettings, file], env);
}
