import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { outputOf, run } from '../command.ts';
import { forgetSignIn, isHealthy, publishAndWatch, settings, signIn, until } from './server.ts';

interface Surroundings {
  readonly step: (what: string, check: () => Promise<unknown> | unknown) => Promise<void>;
  readonly assert: (isTrue: boolean, message: string) => void;
  readonly work: string;
  /** Debian's smallest root. */
  readonly base: string;
}

const repository = join(import.meta.dirname, '../../..');
const mostMegabytes = 800;
const mostOwnMegabytes = 200;

/** Builds the image from local bases, as no image registry is needed for it, and runs it. */
export async function checkImage({ step, assert, work, base }: Surroundings): Promise<void> {
  forgetSignIn();
  const storage = ['--storage-driver', 'vfs', '--root', join(work, 'images'), '--runroot', join(work, 'images-run')];
  const env = { ...process.env, CONTAINERS_CONF: join(work, 'containers.conf') };
  // Raising limits is not allowed everywhere.
  writeFileSync(env.CONTAINERS_CONF, '[containers]\ndefault_ulimits=["nofile=1024:4096","nproc=2000:2000"]\n');
  const buildah = (...args: string[]) => run('buildah', [...storage, ...args], { env, cwd: repository });
  const podman = (...args: string[]) => outputOf('podman', [...storage, '--runtime', 'runc', ...args]);
  process.env.CONTAINERS_CONF = env.CONTAINERS_CONF;

  const fromFolder = (folder: string, name: string) => {
    const container = outputOf('buildah', [...storage, 'from', 'scratch']);
    buildah('add', '-q', container, folder, '/');
    buildah('commit', '-q', '--rm', container, name);
  };
  await step('the image builds from local bases', () => {
    fromFolder(base, 'localhost/debian:bookworm-slim');
    const builder = join(work, 'builder');
    run('cp', ['-a', base, builder]);
    // Node and npm of this machine: the build needs any that can install packages.
    mkdirSync(join(builder, 'usr/lib/node_modules'), { recursive: true });
    cpSync(
      process.env.npm_execpath?.replace(/\/bin\/.*$/, '') ?? '/usr/lib/node_modules/npm',
      join(builder, 'usr/lib/node_modules/npm'),
      { recursive: true },
    );
    cpSync(process.execPath, join(builder, 'usr/bin/node'));
    writeFileSync(
      join(builder, 'usr/bin/npm'),
      '#!/bin/sh\nexec node /usr/lib/node_modules/npm/bin/npm-cli.js "$@"\n',
      { mode: 0o755 },
    );
    fromFolder(builder, 'localhost/node:slim');
    const bases = ['--build-arg', 'BUILD=localhost/node:slim', '--build-arg', 'BASE=localhost/debian:bookworm-slim'];
    const context = join(work, 'context');
    mkdirSync(context);
    run('sh', ['-c', `git archive HEAD | tar -x -C '${context}'`], { cwd: repository });
    buildah(
      'bud',
      '-q',
      '--isolation',
      'chroot',
      '--network',
      'host',
      '--ulimit',
      'nofile=1024:4096',
      '--ignorefile',
      join(context, 'deploy/docker/Dockerfile.dockerignore'),
      ...bases,
      '-t',
      'localhost/weir',
      '-f',
      join(context, 'deploy/docker/Dockerfile'),
      context,
    );
  });
  await step('its size is within the limits', () => {
    const bytes = Number(podman('image', 'inspect', '--format', '{{.Size}}', 'localhost/weir'));
    const own =
      Number(podman('run', '--rm', '--network', 'host', 'localhost/weir', 'du', '-sk', '/opt/weir').split('\t')[0]) /
      1024;
    assert(bytes / 1e6 <= mostMegabytes && own <= mostOwnMegabytes, `${bytes / 1e6} MB, of which Weir ${own} MB`);
    return `${(bytes / 1e6).toFixed(0)} MB, of which Node and Weir ${own.toFixed(0)} MB`;
  });
  const given = Object.entries(settings).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const hardened = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
  const start = () =>
    podman(
      'run',
      '-d',
      '--name',
      'weir',
      '--network',
      'host',
      ...hardened,
      '-v',
      'weir-data:/data',
      ...given,
      'localhost/weir',
    );
  await step('it runs with a read-only root, as no root user, and a stream is watched', async () => {
    start();
    await until('it answers', isHealthy);
    assert(podman('exec', 'weir', 'id', '-u') === '1000', 'it runs as another user');
    await publishAndWatch();
  });
  await step('its health check passes', async () => {
    await until(
      'it is healthy',
      async () => spawnSync('podman', [...storage, '--runtime', 'runc', 'healthcheck', 'run', 'weir']).status === 0,
    );
  });
  await step('it stops within five seconds, and its data survives a new container', async () => {
    const begin = performance.now();
    podman('stop', '-t', '20', 'weir');
    const ms = performance.now() - begin;
    assert(ms < 5000, `it took ${ms} ms`);
    podman('rm', 'weir');
    start();
    await until('it answers', isHealthy);
    await signIn();
    podman('rm', '-f', '-t', '10', 'weir');
    await sleep(100);
    return `stopped after ${(ms / 1000).toFixed(1)} s`;
  });
}
