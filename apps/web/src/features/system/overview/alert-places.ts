import type { Activity, Alert, AlertPlace, CpuUser, Issue, IssueId, Status } from '@weir/contract';
import type { ParseKeys } from 'i18next';
import type { TabMark, TabMarks } from '../../../components/ui/layout/tabbed-page.tsx';
import type { Feature } from '../../../lib/feature.ts';
import { paths } from '../../../lib/paths.ts';

/** Title of the tab that an alert links to. */
export function placeTitle({ page, tab }: AlertPlace, features: readonly Feature[]): ParseKeys {
  const found = features.flatMap(({ tabs = [] }) => tabs).find((each) => each.page === page && each.id === tab);
  return found?.title ?? (page === 'settings' ? 'nav.system' : 'nav.scenario');
}

/** Path without the language. */
export function placePath({ page, tab, child }: AlertPlace): string {
  const query = new URLSearchParams({ tab, ...(child !== '' && { ctab: child }) });
  return `${paths[page]}?${query}`;
}

/** Counts the alerts of each tab and finds the worst severity. */
export function countTabMarks(
  alerts: readonly Pick<Alert, 'place' | 'severity'>[],
  page: AlertPlace['page'],
): TabMarks {
  const marks: Record<string, TabMark> = {};
  for (const { place, severity } of alerts) {
    if (place.page !== page) continue;
    const before = marks[place.tab];
    const tone = before?.tone === 'bad' ? 'bad' : severity;
    marks[place.tab] = { tone, alerts: (before?.alerts ?? 0) + 1 };
  }
  return marks;
}

const tones: Readonly<Record<Activity, TabMark['tone']>> = {
  failing: 'bad',
  degraded: 'warn',
  running: 'ok',
  idle: 'off',
};

/** Dots of features that are set up. */
export function activityMarks(activity: Status['activity'] = {}): TabMarks {
  return Object.fromEntries(Object.entries(activity).map(([tab, state]) => [tab, { tone: tones[state] }]));
}

const worstFirst: readonly TabMark['tone'][] = ['bad', 'warn', 'ok', 'off'];

/** Dots of the same tab become one, with the worse tone. */
export function mergeMarks(states: TabMarks, alerts: TabMarks): TabMarks {
  const merged = Object.entries(alerts).map(([tab, alert]) => {
    const state = states[tab];
    const tone = worstFirst.find((each) => each === alert.tone || each === state?.tone) ?? alert.tone;
    return [tab, { ...state, ...alert, tone }] as const;
  });
  return { ...states, ...Object.fromEntries(merged) };
}

/** Issues of the set-up: shown beside the server, not as alerts. */
const adviceIds: readonly IssueId[] = ['srt-unavailable', 'candidate-missing', 'https-off', 'certificate-untrusted'];

export function isAdvice({ id }: Issue): boolean {
  return adviceIds.includes(id);
}

const record: AlertPlace = { page: 'scenario', tab: 'record', child: '' };
const https: AlertPlace = { page: 'settings', tab: 'https', child: '' };

/** Tabs that fix an issue. Issues fixed outside the console, such as NTP or system limits, have none. */
const places: Readonly<Partial<Record<IssueId, AlertPlace | 'components'>>> = {
  'memory-full': 'components',
  'disk-full': record,
  'disk-filling': record,
  'ffmpeg-missing': 'components',
  'engine-away': 'components',
  'srt-unavailable': 'components',
  'https-off': https,
  'certificate-untrusted': https,
};

/** Pages where the user of the CPU can be stopped. Processes that serve streams, and programs of others, have none. */
const cpuPlaces: Readonly<Partial<Record<CpuUser, AlertPlace | 'components'>>> = {
  server: 'components',
  ai: { page: 'settings', tab: 'llm', child: '' },
  forward: scenario('forward'),
  vlive: scenario('vlive'),
  camera: scenario('camera'),
  transcode: scenario('transcode'),
  transcript: scenario('transcript'),
};

function scenario(tab: string): AlertPlace {
  return { page: 'scenario', tab, child: '' };
}

function findPlace({ id, subject }: Issue): AlertPlace | 'components' | undefined {
  return id === 'cpu-full' ? cpuPlaces[subject as CpuUser] : places[id];
}

/** Tab that is marked for an issue, if any. A busy CPU is not caused by the tab that may relieve it. */
export function issueTab(issue: Issue): AlertPlace | undefined {
  const place = findPlace(issue);
  return place === 'components' || issue.id === 'cpu-full' ? undefined : place;
}

export function issuePlace(issue: Issue, features: readonly Feature[]): { path: string; title: ParseKeys } | undefined {
  const place = findPlace(issue);
  if (place === 'components') return { path: paths.components, title: 'nav.component' };
  return place && { path: placePath(place), title: placeTitle(place, features) };
}
