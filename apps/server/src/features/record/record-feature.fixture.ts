import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Recording } from '@weir/contract';
import { besideEntry } from '@weir/engine-api';
import { initIdLength, type SegmentFormatName, segmentFormats } from '@weir/streams';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { createTestApp } from '../../app.fixture.ts';
import type { EndedRecording } from '../../core/events.ts';

export const api = '/terraform/v1/hooks/record';
export const within = { timeout: 90_000, interval: 50 };

interface Made {
  readonly segments: readonly Buffer[];
  readonly init: Buffer | undefined;
}

/** Two seconds of media each, as the engine would make them. */
function makeSegments(count: number, format: SegmentFormatName): Made {
  const { extension, hasInit } = segmentFormats[format];
  const directory = mkdtempSync(join(tmpdir(), 'weir-segments-'));
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=160x90:rate=25',
    '-f',
    'lavfi',
    '-i',
    'sine',
    '-t',
    String(2 * count),
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '50',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    '-f',
    'hls',
    '-hls_time',
    '2',
    '-hls_list_size',
    '0',
    '-hls_segment_type',
    format,
    '-hls_segment_filename',
    join(directory, `%d${extension}`),
    join(directory, 'x.m3u8'),
  ]);
  return {
    segments: Array.from({ length: count }, (_, index) => readFileSync(join(directory, `${index}${extension}`))),
    init: hasInit ? readFileSync(join(directory, 'init.mp4')) : undefined,
  };
}

function idOf(init: Buffer): string {
  return createHash('sha256').update(init).digest('hex').slice(0, initIdLength);
}

/** A server that records everything, for the tests of one file. */
export class RecordingServer {
  readonly ended: EndedRecording[] = [];
  #app: Awaited<ReturnType<typeof createTestApp>> | undefined;
  readonly #format: SegmentFormatName;
  #made: Made = { segments: [], init: undefined };
  #bearer = '';
  #count = 0;

  constructor(format: SegmentFormatName = 'mpegts') {
    this.#format = format;
    beforeAll(async () => {
      this.#made = makeSegments(3, format);
      this.#app = await createTestApp();
      this.#app.events.on('record:ended', (event) => void this.ended.push(event));
      this.#bearer = (await this.#app.setUp()).bearer;
      await this.call('segment-format', { segmentFormat: format });
      await this.call('apply', { all: true });
    });
    afterAll(() => this.app.close());
  }

  get app() {
    if (!this.#app) throw new Error('it does not run yet');
    return this.#app;
  }

  get bearer(): string {
    return this.#bearer;
  }

  call(name: string, body: object = {}) {
    return this.app.post(`${api}/${name}`, body, { authorization: `Bearer ${this.#bearer}` });
  }

  get(url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
    return this.app.inject({ method, url, headers });
  }

  async list(stream: string): Promise<Recording[]> {
    return ((await this.call('files')).data as Recording[]).filter((recording) => recording.stream === stream);
  }

  path(...names: string[]): string {
    return join(this.app.dataDir, ...names);
  }

  filesOf({ uuid }: Recording): string[] {
    return readdirSync(this.path('record', uuid));
  }

  /** Announces a segment as the engine does: an entry in the spool, then the hook. */
  async announce(stream: string, sequence: number, bytes = this.#made.segments[sequence % 3]): Promise<void> {
    const directory = this.path('segments');
    mkdirSync(directory, { recursive: true });
    this.#count++;
    const id = `00000000-0000-4000-8000-${String(this.#count).padStart(12, '0')}`;
    const name = `1700000000000-${String(this.#count).padStart(8, '0')}-${id}`;
    const file = join(directory, `${name}${segmentFormats[this.#format].extension}`);
    const { init } = this.#made;
    const initFile = besideEntry(file, 'init');
    const facts = {
      vhost: '__defaultVhost__',
      app: 'live',
      stream,
      client_id: 'c',
      segment_id: id,
      duration: 2,
      seq_no: sequence,
      file,
      format: this.#format,
      ...(init && { init_id: idOf(init), init_file: initFile }),
    };
    if (init) writeFileSync(initFile, init);
    writeFileSync(join(directory, `${name}.json`), JSON.stringify(facts));
    writeFileSync(file, bytes ?? '');
    expect(await this.app.hook('hls', { ...facts, action: 'on_hls' })).toMatchObject({ code: 0 });
  }

  async record(stream: string, length = 3): Promise<Recording> {
    for (let sequence = 0; sequence < length; sequence++) await this.announce(stream, sequence);
    return this.recorded(stream, length);
  }

  /** When so many segments of it are recorded. */
  async recorded(stream: string, length: number): Promise<Recording> {
    await vi.waitFor(async () => expect(await this.list(stream)).toMatchObject([{ nn: length }]), within);
    return this.#only(stream);
  }

  async finish({ uuid, stream }: Recording): Promise<Recording> {
    expect(await this.call('end', { uuid })).toMatchObject({ code: 0, data: null });
    await vi.waitFor(async () => expect(await this.list(stream)).toMatchObject([{ progress: false }]), within);
    return this.#only(stream);
  }

  async #only(stream: string): Promise<Recording> {
    const [recording] = await this.list(stream);
    if (!recording) throw new Error('there is no recording of it');
    return recording;
  }
}
