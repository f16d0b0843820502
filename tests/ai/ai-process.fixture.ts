import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Child } from '@weir/process';
import { until } from '../weir.fixture.ts';

const root = join(import.meta.dirname, '../..');
const source = join(root, 'apps/ai/src/main.ts');
export const builtAi = join(root, 'apps/ai/dist/main.cjs');

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
}

/** The built-in AI as the control plane starts it. */
export class AiProcess {
  readonly child: Child;
  readonly #directory: string;
  readonly #socket: string;
  #output = '';

  private constructor(modelsDir: string, entry: string) {
    this.#directory = mkdtempSync(join(tmpdir(), 'weir-ai-'));
    this.#socket = join(this.#directory, 'ai.sock');
    this.child = new Child({ command: process.execPath, args: [entry], onOutput: (chunk) => (this.#output += chunk) });
    this.child.write(Buffer.from(`${JSON.stringify({ socket: this.#socket, modelsDir })}\n`));
  }

  static async start(modelsDir: string, entry = source): Promise<AiProcess> {
    const ai = new AiProcess(modelsDir, entry);
    await until(() => ai.output.includes('"msg":"ready"') || ai.child.hasEnded, 'the built-in AI is ready');
    if (ai.child.hasEnded) throw new Error(`The built-in AI did not start: ${ai.child.said().join('\n')}`);
    return ai;
  }

  get output(): string {
    return this.#output;
  }

  sendRequest(
    method: string,
    path: string,
    body: Buffer | string | Readable = '',
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const sent = request(
      { socketPath: this.#socket, method, path, headers, ...(signal && { signal }) },
      async (response) => {
        const chunks: Buffer[] = [];
        response.on('error', reject);
        for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
        const whole = Buffer.concat(chunks);
        const type = response.headers['content-type'] ?? '';
        const json = type.startsWith('application/json') ? JSON.parse(whole.toString()) : undefined;
        resolve({ status: response.statusCode ?? 0, type, body: whole, json });
      },
    );
    sent.on('error', reject);
    if (typeof body === 'string' || Buffer.isBuffer(body)) sent.end(body);
    else body.pipe(sent);
    return promise;
  }

  /** The lines of an answer as they come. */
  async *lines(path: string, body: Readable): AsyncGenerator<object> {
    const sent = request({ socketPath: this.#socket, method: 'POST', path });
    body.pipe(sent);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    for await (const line of createInterface({ input: response })) yield JSON.parse(line);
  }

  /** A stream that is listened to until its sender leaves without a word. */
  listen(): { answered: Promise<unknown>; leave: () => void } {
    const sent = request({ socketPath: this.#socket, method: 'POST', path: '/v1/audio/voice-activity', agent: false });
    sent.on('error', () => undefined).write(Buffer.alloc(3200));
    return { answered: once(sent, 'response'), leave: () => sent.destroy() };
  }

  post(path: string, body: object): Promise<Answer> {
    return this.sendRequest('POST', path, JSON.stringify(body), { 'content-type': 'application/json' });
  }

  async transcribe(wav: Buffer, fields: Record<string, string> = {}, signal?: AbortSignal): Promise<Answer> {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(wav)]), 'audio.wav');
    for (const [name, value] of Object.entries({ model: 'moonshine-tiny', language: 'en', ...fields }))
      form.set(name, value);
    const made = new Response(form);
    const headers = { 'content-type': made.headers.get('content-type') ?? '' };
    return this.sendRequest('POST', '/v1/audio/transcriptions', Buffer.from(await made.arrayBuffer()), headers, signal);
  }

  async close(): Promise<void> {
    await this.child.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
