import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import type { Silence } from './outgoing-upload.ts';
import { answerTooLarge } from './receive-response.ts';

/** An answer whose body is still on its way. It must be read or given back (`return`), for it holds a connection. */
export interface OutgoingStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: AsyncGenerator<Buffer, void>;
}

interface Options {
  readonly mostBytes: number;
  readonly silence: Silence;
  readonly failed: (error: unknown) => Error;
}

/** Streams the body of an answer; the connection ends when the reader stops. */
export async function* flow(
  answer: IncomingMessage,
  { mostBytes, silence, failed }: Options,
): AsyncGenerator<Buffer, void> {
  let bytes = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      silence.broken();
      bytes += chunk.length;
      if (bytes > mostBytes) throw answerTooLarge(mostBytes);
      yield chunk;
    }
  } catch (error) {
    throw failed(error);
  } finally {
    silence.end();
    answer.destroy();
  }
}
