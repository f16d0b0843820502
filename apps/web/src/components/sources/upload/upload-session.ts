import { ApiError, answerMessage } from '@weir/client';
import { type PreparedFile, sourceApi, sourceLimits, type UploadState } from '@weir/contract';
import { client, isTransient, retryDelayMs } from '../../../lib/api.ts';
import { xsrfHeaders } from '../../../lib/browser/xsrf.ts';
import { readCredentials } from '../../../lib/credentials.ts';
import { toErrorMessage } from '../../../lib/errors/error-message.ts';
import { deleteStoredUpload, storeUpload } from './stored-uploads.ts';

/** Calls of an upload; replaced in tests. */
export interface UploadTransport {
  begin(name: string, size: number): Promise<UploadState>;
  /** Received bytes; undefined if the server does not know the upload. */
  find(uuid: string): Promise<UploadState | undefined>;
  append(piece: UploadChunk): Promise<UploadState>;
  finish(uuid: string): Promise<PreparedFile>;
  cancel(uuid: string): Promise<void>;
}

export interface UploadChunk {
  readonly uuid: string;
  readonly offset: number;
  readonly bytes: Blob;
  readonly onProgress: (sentBytes: number) => void;
  readonly signal: AbortSignal;
}

const uploadTransport: UploadTransport = {
  begin: (name, size) => client.call(sourceApi.beginUpload, { name, size }),
  find: async (uuid) => (await client.call(sourceApi.uploads)).find((upload) => upload.uuid === uuid),
  append: sendPiece,
  finish: (uuid) => client.call(sourceApi.finishUpload, { uuid }),
  cancel: async (uuid) => {
    await client.call(sourceApi.cancelUpload, { uuid });
  },
};

/** XMLHttpRequest, because `fetch` reports no upload progress. */
function sendPiece({ uuid, offset, bytes, onProgress, signal }: UploadChunk): Promise<UploadState> {
  const url = sourceApi.append.path.replace(':uuid', uuid).replace(':offset', String(offset));
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    const fail = (message: string) => reject(new ApiError(message, { url }));
    request.open('POST', url);
    request.responseType = 'json';
    request.setRequestHeader('authorization', `Bearer ${readCredentials()?.bearer ?? ''}`);
    request.setRequestHeader('content-type', 'application/octet-stream');
    for (const [name, value] of Object.entries(xsrfHeaders())) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.onabort = () => fail('Request aborted');
    request.onerror = () => fail('Network Error');
    request.onload = () => {
      const answer: unknown = request.response;
      const isGood = request.status === 200 && typeof answer === 'object' && answer !== null && 'data' in answer;
      if (isGood) resolve(answer.data as UploadState);
      else {
        const response = new Response(null, { status: Math.max(200, request.status) });
        reject(
          new ApiError(answerMessage(answer) ?? `Request failed with status code ${request.status}`, {
            url,
            response,
            body: answer,
          }),
        );
      }
    };
    request.onloadend = () => signal.removeEventListener('abort', stop);
    signal.addEventListener('abort', stop);
    request.send(bytes);
  });
}

/** `retrying`: the server does not answer. */
type UploadPhase = 'idle' | 'sending' | 'retrying' | 'paused' | 'failed';

export interface UploadView {
  readonly phase: UploadPhase;
  readonly name: string;
  readonly totalBytes: number;
  readonly sentBytes: number;
  /** Since the start or resume on this page. */
  readonly elapsedMs: number;
  readonly bitsPerSecond: number;
  /** Message of a refusal. */
  readonly message: string;
}

const idle: UploadView = {
  phase: 'idle',
  name: '',
  totalBytes: 0,
  sentBytes: 0,
  elapsedMs: 0,
  bitsPerSecond: 0,
  message: '',
};

interface Current {
  readonly file: File;
  uuid: string;
  /** Offset and time at which sending started on this page, for the speed. */
  fromBytes: number;
  startedAt: number;
}

/**
 * Uploads a file in chunks and continues when the connection returns. Independent of components, so that switching tabs does not abort it.
 */
export class UploadSession {
  readonly #transport: UploadTransport;
  readonly #listeners = new Set<() => void>();
  #view = idle;
  #current: Current | undefined;
  #stop = new AbortController();

  constructor(transport: UploadTransport = uploadTransport) {
    this.#transport = transport;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): UploadView => this.#view;

  /** Sends a file, continuing an earlier attempt if given. Undefined if paused, cancelled or refused. */
  async send(file: File, earlier?: UploadState): Promise<PreparedFile | undefined> {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#show({ ...idle, phase: 'sending', name: file.name, totalBytes: file.size, sentBytes: earlier?.offset ?? 0 });
    try {
      const state = earlier ?? (await this.#transport.begin(file.name, file.size));
      this.#current = { file, uuid: state.uuid, fromBytes: state.offset, startedAt: Date.now() };
      storeUpload(state.uuid, file);
      await this.#sendFrom(state.offset, this.#current, signal);
      if (signal.aborted) return undefined;
      const prepared = await this.#transport.finish(state.uuid);
      deleteStoredUpload(state.uuid);
      this.#show(idle);
      return prepared;
    } catch (error) {
      if (!signal.aborted) this.#show({ ...this.#view, phase: 'failed', message: toErrorMessage(error) });
      return undefined;
    }
  }

  pause(): void {
    this.#stop.abort();
    if (this.#current) this.#show({ ...this.#view, phase: 'paused' });
  }

  /** Continues after a pause or failure. */
  async resume(): Promise<PreparedFile | undefined> {
    if (!this.#current) return undefined;
    const { file, uuid } = this.#current;
    const known = await this.#transport.find(uuid).catch(() => undefined);
    return this.send(file, known);
  }

  /** Cancels here and on the server. */
  async cancel(): Promise<void> {
    this.#stop.abort();
    const uuid = this.#current?.uuid;
    this.#current = undefined;
    this.#show(idle);
    if (uuid === undefined) return;
    deleteStoredUpload(uuid);
    // Already gone is fine; the server removes leftovers in time.
    await this.#transport.cancel(uuid).catch(() => undefined);
  }

  async #sendFrom(offset: number, current: Current, signal: AbortSignal): Promise<void> {
    const { file, uuid } = current;
    let [from, failures] = [offset, 0];
    while (from < file.size && !signal.aborted) {
      const bytes = file.slice(from, from + sourceLimits.chunkBytes);
      const begin = from;
      try {
        const onProgress = (sent: number) => this.#progress(begin + sent, current);
        from = (await this.#transport.append({ uuid, offset: from, bytes, onProgress, signal })).offset;
        failures = 0;
        this.#progress(from, current);
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        from = await this.#afterFailure(error, failures, uuid, signal);
      }
    }
  }

  /** Asks the server for the offset to continue at. Throws if it refuses the upload. */
  async #afterFailure(error: unknown, failures: number, uuid: string, signal: AbortSignal): Promise<number> {
    for (let tries = failures; ; tries++) {
      const isRefusal = error instanceof ApiError && !isTransient(error);
      // A chunk may have arrived although its response was lost; a second refusal is real.
      if (isRefusal && failures > 2) throw error;
      this.#show({ ...this.#view, phase: 'retrying' });
      if (!isRefusal) await wait(retryDelayMs(tries - 1), signal);
      if (signal.aborted) return 0;
      try {
        const state = await this.#transport.find(uuid);
        if (!state) throw error;
        return state.offset;
      } catch (again) {
        if (!isTransient(again)) throw again;
      }
    }
  }

  #progress(sentBytes: number, { fromBytes, startedAt }: Current): void {
    const elapsedMs = Math.max(1, Date.now() - startedAt);
    const bitsPerSecond = (8000 * (sentBytes - fromBytes)) / elapsedMs;
    this.#show({
      ...this.#view,
      phase: 'sending',
      sentBytes: Math.min(sentBytes, this.#view.totalBytes),
      elapsedMs,
      bitsPerSecond,
    });
  }

  #show(view: UploadView): void {
    this.#view = view;
    for (const listener of this.#listeners) listener();
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
