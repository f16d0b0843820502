import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PaletteEntry } from '../../lib/feature.ts';
import { formatDateTime } from '../../lib/format.ts';
import { paths, useOpenPath } from '../../lib/paths.ts';
import { recordingsQuery } from './record-queries.ts';

/** Larger libraries are easier to search on the recordings page. */
const mostRecordings = 500;

export function useRecordPalette(): PaletteEntry[] {
  const { t } = useTranslation();
  const open = useOpenPath();
  const { data } = useQuery(recordingsQuery);
  return (data ?? []).slice(0, mostRecordings).map(({ uuid, app, stream, startedAt }) => ({
    id: `recording ${uuid}`,
    title: `${app}/${stream} ${formatDateTime(new Date(startedAt))}`,
    group: 'recording',
    kind: t('palette.recording'),
    run: () => open(`${paths.scenario}?tab=record&recording=${encodeURIComponent(uuid)}`),
  }));
}
