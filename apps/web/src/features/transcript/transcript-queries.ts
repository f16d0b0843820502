import { queryOptions } from '@tanstack/react-query';
import { aiTaskPollMs, transcriptApi } from '@weir/contract';
import { client } from '../../lib/api.ts';
import { pollWhileSignedIn } from '../../lib/queries/polling.ts';

/** Common prefix of all transcript query keys: a change of settings affects everything. */
export const transcriptKey = ['transcript'];

const linesPollMs = 1000;

const polled = { refetchInterval: pollWhileSignedIn(aiTaskPollMs), refetchOnWindowFocus: true } as const;

export const transcriptQuery = queryOptions({
  queryKey: ['transcript', 'config'],
  queryFn: ({ signal }) => client.call(transcriptApi.query, {}, { signal }),
});

export const transcriptStateQuery = queryOptions({
  queryKey: ['transcript', 'state'],
  queryFn: ({ signal }) => client.call(transcriptApi.state, {}, { signal }),
  ...polled,
});

export const transcriptLiveQueueQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['transcript', 'live', uuid],
    queryFn: ({ signal }) => client.call(transcriptApi.liveQueue, { uuid }, { signal }),
    ...polled,
  });

export const asrQueueQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['transcript', 'asr', uuid],
    queryFn: ({ signal }) => client.call(transcriptApi.asrQueue, { uuid }, { signal }),
    ...polled,
  });

export const fixQueueQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['transcript', 'fix', uuid],
    queryFn: ({ signal }) => client.call(transcriptApi.fixQueue, { uuid }, { signal }),
    ...polled,
  });

export const overlayQueueQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['transcript', 'overlay', uuid],
    queryFn: ({ signal }) => client.call(transcriptApi.overlayQueue, { uuid }, { signal }),
    ...polled,
  });

/** Running transcript, polled every second while speech may come. */
export const linesQuery = (uuid: string, isOn: boolean) =>
  queryOptions({
    queryKey: ['transcript', 'lines', uuid],
    queryFn: ({ signal }) => client.call(transcriptApi.lines, { uuid }, { signal }),
    refetchInterval: pollWhileSignedIn(isOn ? linesPollMs : aiTaskPollMs),
  });
