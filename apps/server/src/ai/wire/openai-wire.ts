import { randomUUID } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import { createParser } from 'eventsource-parser';
import * as z from 'zod';
import { AiError, type ChatMessage, type Transcription } from '../ai.ts';
import { audioType } from '../audio-type.ts';
import {
  ChatAnswer,
  ChatPiece,
  ModelsAnswer,
  parseAnswer,
  TranscriptionAnswer,
  type Usage,
  VoicesAnswer,
} from './answers.ts';
import type { WireRequest, WireTarget } from './wire-target.ts';

const longestEvent = 1024 * 1024;

/** Yields the `data` of server-sent events, however the bytes are cut. Other fields mean nothing here. */
async function* readEventData(body: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  const decoder = new StringDecoder('utf8');
  const events: string[] = [];
  const parser = createParser({
    maxBufferSize: longestEvent,
    onEvent: ({ data }) => events.push(data.trim()),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded')
        throw new AiError('bad-answer', 'the provider sent an event that is too long');
    },
  });
  for await (const chunk of body) {
    parser.feed(decoder.write(chunk));
    yield* events.splice(0);
  }
  // Some providers leave out the empty line that ends the last event.
  parser.feed(`${decoder.end()}\n\n`);
  yield* events;
}

const modelBytes = 256 * 1024;
const jsonBytes = 4 * 1024 * 1024;
const audioBytes = 32 * 1024 * 1024;
const errorBytes = 64 * 1024;
/** Time limit for speech: its own length, plus a fixed time for the transfer. */
const transcribeMs = (seconds: number) => 30_000 + Math.ceil(Math.min(seconds, 1800) * 1000);
const chatMs = 60_000;
const wholeChatMs = 180_000;
const speakMs = 60_000;
const listMs = 10_000;

interface TranscribeWire {
  readonly model: string;
  readonly audio: Uint8Array;
  readonly seconds: number;
  readonly language: string;
  readonly prompt: string;
}

interface ChatWire {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly maxTokens?: number;
  readonly temperature?: number;
}

/** The calls of the OpenAI HTTP API that we make, each once; trying again is somebody else's. */
export class OpenAiWire {
  readonly #target: WireTarget;

  constructor(target: WireTarget) {
    this.#target = target;
  }

  async models(signal: AbortSignal): Promise<z.output<typeof ModelsAnswer>['data']> {
    const text = await this.#ask({ method: 'GET', path: '/models', withinMs: listMs, answerBytes: jsonBytes }, signal);
    return parseAnswer(ModelsAnswer, text.toString('utf8')).data;
  }

  /** Fails where the provider does not list its voices. */
  async voices(signal: AbortSignal): Promise<z.output<typeof VoicesAnswer>> {
    const ask = { method: 'GET', path: '/audio/voices', withinMs: listMs, answerBytes: jsonBytes } as const;
    return parseAnswer(VoicesAnswer, (await this.#ask(ask, signal)).toString('utf8'));
  }

  /** Checks that a model exists; fails otherwise. */
  async model(name: string, signal: AbortSignal): Promise<void> {
    const path = `/models/${encodeURIComponent(name)}`;
    await this.#ask({ method: 'GET', path, withinMs: listMs, answerBytes: modelBytes }, signal);
  }

  async transcribe(ask: TranscribeWire, signal: AbortSignal): Promise<Transcription> {
    const { model, audio, seconds, language, prompt } = ask;
    const fields = {
      model,
      response_format: 'verbose_json',
      ...(language !== '' && { language }),
      ...(prompt !== '' && { prompt }),
    };
    const { type, body } = multipart(fields, { name: 'speech.wav', type: 'audio/wav', bytes: audio });
    const answer = await this.#ask(
      {
        method: 'POST',
        path: '/audio/transcriptions',
        headers: { 'content-type': type },
        body,
        withinMs: transcribeMs(seconds),
        answerBytes: jsonBytes,
      },
      signal,
    );
    const heard = parseAnswer(TranscriptionAnswer, answer.toString('utf8'));
    const text = heard.text.trim();
    return {
      text,
      language: heard.language || language,
      seconds: heard.duration ?? seconds,
      // A server that does not know verbose_json answers with the text alone.
      segments: heard.segments ?? (text === '' ? [] : [{ start: 0, end: seconds, text }]),
    };
  }

  /** The pieces of the answer; the last thing it gives back is what the call cost, if the provider says so. */
  async *chat(ask: ChatWire, signal: AbortSignal): AsyncGenerator<string, Usage> {
    const { body, isStreamed } = chatBody(ask);
    if (!isStreamed) {
      const { text, usage } = await this.#complete(body, signal);
      yield text;
      return usage;
    }
    // A drop every minute would never be silence, and never an end.
    const deadline = AbortSignal.timeout(wholeChatMs);
    try {
      return yield* this.#pieces(body, AbortSignal.any([signal, deadline]));
    } catch (error) {
      if (signal.aborted || !deadline.aborted) throw error;
      throw new AiError('timeout', 'the provider did not finish its response in time');
    }
  }

  async *#pieces(body: object, signal: AbortSignal): AsyncGenerator<string, Usage> {
    const request = { ...chatRequest(body), headers: { ...json, accept: 'text/event-stream' } };
    const { body: answer, type, ...refusal } = await this.#target.stream(request, signal);
    if (!isOk(refusal)) throw toAiError(refusal, await upTo(answer, errorBytes));
    // Some do not know how to stream, and answer at once.
    if (type.startsWith('application/json')) {
      const { text, usage } = completion(await upTo(answer, jsonBytes));
      yield text;
      return usage;
    }
    let usage: Usage;
    let hasBegun = false;
    for await (const data of readEventData(answer)) {
      hasBegun = true;
      if (data === '[DONE]') break;
      const piece = parseAnswer(ChatPiece, data);
      usage = piece.usage ?? usage;
      for (const { delta } of piece.choices) if (delta?.content) yield delta.content;
    }
    if (!hasBegun) throw new AiError('bad-answer', 'the provider sent a response that cannot be read');
    return usage;
  }

  /** The whole answer at once. */
  async complete(ask: ChatWire, signal: AbortSignal): Promise<{ text: string; usage: Usage }> {
    return this.#complete(plainBody(ask), signal);
  }

  async see(
    ask: ChatWire & { readonly image: Uint8Array; readonly prompt: string },
    signal: AbortSignal,
  ): Promise<{ text: string; usage: Usage }> {
    return this.#complete(imageBody(ask), signal);
  }

  async speak(
    { model, text, voice, format }: { model: string; text: string; voice: string; format: string },
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const body = JSON.stringify({ model, input: text, voice, response_format: format });
    const audio = await this.#ask(
      {
        method: 'POST',
        path: '/audio/speech',
        headers: { ...json, accept: '*/*' },
        body,
        withinMs: speakMs,
        answerBytes: audioBytes,
      },
      signal,
    );
    if (!audioType(audio)) throw new AiError('bad-answer', 'the provider sent a response that is not audio');
    return audio;
  }

  async #complete(body: object, signal: AbortSignal): Promise<{ text: string; usage: Usage }> {
    return completion(await this.#ask(chatRequest(body), signal));
  }

  async #ask(request: WireRequest, signal: AbortSignal): Promise<Buffer> {
    const answer = await this.#target.send(request, signal);
    if (!isOk(answer)) throw toAiError(answer, answer.body);
    return answer.body;
  }
}

const json = { 'content-type': 'application/json' };

function chatRequest(body: object): WireRequest {
  return {
    method: 'POST',
    path: '/chat/completions',
    headers: json,
    body: JSON.stringify(body),
    withinMs: chatMs,
    answerBytes: jsonBytes,
  };
}

function completion(answer: Buffer): { text: string; usage: Usage } {
  const { choices, usage } = parseAnswer(ChatAnswer, answer.toString('utf8'));
  return { text: choices[0]?.message.content ?? '', usage };
}

function isOk({ status }: { status: number }): boolean {
  return status >= 200 && status <= 299;
}

/** The beginning of a body; the rest is not waited for. */
async function upTo(body: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= most) break;
  }
  return Buffer.concat(chunks);
}

/** The body of a chat. What is not said stays out: some servers refuse a null. */
function plainBody({ model, messages, maxTokens, temperature }: ChatWire): object {
  // These models take no system message, do not stream, and have their own token limit field.
  if (isPlain(model)) return { model, messages: messages.map(asUser) };
  return {
    model,
    messages,
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
  };
}

/** The same for an answer in pieces, where the model can. */
function chatBody(ask: ChatWire): { body: object; isStreamed: boolean } {
  if (isPlain(ask.model)) return { body: plainBody(ask), isStreamed: false };
  return { body: { ...plainBody(ask), stream: true, stream_options: { include_usage: true } }, isStreamed: true };
}

/** A question about an image, which comes last. */
function imageBody(ask: ChatWire & { readonly image: Uint8Array; readonly prompt: string }): object {
  const { model, messages, image, prompt, maxTokens } = ask;
  const url = `data:image/jpeg;base64,${Buffer.from(image).toString('base64')}`;
  const content = [
    { type: 'text', text: prompt },
    { type: 'image_url', image_url: { url } },
  ];
  return {
    model,
    messages: [...(isPlain(model) ? messages.map(asUser) : messages), { role: 'user', content }],
    ...(maxTokens !== undefined && !isPlain(model) && { max_tokens: maxTokens }),
  };
}

function isPlain(model: string): boolean {
  return model.startsWith('o1-');
}

function asUser(message: ChatMessage): ChatMessage {
  return message.role === 'system' ? { ...message, role: 'user' } : message;
}

interface FilePart {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/**
 * A form as `multipart/form-data` (RFC 7578). Names and types are ours; values may be anything. Node's FormData would add
 * 90 MB to this process and 20 ms to each call.
 */
function multipart(fields: Readonly<Record<string, string>>, file: FilePart): { type: string; body: Uint8Array } {
  // Unguessable, so no value can contain it.
  const boundary = `weir-${randomUUID()}`;
  const open = (disposition: string) => `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n`;
  const texts = Object.entries(fields).map(([name, value]) => `${open(`name="${name}"`)}\r\n${value}\r\n`);
  const head = `${open(`name="file"; filename="${file.name}"`)}content-type: ${file.type}\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(texts.join('') + head), file.bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}

const ErrorAnswer = z.object({
  error: z.object({ code: z.string().nullish(), type: z.string().nullish() }),
});

interface Refusal {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/** Translates a refusal into our words, because the provider's text may repeat the key. */
function toAiError({ status, retryAfter }: Refusal, body: Buffer): AiError {
  const afterMs = retryAfterMs(retryAfter);
  const { code, type } = detailsOf(body);
  if (status === 401 || status === 403) {
    return new AiError('bad-key', `the provider rejected the secret key (${status})`);
  }
  if (code === 'unsupported_language') {
    return new AiError('unsupported-language', 'the model does not support this language');
  }
  if (status === 404 || code === 'model_not_found') {
    return new AiError('no-model', `the provider does not offer this URL or model (${status})`);
  }
  if (status === 402 || code === 'insufficient_quota' || type === 'insufficient_quota') {
    return new AiError('quota', `the quota of the provider account is used up (${status})`);
  }
  if (status === 429) return new AiError('busy', 'the rate limit or quota of the provider is exceeded (429)', afterMs);
  if (status === 408 || status === 409 || status === 425) {
    return new AiError('busy', `the provider responded with status ${status}`, afterMs);
  }
  if (status >= 500) return new AiError('provider-error', `the provider responded with status ${status}`, afterMs);
  return new AiError('refused', `the provider responded with status ${status}`);
}

function detailsOf(body: Buffer): { code?: string | null | undefined; type?: string | null | undefined } {
  try {
    return ErrorAnswer.parse(JSON.parse(body.toString('utf8'))).error;
  } catch {
    return {};
  }
}

/** RFC 9110, 10.2.3, in seconds; no provider sends a date. */
function retryAfterMs(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) * 1000 : undefined;
}
