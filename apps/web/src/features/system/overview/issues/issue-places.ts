import type { AlertPlace, CpuUser, Issue, IssueId } from '@weir/contract';
import type { ParseKeys } from 'i18next';
import { paths } from '../../../../lib/paths.ts';
import { placePath, placeTitle } from '../alert-places.ts';

/** How a server is set up: worth a word beside the server, no alarm. */
const adviceIds: readonly IssueId[] = ['srt-unavailable', 'candidate-missing', 'https-off', 'certificate-untrusted'];

export function isAdvice({ id }: Issue): boolean {
  return adviceIds.includes(id);
}

const record: AlertPlace = { page: 'scenario', tab: 'record', child: '' };
const https: AlertPlace = { page: 'settings', tab: 'https', child: '' };

/** Where it is mended. What the owner does outside the console, such as NTP or a limit of the system, has no place in it. */
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

/** The tab that is marked while there is such an issue, if it has one. A busy CPU is no fault of the tab that may relieve it. */
export function issueTab(issue: Issue): AlertPlace | undefined {
  const place = findPlace(issue);
  return place === 'components' || issue.id === 'cpu-full' ? undefined : place;
}

export function issuePlace(issue: Issue): { path: string; title: ParseKeys } | undefined {
  const place = findPlace(issue);
  if (place === 'components') return { path: paths.components, title: 'nav.component' };
  return place && { path: placePath(place), title: placeTitle(place) };
}
