import type { Hub, NameState } from '../../hub/hub.ts';
import type { SrtEngineNote } from './srt-notes.ts';

const mostAtOnce = 500;

/** Keeps the worker's list of names as ours is. Many at once are told together. */
export class StreamNameSync {
  readonly #tell: (note: SrtEngineNote) => void;
  readonly #stop: () => void;
  #changed = new Map<string, NameState>();

  constructor(hub: Hub, tell: (note: SrtEngineNote) => void) {
    this.#tell = tell;
    this.#stop = hub.watch((key, state) => this.#note(key, state));
  }

  close(): void {
    this.#stop();
    this.#changed.clear();
  }

  #note(key: string, state: NameState): void {
    if (this.#changed.size === 0) queueMicrotask(() => this.#flush());
    this.#changed.set(key, state);
  }

  #flush(): void {
    const names = [...this.#changed];
    this.#changed.clear();
    for (let at = 0; at < names.length; at += mostAtOnce)
      this.#tell({ type: 'names', names: names.slice(at, at + mostAtOnce) });
  }
}
