import { existsSync } from 'node:fs';

/** Directories of util-linux. */
const places = ['/usr/bin', '/bin'];
const programOf = (name: string) =>
  process.platform === 'linux' ? places.map((place) => `${place}/${name}`).find((path) => existsSync(path)) : undefined;

/**
 * `setpriv` asks the kernel to kill the child when its parent is gone. Node cannot ask for that itself, and a parent
 * killed with -9 can tell nobody.
 */
const setpriv = programOf('setpriv');
const prlimit = programOf('prlimit');

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * The same command, bound to the life of this process. `setpriv` becomes the command: no process more, the same pid.
 * Where there is none (no Linux), a child must end by itself when its standard input does; ours read media there.
 */
export function withParentWatch({ command, args }: Command): Command {
  return setpriv ? { command: setpriv, args: ['--pdeathsig', 'KILL', command, ...args] } : { command, args };
}

/** The same command with a limit on its memory, which `prlimit` sets before it becomes the command. */
export function withMemoryLimit({ command, args }: Command, mostBytes: number | undefined): Command {
  if (mostBytes === undefined || !prlimit) return { command, args };
  return { command: prlimit, args: [`--data=${Math.ceil(mostBytes)}`, command, ...args] };
}
