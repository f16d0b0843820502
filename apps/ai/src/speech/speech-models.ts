import { stat } from 'node:fs/promises';
import { localAiPlaces } from '@weir/local-ai';
import { ApiError } from '../http/api-error.ts';
import type { Recognizer, RecognizerConfig } from './sherpa.ts';
import type { SpeechStack } from './speech-stack.ts';
import { sampleRate } from './wav.ts';

export interface SpeechModel {
  readonly id: string;
  readonly name: string;
  /** Codes of two or three letters; none where the model does not say. */
  readonly languages: readonly string[];
  readonly config: (language: string) => Readonly<Record<string, unknown>>;
}

const defaultId = 'moonshine-tiny';

/** The models that turn speech into text. */
export class SpeechModels {
  readonly #stack: SpeechStack;
  readonly #modelsDir: string;

  constructor(stack: SpeechStack, modelsDir: string) {
    this.#stack = stack;
    this.#modelsDir = modelsDir;
  }

  async list(): Promise<SpeechModel[]> {
    const { moonshine } = localAiPlaces(this.#modelsDir);
    const isThere = await stat(moonshine.tokens).then(
      () => true,
      () => false,
    );
    return isThere ? [builtIn(moonshine)] : [];
  }

  /** By its name; without one, the one that fits the language best. */
  async find(id: string, language: string): Promise<SpeechModel> {
    const models = await this.list();
    const named = models.find((model) => model.id === id);
    const fitting = models.filter(({ languages }) => languages.includes(language.split(/[-_]/)[0] ?? ''));
    const found = id === '' ? (fitting[0] ?? models.find((model) => model.id === defaultId)) : named;
    if (!found) throw new ApiError(404, 'model_not_found', `There is no model ${id || defaultId} here.`);
    return found;
  }

  load(model: SpeechModel, language: string): Promise<Recognizer> {
    const config: RecognizerConfig = {
      featConfig: { sampleRate, featureDim: 80 },
      modelConfig: { ...model.config(language), numThreads: 1, provider: 'cpu', debug: 0 },
    };
    return this.#stack.recognizer(JSON.stringify(config), config);
  }
}

function builtIn({ encoder, decoder, tokens }: ReturnType<typeof localAiPlaces>['moonshine']): SpeechModel {
  return {
    id: defaultId,
    name: 'Moonshine tiny',
    languages: ['en'],
    config: () => ({ moonshine: { encoder, mergedDecoder: decoder }, tokens }),
  };
}
