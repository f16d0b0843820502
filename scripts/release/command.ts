import { execFileSync } from 'node:child_process';

/** Runs a program whose output belongs on the terminal. */
export function run(program: string, args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  execFileSync(program, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] });
}

/** Standard output of a program, without the last line break. */
export function outputOf(program: string, args: readonly string[], options: { cwd?: string } = {}): string {
  return execFileSync(program, args, { ...options, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).trimEnd();
}
