import type { Alert } from '@weir/contract';
import type { Finding, Rule, ServerSeen } from '../rule.ts';

/** Alerts come from the features; here they get a cause and a remedy like other issues. */
export function fromAlerts({ facts: { alerts } }: ServerSeen, isMeant: (alert: Alert) => boolean): Finding[] {
  return alerts.filter(isMeant).map(({ severity, since, count, subject, label }) => ({
    severity,
    sinceMs: Date.parse(since) || 0,
    numbers: { count },
    subject: label || subject,
  }));
}

const keyCauses = ['key-refused', 'key-in-use', 'login-refused'];
const slowCauses = ['too-slow', 'stalled', 'timed-out'];
const isOutput = ({ kind }: Alert) => kind === 'output';

const ofKind = (id: Rule<ServerSeen>['id'], kind: Alert['kind']): Rule<ServerSeen> => ({
  id,
  find: (seen) => fromAlerts(seen, (alert) => alert.kind === kind),
});

/** Rules about work on streams: forwarding, recording, uploads, callbacks and AI. */
export const workRules: readonly Rule<ServerSeen>[] = [
  {
    id: 'destination-key',
    find: (seen) => fromAlerts(seen, (alert) => isOutput(alert) && keyCauses.includes(alert.cause)),
  },
  {
    id: 'destination-slow',
    find: (seen) => fromAlerts(seen, (alert) => isOutput(alert) && slowCauses.includes(alert.cause)),
  },
  {
    id: 'destination-failing',
    find: (seen) =>
      fromAlerts(seen, (alert) => isOutput(alert) && ![...keyCauses, ...slowCauses].includes(alert.cause)),
  },
  ofKind('callback-failing', 'callback'),
  ofKind('record-storage', 'record-storage'),
  ofKind('record-failed', 'record-failed'),
  ofKind('record-lost', 'record-lost'),
  ofKind('upload-waiting', 'upload'),
  ofKind('ai-provider', 'ai-provider'),
  ofKind('ai-limit', 'ai-limit'),
  ofKind('local-ai', 'local-ai'),
];
