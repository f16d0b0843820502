import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { StatusLabel, type Tone } from '../../components/ui/feedback/status-label.tsx';
import { Accordion } from '../../components/ui/layout/accordion.tsx';
import { BacklogNotice } from '../../components/uploads/backlog-notice.tsx';
import { RuleForm } from './rule-form.tsx';
import { SecretForm } from './secret-form.tsx';

interface CloudAccordionProps {
  kind: 'dvr' | 'vod';
  own: { all: boolean; backlog: Parameters<typeof BacklogNotice>[0]['backlog'] };
  isOtherOn: boolean;
  initial: string;
  introduction: ReactNode;
  /** Of the account. */
  account: { isReady: boolean; tone: Tone; word: string };
  /** What is in the cloud. */
  list: ReactNode;
}

/** What both kinds of cloud have: the introduction, the account, the switch and the list. */
export function CloudAccordion(props: CloudAccordionProps) {
  const { t } = useTranslation();
  const { kind, own, isOtherOn, initial, introduction, account, list } = props;
  const { all, backlog } = own;
  return (
    <Stack gap="md">
      <BacklogNotice backlog={backlog} />
      <Accordion
        isInner
        initial={initial}
        items={[
          { key: '0', title: t('cloud.intro'), content: introduction },
          {
            key: '1',
            title: t('cloud.secret.title'),
            state: <StatusLabel tone={account.tone} word={account.word} />,
            content: <SecretForm isKnown={account.isReady} />,
          },
          {
            key: '2',
            title: t(`cloud.${kind}.rule`),
            state: <StatusLabel tone={all ? 'ok' : 'off'} word={t(all ? 'cloud.on' : 'cloud.off')} />,
            content: <RuleForm kind={kind} saved={all} isOtherOn={isOtherOn} />,
          },
          { key: '3', title: t('cloud.task.title'), content: list },
        ]}
      />
    </Stack>
  );
}
