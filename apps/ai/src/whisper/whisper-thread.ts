import { ModelThread, serveThread } from '../model-thread.ts';
import { type WhisperFiles, WhisperModel, type WhisperResult } from './whisper-model.ts';

const role = 'whisper';

interface Question {
  readonly samples: Float32Array;
  readonly language: string;
  readonly left: readonly string[];
}

/** Worker threads for Whisper, which blocks for about a second for each utterance: one for each size in use. */
export class WhisperThreads {
  readonly #entry: string;
  readonly #threads = new Map<string, ModelThread<WhisperFiles, Question, WhisperResult>>();
  /** Ends with the last question, so that a thread gets one at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(entry: string) {
    this.#entry = entry;
  }

  /** Text of at most ten seconds. Without a language it is recognised, and speech in one of the `left` languages gets no text. */
  recognize(files: WhisperFiles, question: Question): Promise<WhisperResult> {
    const thread = this.#threads.get(files.encoder) ?? new ModelThread(this.#entry, { role, data: files });
    this.#threads.set(files.encoder, thread);
    const samples = Float32Array.from(question.samples);
    const work = this.#last.then(() => thread.ask({ ...question, samples }, [samples.buffer]));
    this.#last = work.catch(() => undefined);
    return work;
  }
}

/** Runs the worker side; false in any other thread. */
export function startWhisperThread(): boolean {
  return serveThread(role, async (files: WhisperFiles) => {
    const model = await WhisperModel.load(files, 1);
    return ({ samples, language, left }: Question) => model.recognize(samples, language, left);
  });
}
