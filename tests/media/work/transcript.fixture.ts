import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Live } from '../fixtures/live.fixture.ts';
import type { Shown } from '../fixtures/shown-cues.fixture.ts';

export const hls = '/terraform/v1/ai/transcript/hls';

export interface Segment {
  readonly seqno: number;
  readonly tsid: string;
  readonly stsid: string;
  readonly asr: string;
  readonly asrs: readonly Shown[];
}

/** Transcript of a server as scripts and players see it. */
export class TranscriptView {
  readonly #live: Live;
  readonly #directory: string;

  /** `directory`: where segments are put for other programs to read. */
  constructor(live: Live, directory: string) {
    this.#live = live;
    this.#directory = directory;
  }

  get(path: string): Promise<Response> {
    return fetch(this.#live.weir.origin + path);
  }

  async text(path: string): Promise<string> {
    return (await this.get(path)).text();
  }

  /** Addresses in a playlist, and what it says before each. */
  async listed(path: string): Promise<{ uri: string; tags: string }[]> {
    const parts = (await this.text(`${hls}/${path}`)).split(/\n(?=#EXT-X-DISCONTINUITY\n|#EXTINF)/).slice(1);
    const whole = parts.join('\n').split(/(?<=\.(?:ts|vtt))\n/);
    return whole.flatMap((part) => {
      const uri = part.trim().split('\n').at(-1) ?? '';
      return uri.startsWith('/') ? [{ uri, tags: part }] : [];
    });
  }

  async queue(name: string): Promise<{ segments: Segment[] }> {
    return (await this.#live.post(`/terraform/v1/ai/transcript/${name}-queue`)).data;
  }

  async bytesOf(path: string): Promise<Buffer> {
    return Buffer.from(await (await this.get(`${hls}/${path}`)).arrayBuffer());
  }

  async fetched(path: string): Promise<string> {
    const answer = await this.get(`${hls}/${path}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'video/mp2t']);
    const file = join(this.#directory, path.replaceAll('/', '_'));
    writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
    return file;
  }
}
