import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesBelow, root } from './source.fixture.ts';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: true;
  readonly dev?: true;
  readonly hasInstallScript?: true;
}

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> };
const foreign = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
const those = (isOdd: (each: Locked) => boolean) => foreign.filter(([, each]) => isOdd(each)).map(([path]) => path);

/** Licences that may be combined with ours and redistributed. `MPL 2.0` is one author's spelling. */
const licences = [
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'MPL-2.0',
  'MPL 2.0',
  'OFL-1.1',
];

it('S30: names the checksum of every package, and takes all of them from the registry', () => {
  expect(foreign.length).toBeGreaterThan(100);
  expect(those(({ integrity = '' }) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity))).toEqual([]);
  const isElsewhere = ({ resolved }: Locked) =>
    resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/');
  expect(those(isElsewhere)).toEqual([]);
});

it('S30: requires exact versions, so that only our own change brings another', () => {
  const manifests = [
    'package.json',
    ...filesBelow('packages', ['package.json']),
    ...filesBelow('apps', ['package.json']),
  ];
  for (const path of manifests) {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, path), 'utf8'));
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
      const isExact = name.startsWith('@weir/') || /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version));
      expect([path, name, isExact]).toEqual([path, name, true]);
    }
  }
});

it('S30: allows one package to run a program at installation: the one that finds its own library', () => {
  expect(those(({ hasInstallScript = false }) => hasInstallScript)).toEqual(['node_modules/koffi']);
});

it('S30: runs no program of a package at installation, by npm start or in an image', () => {
  const setUp = readFileSync(join(root, 'scripts/setup.mjs'), 'utf8');
  expect(setUp.match(/\['ci',.*\]/g)).toEqual([expect.stringContaining("'--ignore-scripts'")]);
  const image = readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8');
  for (const [command] of image.matchAll(/npm (ci|install).*/g)) expect(command).toContain('--ignore-scripts');
});

it('S30: has only licences that allow redistribution, and names them for everything that runs', () => {
  const isOdd = ({ license, dev }: Locked) =>
    license === undefined
      ? !dev
      : !license
          .replace(/[()]/g, '')
          .split(' OR ')
          .some((each) => licences.includes(each));
  expect(those(isOdd)).toEqual([]);
});

it('S30: holds no key, certificate or password', () => {
  const files = ['apps', 'attack', 'bench', 'docs', 'packages', 'scripts', 'tests'].flatMap((each) =>
    filesBelow(each, ['']),
  );
  const secretFiles = /(^|\/)(\.env|id_rsa|.*\.(pem|key|crt|cer|p12|pfx|jks))$/;
  expect(files.filter((path) => secretFiles.test(path))).toEqual([]);
  const isSource = /\.(ts|tsx|mjs|js|json|md|html|css|py|yml|sh)$/;
  const holdsKey = (path: string) =>
    /-----BEGIN [A-Z ]*(PRIVATE KEY|CERTIFICATE)-----[\s\\n'"+`]*[A-Za-z0-9+/=]{40}/.test(
      readFileSync(join(root, path), 'utf8'),
    );
  expect(files.filter((path) => isSource.test(path) && holdsKey(path))).toEqual([]);
});

it('S30: lists its components with npm run sbom', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [program = '', ...args] = scripts.sbom.split(' ');
  const list = JSON.parse(execFileSync(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] }).toString());
  const fastify = list.components.find(({ name }: { name: string }) => name === 'fastify');
  expect(fastify).toMatchObject({ hashes: [{ alg: 'SHA-512' }], licenses: [{ license: { id: 'MIT' } }] });
  expect(list.components.some(({ name }: { name: string }) => name === 'vitest')).toBe(false);
});
