import { type AiCapability, type AiTestResult, aiCapabilities, aiHosts } from '@weir/contract';
import type { Clock } from '../core/clock.ts';
import { AiError, type ProviderChoice } from './ai.ts';
import { chooseModel } from './choose-model.ts';
import type { AiMeter } from './meter/ai-meter.ts';
import type { Provider, Providers } from './providers.ts';
import { writeWav } from './wav.ts';

/** The words WEIR 42 in black on white, 128 × 48, as JPEG. */
const sampleImage: Uint8Array = Buffer.from(
  [
    '/9j/4AAQSkZJRgABAgAAAQABAAD//gAQTGF2YzU5LjM3LjEwMAD/2wBDAAgQEBMQExYWFhYWFhoYGhsbGxoaGhobGxsdHR0iIiIdHR0bGx0dICAiIiUmJSMj',
    'IiMmJigoKDAwLi44ODpFRVP/xABvAAEBAQEBAQAAAAAAAAAAAAAABwYFBAIBAQAAAAAAAAAAAAAAAAAAAAAQAAEDAwIEBAUDBAMBAAAAAAEEAwIRABIFISIU',
    'MRMyYXFBFZGBUQYjQ0KSdCRSoqEzsREBAAAAAAAAAAAAAAAAAAAAAP/AABEIADAAgAMBIgACEQADEQD/2gAMAwEAAhEDEQA/AL/a1z1AuUnVl6J9zMQEXWOG',
    'McWz1FYxBlTOI3qdrChWuRfkWqrUb7baOWPbZkofGMJVbzjEeKMqe/SnW6IoWQaROKgaxiyXY+fDlH57WHZtcxTLFvwCat12r5addjLBsYgVw4REROwruPe/',
    'Lp7OsrkjKj4t2+7HLHkmJU8q1FflYVi18JCnVsCYUq+bJIxPZgziPcUgTWvnea0JcoWTXh6eYZUybb4YxxiCduGIr6mpsKFa4ygd1bVHVuGo9iLCibcY8qw5',
    'tU03IidgKe99pDqC1jUvhy6Tbspt9xl6EcDICu0ojb+MunQj3sKZa1rBa4av1xbNWzJLMQSczBNljCXflXjkDKJpEeEEEV63XlpUhPPlRAvbYdzwbyFSdx0F',
    'TYdS1zeSTX4wLg1BibgFezy8A3I/69zafpsL7ujal8VRxfMcJiRg5EdBONOld6EEHyrSw1dyfU/8PXdOU9IviSafr0jX6zH9N1i8F+RIH16OITxyeadg42Kx',
    'idtjvIgdDXc+1hxkjI1NdrLkvCY8jA/YCNHP+VDePULZufjjCb96b0UZj7jtzrT+kQB9bqmgonUKGMHxi9ObjroqDxzl94kg8IHQ3ghoaz40JmH+FFTNUJZQ',
    'p3JREvBln44geH2sN3qbMU+iqGo9G0koD0jCl4/R0OqOaemk1qnZgYcLfKMzwFTtlI1Pqbo2qMuKEKlpuOU3GpxiKgVJGwqSAPqbwunvayhSMp/hPc7Uccud',
    'YjXzpQ0+dhvkTCpiEgpVc3IyqJ9mDOIoOGkCQd963gfxj/11T+8n/wDZXuUKhY/nzSPlMccP123s61r4AMabdetbzmhIVCOa8vQwDymTjfFGWUSTvwyNPQ0N',
    'hhNGVLk72pBMh5sFW4ZS5htnE5S2pMEn6X1tJlPUNYeUq6MKE7fbglocoQP8zI7SHEen+1dhS9LoSFQjmvL0MA8pk43xRllEk78MjT0NDfxrCBSVKVeihm+z',
    'LGcMow7rR6gmRA23H18rCi3NfyBf2w0hg7Biaqom9OQhFpn+UspEDI7gCv8A3S6QNwNqeR9vlUXz30SVSRJ5Ow8QKAuNwmQPsDIHawi2tPae01pbKV9PKDCm',
    'FcHW5YxHWU8TtXqSfe7k080ogJtOQdga0lCQlE067xJFzHWdDg8UfKI2BiojJ7CDLf6fvlXHIeW/pe3VQdSInI6ew13AP0moiDcKykKmnDHYEy9q0sOBrOqy',
    'T0RpB3Vj4pCMf2wf3Jfag3FfU7X19H04aWjgxXKW8nJexnLrTyGwHkLnOmM6rp3cclpJUKHSS4/NanEpb9AKHGPlXf5XVkTyl9syUpuVmJECHdg9WNBxZQAA',
    'qainXaw7FrWsFrWsFrWsFrWsFrWsFrWsFrWsFrWsP//Z',
  ].join(''),
  'base64',
);

const sampleRate = 16_000;

/** One second of silence, enough to check the connection. */
function sampleSpeech(): Uint8Array {
  return writeWav(Buffer.alloc(sampleRate * 2));
}

interface Context {
  readonly providers: Providers;
  readonly meter: AiMeter;
  readonly clock: Clock;
}

const withinMs = 15_000;
const checkedSpeech = 'whisper-1';

/** Tests each capability of a provider once, without retries, because a person waits for the result. */
export class ProviderTest {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  /**
   * Checks what the API's own test needs: the speech model exists and chat works. Fails with `AiError`, prefixed with
   * the step.
   */
  async check(choice: ProviderChoice, model: string): Promise<void> {
    const provider = await this.#context.providers.resolve('chat', choice);
    const { wire, host } = provider;
    const signal = AbortSignal.timeout(withinMs);
    await named(`query model ${checkedSpeech}`, () => wire.model(checkedSpeech, signal));
    const messages = [{ role: 'user', content: 'Hello!' }] as const;
    await named('create chat', () =>
      this.#counted(host, () => wire.complete({ model, messages, maxTokens: 50 }, signal)),
    );
  }

  /** Tests every capability and reports why one does not work. Never fails. */
  async test(choice?: ProviderChoice): Promise<AiTestResult[]> {
    return Promise.all(aiCapabilities.map((need) => this.#try(need, choice)));
  }

  async #try(need: AiCapability, choice?: ProviderChoice): Promise<AiTestResult> {
    const { providers, clock } = this.#context;
    const beganMs = clock.elapsedMs();
    let model = '';
    let by: AiTestResult['by'] = 'nobody';
    const result = (cause: AiTestResult['cause']): AiTestResult => {
      const delayMs = Math.round(clock.elapsedMs() - beganMs);
      return { need, works: cause === null, by, model, cause, delayMs };
    };
    try {
      const provider = await providers.resolve(need, choice);
      by = provider.local ? 'built-in' : 'provider';
      model = chooseModel(need, { feature: 'check' }, provider);
      await this.#counted(provider.host, () => ask(need, provider, model));
      return result(null);
    } catch (error) {
      return result(error instanceof AiError ? error.cause : 'provider-error');
    }
  }

  async #counted<T>(host: string, work: () => Promise<T>): Promise<T> {
    const spending = await this.#context.meter.begin({ feature: 'check', host, seconds: 0 });
    try {
      const done = await work();
      spending.end({});
      return done;
    } catch (error) {
      spending.end(error instanceof AiError ? { cause: error.cause } : {});
      throw error;
    }
  }
}

async function ask(need: AiCapability, { wire, host }: Provider, model: string): Promise<void> {
  // Built-in AI may have to start first.
  const signal = AbortSignal.timeout(host === aiHosts.builtIn ? 3 * withinMs : withinMs);
  try {
    await questions[need](wire, model, signal);
  } catch (error) {
    if (error instanceof AiError && error.cause === 'stopped') throw new AiError('timeout', 'no response in time');
    throw error;
  }
}

type Question = (wire: Provider['wire'], model: string, signal: AbortSignal) => Promise<unknown>;

const questions: Readonly<Record<AiCapability, Question>> = {
  transcribe: (wire, model, signal) =>
    wire.transcribe({ model, audio: sampleSpeech(), seconds: 1, language: '', prompt: '' }, signal),
  chat: (wire, model, signal) =>
    wire.complete({ model, messages: [{ role: 'user', content: 'Hello!' }], maxTokens: 50 }, signal),
  see: (wire, model, signal) =>
    wire.see({ model, messages: [], image: sampleImage, prompt: 'What is written here?', maxTokens: 50 }, signal),
  speak: (wire, model, signal) => wire.speak({ model, text: 'Hello!', voice: model, format: 'wav' }, signal),
};

async function named<T>(step: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AiError)) throw error;
    const message = error.cause === 'stopped' ? 'no response within 15 seconds' : error.message;
    throw new AiError(error.cause === 'stopped' ? 'timeout' : error.cause, `${step}: ${message}`);
  }
}
