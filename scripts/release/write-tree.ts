// Builds this folder and writes what a release has into another: node scripts/release/write-tree.ts FOLDER ARCHITECTURE [COMMIT [BASE KEY]].
// For container images, which have no git. BASE and KEY, the line of a public key of minisign, let the image know newer releases.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { architectures, buildSource, writeTree } from './tree.ts';

/** Names that container engines have for architectures. */
const byEngine: Record<string, string> = { amd64: 'x64', '': process.arch };

const [folder = '', given = '', commit = 'unknown', base = '', key = ''] = process.argv.slice(2);
const wanted = byEngine[given] ?? given;
const arch = architectures.find((name) => name === wanted);
if (folder === '' || arch === undefined) throw new Error(`There is no release for "${given}".`);
const source = join(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as { version: string };
buildSource(source);
const origin = base === '' || key === '' ? {} : { origin: { base, key } };
writeTree(source, folder, { version, commit, seconds: 0, ...origin }, arch);
