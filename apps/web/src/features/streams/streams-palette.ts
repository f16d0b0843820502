import { useQuery } from '@tanstack/react-query';
import { streamLabel } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { streamPath } from '../../components/streams/stream-link.tsx';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
import type { PaletteEntry } from '../../lib/feature.ts';
import { useOpenPath } from '../../lib/paths.ts';

export function useStreamsPalette(): PaletteEntry[] {
  const { t } = useTranslation();
  const open = useOpenPath();
  const { data } = useQuery(streamsQuery);
  return (data?.streams ?? []).map((stream) => ({
    id: `stream ${stream.client_id}`,
    title: streamLabel(stream),
    group: 'stream',
    kind: t('palette.stream'),
    run: () => open(streamPath(stream)),
  }));
}
