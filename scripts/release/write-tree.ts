// Builds this folder and writes what a release has into another: node scripts/release/write-tree.ts FOLDER ARCHITECTURE [COMMIT]. For
// container images, which have no git.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { architectures, buildSource, writeTree } from './tree.ts';

/** Names that container engines have for architectures. */
const byEngine: Record<string, string> = { amd64: 'x64', '': process.arch };

const [folder = '', given = '', commit = 'unknown'] = process.argv.slice(2);
const wanted = byEngine[given] ?? given;
const arch = architectures.find((name) => name === wanted);
if (folder === '' || arch === undefined) throw new Error(`There is no release for "${given}".`);
const source = join(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as { version: string };
buildSource(source);
writeTree(source, folder, { version, commit, seconds: 0 }, arch);
