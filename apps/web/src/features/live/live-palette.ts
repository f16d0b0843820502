import { useTranslation } from 'react-i18next';
import { useStreamAddresses } from '../../components/streams/use-stream-addresses.ts';
import type { PaletteEntry } from '../../lib/feature.ts';
import { useCopy } from '../../lib/notify.ts';

export function useLivePalette(): PaletteEntry[] {
  const { t } = useTranslation();
  const copy = useCopy();
  const addresses = useStreamAddresses();
  if (!addresses) return [];
  const { rtmpServer, rtmpStreamKey } = addresses;
  const action = { group: 'action', kind: t('palette.action') } as const;
  return [
    {
      ...action,
      id: 'action copy-address',
      title: t('palette.copyAddress'),
      words: 'copy publish rtmp obs 推流',
      run: () => void copy(`${rtmpServer}${rtmpStreamKey}`),
    },
    {
      ...action,
      id: 'action copy-key',
      title: t('palette.copyKey'),
      words: 'copy stream key secret obs 推流码 密钥',
      run: () => void copy(rtmpStreamKey),
    },
  ];
}
