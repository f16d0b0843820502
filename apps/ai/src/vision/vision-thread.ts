import { localAiPaths } from '@weir/local-ai';
import { ModelThread, serveThread } from '../model-thread.ts';
import type { RgbImage } from './pixels.ts';
import { TextReader } from './text-reader.ts';

const role = 'vision';

/** Worker thread for OCR, which blocks for about a second. */
export class VisionThread {
  readonly #thread: ModelThread<string, RgbImage, readonly string[]>;

  constructor(entry: string, modelsDir: string) {
    this.#thread = new ModelThread(entry, { role, data: modelsDir });
  }

  read(image: RgbImage): Promise<readonly string[]> {
    return this.#thread.ask(image, [image.pixels.buffer as ArrayBuffer]);
  }
}

/** Runs the worker side; false in any other thread. */
export function startVisionThread(): boolean {
  return serveThread(role, async (modelsDir: string) => {
    const reader = await TextReader.load(localAiPaths(modelsDir));
    return (image: RgbImage) => reader.read(image);
  });
}
