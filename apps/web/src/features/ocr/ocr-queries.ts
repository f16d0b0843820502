import { queryOptions } from '@tanstack/react-query';
import { aiTaskPollMs, ocrApi } from '@weir/contract';
import { client } from '../../lib/api.ts';
import { pollUnlessEventsArrive } from '../../lib/queries/polling.ts';

/** Common prefix of all OCR query keys: a change of settings affects everything. */
export const ocrKey = ['ocr'];

const polled = { refetchInterval: pollUnlessEventsArrive(aiTaskPollMs), refetchOnWindowFocus: true } as const;

export const ocrQuery = queryOptions({
  queryKey: ['ocr', 'config'],
  queryFn: ({ signal }) => client.call(ocrApi.query, {}, { signal }),
});

export const ocrStateQuery = queryOptions({
  queryKey: ['ocr', 'state'],
  queryFn: ({ signal }) => client.call(ocrApi.state, {}, { signal }),
  ...polled,
});

export const ocrLiveQueueQuery = queryOptions({
  queryKey: ['ocr', 'live'],
  queryFn: ({ signal }) => client.call(ocrApi.liveQueue, {}, { signal }),
  ...polled,
});

export const ocrQueueQuery = queryOptions({
  queryKey: ['ocr', 'ocr'],
  queryFn: ({ signal }) => client.call(ocrApi.ocrQueue, {}, { signal }),
  ...polled,
});

export const callbackQueueQuery = queryOptions({
  queryKey: ['ocr', 'callback'],
  queryFn: ({ signal }) => client.call(ocrApi.callbackQueue, {}, { signal }),
  ...polled,
});

export const cleanupQueueQuery = queryOptions({
  queryKey: ['ocr', 'cleanup'],
  queryFn: ({ signal }) => client.call(ocrApi.cleanupQueue, {}, { signal }),
  ...polled,
});
