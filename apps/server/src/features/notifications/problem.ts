import { type Alert, alertIssueIds, type Diagnosis, type IssueId, type NotificationTopic } from '@weir/contract';

/** Something wrong that a channel may be told of, as long as it lasts. */
export interface Problem {
  /** The same for one problem from its start to its end. */
  readonly key: string;
  readonly topic: NotificationTopic;
  readonly severity: 'bad' | 'warn';
  readonly since: string;
  readonly count: number;
  /** `app/stream`, slot, or part of the server. */
  readonly subject: string;
  readonly label: string;
  readonly cause: string;
  /** Tab of the console with the remedy. */
  readonly page: 'scenario' | 'settings';
  readonly tab: string;
  /** `app/stream` if the problem belongs to one stream. */
  readonly stream: string;
}

/** Issues of the server that need a person and that no alert is about. Others are advice for the set-up. */
const reportedIssues: readonly IssueId[] = [
  ...(['cpu-full', 'memory-full', 'disk-full', 'disk-filling', 'open-files', 'clock-wrong'] as const),
  ...(['engine-away', 'port-taken'] as const),
];

/** Causes that tell two problems of one subject apart. Of others the cause may change while the problem lasts. */
const kindsWithCauses: readonly Alert['kind'][] = ['stream', 'store'];
const kindsOfStreams: readonly Alert['kind'][] = ['stream', 'program', 'record-failed', 'record-lost'];

/** An engine that starts, or a moment of full load, is no news. */
const steadyMs = 8000;

/** Current problems, each once. */
export function problemsOf(alerts: readonly Alert[], { issues }: Diagnosis, nowMs: number): Problem[] {
  const fromAlerts = alerts.map(problemOfAlert);
  const fromIssues = issues
    .filter(({ id }) => reportedIssues.includes(id) && !alertIssueIds.includes(id))
    .filter(({ since }) => nowMs - Date.parse(since) >= steadyMs)
    .map(
      ({ id, severity, since, subject }): Problem => ({
        key: `server ${id} ${id === 'cpu-full' ? '' : subject}`,
        topic: 'server',
        severity,
        since,
        count: 1,
        subject,
        label: '',
        cause: id,
        page: 'scenario',
        tab: 'overview',
        stream: '',
      }),
    );
  return [...new Map([...fromAlerts, ...fromIssues].map((problem) => [problem.key, problem])).values()];
}

function problemOfAlert({ kind, severity, since, count, subject, label, cause, place }: Alert): Problem {
  const told = kindsWithCauses.includes(kind) ? cause : '';
  const { page, tab } = place;
  const stream = kindsOfStreams.includes(kind) ? subject : '';
  return {
    key: [kind, tab, subject, told].join(' '),
    topic: kind,
    severity,
    since,
    count,
    subject,
    label,
    cause,
    page,
    tab,
    stream,
  };
}

/** Without its settings or its engine the server cannot say which other problems last. */
export function hidesOthers({ topic, cause }: Problem): boolean {
  return (topic === 'store' && cause === 'away') || (topic === 'server' && cause === 'engine-away');
}
