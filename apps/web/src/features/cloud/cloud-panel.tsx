import { Checkbox, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { cloudApi } from '@weir/contract';
import type { ParseKeys } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BacklogNotice } from '../../components/backlog-notice.tsx';
import { OutsideLink } from '../../components/guide/guide-steps.tsx';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { TutorialButton } from '../../components/tutorials/tutorial-button.tsx';
import { Answers } from '../../components/ui/facts/answers.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel, type Tone } from '../../components/ui/feedback/status-label.tsx';
import { Accordion } from '../../components/ui/layout/accordion.tsx';
import { client } from '../../lib/api.ts';
import { useLocale } from '../../lib/i18n.ts';
import { CloudFiles } from './cloud-files.tsx';
import { applyCalls, type CloudKind, initialItem } from './cloud-kind.ts';
import { type CloudState, cloudKey, cloudStateQuery } from './cloud-queries.ts';

export function DvrSection() {
  return <CloudSection kind="dvr" />;
}

export function VodSection() {
  return <CloudSection kind="vod" />;
}

/** Tencent Cloud serves accounts in China. Other languages show only the sentence the specification requires. */
function CloudSection({ kind }: { kind: CloudKind }) {
  const { t } = useTranslation();
  const isChinese = useLocale() === 'zh';
  if (!isChinese) return <Text size="sm">{t('others.onTheWay')}</Text>;
  return (
    <>
      <TutorialButton set="cloud" />
      <CloudPanel kind={kind} introduction={<Introduction kind={kind} />} />
    </>
  );
}

function Introduction({ kind }: { kind: CloudKind }) {
  const { t } = useTranslation();
  return (
    <Answers
      answers={[
        [t(`others.${kind}.what`), t(`others.${kind}.whatText`)],
        [t(`others.${kind}.cost`), t(`others.${kind}.costText`)],
        [t(`others.${kind}.either`), t(`others.${kind}.eitherText`)],
      ]}
    />
  );
}

function CloudPanel({ kind, introduction }: { kind: CloudKind; introduction: ReactNode }) {
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

/** Returns whether the account is complete, or else the first missing part. */
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

interface RuleFormProps {
  kind: CloudKind;
  saved: boolean;
  /** True if the other kind is on, which excludes this one. */
  isOtherOn: boolean;
}

/** Switches the kind on or off for all streams. */
function RuleForm({ kind, saved, isOtherOn }: RuleFormProps) {
  const { t } = useTranslation();
  const form = useSettingsForm({
    saved: { all: saved },
    isBlocked: isOtherOn,
    save: (rule) => client.call(applyCalls[kind], rule),
    refresh: (queries) => queries.invalidateQueries({ queryKey: cloudKey }),
    done: t(`cloud.${kind}.ruleOk`),
  });
  return (
    <SettingsForm form={form} width={560} isDisabled={isOtherOn}>
      {isOtherOn && (
        <Notice tone="bad" title={t(`cloud.${kind}.otherOn`)}>
          <Text size="sm">{t(`cloud.${kind}.otherOff`)}</Text>
        </Notice>
      )}
      <Checkbox
        label={t(`cloud.${kind}.all`)}
        description={t(`cloud.${kind}.allHelp`)}
        checked={form.value.all}
        disabled={isOtherOn}
        onChange={(event) => form.edit({ all: event.currentTarget.checked })}
      />
    </SettingsForm>
  );
}

const keyPage = 'https://console.cloud.tencent.com/cam/capi';

interface Account {
  readonly secretId: string;
  readonly secretKey: string;
}

/** Key of the cloud account. It is never shown again, only replaced. */
function SecretForm({ isKnown }: { isKnown: boolean }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: cloudKey });
  const form = useSettingsForm<Account, readonly (keyof Account)[]>({
    saved: { secretId: '', secretKey: '' },
    check: (account) => {
      const missing = (['secretId', 'secretKey'] as const).filter((field) => account[field] === '');
      return missing.length > 0 ? missing : undefined;
    },
    // The server may have prepared a part of the account before it failed.
    save: (account) => client.call(cloudApi.secret, account).finally(refresh),
    refresh: refresh,
    done: t('cloud.secret.ok'),
  });
  return (
    <SettingsForm form={form} width={560} action={t('cloud.secret.submit')}>
      {isKnown && <StatusLabel tone="ok" word={t('cloud.secret.known')} />}
      <TextInput
        size="md"
        label="SecretId"
        description={t('cloud.secret.idHelp')}
        autoComplete="off"
        spellCheck={false}
        value={form.value.secretId}
        error={form.problem?.includes('secretId') && t('cloud.secret.idEmpty')}
        onChange={(event) => form.edit({ secretId: event.currentTarget.value.trim() })}
      />
      <PasswordInput
        size="md"
        label="SecretKey"
        description={t('cloud.secret.keyHelp')}
        visibilityToggleButtonProps={{ 'aria-label': t('helper.reveal') }}
        autoComplete="off"
        data-1p-ignore
        spellCheck={false}
        value={form.value.secretKey}
        error={form.problem?.includes('secretKey') && t('cloud.secret.keyEmpty')}
        onChange={(event) => form.edit({ secretKey: event.currentTarget.value.trim() })}
      />
      <Text size="sm">
        {t('cloud.secret.get')} <OutsideLink href={keyPage}>console.cloud.tencent.com</OutsideLink>
      </Text>
      <Notice tone="info" title={t('cloud.secret.resources')} />
    </SettingsForm>
  );
}
