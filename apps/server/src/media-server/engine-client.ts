import { type IncomingMessage, request } from 'node:http';
import { decodeReply, type EngineCall, encodeRequest } from '@weir/engine-api';
import type * as z from 'zod';
import { WeirError } from '../core/errors.ts';

const answerWithinMs = 5000;
const largestAnswer = 16 * 1024 * 1024;

/** Address of an engine's API: a private socket or a port. */
type Where =
  | { readonly socketPath: string }
  | { readonly host: string; readonly port: number; readonly auth: string | undefined };

/** Calls of an engine's HTTP API. Every failure becomes `engine_unreachable`. */
export class EngineClient {
  readonly #where: Where;

  constructor(where: Where) {
    this.#where = where;
  }

  /** Undefined when the engine has nothing that the request could be about. */
  async call<Request extends object, Answer>(
    call: EngineCall<Request, Answer>,
    request: Request,
  ): Promise<Answer | undefined> {
    const { target, body } = encodeRequest(call, request);
    const text = await readText(await this.request(call.method, target, body === undefined ? body : Buffer.from(body)));
    const reply = decoded(() => decodeReply(call, JSON.parse(text)));
    if (reply.kind === 'refused') {
      const cause = new Error(`${call.method} ${call.path}: ${reply.message}`);
      throw new WeirError('engine_unreachable', 'the media engine rejected the request', { cause });
    }
    return reply.kind === 'answer' ? reply.answer : undefined;
  }

  /** Calls of SRS's API. */
  async ask<Schema extends z.ZodType>(
    schema: Schema,
    method: string,
    path: string,
    body?: Buffer,
  ): Promise<z.output<Schema>> {
    const text = await readText(await this.request(method, path, body));
    return decoded(() => schema.parse(JSON.parse(text)));
  }

  request(method: string, path: string, body: Buffer | undefined, agent?: false): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const outgoing = request({ ...this.#where, agent, method, path, headers: { host: 'engine' } }, resolve);
      outgoing.setTimeout(answerWithinMs, () => outgoing.destroy(new Error('no answer in time')));
      outgoing.on('error', (cause: NodeJS.ErrnoException) => {
        // The engine closed a kept connection just as it was used again, and did nothing.
        const isStale = outgoing.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(cause.code ?? '');
        if (isStale) this.request(method, path, body, false).then(resolve, reject);
        else reject(unreachable(cause));
      });
      outgoing.end(body);
    });
  }
}

function decoded<Message>(decode: () => Message): Message {
  try {
    return decode();
  } catch (cause) {
    throw new WeirError('engine_unreachable', 'the media engine sent an invalid response', { cause });
  }
}

function unreachable(cause: unknown): WeirError {
  return new WeirError('engine_unreachable', 'the media engine is not responding, it may be restarting', { cause });
}

async function readText(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > largestAnswer) throw new Error('the answer is too large');
      chunks.push(chunk);
    }
  } catch (cause) {
    throw unreachable(cause);
  }
  return Buffer.concat(chunks).toString('utf8');
}
