import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OcrConfig } from '@weir/contract';
import type { FinishedSegment } from '@weir/engine-api';
import { createLog } from '@weir/plane';
import type { SeeAsk } from '../../../ai/ai.ts';
import { FakeClock } from '../../../core/clock.fixture.ts';
import { MemoryStore } from '../../../core/store/memory-store.ts';
import type { Store } from '../../../core/store/store.ts';
import { thumbnailSize } from '../picture/has-changed.ts';
import { PictureReader } from '../picture/picture-reader.ts';
import { OcrFiles } from './ocr-files.ts';
import { OcrPipeline } from './ocr-pipeline.ts';
import { OcrRepository } from './ocr-repository.ts';
import type { OcrRow } from './ocr-row.ts';

const place = '__defaultVhost__/live/show';
const log = createLog('test', 'error');
log.level = 'silent';

/** A line on real files and a store in memory. Pictures, who reads them and who is told are what the test says. */
export class TestPipeline {
  readonly directory: string;
  readonly store: Store;
  readonly clock = new FakeClock('2026-01-01');
  config = OcrConfig.parse({ all: true, aiChatMaxWindow: 2, aiChatMaxWords: 50 });
  readonly asked: SeeAsk[] = [];
  readonly told: OcrRow[] = [];
  readonly kept: OcrRow[] = [];
  /** Content of a segment's frame; equal numbers mean equal frames. */
  shows = (sequence: number): number => sequence;
  see = async (_ask: SeeAsk): Promise<string> => `text ${this.asked.length}`;
  tell = async (_row: OcrRow): Promise<{ tried: Promise<void> } | undefined> => ({ tried: Promise.resolve() });
  readonly line: OcrPipeline;
  #sequence = 0;

  constructor({ directory = mkdtempSync(join(tmpdir(), 'weir-ocr-')), store = new MemoryStore() as Store } = {}) {
    this.directory = directory;
    this.store = store;
    mkdirSync(join(directory, 'spool'), { recursive: true });
    const files = new OcrFiles(join(directory, 'ocr'));
    const see = (ask: SeeAsk) => {
      this.asked.push(ask);
      return this.see(ask);
    };
    this.line = new OcrPipeline({
      repository: new OcrRepository(store),
      files,
      clock: this.clock,
      log,
      config: () => this.config,
      reader: new PictureReader({ see, describe: async () => ({ by: 'built-in', host: '', cause: null }) }),
      taker: {
        take: async (row) => {
          const shown = this.shows(row.sequence);
          if (Number.isNaN(shown)) throw new Error('no video');
          writeFileSync(files.image(row), `picture ${shown}`);
          const thumbnail = new Uint8Array(thumbnailSize.width * thumbnailSize.height);
          thumbnail.fill(255, (shown % 1000) * 20, (shown % 1000) * 20 + 8);
          return { bytes: 10, thumbnail, startMs: row.sequence * 2000 };
        },
      },
      output: {
        tell: async (row) => {
          const told = await this.tell(row);
          this.told.push(row);
          return told;
        },
        keep: (row) => void this.kept.push(row),
      },
    });
  }

  async start(): Promise<this> {
    await this.line.load();
    await this.line.point(place);
    this.line.start();
    return this;
  }

  /** The same after its process was killed. */
  again(): Promise<TestPipeline> {
    const next = new TestPipeline({ directory: this.directory, store: this.store });
    next.#sequence = this.#sequence;
    return next.start();
  }

  get files(): string[] {
    return readdirSync(join(this.directory, 'ocr')).sort();
  }

  get counts(): string {
    return (['live', 'ocr', 'callback', 'cleanup'] as const).map((name) => this.line.queue(name).length).join(' ');
  }

  /** Number of segments that are finished or still queued. */
  get accounted(): number {
    const { called, failed, skipped } = this.line.tally;
    const decided = called + failed + Object.values(skipped).reduce((sum, count) => sum + count, 0);
    return decided + this.line.rows.filter(({ outcome }) => outcome === null).length;
  }

  segment(facts: Partial<FinishedSegment> = {}): FinishedSegment {
    const sequence = facts.sequence ?? this.#sequence;
    this.#sequence = sequence + 1;
    const id = `00000000-0000-4000-8000-${String(sequence).padStart(12, '0')}`;
    const file = join(this.directory, 'spool', `${id}.ts`);
    writeFileSync(file, 'segment');
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

  /** Brings the next segments; between them everything that can move does. */
  async bring(count: number, facts: Partial<FinishedSegment> = {}): Promise<void> {
    for (let n = 0; n < count; n++) {
      await this.line.add(this.segment(facts));
      this.clock.pass(2000);
      await this.rest();
    }
  }

  /** Until nothing is being done with any segment. */
  async settle(): Promise<void> {
    await this.line.advance();
    while (this.line.isBusy) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Until nothing moves any more. What a test holds back is not waited for, but a disk that is busy is. */
  async rest(): Promise<void> {
    const facts = () => `${this.counts} ${this.asked.length} ${this.told.length} ${this.line.isBusy}`;
    for (let quiet = 0, before = ''; quiet < (this.line.isBusy ? 150 : 3); ) {
      await this.line.advance();
      // File work of a stage takes some turns of the event loop.
      await new Promise((resolve) => setTimeout(resolve, 1));
      quiet = before === facts() ? quiet + 1 : 0;
      before = facts();
    }
  }
}
