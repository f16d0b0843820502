import { ActionIcon, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Health, Listener } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { Section } from '../../../components/ui/layout/section.tsx';
import { IconCopy } from '../../../components/ui/theme/icons.ts';
import { useCopy } from '../../../lib/notify.ts';
import { environmentQuery } from '../../../lib/queries/system-queries.ts';
import classes from './overview-tab.module.css';

export function AddressPanel({ engine }: { engine: Health['engine'] }) {
  const { t } = useTranslation();
  return (
    <Section anchor="addresses" title={t('overview.addresses')} help={t('overview.addressesHelp')}>
      {engine.listeners.length === 0 ? (
        <Text size="sm">{t('overview.noAddresses')}</Text>
      ) : (
        <ul className={classes.addresses}>
          {engine.listeners.map((listener) => (
            <Address key={`${listener.protocol}:${listener.port}`} listener={listener} />
          ))}
        </ul>
      )}
    </Section>
  );
}

const whyOff = {
  '': 'overview.notReady',
  'no-certificate': 'overview.noCertificate',
  'no-library': 'overview.noLibrary',
  'no-filter': 'overview.noFilter',
  'port-taken': 'overview.portTaken',
  unsupported: 'overview.unsupported',
} as const;

function Address({ listener }: { listener: Listener }) {
  const { t } = useTranslation();
  const copy = useCopy();
  const { mediaHost } = useQuery(environmentQuery).data ?? {};
  const isMedia = listener.protocol !== 'http' && listener.protocol !== 'https';
  const host = `${(isMedia && mediaHost) || window.location.hostname}:${listener.port}`;
  // Nobody types an address of WebRTC: pages find it by themselves. Its port must be open all the same.
  const isRtc = listener.protocol === 'rtc';
  const address = isRtc ? host : `${listener.protocol}://${host}`;
  if (listener.note === 'unsupported') {
    return (
      <li className={classes.address}>
        <span className={classes.url}>{isRtc ? 'WebRTC' : listener.protocol.toUpperCase()}</span>
        <StatusLabel tone="off" word={t(whyOff.unsupported)} />
      </li>
    );
  }
  return (
    <li className={classes.address}>
      <span className={classes.url}>{isRtc ? t('overview.rtcAddress', { address }) : address}</span>
      {listener.ready ? (
        <StatusLabel tone="ok" word={t('overview.ready')} />
      ) : (
        <StatusLabel tone="off" word={t(whyOff[listener.note])} />
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('overview.copyAddress', { address })}
        onClick={() => copy(address)}
      >
        <IconCopy size={16} aria-hidden />
      </ActionIcon>
    </li>
  );
}
