import { runTool } from '@weir/process';
import type { UserModels } from './user-models/user-models.ts';

export interface Voice {
  readonly id: string;
  readonly name: string;
  readonly languages: readonly string[];
  readonly program: 'pico' | 'flite' | 'espeak' | 'sherpa';
  /** Name of the voice in its program or model. */
  readonly programName: string;
}

const pico: readonly [string, string][] = [
  ['en-US', 'English (US)'],
  ['en-GB', 'English (UK)'],
  ['de-DE', 'German'],
  ['es-ES', 'Spanish'],
  ['fr-FR', 'French'],
  ['it-IT', 'Italian'],
];
/** Other flite voices only speak times or have half the sample rate. */
const flite = ['slt', 'rms', 'awb', 'kal16'];
/** espeak-ng uses its own code for Mandarin. */
const sameLanguage: Readonly<Record<string, string>> = { cmn: 'zh' };
const mostSpeakers = 20;
const withinMs = 10_000;

/** Lists voices, best first: user voices, then installed programs by intelligibility. */
export class Voices {
  readonly #added: UserModels;
  /** Cached: installed programs rarely change. */
  #programs: Promise<Voice[]> | undefined;

  constructor(added: UserModels) {
    this.#added = added;
  }

  async list(): Promise<Voice[]> {
    this.#programs ??= programVoices();
    const added = (await this.#added.list()).flatMap(({ id, set, speakers, problem }) =>
      set?.kind === 'voice' && problem === ''
        ? Array.from({ length: Math.min(Math.max(speakers, 1), mostSpeakers) }, (_, sid) => ({
            id: sid === 0 ? id : `${id}#${sid}`,
            name: sid === 0 ? id : `${id} ${sid}`,
            languages: set.languages,
            program: 'sherpa' as const,
            programName: `${id}#${sid}`,
          }))
        : [],
    );
    return [...added, ...(await this.#programs)];
  }
}

async function programVoices(): Promise<Voice[]> {
  const [hasPico, fliteSays, espeakSays] = await Promise.all([
    isInstalled('pico2wave'),
    output('flite', ['-lv']),
    output('espeak-ng', ['--voices']),
  ]);
  const picoVoices = (hasPico ? pico : []).map(([language, name]) => ({
    id: `pico-${language.toLowerCase()}`,
    name: `Pico, ${name}`,
    languages: [language],
    program: 'pico' as const,
    programName: language,
  }));
  const fliteVoices = flite
    .filter((voice) => fliteSays.split(/\s+/).includes(voice))
    .map((voice) => ({
      id: `flite-${voice}`,
      name: `flite, ${voice}`,
      languages: ['en'],
      program: 'flite' as const,
      programName: voice,
    }));
  return [...picoVoices, ...fliteVoices, ...parseEspeakVoices(espeakSays)];
}

/** Columns: priority, language, age/gender, name, file. Keeps one voice per language. */
export function parseEspeakVoices(table: string): Voice[] {
  const voices = new Map<string, Voice>();
  for (const line of table.split('\n').slice(1)) {
    const [, language = '', , name = ''] = line.trim().split(/\s+/);
    const [code = ''] = language.split('-');
    const known = sameLanguage[code] ?? code;
    if (!/^[a-z]{2,3}$/.test(code) || !/^[\w-]+$/.test(language) || voices.has(known)) continue;
    const shown = name.replaceAll('_', ' ').replace(/ ?\(.*$/, '');
    voices.set(known, {
      id: `espeak-${known}`,
      name: `eSpeak, ${shown}`,
      languages: [known],
      program: 'espeak',
      programName: language,
    });
  }
  return [...voices.values()];
}

async function isInstalled(command: string): Promise<boolean> {
  return !(await runTool({ command, args: ['--version'], withinMs })).isMissing;
}

async function output(command: string, args: readonly string[]): Promise<string> {
  return (await runTool({ command, args, withinMs })).output;
}
