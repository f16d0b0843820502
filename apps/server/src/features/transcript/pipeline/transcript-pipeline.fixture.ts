import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FinishedSegment } from '@weir/engine-api';
import { MpegTsMuxer } from '@weir/media';
import { createLog } from '@weir/plane';
import { FakeClock } from '../../../core/clock.fixture.ts';
import { MemoryStore } from '../../../core/store/memory-store.ts';
import type { Store } from '../../../core/store/store.ts';
import type { Heard } from '../../../speech/cue.ts';
import { OverlayMaker } from '../output/overlay-maker.ts';
import type { PipelineContext } from './pipeline-context.ts';
import { PipelineRepository } from './pipeline-repository.ts';
import { SegmentFiles } from './segment-files.ts';
import type { SegmentRow } from './segment-row.ts';
import { TranscriptPipelines } from './transcript-pipelines.ts';

export const place = '__defaultVhost__/live/show';
const log = createLog('test', 'error');
log.level = 'silent';

/** MPEG-TS of one packet of sound at a time. */
function soundAt(ms: number): Buffer {
  const muxer = new MpegTsMuxer();
  const [record, codec] = [Buffer.from([0x12, 0x10]), 'aac' as const];
  muxer.setConfig({ kind: 'audio', codec, record, sampleRate: 44_100, channels: 2, profile: 'LC' });
  const frame = { kind: 'audio' as const, codec, dtsMs: ms, ptsMs: ms, isKeyframe: true, payload: Buffer.alloc(20, 1) };
  return Buffer.concat([muxer.tables(), muxer.frame(frame), muxer.frame({ ...frame, dtsMs: ms + 23, ptsMs: ms + 23 })]);
}

/** Lanes on real files and a store in memory. Speech is what the test says. */
export class TestPipelines {
  readonly directory: string;
  readonly store: Store;
  readonly clock = new FakeClock('2026-01-01');
  readonly settled: { row: SegmentRow; texts: string[] }[] = [];
  speech: ReturnType<PipelineContext['speech']['state']>;
  missed: Pick<PipelineContext['speech'], 'catchUp' | 'isCaughtUp'> = {
    catchUp: () => undefined,
    isCaughtUp: () => true,
  };
  fixSeconds: number | null = null;
  isHeld = false;
  maker: Pick<PipelineContext['output'], 'make'>;
  lanes: TranscriptPipelines;
  #sequence = 0;

  constructor({ directory = mkdtempSync(join(tmpdir(), 'weir-lane-')), store = new MemoryStore() as Store } = {}) {
    this.directory = directory;
    this.store = store;
    mkdirSync(join(directory, 'spool'), { recursive: true });
    const files = new SegmentFiles(join(directory, 'transcript'));
    this.maker = new OverlayMaker({ files, look: () => undefined, log });
    this.lanes = new TranscriptPipelines({
      repository: new PipelineRepository(store),
      files,
      clock: this.clock,
      log,
      speechOf: () => ({
        state: () => this.speech,
        catchUp: (rows) => this.missed.catchUp(rows),
        isCaughtUp: (row) => this.missed.isCaughtUp(row),
      }),
      output: {
        make: (...args) => this.maker.make(...args),
        settled: (row, cues) => this.settled.push({ row, texts: cues.map(({ text }) => text) }),
      },
      fixSeconds: () => this.fixSeconds,
    });
  }

  /** With the first lane pointed at a stream and running. */
  async start(): Promise<this> {
    await this.lanes.load();
    await this.lanes.point(this.lane, place);
    this.lane.start();
    return this;
  }

  /** The same after its process was killed. */
  again(): Promise<TestPipelines> {
    const next = new TestPipelines({ directory: this.directory, store: this.store });
    next.#sequence = this.#sequence;
    return next.start();
  }

  get lane() {
    const [lane] = this.lanes.all;
    if (!lane) throw new Error('no lane');
    return lane;
  }

  get files(): string[] {
    return readdirSync(join(this.directory, 'transcript')).sort();
  }

  get counts(): string {
    return (['live', 'asr', 'fix', 'overlay'] as const).map((name) => this.lane.queue(name).length).join(' ');
  }

  segment(facts: Partial<FinishedSegment> = {}): FinishedSegment {
    const sequence = facts.sequence ?? this.#sequence;
    this.#sequence = sequence + 1;
    const id = `00000000-0000-4000-8000-${String(sequence).padStart(12, '0')}`;
    const file = join(this.directory, 'spool', `${id}.ts`);
    writeFileSync(file, soundAt(sequence * 2000));
    return {
      id,
      format: 'mpegts',
      file,
      sequence,
      durationMs: 2000,
      clientId: 'c1',
      isDiscontinuity: false,
      vhost: '__defaultVhost__',
      app: 'live',
      stream: 'show',
      ...facts,
    };
  }

  /** Brings the next segments, and waits until nothing moves. */
  async bring(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      await this.lane.add(this.segment());
      this.clock.pass(2000);
      await this.rest();
    }
  }

  /** Until nothing moves any more; what a test holds back is not waited for. */
  async rest(): Promise<void> {
    for (let before = ''; before !== this.counts; ) {
      before = this.counts;
      await this.lane.advance();
      while (this.lane.isMaking && !this.isHeld) await new Promise((resolve) => setImmediate(resolve));
      await this.lane.advance();
    }
  }

  hear(startMs: number, endMs: number, text: string, more: Partial<Heard> = {}): Promise<void> {
    const cues = text === '' ? [] : [{ startMs, endMs, text }];
    return this.lane.hear({ epoch: 'c1', startMs, endMs, tookMs: 120, language: 'en', cues, ...more });
  }
}
