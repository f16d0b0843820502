import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createLog } from '@weir/plane';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { SqliteStore } from '../../apps/server/src/core/store/sqlite-store.ts';
import { releaseFile } from '../../apps/server/src/releases/release-list.ts';
import { ReleaseSigner } from '../../apps/server/src/releases/release-signer.fixture.ts';
import { UpdateFiles } from '../../apps/server/src/releases/update-state.ts';
import { applyUpdate } from '../../scripts/update/apply-update.ts';
import { DataUser } from '../../scripts/update/data-user.ts';
import { Service } from '../../scripts/update/service.ts';
import { TarballInstallation } from '../../scripts/update/tarball-installation.ts';
import { freePort } from '../free-port.fixture.ts';

const log = createLog('test', 'error');
log.level = 'silent';
const Note = z.object({ text: z.string() });
const signer = new ReleaseSigner();
const versions = ['1.0.0', '1.1.0'] as const;

/** A program that answers as a server of this version, or does not. It migrates the settings if it is told to. */
const program = `
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
const { version, kind } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'));
const [port, dataDir] = process.argv.slice(2);
if (kind === 'migrates') {
  const db = new DatabaseSync(dataDir + '/weir.db');
  db.exec("VACUUM INTO '" + dataDir + "/weir.db.format-1'; PRAGMA user_version = 2; UPDATE entries SET value = '{\\"text\\":\\"migrated\\"}'");
  db.close();
}
createServer((request, answer) => {
  if (kind !== 'good' && !request.url.endsWith('versions')) answer.writeHead(500);
  answer.end(JSON.stringify({ code: 0, data: { version } }));
}).listen(Number(port), '127.0.0.1');
`;

let folder: string;
let port: number;
let running: ChildProcess | undefined;
const home = () => join(folder, 'weir');
const dataDir = () => join(folder, 'data');

/** What systemd does, for the program that the link names. */
class RunningService extends Service {
  override start(): void {
    running = spawn(process.execPath, [join(home(), 'current/serve.mjs'), String(port), dataDir()], {
      stdio: 'ignore',
    });
  }
  override stop(): void {
    running?.kill('SIGKILL');
    running = undefined;
  }
  override reload(): void {
    this.stop();
    this.start();
  }
}

function makeTree(version: string, kind: string): string {
  const tree = join(folder, `weir-${version}-linux-${process.arch}`);
  mkdirSync(tree, { recursive: true });
  writeFileSync(join(tree, 'package.json'), JSON.stringify({ version, kind, type: 'module' }));
  writeFileSync(join(tree, 'serve.mjs'), program);
  return tree;
}

/** As the server leaves a release that it has downloaded. */
function download(version: string, kind: string): UpdateFiles {
  const files = new UpdateFiles(dataDir());
  files.prepare();
  const tree = makeTree(version, kind);
  const name = releaseFile('tarball', version, process.arch);
  execFileSync('tar', ['-czf', join(files.download, name), '-C', folder, `weir-${version}-linux-${process.arch}`]);
  const sum = createHash('sha256')
    .update(readFileSync(join(files.download, name)))
    .digest('hex');
  writeFileSync(join(files.download, 'SHA256SUMS'), `${sum}  ${name}\n`);
  writeFileSync(join(files.download, 'SHA256SUMS.minisig'), signer.sign(`${sum}  ${name}\n`));
  rmSync(tree, { recursive: true });
  files.ask(version);
  return files;
}

async function textNow(): Promise<string | undefined> {
  const store = new SqliteStore(join(dataDir(), 'weir.db'), log);
  const note = await store.collection('notes', Note).get('a');
  await store.close();
  return note?.text;
}

function apply(files: UpdateFiles, healthyMs = 20_000) {
  return applyUpdate({
    dataDir: dataDir(),
    installed: { version: versions[0], key: signer.publicKey },
    files,
    user: new DataUser(dataDir()),
    service: new RunningService({ origin: `http://127.0.0.1:${port}`, everyMs: 100 }),
    installation: new TarballInstallation(home()),
    healthyMs,
  });
}

const versionNow = () => readlinkSync(join(home(), 'current'));

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'weir-apply-'));
  port = await freePort();
  mkdirSync(join(home(), 'releases'), { recursive: true });
  mkdirSync(dataDir());
  cpSync(makeTree(versions[0], 'good'), join(home(), 'releases', versions[0]), { recursive: true });
  symlinkSync(`releases/${versions[0]}`, join(home(), 'current'));
  const store = new SqliteStore(join(dataDir(), 'weir.db'), log);
  await store.collection('notes', Note).put('a', { text: 'before' });
  mkdirSync(join(dataDir(), 'update'));
  await store.backup(new UpdateFiles(dataDir()).settings);
  await store.close();
  new RunningService({ origin: '' }).start();
});
afterEach(() => {
  running?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

describe('the part of an update that runs as root', () => {
  it('installs a good release, keeps the previous one, and is asked once', async () => {
    const files = download(versions[1], 'good');
    expect(await apply(files)).toBe('done');
    expect(versionNow()).toBe('releases/1.1.0');
    expect(readdirSync(join(home(), 'releases')).sort()).toEqual([...versions]);
    expect(files.readState()).toMatchObject({ phase: 'done', version: '1.1.0', from: '1.0.0' });
    expect(await apply(files)).toBeUndefined();
  });

  it('F29: undoes a release that is not healthy, with the settings that it migrated', async () => {
    const files = download(versions[1], 'migrates');
    // Written after the copy of the update: the copy of the migration has it.
    const db = new DatabaseSync(join(dataDir(), 'weir.db'));
    db.exec(`UPDATE entries SET value = '{"text":"just before"}'`);
    db.close();
    expect(await apply(files, 3000)).toBe('undone');
    expect(versionNow()).toBe('releases/1.0.0');
    expect(files.readState()).toMatchObject({
      phase: 'undone',
      cause: 'unhealthy',
      detail: expect.stringContaining('500'),
    });
    expect(await textNow()).toBe('just before');
    const { data } = (await (await fetch(`http://127.0.0.1:${port}/terraform/v1/mgmt/versions`)).json()) as {
      data: object;
    };
    expect(data).toEqual({ version: '1.0.0' });
  });

  it.each([
    ['a file that was changed after its download', 'damaged', (path: string) => writeFileSync(path, 'x')],
    [
      'checksums that others signed',
      'unsigned',
      (path: string) => {
        const sums = join(path, '../SHA256SUMS');
        writeFileSync(`${sums}.minisig`, new ReleaseSigner().sign(readFileSync(sums)));
      },
    ],
    [
      'a link in place of the file',
      'install',
      (path: string) => {
        rmSync(path);
        symlinkSync('/etc/passwd', path);
      },
    ],
  ] as const)('S58: does not install %s', async (_title, cause, change) => {
    const files = download(versions[1], 'good');
    change(join(files.download, releaseFile('tarball', versions[1], process.arch)));
    expect(await apply(files)).toBe('failed');
    expect(files.readState()).toMatchObject({ phase: 'failed', cause });
    expect([versionNow(), readdirSync(join(home(), 'releases'))]).toEqual(['releases/1.0.0', ['1.0.0']]);
  });

  it('S58: does not go back to an older version, nor install one under the name of another', async () => {
    expect(await apply(download('0.9.0', 'good'))).toBe('failed');
    const files = download(versions[1], 'good');
    files.ask('1.2.0');
    expect(await apply(files)).toBe('failed');
    expect(files.readState()).toMatchObject({ cause: 'damaged', version: '1.2.0' });
    expect(versionNow()).toBe('releases/1.0.0');
  });
});
