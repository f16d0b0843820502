import { watch } from 'node:fs';
import { join } from 'node:path';
import type { PlaneName } from '@weir/plane';
import type { LogWriter } from './log-writer.ts';
import type { PlaneProcess } from './plane-process.ts';

/** Editors write a file in several steps. */
const settleMs = 100;

/** For development: a plane starts anew when its code, or code it shares, changes. */
export function restartOnChange(root: string, planes: Record<PlaneName, PlaneProcess>, log: LogWriter): void {
  const sources: Record<string, readonly PlaneName[]> = {
    'apps/engine/src': ['engine'],
    'apps/server/src': ['server'],
    'packages/plane/src': ['engine', 'server'],
    'packages/dialect/src': ['engine', 'server'],
    'packages/contract/src': ['server'],
  };
  for (const [directory, affected] of Object.entries(sources)) {
    let timer: NodeJS.Timeout | undefined;
    watch(join(root, directory), { recursive: true }, (_event, file) => {
      if (file === null || file.endsWith('.test.ts')) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        for (const name of affected) {
          log.log('info', 'code changed', { plane: name, file });
          planes[name]
            .restart()
            .catch((error: unknown) => log.log('error', 'restart failed', { reason: String(error) }));
        }
      }, settleMs);
    });
  }
}
