import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ParseKeys } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel, type Tone } from '../../components/ui/feedback/status-label.tsx';
import { Accordion } from '../../components/ui/layout/accordion.tsx';
import { BacklogNotice } from '../../components/uploads/backlog-notice.tsx';
import { CloudFiles } from './cloud-files.tsx';
import { type CloudKind, initialItem } from './cloud-kind.ts';
import { type CloudState, cloudStateQuery } from './cloud-queries.ts';
import { RuleForm } from './rule-form.tsx';
import { SecretForm } from './secret-form.tsx';

/** Recordings or videos in the cloud: the introduction, the account, the switch and the list. */
export function CloudPanel({ kind, introduction }: { kind: CloudKind; introduction: ReactNode }) {
  const { t } = useTranslation();
  const own = useQuery(cloudStateQuery(kind));
  const other = useQuery(cloudStateQuery(kind === 'dvr' ? 'vod' : 'dvr'));
  if (!own.data || !other.data) return own.failureCount > 0 ? <StaleChip {...own} /> : <PageSkeleton />;
  const { all, backlog } = own.data;
  const account = describeAccount(own.data);
  return (
    <Stack gap="md">
      <BacklogNotice backlog={backlog} />
      <Accordion
        isInner
        initial={initialItem(own.data, other.data, account.isReady)}
        items={[
          { key: '0', title: t('cloud.intro'), content: introduction },
          {
            key: '1',
            title: t('cloud.secret.title'),
            state: <StatusLabel tone={account.tone} word={t(account.word)} />,
            content: <SecretForm isKnown={account.isReady} />,
          },
          {
            key: '2',
            title: t(`cloud.${kind}.rule`),
            state: <StatusLabel tone={all ? 'ok' : 'off'} word={t(all ? 'cloud.on' : 'cloud.off')} />,
            content: <RuleForm kind={kind} saved={all} isOtherOn={other.data.all} />,
          },
          { key: '3', title: t('cloud.task.title'), content: <CloudFiles kind={kind} /> },
        ]}
      />
    </Stack>
  );
}

/** Whether the account has all that its kind needs, and what is missing first. */
function describeAccount({ secret, service = true, storage = true }: CloudState): {
  isReady: boolean;
  tone: Tone;
  word: ParseKeys;
} {
  if (!secret) return { isReady: false, tone: 'off', word: 'cloud.secret.none' };
  if (!service) return { isReady: false, tone: 'warn', word: 'cloud.vod.noService' };
  if (!storage) return { isReady: false, tone: 'warn', word: 'cloud.vod.noStorage' };
  return { isReady: true, tone: 'ok', word: 'cloud.secret.known' };
}
