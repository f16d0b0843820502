import { ApiError } from '@weir/client';
import type { UploadState } from '@weir/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isSameFile } from './stored-uploads.ts';
import type { UploadChunk, UploadTransport } from './upload-session.ts';
import { UploadSession } from './upload-session.ts';

const megabyte = 1024 * 1024;

/** Stores uploaded bytes and fails on demand. */
class FakeUploads implements UploadTransport {
  readonly pieces: [offset: number, length: number][] = [];
  readonly cancelled: string[] = [];
  arrived = 0;
  isDown = false;
  /** Bytes of each next chunk that arrive before the connection breaks. */
  breaks: number[] = [];
  refusal: string | undefined;
  #state: UploadState = { uuid: 'u1', name: '', size: 0, offset: 0, updated: '' };

  async begin(name: string, size: number) {
    this.#assertUp();
    this.#state = { ...this.#state, name, size };
    return this.#now();
  }
  async find(uuid: string) {
    this.#assertUp();
    return uuid === 'u1' && !this.cancelled.includes(uuid) ? this.#now() : undefined;
  }
  async append({ offset, bytes, onProgress, signal }: UploadChunk) {
    this.#assertUp();
    this.pieces.push([offset, bytes.size]);
    if (this.refusal !== undefined || offset !== this.arrived) throw refused(this.refusal ?? 'offset');
    onProgress(bytes.size / 2);
    await Promise.resolve();
    if (signal.aborted) throw new ApiError('Request aborted', { url: '' });
    const cut = this.breaks.shift();
    this.arrived += cut ?? bytes.size;
    if (cut !== undefined) throw new ApiError('Network Error', { url: '' });
    return this.#now();
  }
  async finish(uuid: string) {
    return { uuid, name: this.#state.name, size: this.arrived, target: 'upload/u1.mp4' };
  }
  async cancel(uuid: string) {
    this.cancelled.push(uuid);
  }
  #assertUp() {
    if (this.isDown) throw new ApiError('Network Error', { url: '' });
  }
  #now(): UploadState {
    return { ...this.#state, offset: this.arrived };
  }
}

function refused(message: string): ApiError {
  return new ApiError(message, { url: '', response: new Response(null, { status: 422 }) });
}

const film = new File([new Uint8Array(40 * megabyte)], 'film.mp4', { lastModified: 7 });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});

describe('UploadSession', () => {
  it('sends chunks and reports progress', async () => {
    const server = new FakeUploads();
    const session = new UploadSession(server);
    const seen: number[] = [];
    session.subscribe(() => seen.push(session.view().sentBytes / megabyte));
    expect(await session.send(film)).toMatchObject({ uuid: 'u1', size: 40 * megabyte });
    expect(server.pieces).toEqual([
      [0, 16 * megabyte],
      [16 * megabyte, 16 * megabyte],
      [32 * megabyte, 8 * megabyte],
    ]);
    expect(seen).toEqual([0, 8, 16, 24, 32, 36, 40, 0]);
    expect(session.view().phase).toBe('idle');
  });

  it('continues from the received bytes after an outage', async () => {
    const server = new FakeUploads();
    server.breaks = [3 * megabyte];
    const session = new UploadSession(server);
    const sending = session.send(film);
    await vi.advanceTimersByTimeAsync(10);
    server.isDown = true;
    expect(session.view().phase).toBe('retrying');
    await vi.advanceTimersByTimeAsync(5000);
    server.isDown = false;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await sending).toMatchObject({ size: 40 * megabyte });
    expect(server.pieces[1]).toEqual([3 * megabyte, 16 * megabyte]);
  });

  it('pauses and resumes, and continues after a reload with the same file only', async () => {
    const server = new FakeUploads();
    const session = new UploadSession(server);
    session.subscribe(() => {
      if (session.view().phase === 'sending' && session.view().sentBytes > 20 * megabyte) session.pause();
    });
    expect(await session.send(film)).toBeUndefined();
    expect(session.view()).toMatchObject({ phase: 'paused' });
    const state = (await server.find('u1')) as UploadState;
    expect(isSameFile(state, film)).toBe(true);
    expect(isSameFile(state, new File([new Uint8Array(40 * megabyte)], 'film.mp4', { lastModified: 8 }))).toBe(false);
    expect(await new UploadSession(server).send(film, state)).toMatchObject({ size: 40 * megabyte });
    expect(isSameFile(state, film)).toBe(false);
  });

  it('cancels on the server as well', async () => {
    const server = new FakeUploads();
    const session = new UploadSession(server);
    session.subscribe(() => {
      if (session.view().sentBytes > 0) void session.cancel();
    });
    expect(await session.send(film)).toBeUndefined();
    expect([server.cancelled, session.view().phase]).toEqual([['u1'], 'idle']);
  });

  it('reports a refusal and stops retrying', async () => {
    const server = new FakeUploads();
    server.refusal = 'the disk is too full';
    const session = new UploadSession(server);
    const sending = session.send(film);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await sending).toBeUndefined();
    expect(session.view()).toMatchObject({ phase: 'failed', message: 'the disk is too full' });
  });
});
