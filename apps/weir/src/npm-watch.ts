import { readFileSync } from 'node:fs';

const everyMs = 400;

/**
 * Watches the processes between `npm start` and us, as `scripts/start.mjs` found them: `12:11,11:10` for a process and its parent
 * each. A shell that is ended, or npm itself, sends nobody a signal, and we would go on with all ports.
 */
export function watchNpm(pairs: string, onGone: () => void): void {
  const links = pairs.split(',').map((pair) => pair.split(':').map(Number));
  const look = () => {
    if (links.every(([child = 0, parent = 0]) => readParentPid(child) === parent)) return;
    clearInterval(timer);
    onGone();
  };
  const timer = setInterval(look, everyMs);
  timer.unref();
  look();
}

function readParentPid(pid: number): number | undefined {
  if (pid === process.pid) return process.ppid;
  try {
    // The name of the program, which may hold anything, is in parentheses.
    const [, parent] = /.*\) . (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return Number(parent);
  } catch {
    return undefined;
  }
}
