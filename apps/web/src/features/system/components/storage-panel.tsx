import { Text } from '@mantine/core';
import type { DataUsage, Health } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { daysLeft } from '../../../components/certificate-state.ts';
import { FactList } from '../../../components/ui/facts/fact-list.tsx';
import { Section } from '../../../components/ui/layout/section.tsx';
import { formatBytes, formatClock } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { CertificateState, DiskState } from '../overview/parts-panel.tsx';
import classes from './tools-panel.module.css';

export function StoragePanel({ use, health }: { use: DataUsage; health: Health }) {
  const { t } = useTranslation();
  const locale = useLocale();
  return (
    <Section anchor="storage" title={t('coms.storage')} help={t('coms.storageHelp')}>
      <FactList
        facts={[
          { term: t('coms.store'), value: formatBytes(use.storeBytes, locale) },
          { term: t('coms.dataUse'), value: <UseFacts use={use} /> },
          { term: t('coms.disk'), value: <DiskState disk={health.disk} /> },
          { term: t('coms.certificate'), value: <CertificateFacts certificate={health.certificate} /> },
        ]}
      />
    </Section>
  );
}

function UseFacts({ use }: { use: DataUsage }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const size = formatBytes(use.bytes, locale);
  return (
    <>
      {use.atLeast ? t('coms.atLeast', { size }) : size}
      <Text size="sm" c="dimmed">
        {use.path}, {t('coms.measured', { time: formatClock(new Date(use.measuredAt)) })}
      </Text>
      <ul className={classes.largest} aria-label={t('coms.largest')}>
        {use.largest.map(({ name, bytes }) => (
          <li key={name}>
            <span className={classes.file}>{name}</span>
            <span>{formatBytes(bytes, locale)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function CertificateFacts({ certificate }: { certificate: Health['certificate'] }) {
  const { t } = useTranslation();
  const days = certificate ? daysLeft(certificate.expireAt, Date.now()) : 0;
  return (
    <>
      {days > 0 && <Text size="sm">{t('coms.days', { count: days })}</Text>}
      <CertificateState certificate={certificate} />
    </>
  );
}
