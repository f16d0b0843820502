import { createParser } from 'eventsource-parser';

export interface ServerEvent {
  readonly name: string;
  readonly data: string;
  /** Id of the last event that had one. */
  readonly id: string;
}

/** Limit of an unfinished event; our servers never send more. */
const maxBufferSize = 4 * 1024 * 1024;

/** Yields the events of a `text/event-stream` body (HTML, 9.2.6). `onText` is called for every chunk, heartbeats included. */
export async function* readServerEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onText?: () => void,
): AsyncGenerator<ServerEvent> {
  let events: ServerEvent[] = [];
  let id = '';
  const parser = createParser({
    maxBufferSize,
    onId: (next) => {
      id = next;
    },
    onEvent: ({ event: name = 'message', data }) => {
      events.push({ name, data, id });
    },
    onError: (error) => {
      // Unknown fields are ignored, as the standard says.
      if (error.type === 'max-buffer-size-exceeded') throw error;
    },
  });
  const texts = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let next = await texts.read(); !next.done; next = await texts.read()) {
      onText?.();
      parser.feed(next.value);
      yield* events;
      events = [];
    }
  } finally {
    await texts.cancel().catch(() => undefined);
  }
}
