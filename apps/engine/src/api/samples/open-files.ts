import { readdirSync, readFileSync } from 'node:fs';

/** Descriptors that this process has and may have; undefined on systems that do not tell. */
export function openFiles(): { used: number; most: number } | undefined {
  try {
    const most = Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
    return Number.isNaN(most) ? undefined : { used: readdirSync('/proc/self/fd').length, most };
  } catch {
    return undefined;
  }
}
