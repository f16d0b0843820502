import type { Alert, HookDelivery } from '@weir/contract';
import type { HooksSettings } from './hooks-repository.ts';

const place = { page: 'settings', tab: 'callback', child: '' } as const;

interface Seen {
  readonly settings: Pick<HooksSettings, 'all' | 'target'>;
  readonly deliveries: readonly HookDelivery[];
  /** Tries before this went to another receiver. */
  readonly judgedFrom: string;
}

/** The receiver did not take what it was sent last. Its own no to a publisher is an answer. */
export function callbackAlert({ settings: { all, target }, deliveries, judgedFrom }: Seen): Alert[] {
  if (!all || target === '') return [];
  const newestFirst = deliveries
    .filter(({ triedAt }) => triedAt !== '' && triedAt >= judgedFrom)
    .sort((a, b) => (a.triedAt < b.triedAt ? 1 : -1));
  const taken = newestFirst.findIndex(isAnswered);
  const failed = taken === -1 ? newestFirst : newestFirst.slice(0, taken);
  const [last] = failed;
  if (!last) return [];
  const since = failed.map(({ createdAt }) => createdAt).reduce((one, other) => (one < other ? one : other));
  const count = deliveries.filter(({ state }) => state === 'waiting').length;
  return [{ kind: 'callback', severity: 'bad', since, count, place, subject: '', label: '', cause: last.failure }];
}

const refusingStatuses = ['401', '403'];

function isAnswered({ action, state, failure, fact }: HookDelivery): boolean {
  if (state === 'delivered') return true;
  if (action !== 'on_publish' || state !== 'refused') return false;
  return failure === 'code' || (failure === 'status' && refusingStatuses.includes(fact));
}
