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
import { RuleForm } from './rule-form.tsx';
import { SecretForm } from './secret-form.tsx';
import { TencentFiles } from './tencent-files.tsx';
import { firstItem, type TencentKind } from './tencent-kind.ts';
import { stateQuery, type TencentState } from './tencent-queries.ts';

/** Recordings or videos in the cloud: the introduction, the account, the switch and the list. */
export function TencentPanel({ kind, introduction }: { kind: TencentKind; introduction: ReactNode }) {
  const { t } = useTranslation();
  const own = useQuery(stateQuery(kind));
  const other = useQuery(stateQuery(kind === 'dvr' ? 'vod' : 'dvr'));
  if (!own.data || !other.data) return own.failureCount > 0 ? <StaleChip {...own} /> : <PageSkeleton />;
  const { all, backlog } = own.data;
  const account = accountOf(own.data);
  return (
    <Stack gap="md">
      <BacklogNotice backlog={backlog} />
      <Accordion
        isInner
        initial={firstItem(own.data, other.data, account.isReady)}
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
          { key: '3', title: t('cloud.task.title'), content: <TencentFiles kind={kind} /> },
        ]}
      />
    </Stack>
  );
}

/** Whether the account has all that its kind needs, and what is missing first. */
function accountOf({ secret, service = true, storage = true }: TencentState): {
  isReady: boolean;
  tone: Tone;
  word: ParseKeys;
} {
  if (!secret) return { isReady: false, tone: 'off', word: 'cloud.secret.none' };
  if (!service) return { isReady: false, tone: 'warn', word: 'cloud.vod.noService' };
  if (!storage) return { isReady: false, tone: 'warn', word: 'cloud.vod.noStorage' };
  return { isReady: true, tone: 'ok', word: 'cloud.secret.known' };
}
