import { expect, it } from 'vitest';
import { readServerEvents, type ServerEvent } from './server-events.ts';

const text =
  'id: a-1\nevent: hello\ndata: {"isReset":true}\n\n: still here\n\nevent: samples\r\ndata: 1\r\ndata: 2\r\n\r\nunknown: field\ndata:x\n\n';
const events = [
  { name: 'hello', data: '{"isReset":true}', id: 'a-1' },
  { name: 'samples', data: '1\n2', id: 'a-1' },
  { name: 'message', data: 'x', id: 'a-1' },
];

async function readAll(body: ReadableStream<Uint8Array<ArrayBuffer>>, onText?: () => void): Promise<ServerEvent[]> {
  const all: ServerEvent[] = [];
  for await (const event of readServerEvents(body, onText)) all.push(event);
  return all;
}

function readChunks(chunks: readonly string[], onText?: () => void): Promise<ServerEvent[]> {
  return readAll(ReadableStream.from(chunks.map((chunk) => new TextEncoder().encode(chunk))), onText);
}

it('reads events at every split', async () => {
  for (let at = 0; at <= text.length; at += 1) {
    expect(await readChunks([text.slice(0, at), text.slice(at)])).toEqual(events);
  }
});

it('reports heartbeats without yielding an event', async () => {
  let chunks = 0;
  const countChunk = () => {
    chunks += 1;
  };
  expect(await readChunks([': still here\n\n', ': still here\n\n'], countChunk)).toEqual([]);
  expect(chunks).toBe(2);
});

it('rejects an endless event and cancels its connection', async () => {
  let isCancelled = false;
  const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('data: ')),
    pull: (controller) => controller.enqueue(new TextEncoder().encode('x'.repeat(1024 * 1024))),
    cancel: () => {
      isCancelled = true;
    },
  });
  await expect(readAll(endless)).rejects.toThrow('exceeded');
  expect(isCancelled).toBe(true);
});
