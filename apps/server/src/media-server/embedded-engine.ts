import { type IncomingMessage, request } from 'node:http';
import { Listener } from '@weir/contract';
import * as z from 'zod';
import { WeirError } from '../core/errors.ts';
import type { EngineHealth, MediaServer } from './media-server.ts';

const answerWithinMs = 5000;
const largestHealthAnswer = 64 * 1024;

const HealthAnswer = z.object({ data: z.object({ startedAt: z.string(), listeners: z.array(Listener) }) });

/** The engine beside us, reached over its private socket. */
export class EmbeddedEngine implements MediaServer {
  readonly #socketPath: string;

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  async health(): Promise<EngineHealth> {
    const answer = await this.#request('GET', '/weir/v1/health', undefined);
    return HealthAnswer.parse(JSON.parse(await readText(answer))).data;
  }

  api(method: string, path: string, body: Buffer | undefined): Promise<IncomingMessage> {
    return this.#request(method, path, body);
  }

  #request(method: string, path: string, body: Buffer | undefined): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const outgoing = request({ socketPath: this.#socketPath, method, path, headers: { host: 'engine' } }, resolve);
      outgoing.setTimeout(answerWithinMs, () => outgoing.destroy(new Error('no answer in time')));
      outgoing.on('error', (cause) => {
        reject(
          new WeirError('engine_unreachable', 'the media engine does not answer, it may be restarting', { cause }),
        );
      });
      outgoing.end(body);
    });
  }
}

async function readText(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > largestHealthAnswer) throw new WeirError('engine_unreachable', 'the media engine answered nonsense');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
