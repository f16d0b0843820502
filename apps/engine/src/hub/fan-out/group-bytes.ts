import type { FileRegion } from '../../delivery/memory-file.ts';
import type { SharedBytes } from '../../delivery/shared-bytes.ts';
import type { SharedMemory } from '../../delivery/shared-memory.ts';

/** The limit of the frame cache. */
const mostBytes = 16 * 1024 * 1024;
/** Memory of a window beside its bytes. */
const windowCost = 512;
/** Size of a region: a group and the window that ends it. Only bytes that are written take memory. */
const regionBytes = 32 * 1024 * 1024;

/**
 * Bytes sent since the last keyframe, window by window. New viewers share them: a thousand viewers that join one by one and never read hold
 * one group of pictures, not a thousand copies.
 */
export class GroupBytes {
  readonly #memory: SharedMemory | undefined;
  #region: FileRegion | undefined;
  #windows: SharedBytes[] = [];
  #bytes = 0;
  /** True if it starts with a keyframe and is complete since. */
  #isWhole = false;

  constructor(memory: SharedMemory | undefined) {
    this.#memory = memory;
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  get windows(): readonly SharedBytes[] {
    return this.#windows;
  }

  begin(window: SharedBytes): void {
    this.#renew(window.length);
    window.store(this.#region);
    this.#windows = [window];
    this.#bytes = window.length + windowCost;
    this.#isWhole = true;
  }

  add(window: SharedBytes): void {
    // Without a group, a window stays in the file until the next one is stored.
    if (!this.#isWhole) this.#renew(window.length);
    window.store(this.#region);
    if (!this.#isWhole) return;
    this.#windows.push(window);
    this.#bytes += window.length + windowCost;
    if (this.#bytes > mostBytes) this.clear();
  }

  /** The last window stays readable until the next one comes. */
  clear(): void {
    this.#windows = [];
    this.#bytes = 0;
    this.#isWhole = false;
  }

  close(): void {
    this.clear();
    this.#region?.close();
    this.#region = undefined;
  }

  /** Gives back the memory of the last group. Viewers that are behind hold copies. */
  #renew(bytes: number): void {
    this.#region?.close();
    this.#region = this.#memory?.file?.open(Math.max(regionBytes, bytes));
  }
}
