import { type TranscriptConfig, type TranscriptStream, transcriptLanguages } from '@weir/contract';
import type { Ai } from '../../ai/ai.ts';
import { assertAnswerer } from '../../ai/assert-answerer.ts';
import { WeirError } from '../../core/errors.ts';
import { Turns } from '../../core/turns.ts';
import { freshMs } from '../../pipelines/watch-segments.ts';
import type { Lane } from './lane/lane.ts';
import type { Lanes } from './lane/lanes.ts';
import type { QueueName } from './lane/segment-row.ts';
import { segmentViews } from './lane/segment-views.ts';
import type { Listening } from './listening.ts';
import { parseCodecParams } from './output/codec-params.ts';
import { parseForceStyle } from './output/force-style.ts';
import type { TranscriptSettings } from './transcript-settings.ts';

interface Context {
  readonly ai: Pick<Ai, 'describe'>;
  readonly settings: TranscriptSettings;
  readonly lanes: Lanes;
  readonly listening: Listening;
}

/** Subtitles for live streams: what the owner wants, and what came of it. */
export class TranscriptService {
  readonly #context: Context;
  /** Starting, stopping and resetting one after the other. */
  readonly #turns = new Turns();

  constructor(context: Context) {
    this.#context = context;
  }

  async query() {
    const { settings, lanes } = this.#context;
    await lanes.load();
    return { config: await settings.masked(), task: { uuid: lanes.uuid } };
  }

  /** Also starts and stops. */
  async apply({ uuid: _uuid, ...change }: Parameters<TranscriptSettings['merge']>[0] & { uuid: string }) {
    return this.#turns.take(async () => {
      const { settings, lanes } = this.#context;
      await lanes.load();
      const { all: wasOn } = await settings.read();
      const config = settings.merge(change);
      parseForceStyle(config.forceStyle);
      parseCodecParams(config.videoCodecParams);
      if (config.all) await assertAnswerer(this.#context.ai, 'transcribe', config, config.lang);
      await settings.save(config);
      await this.#follow(config, wasOn);
      return { uuid: lanes.uuid };
    });
  }

  async choose(streams: readonly string[]): Promise<void> {
    await this.#turns.take(async () => {
      const { settings, lanes } = this.#context;
      await lanes.load();
      const current = await settings.read();
      const config = { ...settings.merge({ ...current, streams }), secretKey: current.secretKey };
      await settings.save(config);
      await this.#follow(config, current.all);
    });
  }

  /** Shows the text of one stream in its own players, or no longer. */
  async caption(uuid: string, isOn: boolean): Promise<void> {
    await this.#turns.take(async () => {
      const { settings, lanes, listening } = this.#context;
      await lanes.load();
      const { wanted } = assertTask(lanes, uuid).row;
      const current = await settings.read();
      const others = current.captions.filter((stream) => stream !== wanted);
      await settings.save({ ...current, captions: isOn ? [...others, wanted] : others });
      listening.wake();
    });
  }

  /** Takes up what was wanted when the server last ran. */
  async resume(): Promise<void> {
    await this.#turns.take(async () => {
      const { settings, lanes, listening } = this.#context;
      await lanes.load();
      const { all } = await settings.read();
      if (all) for (const lane of lanes.all) lane.start();
      listening.wake();
    });
  }

  async reset(uuid: string) {
    return this.#turns.take(async () => {
      const { settings, lanes, listening } = this.#context;
      await lanes.load();
      assertTask(lanes, uuid);
      if ((await settings.read()).all) throw new WeirError('invalid_input', 'can not reset when running');
      await lanes.reset();
      listening.wake();
      return { uuid: lanes.uuid };
    });
  }

  async clear(uuid: string, tsid: string) {
    await (await this.#laneOf(uuid, tsid)).clear(tsid);
    return { uuid: this.#context.lanes.uuid };
  }

  async edit({ uuid, tsid, cue, text }: { uuid: string; tsid: string; cue?: number | undefined; text: string }) {
    await (await this.#laneOf(uuid, tsid)).edit(tsid, cue, text);
    return { uuid: this.#context.lanes.uuid };
  }

  async queue<Name extends QueueName>(name: Name, uuid: string) {
    const { lanes } = this.#context;
    await lanes.load();
    const view = segmentViews[name] as (row: Lane['rows'][number]) => ReturnType<(typeof segmentViews)[Name]>;
    const segments = (lanes.of(uuid) ?? lanes.of(''))?.queue(name).map(view) ?? [];
    return { segments, count: segments.length };
  }

  async state() {
    const { ai, settings, lanes } = this.#context;
    await lanes.load();
    const { lang } = await settings.read();
    const provider = await ai.describe('transcribe', settings.provider, lang);
    return { provider, streams: lanes.all.map((lane) => this.#stateOf(lane)) };
  }

  languages() {
    return {
      languages: transcriptLanguages.map((code) => {
        const name = new Intl.DisplayNames([code, 'en'], { type: 'language' }).of(code) ?? code;
        return { code, name };
      }),
    };
  }

  #stateOf(lane: Lane): TranscriptStream {
    const { uuid, wanted } = lane.row;
    const { stream, process, facts } = this.#context.listening.report(uuid);
    const { lostSegments, passedSegments } = lane;
    const count = (name: QueueName) => lane.queue(name).length;
    return {
      ...{ uuid, wanted, stream, process, lostSegments, passedSegments },
      captions: this.#context.settings.now.captions.includes(wanted),
      delayMs: facts?.delayMs ?? null,
      dropped: facts?.dropped ?? 0,
      failures: facts?.failed ?? 0,
      cause: facts?.cause ?? null,
      ...{ live: count('live'), asr: count('asr'), fix: count('fix'), overlay: count('overlay') },
    };
  }

  async #follow(config: TranscriptConfig, wasOn: boolean): Promise<void> {
    const { lanes, listening } = this.#context;
    await lanes.want(config.streams);
    for (const lane of lanes.all) {
      if (!config.all) await lane.stop();
      else if (!wasOn) await lane.dropOlder(freshMs);
      if (config.all) lane.start();
    }
    listening.wake();
  }

  async #laneOf(uuid: string, tsid: string): Promise<Lane> {
    const { lanes } = this.#context;
    await lanes.load();
    const lane = assertTask(lanes, uuid);
    const isThere = (one: Lane) => one.rows.some(({ id }) => tsid.endsWith(id));
    // Older clients know the uuid of the task only, whatever stream the segment is of.
    return isThere(lane) ? lane : (lanes.all.find(isThere) ?? lane);
  }
}

function assertTask(lanes: Lanes, uuid: string): Lane {
  const lane = uuid === '' ? undefined : lanes.of(uuid);
  if (!lane) throw new WeirError('invalid_input', 'invalid uuid');
  return lane;
}
