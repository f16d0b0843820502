import { useQuery } from '@tanstack/react-query';
import { streamLabel } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { streamPath } from '../../components/streams/stream-link.tsx';
import type { PaletteEntry } from '../../lib/feature.ts';
import { useOpenPath } from '../../lib/paths.ts';
import { programsQuery } from './program-queries.ts';

/** The inputs of each program. */
export function useProgramPalette(): PaletteEntry[] {
  const { t } = useTranslation();
  const open = useOpenPath();
  const { data } = useQuery(programsQuery);
  return (data?.programs ?? []).map((program) => ({
    id: `program ${program.uuid}`,
    title: t('program.openInputs', { name: streamLabel(program) }),
    group: 'action',
    kind: t('palette.action'),
    words: 'switch input backup slate failover 切换 信号源 备用 垫片',
    run: () => open(`${streamPath(program)}#program`),
  }));
}
