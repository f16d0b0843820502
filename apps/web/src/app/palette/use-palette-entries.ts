import { useMantineColorScheme } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ForwardOutlet, Locale } from '@weir/contract';
import { streamLabel } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { useOutletTitle } from '../../components/outlets/destination/platforms.ts';
import { streamPath } from '../../components/streams/stream-link.tsx';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
import { useStreamAddresses } from '../../components/streams/use-stream-addresses.ts';
import { forwardQueries, sendForward } from '../../features/forward/forward-queries.ts';
import { recordingsQuery } from '../../features/record/record-queries.ts';
import { formatDateTime } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { notify, useCopy } from '../../lib/notify.ts';
import { paths, useLocalPath } from '../../lib/paths.ts';
import { withLocale } from '../routing.ts';
import { languageNames } from '../shell/language-switch.tsx';
import { scenarioTabs, settingsTabs } from '../tabs/tabs.ts';
import type { PaletteEntry } from './find-entries.ts';

/** Larger libraries are easier to search on the recordings page. */
const mostRecordings = 500;

/** Lists live streams first, then pages, actions, forwards and recordings. */
export function usePaletteEntries(): PaletteEntry[] {
  return [...useStreams(), ...usePages(), ...useActions(), ...useForwards(), ...useRecordings()];
}

function useGo(): (path: string) => void {
  const navigate = useNavigate();
  const localPath = useLocalPath();
  return (path) => void navigate(localPath(path));
}

function useStreams(): PaletteEntry[] {
  const { t } = useTranslation();
  const go = useGo();
  const { data } = useQuery(streamsQuery);
  return (data?.streams ?? []).map((stream) => ({
    id: `stream ${stream.client_id}`,
    title: streamLabel(stream),
    kind: t('palette.stream'),
    run: () => go(streamPath(stream)),
  }));
}

function usePages(): PaletteEntry[] {
  const { t } = useTranslation();
  const go = useGo();
  const page = (path: string, title: string, kind: string, words = ''): PaletteEntry => ({
    id: `page ${path}`,
    title,
    kind,
    words,
    run: () => go(path),
  });
  return [
    ...scenarioTabs.map(({ id, title }) => page(`${paths.scenario}?tab=${id}`, t(title), t('nav.scenario'), id)),
    ...settingsTabs.map(({ id, title }) => page(`${paths.settings}?tab=${id}`, t(title), t('nav.system'), id)),
    page(`${paths.scenario}?tab=overview#broadcasts`, t('timeline.broadcasts'), t('nav.scenario'), 'broadcasts'),
    page(paths.components, t('nav.component'), t('palette.page'), 'components'),
    page(paths.contact, t('nav.contact'), t('palette.page'), 'contact'),
  ];
}

type Action = readonly [id: string, title: string, words: string, run: () => void];

function useActions(): PaletteEntry[] {
  const { t } = useTranslation();
  const go = useGo();
  const copy = useCopy();
  const locale = useLocale();
  const location = useLocation();
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const addresses = useStreamAddresses();
  const kind = t('palette.action');
  const other: Locale = locale === 'en' ? 'zh' : 'en';
  const { rtmpServer, rtmpStreamKey } = addresses ?? { rtmpServer: '', rtmpStreamKey: '' };
  const copies: Action[] = [
    ['copy-address', t('palette.copyAddress'), 'copy publish rtmp', () => void copy(`${rtmpServer}${rtmpStreamKey}`)],
    ['copy-key', t('palette.copyKey'), 'copy stream key', () => void copy(rtmpStreamKey)],
  ];
  const actions: Action[] = [
    ...(addresses ? copies : []),
    ['password', t('palette.password'), 'password', () => go(`${paths.settings}?tab=auth`)],
    [
      'language',
      t('palette.language', { name: languageNames[other] }),
      'language english 中文',
      () => void navigate(withLocale(location, other)),
    ],
    ['light', t('palette.light'), 'theme light', () => setColorScheme('light')],
    ['dark', t('palette.dark'), 'theme dark', () => setColorScheme('dark')],
    ['sign-out', t('nav.logout'), 'sign out logout', () => go(paths.logout)],
  ];
  return actions.map(([id, title, words, run]) => ({ id: `action ${id}`, title, kind, words, run }));
}

function useForwards(): PaletteEntry[] {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const titleOf = useOutletTitle();
  const { data } = useQuery(forwardQueries.slots);
  const toggle = useMutation({
    mutationFn: (slot: ForwardOutlet) => sendForward.update(slot),
    onSuccess: (_answer, { enabled }) => {
      notify.success(enabled ? t('plat.com.started') : t('plat.com.stopped'));
      return queries.invalidateQueries({ queryKey: forwardQueries.key });
    },
  });
  const ready = Object.values(data ?? {}).filter(({ server }) => server !== '');
  return ready.map((slot) => ({
    id: `forward ${slot.platform}`,
    title: t(slot.enabled ? 'palette.stopForward' : 'palette.startForward', { name: titleOf(slot) }),
    kind: t('palette.action'),
    words: 'forward start stop',
    run: () => toggle.mutate({ ...slot, enabled: !slot.enabled }),
  }));
}

function useRecordings(): PaletteEntry[] {
  const { t } = useTranslation();
  const go = useGo();
  const { data } = useQuery(recordingsQuery);
  return (data ?? []).slice(0, mostRecordings).map(({ uuid, app, stream, startedAt }) => ({
    id: `recording ${uuid}`,
    title: `${app}/${stream} ${formatDateTime(new Date(startedAt))}`,
    kind: t('palette.recording'),
    run: () => go(`${paths.scenario}?tab=record&recording=${encodeURIComponent(uuid)}`),
  }));
}
