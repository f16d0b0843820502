import { stat } from 'node:fs/promises';
import { localAiPaths } from '@weir/local-ai';
import { AiHttpError } from '../ai-http-error.ts';
import type { UserModels } from '../user-models/user-models.ts';

export interface SpeechModel {
  readonly id: string;
  readonly name: string;
  /** Codes of two or three letters; empty if unknown. */
  readonly languages: readonly string[];
  /** Highest plausible token rate; above it the model hallucinates. */
  readonly mostTokensPerSecond: number;
  readonly settings: (language: string) => Readonly<Record<string, unknown>>;
}

const builtInId = 'moonshine-tiny';

/** Speech-to-text models. */
export class SpeechModels {
  readonly #modelsDir: string;
  readonly #added: UserModels;

  constructor(modelsDir: string, added: UserModels) {
    this.#modelsDir = modelsDir;
    this.#added = added;
  }

  /** Lists user models before the built-in one: who adds a model wants to use it. */
  async list(): Promise<SpeechModel[]> {
    const added = (await this.#added.list()).flatMap(({ id, path, set, problem }) =>
      set?.kind === 'speech-to-text' && problem === ''
        ? [
            {
              id,
              name: id,
              languages: set.languages,
              mostTokensPerSecond: Number.POSITIVE_INFINITY,
              settings: (language: string) => set.config(path, language),
            },
          ]
        : [],
    );
    return [...added, ...(await this.#builtIn())];
  }

  /** Finds a model by id, else the first that supports the language, else the first. */
  async find(id: string, language: string): Promise<SpeechModel> {
    // The built-in model needs no scan of user models.
    const models = id === builtInId ? await this.#builtIn() : await this.list();
    const [code = ''] = language.split(/[-_]/);
    const fitting = models.find(({ languages }) => languages.length === 0 || languages.includes(code));
    const found = id === '' ? (fitting ?? models[0]) : models.find((model) => model.id === id);
    if (!found) throw new AiHttpError(404, 'model_not_found', `The model ${id || builtInId} is not installed.`);
    return found;
  }

  async #builtIn(): Promise<SpeechModel[]> {
    const { encoder, decoder, tokens } = localAiPaths(this.#modelsDir).moonshine;
    const isThere = await stat(tokens).then(
      () => true,
      () => false,
    );
    if (!isThere) return [];
    const settings = () => ({ moonshine: { encoder, mergedDecoder: decoder }, tokens });
    return [{ id: builtInId, name: 'Moonshine tiny', languages: ['en'], mostTokensPerSecond: 9, settings }];
  }
}
