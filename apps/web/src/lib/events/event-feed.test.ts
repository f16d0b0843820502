import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { streamSampleFields } from '@weir/streams';
import { afterEach, expect, it, vi } from 'vitest';
import { activeStream } from '../../testing/fake-server.ts';
import { EventFeed } from './event-feed.ts';
import { eventFeedState } from './event-feed-state.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Fake event server; the test writes each response. */
function newsServer() {
  const asked: Headers[] = [];
  let current: ReadableStreamDefaultController<Uint8Array> | undefined;
  const answer = { status: 200, type: 'text/event-stream' };
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    asked.push(new Headers(init.headers));
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        current = controller;
        init.signal?.addEventListener('abort', () => controller.error(new Error('aborted')));
      },
    });
    const isFine = answer.status === 200;
    const failure = JSON.stringify({ code: 2001, data: { message: 'token' } });
    return new Response(isFine ? body : failure, { status: answer.status, headers: { 'content-type': answer.type } });
  });
  const tell = (text: string) => current?.enqueue(new TextEncoder().encode(text));
  return { asked, answer, tell, cut: () => current?.close() };
}

function listening() {
  const queries = new QueryClient();
  const invalidated = vi.spyOn(queries, 'invalidateQueries');
  const stop = new AbortController();
  const done = new EventFeed(queries).run(stop.signal);
  const keys = () => invalidated.mock.calls.map(([filters]) => JSON.stringify(filters?.queryKey));
  return { queries, keys, done, stop: () => stop.abort() };
}

it('refetches changed queries, merges bursts and resumes after the last event', async () => {
  const { asked, tell, cut } = newsServer();
  const { keys, done, stop } = listening();
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  tell('id: r-1\nevent: hello\ndata: {"isReset":false}\n\n');
  tell(
    'id: r-2\nevent: changed\ndata: {"topics":["alerts"]}\n\nid: r-3\nevent: changed\ndata: {"topics":["alerts","fromTomorrow"]}\n\n',
  );
  await vi.waitFor(() => expect(keys()).toEqual(['["status"]']));
  expect(eventFeedState.isConnected).toBe(true);
  cut();
  await vi.waitFor(() => expect(eventFeedState.isConnected).toBe(false));
  // An outage must show at once, not at the next poll.
  const streamsAsked = () => keys().filter((key) => key === '["streams"]').length;
  await vi.waitFor(() => expect(streamsAsked()).toBe(1));
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  expect(asked[1]?.get('last-event-id')).toBe('r-3');
  stop();
  await done;
  expect(eventFeedState.isConnected).toBe(false);
});

it('refetches older data after a reset', async () => {
  const { asked, tell } = newsServer();
  const queries = new QueryClient();
  const answers: string[] = [];
  const watch = (key: string, updatedAt: number) => {
    queries.setQueryData([key], 'before', { updatedAt });
    const queryFn = async () => answers.push(key);
    return new QueryObserver(queries, { queryKey: [key], queryFn, staleTime: Number.POSITIVE_INFINITY }).subscribe(
      () => {},
    );
  };
  const leave = [watch('forward', Date.now() - 60_000), watch('streams', Date.now() + 60_000)];
  // Query without an observer.
  queries.setQueryData(['camera'], 'before', { updatedAt: 1 });
  const stop = new AbortController();
  const done = new EventFeed(queries).run(stop.signal);
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  tell('id: s-0\nevent: hello\ndata: {"isReset":true}\n\n');
  // Not during the initial load.
  await vi.waitFor(() => expect(answers).toEqual(['forward']));
  expect(queries.getQueryState(['camera'])?.isInvalidated).toBe(true);
  expect(queries.getQueryState(['streams'])?.isInvalidated).toBe(false);
  for (const each of leave) each();
  stop.abort();
  await done;
});

it('writes samples into the stream list', async () => {
  const { asked, tell } = newsServer();
  const { queries, done, stop } = listening();
  const media = {
    protocol: 'rtmp',
    address: '',
    viewers: 0,
    kbps: 1000,
    fps: 30,
    video: null,
    audio: null,
    bFrames: false,
  };
  queries.setQueryData(['streams'], { streams: [activeStream({ media })], ended: [] });
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  const known = { inKbps: 2000, fps: 30, flv: 2, hls: 1 } as Record<string, number>;
  const values = streamSampleFields.map((field) => known[field] ?? null);
  const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };
  tell(`event: samples\ndata: ${JSON.stringify({ at: 1, server: [], streams: [{ ...place, values }] })}\n\n`);
  const shown = () => queries.getQueryData<{ streams: { media: object }[] }>(['streams'])?.streams[0]?.media;
  await vi.waitFor(() => expect(shown()).toMatchObject({ kbps: 1300, fps: 30, viewers: 3 }));
  stop();
  await done;
});

it('holds samples back while scrolling and applies the last one afterwards', async () => {
  const { asked, tell } = newsServer();
  const { queries, done, stop } = listening();
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  const second = (at: number) => tell(`event: samples\ndata: ${JSON.stringify({ at, server: [], streams: [] })}\n\n`);
  const shown = () => queries.getQueryData<{ at: number }>(['server-now'])?.at;
  second(10_000);
  await vi.waitFor(() => expect(shown()).toBe(10_000));
  const history: unknown[] = [];
  queries.getQueryCache().subscribe(() => history.push(shown()));
  window.dispatchEvent(new Event('scroll'));
  second(11_000);
  second(12_000);
  await vi.waitFor(() => expect(shown()).toBe(12_000));
  expect(history).not.toContain(11_000);
  stop();
  await done;
});

it('stops after sign-out and returns to polling', async () => {
  const { answer, asked } = newsServer();
  Object.assign(answer, { status: 401, type: 'application/json' });
  const { done } = listening();
  await done;
  expect(asked).toHaveLength(1);
  expect(eventFeedState.isConnected).toBe(false);
});
