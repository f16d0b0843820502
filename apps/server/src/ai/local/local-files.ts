import { installLocalAi, readLocalAiState, removeLocalAi } from '@weir/local-ai';
import type { Clock } from '../../core/clock.ts';
import type { LocalAiFiles } from './local-install.ts';

/** Every call of AI asks whether the files are there; a look at the disk every few seconds answers that. */
const lookEveryMs = 3000;

/** The files of built-in AI below a directory. */
export function localFiles(modelsDir: string, clock: Clock): LocalAiFiles {
  let looked: { readonly atMs: number; readonly state: ReturnType<typeof readLocalAiState> } | undefined;
  const changed = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } finally {
      looked = undefined;
    }
  };
  return {
    state() {
      const nowMs = clock.elapsedMs();
      if (!looked || nowMs - looked.atMs > lookEveryMs) looked = { atMs: nowMs, state: readLocalAiState(modelsDir) };
      return looked.state;
    },
    install: (options) => changed(installLocalAi(modelsDir, options)),
    remove: () => changed(removeLocalAi(modelsDir)),
  };
}
