import { queryOptions } from '@tanstack/react-query';
import { consoleTimes, overviewApi, systemApi } from '@weir/contract';
import { client } from '../api.ts';
import { readLocale } from '../storage.ts';
import { mountStaleMs, pollUnlessEventsArrive } from './polling.ts';

/** Fetched once per page load: it does not change while the server runs. */
export const environmentQuery = queryOptions({
  queryKey: ['envs'],
  queryFn: ({ signal }) => client.call(systemApi.envs, { locale: readLocale() }, { signal, authorized: false }),
  staleTime: Number.POSITIVE_INFINITY,
  meta: { quiet: true },
});

export const checkQuery = queryOptions({
  queryKey: ['check'],
  queryFn: ({ signal }) => client.call(systemApi.check, {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: ({ state }) => (state.data?.upgrading ? consoleTimes.statusPollMs : false),
  meta: { quiet: true },
});

export const versionQuery = queryOptions({
  queryKey: ['versions'],
  queryFn: ({ signal }) => client.call(systemApi.versions, {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  meta: { quiet: true },
});

export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => client.call(systemApi.status, {}, { signal }),
  staleTime: mountStaleMs,
  refetchInterval: pollUnlessEventsArrive(consoleTimes.statusPollMs),
  refetchOnWindowFocus: true,
  meta: { quiet: true },
});

/** Latest server sample. Events update it every second; without them it is polled like the streams. */
export const serverNowQuery = queryOptions({
  queryKey: ['server-now'],
  queryFn: ({ signal }) => client.call(overviewApi.now, {}, { signal }),
  staleTime: mountStaleMs,
  refetchInterval: pollUnlessEventsArrive(consoleTimes.streamsPollMs),
  meta: { quiet: true },
});
