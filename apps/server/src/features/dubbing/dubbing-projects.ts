import { randomUUID } from 'node:crypto';
import {
  type DubbingAssistant,
  type DubbingChange,
  DubbingProject,
  dubbingLimits,
  maskKey,
  type Source,
  type SourceRef,
} from '@weir/contract';
import { keptKey } from '../../ai/kept-key.ts';
import { toProviderChoice } from '../../ai/provider-choice.ts';
import { type Clock, isoNow } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import { Mutex } from '../../core/mutex.ts';
import type { Collection, Store } from '../../core/store/store.ts';
import type { SourceHolder, Sources } from '../../media-sources/sources.ts';
import { refusal } from './refusal.ts';

interface Context {
  readonly store: Store;
  readonly sources: Sources;
  readonly clock: Clock;
}

const steps = ['asr', 'trans', 'rephrase', 'tts'] as const;

/** Dubbing projects as stored. A film is known by its source; what clients tell about it is never believed. */
export class DubbingProjects {
  readonly #projects: Collection<DubbingProject>;
  readonly #sources: Sources;
  readonly #clock: Clock;
  readonly #turns = new Mutex();

  constructor({ store, sources, clock }: Context) {
    this.#projects = store.collection('dubbing-projects', DubbingProject);
    this.#sources = sources;
    this.#clock = clock;
  }

  readonly heldSources: SourceHolder = async () =>
    (await this.#all()).map(({ uuid, source }) => ({ slot: `dubbing/${uuid}`, uuids: [source] }));

  async list(): Promise<DubbingProject[]> {
    const order = ({ created_at, uuid }: DubbingProject) => created_at + uuid;
    return (await this.#all()).toSorted((a, b) => (order(a) < order(b) ? 1 : -1));
  }

  create(title: string, files: readonly SourceRef[]): Promise<DubbingProject> {
    return this.#turns.take(async () => {
      if (files.length !== 1) throw new WeirError('invalid_input', `invalid files ${files.length}, a project has one`);
      if ((await this.#all()).length >= dubbingLimits.projects)
        throw refusal('too-many-projects', `there can be at most ${dubbingLimits.projects} projects, remove one first`);
      const [source] = await this.#sources.get(await this.#sources.idsOf(files));
      if (!source) throw new WeirError('not_found', 'the video no longer exists, upload it again');
      const project = DubbingProject.parse({
        uuid: randomUUID(),
        title,
        created_at: isoNow(this.#clock),
        ...factsOf(source),
      });
      assertFilm(project);
      await this.#projects.put(project.uuid, project);
      return project;
    });
  }

  async get(uuid: string): Promise<DubbingProject> {
    const project = uuid === '' ? undefined : await this.#projects.get(uuid);
    if (!project) throw new WeirError('not_found', 'there is no such dubbing project');
    return project;
  }

  update({ uuid = '', ...change }: DubbingChange): Promise<DubbingProject> {
    return this.#turns.take(async () => {
      const before = await this.get(uuid);
      const given = Object.entries(change).filter(([, value]) => value !== undefined);
      const merged = { ...before, ...(Object.fromEntries(given) as Partial<DubbingProject>) };
      const keyed = steps.map((step) => [step, withKey(before[step], merged[step])]);
      const project = { ...merged, ...Object.fromEntries(keyed) } as DubbingProject;
      await this.#projects.put(uuid, project);
      return project;
    });
  }

  /** Empty: it was never started. */
  setTask(uuid: string, task: string): Promise<DubbingProject> {
    return this.#turns.take(async () => {
      const project = { ...(await this.get(uuid)), task };
      await this.#projects.put(uuid, project);
      return project;
    });
  }

  async remove(uuid: string): Promise<void> {
    await this.#turns.take(() => this.#projects.delete(uuid));
  }

  async #all(): Promise<DubbingProject[]> {
    return (await this.#projects.list()).map(({ value }) => value);
  }
}

/** Project without its provider key, which leaves the store only towards that provider. */
export function shownProject(project: DubbingProject): DubbingProject {
  const masked = steps.map((step) => {
    const assistant = project[step];
    return [step, assistant && { ...assistant, aiSecretKey: maskKey(assistant.aiSecretKey) }];
  });
  return { ...project, ...Object.fromEntries(masked) };
}

function withKey(before: DubbingAssistant | null, now: DubbingAssistant | null): DubbingAssistant | null {
  return now && { ...now, aiSecretKey: keptKey(toProviderChoice(before), toProviderChoice(now)) };
}

function factsOf({ uuid, type, path, target, format, video, audio }: Source): Partial<DubbingProject> {
  const number = (text: string) => (Number.isFinite(Number(text)) ? Number(text) : 0);
  return {
    source: uuid,
    filetype: type,
    filepath: path,
    source_path: target,
    video,
    audio,
    format: { ...format, duration: number(format.duration), bit_rate: number(format.bit_rate) },
  };
}

function assertFilm({ format, audio, filetype }: DubbingProject): void {
  if (filetype === 'stream') throw refusal('stream', 'files: a live stream cannot be dubbed, record it first');
  if (!audio) throw refusal('no-sound', 'files: the video has no audio');
  const seconds = format?.duration ?? 0;
  if (seconds <= 0) throw refusal('no-length', 'files: the length of the video cannot be read');
  if (seconds > dubbingLimits.filmSeconds)
    throw refusal('film-too-long', `files: a video can be at most ${dubbingLimits.filmSeconds / 3600} hours long`);
}
