import { queryOptions } from '@tanstack/react-query';
import { type NotificationAttempt, notificationsApi } from '@weir/contract';
import type { TFunction } from 'i18next';
import { client } from '../../lib/api.ts';
import { joinSentences } from '../../lib/format.ts';

/** Messages leave without an event. */
const pollMs = 5000;

export const channelsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: ({ signal }) => client.call(notificationsApi.query, {}, { signal }),
  refetchInterval: pollMs,
});

const failures = [
  ...(['status', 'bad-url', 'forbidden-address', 'own-network', 'unknown-name', 'no-connection'] as const),
  ...(['bad-certificate', 'timeout', 'redirect', 'too-large'] as const),
];

/** Why a message did not arrive, with the words of the service. */
export function failureOf(t: TFunction, { failure, fact, answer }: NotificationAttempt, locale: string): string {
  const known = failures.find((one) => one === failure) ?? 'other';
  const said = answer.trim() === '' ? [] : [t('notifications.said', { said: answer.trim() })];
  return joinSentences([t(`notifications.failure.${known}`, { fact: fact || '?' }), ...said], locale);
}
