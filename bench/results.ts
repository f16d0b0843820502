import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

function run(file: string, args: readonly string[]): string {
  const { stdout, error } = spawnSync(file, args, { encoding: 'utf8' });
  return error ? '' : stdout.trim();
}

/** Facts that decide whether two results may be compared. */
function describeMachine() {
  return {
    // Node does not know the model of arm64 processors.
    cpu: /Model name: +(.*)/.exec(run('lscpu', []))?.[1] ?? cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    arch: process.arch,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.versions.node,
  };
}

/** Date, commit and machine of a measurement. `tree` is the checkout that was measured, if not this one. */
export function describeRun(tree: string = root) {
  const git = (...args: string[]) => run('git', ['-C', tree, ...args]);
  return {
    date: new Date().toISOString(),
    commit: git('rev-parse', '--short', 'HEAD') || 'unknown',
    // Results are written into the repository, so they do not count as a change of what is measured.
    isModified: git('status', '--porcelain', '--', '.', ':!bench/results', ':!docs') !== '',
    machine: describeMachine(),
  };
}

interface Options {
  readonly tree?: string | undefined;
  /** Quick runs only show that a benchmark works, so they leave the last result in place. */
  readonly isQuick?: boolean;
  /** Rows of the last result that stay, because only others are measured again. Each keeps its date and commit as `from`. */
  readonly keeps?: (row: Readonly<Record<string, unknown>>) => boolean;
}

function rowsOf(path: string, keeps: NonNullable<Options['keeps']>): object[] {
  const { date, commit, rows } = JSON.parse(readFileSync(path, 'utf8'));
  return rows.filter(keeps).map((row: object) => ({ from: { date, commit }, ...row }));
}

/** The result of one run in bench/results, rewritten with each row, so that an aborted run keeps what it has. */
export class BenchResult {
  readonly #path: string | undefined;
  readonly #head: object;
  readonly #rows: object[] = [];

  constructor(name: string, { tree, isQuick = false, keeps }: Options = {}) {
    this.#path = isQuick ? undefined : join(root, 'bench/results', `${name}.json`);
    if (keeps && this.#path !== undefined && existsSync(this.#path)) this.#rows.push(...rowsOf(this.#path, keeps));
    this.#head = { benchmark: name, arguments: process.argv.slice(2), ...describeRun(tree) };
  }

  /** Prints the text, by default the row as JSON, and keeps the row with the load of the machine. */
  add(row: object, text: string = JSON.stringify(row)): void {
    if (text !== '') console.log(text);
    this.#rows.push({ ...row, load: Math.round((loadavg()[0] ?? 0) * 10) / 10 });
    if (this.#path === undefined) return;
    mkdirSync(join(root, 'bench/results'), { recursive: true });
    writeFileSync(this.#path, `${JSON.stringify({ ...this.#head, rows: this.#rows }, undefined, 2)}\n`);
  }
}
