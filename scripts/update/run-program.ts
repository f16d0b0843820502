import { spawnSync } from 'node:child_process';

/** A program failed; the message is what it said last. */
export class ProgramError extends Error {}

/** Runs a program to its end and returns its output. What it prints also goes to the journal. */
export function runProgram(program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  });
  if (stderr) process.stderr.write(stderr);
  if (error) throw new ProgramError(`${program}: ${error.message}`);
  if (status !== 0) throw new ProgramError(lastLine(stderr) || lastLine(stdout) || `${program} ended with ${status}`);
  return stdout;
}

function lastLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.at(-1)?.trim() ?? '';
}
