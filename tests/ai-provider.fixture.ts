import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Behaviour: correct, or one of the ways in which providers fail. */
type Mood =
  | 'well'
  | 'slow'
  | 'fails-every-third'
  | 'fails'
  | 'busy'
  | 'no-quota'
  | 'garbage'
  | 'wrong-types'
  | 'huge'
  | 'endless'
  | 'silent'
  | 'cut'
  | 'half'
  | 'mute';

/** Received request. */
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly organization: string;
  readonly body: Buffer;
}

type Skill = 'speech' | 'chat' | 'vision' | 'voice';

/** A provider that speaks the OpenAI API on loopback, and can fail in the ways that others do. */
export class AiProvider {
  mood: Mood = 'well';
  /** Delay of each answer in `slow`. */
  slowMs = 300;
  /** The only key it takes; empty: any. */
  key = '';
  /** Capabilities; the rest is 404. */
  skills: readonly Skill[] = ['speech', 'chat', 'vision', 'voice'];
  /** Answer to speech, images and chats. */
  heard = 'good evening everybody';
  /** Answer by the duration of the audio, with its delay. */
  hears: ((seconds: number) => Promise<string>) | undefined;
  read = 'WEIR 42';
  said = 'Hello from the provider';
  /** Answer to a chat by its last message. */
  reply: ((message: string) => string) | undefined;
  /** Answer by the PCM of a WAV file, and speech by its text. */
  hearsIn: ((pcm: Buffer) => { start: number; end: number; text: string }[]) | undefined;
  speaks: ((text: string) => Buffer) | undefined;
  /** Listed voices; without any there is no list. */
  voices: readonly string[] = [];
  readonly asked: Asked[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #port = 0;
  #count = 0;
  readonly #open: string[] = [];
  /** The most that were asked at the same time. */
  mostAtOnce = 0;

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response).catch(() => undefined));
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(): Promise<AiProvider> {
    const provider = new AiProvider();
    await provider.comeBack();
    return provider;
  }

  get baseURL(): string {
    return `http://127.0.0.1:${this.#port}/v1`;
  }

  get host(): string {
    return `127.0.0.1:${this.#port}`;
  }

  /** Calls of one path whose connection is open. */
  open(path: string): number {
    return this.#open.filter((open) => open === `/v1${path}`).length;
  }

  /** Calls of one path, below the base URL. */
  count(path: string): number {
    return this.asked.filter((asked) => asked.path === `/v1${path}`).length;
  }

  /** Stops listening; the address stays known. */
  async disappear(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async comeBack(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    await this.disappear();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    this.#open.push(path);
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#open.length);
    response.on('error', () => undefined).on('close', () => this.#open.splice(this.#open.indexOf(path), 1));
    const body = await buffer(request);
    const key = (headers.authorization ?? '').replace(/^Bearer /, '');
    this.asked.push({ method, path, key, organization: String(headers['openai-organization'] ?? ''), body });
    if (this.key !== '' && key !== this.key) refuse(response, 401, 'invalid_api_key');
    else await this.#answer(path, body, response);
  }

  async #answer(path: string, body: Buffer, response: ServerResponse): Promise<void> {
    this.#count += 1;
    const json = { 'content-type': 'application/json' };
    switch (this.mood) {
      case 'silent':
        return;
      case 'mute':
        if (path === '/v1/audio/speech') return;
        break;
      case 'slow':
        await new Promise((resolve) => setTimeout(resolve, this.slowMs));
        break;
      case 'fails-every-third':
        if (this.#count % 3 === 0) return refuse(response, 500, 'server_error');
        break;
      case 'fails':
        return refuse(response, 503, 'server_error');
      case 'busy':
        return refuse(response, 429, 'rate_limit_exceeded', { 'retry-after': '1' });
      case 'no-quota':
        return refuse(response, 429, 'insufficient_quota');
      case 'garbage':
        return void response.writeHead(200, json).end('<html>{"text":');
      case 'wrong-types':
        return void response.writeHead(200, json).end('{"text":7,"choices":"none","data":{},"segments":1}');
      case 'huge':
        return pour(response, 'x'.repeat(65_536));
      case 'endless':
        return pour(response.writeHead(200, { 'content-type': 'text/event-stream' }), ': nothing\n\n'.repeat(1000));
      case 'cut':
        response.writeHead(200, { 'content-length': '100000' }).write('{"text":');
        return void setTimeout(() => response.destroy(), 20);
      default:
    }
    await this.#well(path, body, response);
  }

  async #well(path: string, body: Buffer, response: ServerResponse): Promise<void> {
    const answer = (value: object) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    const models = { 'whisper-1': 'speech', 'gpt-4o': 'chat', 'gpt-3.5-turbo': 'chat', 'tts-1': 'voice' } as const;
    const listed = Object.entries(models)
      .filter(([, skill]) => this.skills.includes(skill))
      .map(([id]) => id);
    const wanted = path.replace('/v1/models/', '');
    if (path === '/v1/models') answer({ data: listed.map((id) => ({ id, object: 'model' })) });
    else if (path === '/v1/audio/voices' && this.voices.length > 0) answer({ voices: this.voices });
    else if (listed.includes(wanted)) answer({ id: wanted });
    else if (path === '/v1/audio/transcriptions' && this.skills.includes('speech')) {
      const duration = secondsOf(body);
      const heard = (await this.hears?.(duration)) ?? this.heard;
      const segments = this.hearsIn?.(pcmIn(body)) ?? [{ start: 0, end: duration, text: heard }];
      const text = segments.map((segment) => segment.text).join(' ');
      const rows = segments.map((segment, id) => ({ id, ...segment }));
      answer({ task: 'transcribe', language: 'english', duration, text, segments: rows });
    } else if (path === '/v1/audio/speech' && this.skills.includes('voice')) {
      const { input } = JSON.parse(body.toString()) as { input: string };
      const wav = this.speaks?.(input) ?? Buffer.from('RIFF....WAVE');
      response.writeHead(200, { 'content-type': 'audio/wav' }).end(wav);
    } else if (path === '/v1/chat/completions') this.#chat(body, response, answer);
    else refuse(response, 404, 'model_not_found');
  }

  #chat(body: Buffer, response: ServerResponse, answer: (value: object) => void): void {
    const { stream, messages } = JSON.parse(body.toString()) as { stream?: boolean; messages: object[] };
    const isVision = JSON.stringify(messages).includes('image_url');
    const last = String((messages.at(-1) as { content?: unknown } | undefined)?.content ?? '');
    const text = isVision ? this.read : (this.reply?.(last) ?? this.said);
    const usage = { prompt_tokens: 11, completion_tokens: 4 };
    if (!this.skills.includes(isVision ? 'vision' : 'chat')) refuse(response, 404, 'model_not_found');
    else if (!stream) answer({ choices: [{ message: { role: 'assistant', content: text } }], usage });
    else {
      const pieces = text.split(/(?<= )/).map((content) => ({ choices: [{ delta: { content } }] }));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (this.mood === 'half') {
        const half = pieces.slice(0, pieces.length / 2).map((piece) => `data: ${JSON.stringify(piece)}\n\n`);
        return void response.write(half.join(''), () => setTimeout(() => response.destroy(), 20));
      }
      for (const piece of [...pieces, { choices: [], usage }]) response.write(`data: ${JSON.stringify(piece)}\n\n`);
      response.end('data: [DONE]\n\n');
    }
  }
}

/** Duration of the contained WAV file; one second for anything else. */
function secondsOf(body: Buffer): number {
  const at = body.indexOf('RIFF');
  return at < 0 || at + 44 > body.length ? 1 : body.readUInt32LE(at + 40) / body.readUInt32LE(at + 28);
}

/** PCM of the contained WAV file. */
function pcmIn(body: Buffer): Buffer {
  const at = body.indexOf('RIFF');
  return body.subarray(at + 44, at + 44 + body.readUInt32LE(at + 40));
}

/** A text of the provider's own, which must never be repeated to people. */
function refuse(response: ServerResponse, status: number, code: string, headers: Record<string, string> = {}): void {
  const error = { message: 'Incorrect API key provided: sk-leaked', type: code, code };
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ error }));
}

/** Until the other side has enough. */
function pour(response: ServerResponse, text: string): void {
  const more = () => {
    for (let n = 0; n < 50 && !response.destroyed; n++) if (!response.write(text)) return;
    if (!response.destroyed) setImmediate(more);
  };
  response.on('drain', more);
  more();
}
