import { type Activity, type TranscriptConfig, type TranscriptStream, transcriptLanguages } from '@weir/contract';
import { placeText } from '@weir/streams';
import type { Ai } from '../../ai/ai.ts';
import { assertProvider } from '../../ai/assert-provider.ts';
import { WeirError } from '../../core/errors.ts';
import { Mutex } from '../../core/mutex.ts';
import { freshMs } from '../../pipelines/watch-segments.ts';
import type { SegmentFeed } from '../../segments/segment-feed.ts';
import { joinLines } from '../../speech/join-texts.ts';
import { languageName } from './language-name.ts';
import type { LiveTranscription } from './live-transcription.ts';
import { parseCodecParams } from './output/codec-params.ts';
import { parseForceStyle } from './output/force-style.ts';
import { type QueueName, shownCues } from './pipeline/segment-row.ts';
import { segmentViews } from './pipeline/segment-views.ts';
import type { TranscriptPipeline } from './pipeline/transcript-pipeline.ts';
import type { TranscriptPipelines } from './pipeline/transcript-pipelines.ts';
import type { TranscriptSettings } from './transcript-settings.ts';
import { chatProvider, type Translations } from './translation/translations.ts';

interface Context {
  /** Re-evaluates whether the engine must write segments. */
  readonly segments: Pick<SegmentFeed, 'changed'>;
  readonly ai: Pick<Ai, 'describe'>;
  readonly settings: TranscriptSettings;
  readonly lanes: TranscriptPipelines;
  readonly listening: LiveTranscription;
  readonly translations: Translations;
}

/** Subtitles for live streams: what the owner wants, and what came of it. */
export class TranscriptService {
  readonly #context: Context;
  /** Starting, stopping and resetting one after the other. */
  readonly #turns = new Mutex();

  constructor(context: Context) {
    this.#context = context;
  }

  async query() {
    const { settings, lanes } = this.#context;
    await lanes.load();
    return { config: await settings.masked(), task: { uuid: lanes.uuid } };
  }

  /** Also starts and stops the task. */
  async apply({ uuid: _uuid, ...change }: Parameters<TranscriptSettings['merge']>[0] & { uuid: string }) {
    return this.#turns.take(async () => {
      const { settings, lanes } = this.#context;
      await lanes.load();
      const { all: wasOn } = await settings.read();
      const config = settings.merge(change);
      parseForceStyle(config.forceStyle);
      parseCodecParams(config.videoCodecParams);
      if (config.all) await assertProvider(this.#context.ai, 'transcribe', config, config.lang);
      await settings.save(config);
      await this.#context.segments.changed();
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
      for (const lane of lanes.all) this.#translate(lane, lane.rows);
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
    const lane = await this.#laneOf(uuid, tsid);
    await lane.edit(tsid, cue, text);
    this.#translate(lane, lane.queue('fix'));
    return { uuid: this.#context.lanes.uuid };
  }

  async queue<Name extends QueueName>(name: Name, uuid: string) {
    const { lanes } = this.#context;
    await lanes.load();
    const view = segmentViews[name] as (
      row: TranscriptPipeline['rows'][number],
    ) => ReturnType<(typeof segmentViews)[Name]>;
    const segments = (lanes.of(uuid) ?? lanes.of(''))?.queue(name).map(view) ?? [];
    return { segments, count: segments.length };
  }

  async lines(uuid: string) {
    const { lanes, listening, translations, settings } = this.#context;
    await lanes.load();
    const lane = lanes.of(uuid) ?? lanes.of('');
    if (!lane) return { lines: [], growing: '' };
    const lines = lane.lines.map(({ cue, place, epoch, atMs, ...line }) => {
      const texts = settings.now.translations.flatMap((language) => {
        const [translated] = translations.cuesIn(language, place, epoch, [cue]);
        return translated ? [[language, joinLines(translated.text)]] : [];
      });
      return { ...line, at: new Date(atMs).toISOString(), texts: Object.fromEntries(texts) };
    });
    return { lines, growing: listening.growingOf(lane.row.uuid) };
  }

  async state() {
    const { ai, settings, lanes } = this.#context;
    await lanes.load();
    const { lang } = await settings.read();
    const provider = await ai.describe('transcribe', settings.provider, lang);
    const hasTranslations = settings.now.translations.length > 0;
    const translator = hasTranslations ? await ai.describe('chat', chatProvider(settings.provider)) : null;
    return { provider, translator, streams: lanes.all.map((lane) => this.#stateOf(lane)) };
  }

  /** Running while a stream is listened to, degraded while its speech is not recognized. */
  async activity(): Promise<Activity | undefined> {
    const { settings, lanes, listening } = this.#context;
    await lanes.load();
    const { all, secretKey } = await settings.read();
    if (!all) return secretKey === '' && lanes.all.every(({ rows }) => rows.length === 0) ? undefined : 'idle';
    const reports = lanes.all.map(({ row }) => listening.report(row.uuid)).filter(({ stream }) => stream !== '');
    if (reports.length === 0) return 'idle';
    return reports.some(({ facts }) => facts?.cause) ? 'degraded' : 'running';
  }

  languages() {
    return {
      languages: transcriptLanguages.map((code) => ({ code, name: languageName(code) })),
    };
  }

  #stateOf(lane: TranscriptPipeline): TranscriptStream {
    const { uuid, wanted, place } = lane.row;
    const { stream, process, facts } = this.#context.listening.report(uuid);
    const { lostSegments, passedSegments } = lane;
    const count = (name: QueueName) => lane.queue(name).length;
    return {
      uuid,
      wanted,
      stream,
      process,
      lostSegments,
      passedSegments,
      captions: this.#context.settings.now.captions.includes(wanted),
      delayMs: facts?.delayMs ?? null,
      dropped: facts?.dropped ?? 0,
      failures: facts?.failed ?? 0,
      cause: facts?.cause ?? null,
      translations: this.#context.translations.report(place),
      live: count('live'),
      asr: count('asr'),
      fix: count('fix'),
      overlay: count('overlay'),
    };
  }

  async #follow(config: TranscriptConfig, wasOn: boolean): Promise<void> {
    const { lanes, listening, translations } = this.#context;
    await lanes.want(config.streams);
    for (const lane of lanes.all) {
      if (!config.all) await lane.stop();
      else if (!wasOn) await lane.dropOlder(freshMs);
      if (config.all) lane.start();
    }
    translations.refresh();
    listening.wake();
  }

  /** Requests missing translations of shown cues, after a start or an edit. */
  #translate(lane: TranscriptPipeline, rows: TranscriptPipeline['rows']): void {
    const { settings, translations } = this.#context;
    const { place } = lane.row;
    for (const row of rows) {
      if (placeText(row) !== place) continue;
      translations.want(row, row.clientId, shownCues(row), { language: settings.now.lang });
    }
  }

  async #laneOf(uuid: string, tsid: string): Promise<TranscriptPipeline> {
    const { lanes } = this.#context;
    await lanes.load();
    const lane = assertTask(lanes, uuid);
    const isThere = (one: TranscriptPipeline) => one.rows.some(({ id }) => tsid.endsWith(id));
    // Older clients know only the uuid of the task, not that of the segment's stream.
    return isThere(lane) ? lane : (lanes.all.find(isThere) ?? lane);
  }
}

function assertTask(lanes: TranscriptPipelines, uuid: string): TranscriptPipeline {
  const lane = uuid === '' ? undefined : lanes.of(uuid);
  if (!lane) throw new WeirError('invalid_input', 'invalid uuid');
  return lane;
}
