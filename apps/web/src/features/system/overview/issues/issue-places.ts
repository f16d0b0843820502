import type { AlertPlace, Issue, IssueId } from '@weir/contract';
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
  'cpu-full': { page: 'scenario', tab: 'transcode', child: '' },
  'memory-full': 'components',
  'disk-full': record,
  'disk-filling': record,
  'ffmpeg-missing': 'components',
  'engine-away': 'components',
  'srt-unavailable': 'components',
  'https-off': https,
  'certificate-untrusted': https,
};

/** The tab that is marked while there is such an issue, if it has one. A busy CPU is no fault of the tab that may relieve it. */
export function tabOf({ id }: Issue): AlertPlace | undefined {
  const place = places[id];
  return place === 'components' || id === 'cpu-full' ? undefined : place;
}

export function issuePlace({ id }: Issue): { path: string; title: ParseKeys } | undefined {
  const place = places[id];
  if (place === 'components') return { path: paths.components, title: 'nav.component' };
  return place && { path: placePath(place), title: placeTitle(place) };
}
