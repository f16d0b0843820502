import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { AiProcess } from './ai/ai-process.fixture.ts';
import { localModels } from './local-ai.fixture.ts';

/** Request and its duration until the first sentence of the answer was written. */
interface Turn {
  readonly kind: 'transcribe' | 'chat' | 'speak';
  readonly text: string;
  readonly atMs: number;
  readonly ms: number;
}

type Reply = (question: string) => readonly string[];

/** Delay of a quick model. */
const firstMs = 200;
const wordMs = 40;

/** A provider on loopback whose ears and voice are the built-in models, and whose answers are written beforehand and come word by word. */
export class VoiceProvider {
  readonly turns: Turn[] = [];
  /** Questions whose answer nobody wanted to the end. */
  readonly cut: string[] = [];
  /** The sentences of an answer. */
  reply: Reply = (question) => [`You said: ${question}`];
  readonly #ai: AiProcess;
  readonly #server: Server;

  private constructor(ai: AiProcess) {
    this.#ai = ai;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  static async start(): Promise<VoiceProvider> {
    const provider = new VoiceProvider(await AiProcess.start(await localModels()));
    await new Promise<void>((resolve) => provider.#server.listen(0, '127.0.0.1', resolve));
    // The first request loads the model and would be slower than the others.
    await provider.#ai.transcribe(await provider.say('Is anybody there?'));
    return provider;
  }

  get baseURL(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** A sentence as WAV, 16 kHz, by the built-in voice. */
  async say(input: string): Promise<Buffer> {
    return (await this.#ai.post('/v1/audio/speech', { input, voice: 'flite-slt' })).body;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.#ai.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const atMs = performance.now();
    const body = await buffer(request);
    const done = (kind: Turn['kind'], text: string) =>
      this.turns.push({ kind, text, atMs, ms: performance.now() - atMs });
    switch (request.url) {
      case '/v1/models':
        return void answer(response, { data: ['whisper-1', 'gpt-4o', 'tts-1'].map((id) => ({ id })) });
      case '/v1/audio/transcriptions': {
        const form = await new Response(new Uint8Array(body), { headers: typeOf(request) }).formData();
        const file = form.get('file');
        const wav = file instanceof Blob ? Buffer.from(await file.arrayBuffer()) : Buffer.alloc(0);
        const { status, json } = await this.#ai.transcribe(wav);
        answer(response, json, status);
        return void done('transcribe', String(json?.text));
      }
      case '/v1/audio/speech': {
        const { input, response_format } = JSON.parse(body.toString());
        const spoken = await this.#ai.post('/v1/audio/speech', { input, response_format });
        response.writeHead(spoken.status, { 'content-type': spoken.type }).end(spoken.body);
        return void done('speak', input);
      }
      default:
        return this.#chat(JSON.parse(body.toString()), response, (text) => done('chat', text));
    }
  }

  async #chat(asked: { messages: { content: string }[] }, response: ServerResponse, onFirst: (text: string) => void) {
    const question = asked.messages.at(-1)?.content ?? '';
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    await sleep(firstMs);
    for (const [index, sentence] of this.reply(question).entries()) {
      for (const content of `${sentence} `.split(/(?<= )/)) {
        await sleep(wordMs);
        if (response.destroyed) return void this.cut.push(question);
        response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
      }
      if (index === 0) onFirst(question);
    }
    response.end('data: [DONE]\n\n');
  }
}

function typeOf({ headers }: IncomingMessage): Record<string, string> {
  return { 'content-type': headers['content-type'] ?? '' };
}

function answer(response: ServerResponse, value: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
