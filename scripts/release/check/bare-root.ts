import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from '../command.ts';

const mounted = ['proc', 'dev', 'var/cache/apt/archives'];

/** A Debian with nothing in it, in a folder. Programs of it run with the ports of this machine. */
export class BareRoot {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Debian's smallest root, made once: it takes minutes. */
  static base(cache: string): string {
    const base = join(cache, 'bookworm');
    if (existsSync(join(base, 'complete'))) return base;
    rmSync(base, { recursive: true, force: true });
    mkdirSync(cache, { recursive: true });
    run('debootstrap', ['--variant=minbase', 'bookworm', base, ...mirror()]);
    const [address = 'http://deb.debian.org/debian'] = mirror();
    writeFileSync(join(base, 'etc/apt/sources.list'), `deb ${address} bookworm main\n`);
    for (const file of ['etc/resolv.conf', 'etc/apt/apt.conf.d/proxy'])
      if (existsSync(`/${file}`)) cpSync(`/${file}`, join(base, file), { force: true, dereference: true });
    run('chroot', [base, 'apt-get', 'clean']);
    // Names of the time of its making are old when it is used.
    run('rm', ['-rf', join(base, 'var/lib/apt/lists')]);
    mkdirSync(join(base, 'var/lib/apt/lists/partial'), { recursive: true });
    writeFileSync(join(base, 'complete'), '');
    return base;
  }

  static copy(base: string, folder: string): BareRoot {
    run('cp', ['-a', '--reflink=auto', base, folder]);
    run('mount', ['-t', 'proc', 'proc', join(folder, 'proc')]);
    run('mount', ['--bind', '/dev', join(folder, 'dev')]);
    const packages = join(dirname(base), 'archives');
    mkdirSync(join(packages, 'partial'), { recursive: true });
    run('mount', ['--bind', packages, join(folder, 'var/cache/apt/archives')]);
    run('chroot', [
      folder,
      'sh',
      '-c',
      'echo \'Binary::apt-get::APT::Keep-Downloaded-Packages "1";\' >/etc/apt/apt.conf.d/keep',
    ]);
    run('chroot', [folder, 'apt-get', 'update', '-q']);
    return new BareRoot(folder);
  }

  /** Output of a command; throws if it fails, with what it printed. */
  run(command: string): string {
    const { status, output } = this.try(command);
    if (status !== 0) throw new Error(`"${command}" ended with ${status}:\n${output}`);
    return output;
  }

  try(command: string): { status: number | null; output: string } {
    const { status, stdout, stderr } = spawnSync('chroot', [this.folder, 'sh', '-c', command], { encoding: 'utf8' });
    return { status, output: stdout + stderr };
  }

  path(path: string): string {
    return join(this.folder, path);
  }

  read(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  /** All files that are not data of Debian's package manager, a log or temporary. */
  files(): string[] {
    const skipped = ['proc', 'dev', 'sys', 'run', 'tmp', 'var/lib/apt', 'var/lib/dpkg', 'var/cache', 'var/log', 'root'];
    const options = skipped.flatMap((path) => ['-path', `./${path}`, '-prune', '-o']);
    const output = execFileSync('find', ['.', ...options, '-print'], {
      cwd: this.folder,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    return output.trimEnd().split('\n').toSorted();
  }

  remove(): void {
    for (const name of mounted) spawnSync('umount', ['-l', join(this.folder, name)]);
    // Not through a mount that is still there.
    if (mounted.some((name) => spawnSync('mountpoint', ['-q', join(this.folder, name)]).status === 0)) return;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Package mirror of this machine. */
function mirror(): string[] {
  const lists = spawnSync('sh', ['-c', 'cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null'], {
    encoding: 'utf8',
  });
  const address = /^(?:deb\s+(?:\[[^\]]*\]\s+)?|URIs:\s+)(https?:\/\/\S+)/m.exec(lists.stdout)?.[1];
  return address === undefined ? [] : [address];
}
