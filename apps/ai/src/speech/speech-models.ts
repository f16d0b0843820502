import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { localAiPaths } from '@weir/local-ai';
import { AiHttpError } from '../ai-http-error.ts';
import { whisperLanguages } from '../user-models/model-files.ts';
import type { UserModels } from '../user-models/user-models.ts';
import type { WhisperFiles } from '../whisper/whisper-model.ts';

export interface SpeechModel {
  readonly id: string;
  readonly name: string;
  /** Codes of two or three letters; empty if unknown. */
  readonly languages: readonly string[];
  /** Highest plausible token rate; above it the model hallucinates. */
  readonly mostTokensPerSecond: number;
  /** Model of sherpa-onnx with its settings, or one of Whisper with its files. */
  readonly settings?: (language: string) => Readonly<Record<string, unknown>>;
  readonly whisper?: WhisperFiles;
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

  /** Lists user models before the built-in ones: who adds a model wants to use it. */
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
    return [...added, ...(await this.#builtIn()), ...(await this.#whisper())];
  }

  /** Finds a model by id, else the first that supports the language, else the first. */
  async find(id: string, language: string): Promise<SpeechModel> {
    // Built-in models need no scan of user models.
    const builtIn = [...(await this.#builtIn()), ...(await this.#whisper())];
    const models = builtIn.some((model) => model.id === id) ? builtIn : await this.list();
    const [code = ''] = language.split(/[-_]/);
    const fitting = models.find(({ languages }) => languages.length === 0 || languages.includes(code));
    const found = id === '' ? (fitting ?? models[0]) : models.find((model) => model.id === id);
    if (!found) throw new AiHttpError(404, 'model_not_found', `The model ${id || builtInId} is not installed.`);
    return found;
  }

  async #builtIn(): Promise<SpeechModel[]> {
    const { encoder, decoder, tokens } = localAiPaths(this.#modelsDir).moonshine;
    if (!(await isThere(tokens))) return [];
    const settings = () => ({ moonshine: { encoder, mergedDecoder: decoder }, tokens });
    return [{ id: builtInId, name: 'Moonshine tiny', languages: ['en'], mostTokensPerSecond: 9, settings }];
  }

  /** Installed sizes of Whisper, the smaller one first: the larger one is too slow for live streams and is only used if it is named. */
  async #whisper(): Promise<SpeechModel[]> {
    const models: SpeechModel[] = [];
    for (const size of ['base', 'small'] as const) {
      const whisper = localAiPaths(this.#modelsDir).whisper(size);
      const paths = [whisper.encoder, whisper.decoder, join(whisper.runtime, 'package.json'), whisper.simplify];
      if (!(await Promise.all(paths.map(isThere))).every(Boolean)) continue;
      const plausible = { languages: whisperLanguages, mostTokensPerSecond: Number.POSITIVE_INFINITY };
      models.push({ id: `whisper-${size}`, name: `Whisper ${size}`, ...plausible, whisper });
    }
    return models;
  }
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
