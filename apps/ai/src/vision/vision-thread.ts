import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { localAiPaths } from '@weir/local-ai';
import type { RgbImage } from './pixels.ts';
import { TextReader } from './text-reader.ts';

/** Identifies our worker data among other workers. */
const mark = 'weir-vision';
/** The models take 170 MB, which an idle thread releases. */
const idleMs = 120_000;

type Answer = { readonly lines: readonly string[] } | { readonly error: string };

/** Worker thread for OCR, which blocks for about a second. Handles one image at a time. */
export class VisionThread {
  readonly #entry: string;
  readonly #modelsDir: string;
  #worker: Worker | undefined;
  #waiting: PromiseWithResolvers<Answer> | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** `entry` is the entry file of the process, which the thread runs too. */
  constructor(entry: string, modelsDir: string) {
    this.#entry = entry;
    this.#modelsDir = modelsDir;
  }

  async read(image: RgbImage): Promise<readonly string[]> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    this.#waiting = Promise.withResolvers<Answer>();
    worker.postMessage(image, [image.pixels.buffer as ArrayBuffer]);
    try {
      const answer = await this.#waiting.promise;
      if ('error' in answer) throw new Error(answer.error);
      return answer.lines;
    } finally {
      this.#waiting = undefined;
      this.#idle = setTimeout(() => void worker.terminate(), idleMs).unref();
    }
  }

  #start(): Worker {
    const worker = new Worker(this.#entry, { workerData: { [mark]: this.#modelsDir } });
    const lose = (reason: unknown) => {
      if (this.#worker === worker) this.#worker = undefined;
      this.#waiting?.reject(reason instanceof Error ? reason : new Error('the thread that reads images has ended'));
    };
    return worker
      .on('message', (answer: Answer) => this.#waiting?.resolve(answer))
      .on('error', lose)
      .on('exit', lose);
  }
}

/** Runs the worker side; false in any other thread. */
export function startVisionThread(): boolean {
  const modelsDir: unknown = isMainThread ? undefined : workerData?.[mark];
  if (typeof modelsDir !== 'string') return false;
  let reader: Promise<TextReader> | undefined;
  parentPort?.on('message', async (image: RgbImage) => {
    try {
      reader ??= TextReader.load(localAiPaths(modelsDir));
      parentPort?.postMessage({ lines: await (await reader).read(image) } satisfies Answer);
    } catch (error) {
      reader = undefined;
      parentPort?.postMessage({ error: String(error) } satisfies Answer);
    }
  });
  return true;
}
