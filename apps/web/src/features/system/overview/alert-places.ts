import type { Alert, AlertPlace } from '@weir/contract';
import type { ParseKeys } from 'i18next';
import type { TabMarks } from '../../../components/ui/layout/tabbed-page.tsx';
import { paths } from '../../../lib/paths.ts';

/** Names of the tabs that alerts lead to. */
const tabTitles: Readonly<Record<string, ParseKeys>> = {
  forward: 'forward.tab',
  vlive: 'vlive.tab',
  camera: 'camera.tab',
  transcode: 'transcode.tab',
  record: 'record.tab',
  others: 'others.tab',
  auth: 'settings.tabAuth',
  https: 'settings.tabHttps',
  callback: 'hooks.tab',
  llm: 'settings.tabLLM',
  streams: 'settings.tabStreams',
};

export function placeTitle({ page, tab }: AlertPlace): ParseKeys {
  return tabTitles[tab] ?? (page === 'settings' ? 'nav.system' : 'nav.scenario');
}

/** Without the language. */
export function placePath({ page, tab, child }: AlertPlace): string {
  const query = new URLSearchParams({ tab, ...(child !== '' && { ctab: child }) });
  return `${paths[page]}?${query}`;
}

/** The worst alert of each tab of a page, and how many there are. */
export function countTabMarks(
  alerts: readonly Pick<Alert, 'place' | 'severity'>[],
  page: AlertPlace['page'],
): TabMarks {
  const marks: Record<string, { tone: Alert['severity']; count: number }> = {};
  for (const { place, severity } of alerts) {
    if (place.page !== page) continue;
    const before = marks[place.tab];
    const tone = before?.tone === 'bad' ? 'bad' : severity;
    marks[place.tab] = { tone, count: (before?.count ?? 0) + 1 };
  }
  return marks;
}
