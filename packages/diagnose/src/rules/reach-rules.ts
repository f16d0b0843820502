import type { Finding, Rule, ServerSeen } from '../rule.ts';
import { fromAlerts } from './work-rules.ts';

type Listener = ServerSeen['facts']['health']['engine']['listeners'][number];

function listening({ facts: { nowMs, health } }: ServerSeen, isOdd: (listener: Listener) => boolean): Finding[] {
  return health.engine.listeners.filter(isOdd).map(({ protocol, port }) => ({
    severity: 'bad',
    sinceMs: nowMs,
    numbers: { port },
    subject: protocol,
  }));
}

/** Rules about reachability for publishers and viewers. */
export const reachRules: readonly Rule<ServerSeen>[] = [
  {
    id: 'engine-away',
    find: ({ facts: { nowMs, health } }) => (health.engine.ok ? undefined : { severity: 'bad', sinceMs: nowMs }),
  },
  {
    id: 'port-taken',
    find: (seen) => listening(seen, ({ ready, note }) => !ready && note === 'port-taken'),
  },
  {
    id: 'srt-unavailable',
    find: (seen) => listening(seen, ({ ready, note }) => !ready && (note === 'no-library' || note === 'no-filter')),
  },
  { id: 'worker-failing', find: (seen) => fromAlerts(seen, ({ kind }) => kind === 'worker') },
  {
    id: 'candidate-missing',
    find: ({ facts: { nowMs, lacksCandidate } }) => (lacksCandidate ? { severity: 'warn', sinceMs: nowMs } : undefined),
  },
  {
    id: 'https-off',
    find: (seen) =>
      seen.facts.isHttpsElsewhere
        ? []
        : listening(seen, ({ protocol, note }) => protocol === 'https' && note === 'no-certificate'),
  },
  {
    id: 'certificate-untrusted',
    find: ({ facts: { nowMs, isSelfSigned, isHttpsElsewhere } }) =>
      isSelfSigned && !isHttpsElsewhere ? { severity: 'warn', sinceMs: nowMs } : undefined,
  },
];
