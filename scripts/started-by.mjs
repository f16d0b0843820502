// Finds the `npm start` process above us. npm sends a signal only to the shell between us, which dies without passing
// it on.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const longestChain = 4;

/**
 * From us up to npm, as pairs of a process and its parent: `12:11,11:10`. Once a pair is no longer true, somebody between was ended. Empty
 * for every other way to start, whose parents may leave.
 */
export function startedBy(root) {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script, npm_package_json: file } = process.env;
  if (event !== 'start' || !script || file !== join(root, 'package.json')) return '';
  const pairs = [`${process.pid}:${process.ppid}`];
  for (let pid = process.ppid; pairs.length < longestChain && isBetween(pid, script); ) {
    const parent = parentOf(pid);
    if (parent === undefined) break;
    pairs.push(`${pid}:${parent}`);
    pid = parent;
  }
  return pairs.join(',');
}

/** A shell that runs the script, or an older Node that waits for this one. */
function isBetween(pid, script) {
  const args = read(pid, 'cmdline').split('\0');
  return args.some((arg) => arg.startsWith(script) || arg.endsWith('scripts/start.mjs'));
}

function parentOf(pid) {
  const [, parent] = /.*\) . (\d+)/s.exec(read(pid, 'stat')) ?? [];
  return parent;
}

function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
