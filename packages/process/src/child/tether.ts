import { existsSync } from 'node:fs';

/**
 * Where util-linux keeps `setpriv`, which asks the kernel to kill the child when its parent is gone. Node cannot ask
 * for that itself, and a parent killed with -9 can tell nobody.
 */
const places = ['/usr/bin/setpriv', '/bin/setpriv'];
const setpriv = process.platform === 'linux' ? places.find((place) => existsSync(place)) : undefined;

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * The same command, bound to the life of this process. `setpriv` becomes the command: no process more, the same pid.
 * Where there is none (no Linux), a child must end by itself when its standard input does; ours read media there.
 */
export function tethered({ command, args }: Command): Command {
  return setpriv ? { command: setpriv, args: ['--pdeathsig', 'KILL', command, ...args] } : { command, args };
}
