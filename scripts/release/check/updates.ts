import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outputOf, run } from '../command.ts';
import { LiveStream } from './live.ts';
import { callAsAdmin, isHealthy, until, versionOf } from './server.ts';

const arch = process.arch;
const debianArch = arch === 'x64' ? 'amd64' : arch;
const mostGapMs = 2000;
const tarballName = (version: string) => `weir-${version}-linux-${arch}.tar.gz`;
const debName = (version: string) => `weir_${version}_${debianArch}.deb`;

interface Surroundings {
  readonly step: (what: string, check: () => Promise<unknown> | unknown) => Promise<void>;
  readonly assert: (isTrue: boolean, message: string) => void;
  /** Folder of the releases. */
  readonly out: string;
  readonly keys: string;
  readonly kind: 'tarball' | 'deb';
}

interface Update {
  readonly version: string;
  readonly phase: string;
  readonly cause: string;
  readonly detail: string;
}

/** Control plane of a release that migrates the settings and then never responds. */
const badServer = `
const { DatabaseSync } = require('node:sqlite');
const { existsSync } = require('node:fs');
if (!existsSync('weir.db.format-1')) {
  const db = new DatabaseSync('weir.db');
  db.exec("VACUUM INTO 'weir.db.format-1'; PRAGMA user_version = 2; DELETE FROM entries");
  db.close();
}
setInterval(() => {}, 1000);
`;

export function signAgain(file: string, keys: string): void {
  run('minisign', ['-S', '-l', '-s', join(keys, 'weir.key'), '-m', file, '-x', `${file}.minisig`]);
}

/** Names this release as the newest. */
export function announce(out: string, keys: string, version: string): void {
  const file = join(out, 'latest.json');
  writeFileSync(file, `${JSON.stringify({ version, stable: version, date: '', notes: '', files: [] }, null, 2)}\n`);
  signAgain(file, keys);
}

/** A release that starts and never responds, signed like any other. */
export function breakRelease(out: string, keys: string, from: string, version: string): void {
  // Made once for all kinds of installation.
  if (existsSync(join(out, version, 'SHA256SUMS'))) return;
  const work = mkdtempSync(join(tmpdir(), 'weir-broken-'));
  mkdirSync(join(out, version), { recursive: true });
  const spoil = (tree: string) => {
    writeFileSync(join(tree, 'apps/server/dist/main.cjs'), badServer);
    run('sed', ['-i', `s/"version": "${from}"/"version": "${version}"/`, join(tree, 'package.json')]);
  };
  run('tar', ['-xzf', join(out, from, tarballName(from)), '-C', work]);
  const tree = join(work, `weir-${from}-linux-${arch}`);
  spoil(tree);
  run('mv', [tree, join(work, `weir-${version}-linux-${arch}`)]);
  run('tar', ['-czf', join(out, version, tarballName(version)), '-C', work, `weir-${version}-linux-${arch}`]);
  const root = join(work, 'deb');
  run('dpkg-deb', ['-R', join(out, from, debName(from)), root]);
  spoil(join(root, 'usr/lib/weir'));
  run('sed', ['-i', `s/^Version: .*/Version: ${version}/`, join(root, 'DEBIAN/control')]);
  run('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z1', '--build', root, join(out, version, debName(version))]);
  const sums = [tarballName(version), debName(version)].map(
    (name) => `${outputOf('sha256sum', [join(out, version, name)]).slice(0, 64)}  ${name}\n`,
  );
  writeFileSync(join(out, version, 'SHA256SUMS'), sums.join(''));
  signAgain(join(out, version, 'SHA256SUMS'), keys);
  rmSync(work, { recursive: true });
}

/** Updates as the console does, with a live stream: to a good release, and to one that is not healthy. The server runs `from`. */
export async function checkUpdates(
  { step, assert, out, keys, kind }: Surroundings,
  from: string,
  to: string,
): Promise<void> {
  const bad = '9.9.9';
  const ask = (path: string, body: object = {}) => callAsAdmin<{ update: Update | null; offered: string }>(path, body);
  const ended = async (version: string) => {
    let last: Update | null = null;
    await until(
      'the update ends',
      async () => {
        last = (await ask('mgmt/updates/query')).update;
        return last?.version === version && ['done', 'undone', 'failed'].includes(last.phase);
      },
      240_000,
    );
    return last as Update | null;
  };
  const title = 'kept across updates';
  let live: LiveStream | undefined;
  await step(`${kind}: the console updates from ${from} to ${to} while a viewer watches`, async () => {
    await callAsAdmin('mgmt/beian/update', { beian: 'title', text: title });
    live = await LiveStream.start('update');
    announce(out, keys, to);
    assert((await ask('mgmt/updates/look')).offered === to, 'the release is not offered');
    live.takeGap();
    await callAsAdmin('mgmt/upgrade', {});
    const update = await ended(to);
    assert(update?.phase === 'done', JSON.stringify(update));
    await live.settled();
    const gapMs = live.takeGap();
    assert((await versionOf()) === to, `version ${await versionOf()} runs`);
    assert(gapMs <= mostGapMs, `the viewer had nothing for ${gapMs.toFixed(0)} ms`);
    return `viewer without media for ${gapMs.toFixed(0)} ms`;
  });
  await step(`${kind}: a bad update is undone without anybody, with the settings that it migrated`, async () => {
    breakRelease(out, keys, to, bad);
    announce(out, keys, bad);
    assert((await ask('mgmt/updates/look')).offered === bad, 'the release is not offered');
    await callAsAdmin('mgmt/upgrade', {});
    const update = await ended(bad);
    assert(update?.phase === 'undone' && update.cause === 'unhealthy', JSON.stringify(update));
    assert((await versionOf()) === to, `version ${await versionOf()} runs`);
    const site = await callAsAdmin<{ title: string }>('mgmt/beian/query', {});
    assert(site.title === title, 'the settings are gone');
    const { alerts } = await callAsAdmin<{ alerts: { kind: string }[] }>('mgmt/status', {});
    assert(
      alerts.some(({ kind: alert }) => alert === 'update'),
      'there is no alert',
    );
    await live?.settled();
    return `the viewer watches again; ${update?.detail}`;
  });
  live?.stop();
  await until('it answers', isHealthy);
}
