import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ForwardOutlet } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { useOutletTitle } from '../../components/outlets/destination/platforms.ts';
import type { PaletteEntry } from '../../lib/feature.ts';
import { notify } from '../../lib/notify.ts';
import { forwardQueries, sendForward } from './forward-queries.ts';

/** Starts and stops forwards that have a destination. */
export function useForwardPalette(): PaletteEntry[] {
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
    group: 'action',
    kind: t('palette.action'),
    words: 'forward start stop',
    run: () => toggle.mutate({ ...slot, enabled: !slot.enabled }),
  }));
}
