import { Progress, Text } from '@mantine/core';
import type { Health } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { certificateState } from '../../../components/certificate-state.ts';
import { FactList } from '../../../components/ui/facts/fact-list.tsx';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { Section } from '../../../components/ui/layout/section.tsx';
import { formatBytes, formatDateTime } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import classes from './overview-tab.module.css';

export function PartsPanel({ health }: { health: Health }) {
  const { t } = useTranslation();
  return (
    <Section anchor="parts" title={t('overview.parts')}>
      <FactList
        facts={[
          { term: t('overview.engine'), value: <EngineState engine={health.engine} /> },
          { term: t('overview.store'), value: <PartState isOk={health.store.ok} /> },
          { term: t('overview.disk'), value: <DiskState disk={health.disk} /> },
          { term: t('overview.certificate'), value: <CertificateState certificate={health.certificate} /> },
        ]}
      />
    </Section>
  );
}

function PartState({ isOk }: { isOk: boolean }) {
  const { t } = useTranslation();
  return <StatusLabel tone={isOk ? 'ok' : 'bad'} word={isOk ? t('overview.ok') : t('overview.down')} />;
}

function EngineState({ engine }: { engine: Health['engine'] }) {
  const { t } = useTranslation();
  return (
    <>
      <PartState isOk={engine.ok} />
      {engine.startedAt && (
        <Text size="sm" c="dimmed">
          {t('overview.engineSince', { time: formatDateTime(new Date(engine.startedAt)) })}
        </Text>
      )}
    </>
  );
}

export function DiskState({ disk }: { disk: Health['disk'] }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const usedPercent = disk.totalBytes > 0 ? (1 - disk.freeBytes / disk.totalBytes) * 100 : 0;
  const free = formatBytes(disk.freeBytes, locale);
  const total = formatBytes(disk.totalBytes, locale);
  return (
    <>
      <StatusLabel tone={disk.ok ? 'ok' : 'warn'} word={disk.ok ? t('overview.diskOk') : t('overview.diskLow')} />
      <Text size="sm" c="dimmed">
        {t('overview.diskFree', { free, total })}
      </Text>
      <Progress
        className={classes.bar}
        value={usedPercent}
        size="sm"
        color={disk.ok ? 'water' : 'yellow.8'}
        aria-label={t('overview.diskUsed')}
      />
    </>
  );
}

export function CertificateState({ certificate }: { certificate: Health['certificate'] }) {
  const { t } = useTranslation();
  if (!certificate) {
    return (
      <>
        <StatusLabel tone="off" word={t('overview.certNone')} />
        <Text size="sm" c="dimmed">
          {t('overview.certNoneText')}
        </Text>
      </>
    );
  }
  const { subject, issuer, expireAt } = certificate;
  const { tone, word } = certificateState({ expireAt, isSelfSigned: subject === issuer }, Date.now());
  const date = formatDateTime(new Date(expireAt));
  return (
    <>
      <StatusLabel tone={tone} word={t(word)} />
      <Text size="sm" c="dimmed">
        {t('overview.certText', { subject, issuer, date })}
      </Text>
    </>
  );
}
