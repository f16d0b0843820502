import { Button, Checkbox, Group, MultiSelect, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  fieldsOfService,
  type NotificationAttempt,
  type NotificationChannelRow,
  type NotificationService,
  notificationLimits,
  notificationServices,
  notificationsApi,
  notificationTopics,
} from '@weir/contract';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { SecretField } from '../../components/ui/fields/secret-field.tsx';
import { SideSheet } from '../../components/ui/layout/side-sheet.tsx';
import { client } from '../../lib/api.ts';
import { useLocale } from '../../lib/i18n.ts';
import { notify } from '../../lib/notify.ts';
import { blankDraft, type ChannelDraft, findProblems, initialFields, toChange, toDraft } from './channel-draft.ts';
import { channelsQuery, failureOf } from './channels.ts';
import classes from './notifications.module.css';

interface ChannelSheetProps {
  /** Undefined adds one. */
  channel: NotificationChannelRow | undefined;
  onClose: () => void;
}

/** Adds or edits a channel, and tries it before it is saved. */
export function ChannelSheet({ channel, onClose }: ChannelSheetProps) {
  const { t } = useTranslation();
  const formId = useId();
  const queries = useQueryClient();
  const locale = useLocale();
  const [draft, setDraft] = useState<ChannelDraft>(() => (channel ? toDraft(channel) : blankDraft(locale)));
  const [isChecked, setIsChecked] = useState(false);
  const edit = (change: Partial<ChannelDraft>) => setDraft((before) => ({ ...before, ...change }));
  const problems = isChecked ? findProblems(draft) : new Map<string, never>();
  const save = useMutation({
    mutationFn: () => client.call(notificationsApi.save, toChange(draft, channel)),
    onSuccess: () => {
      notify.success(t('notifications.saved'));
      onClose();
      return queries.invalidateQueries({ queryKey: channelsQuery.queryKey });
    },
  });
  const test = useMutation({ mutationFn: () => client.call(notificationsApi.test, toChange(draft, channel)) });
  const isComplete = () => {
    setIsChecked(true);
    return findProblems(draft).size === 0;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isComplete() && !save.isPending) save.mutate();
  };
  return (
    <SideSheet
      opened
      onClose={onClose}
      title={channel ? t('notifications.editTitle', { name: channel.name }) : t('notifications.addTitle')}
      footer={
        <>
          <Button type="submit" form={formId} loading={save.isPending}>
            {channel ? t('helper.update') : t('notifications.create')}
          </Button>
          <Button variant="default" loading={test.isPending} onClick={() => isComplete() && test.mutate()}>
            {t('notifications.test')}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            {t('helper.cancel')}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit}>
        <Stack gap="md">
          <Select
            label={t('notifications.service')}
            description={t(`notifications.about.${draft.service}`)}
            data={notificationServices.map((one) => ({ value: one, label: t(`notifications.services.${one}`) }))}
            value={draft.service}
            allowDeselect={false}
            // Another service has nothing in common with the stored one.
            disabled={channel !== undefined}
            comboboxProps={{ transitionProps: { duration: 0 } }}
            onChange={(value) => {
              const service = value as NotificationService;
              edit({ service, fields: initialFields(service) });
            }}
          />
          <TextInput
            label={t('notifications.name')}
            description={t('notifications.nameHelp')}
            maxLength={notificationLimits.nameCharacters}
            autoComplete="off"
            value={draft.name}
            onChange={(event) => edit({ name: event.currentTarget.value })}
            error={problems.has('name') && t('notifications.nameMissing')}
          />
          {draft.service === 'push' ? (
            <DeviceField draft={draft} problems={problems} onChange={edit} />
          ) : (
            <ServiceFields draft={draft} problems={problems} onChange={edit} />
          )}
          <TestResult attempt={test.data} />
          <RuleFields draft={draft} problems={problems} onChange={edit} />
        </Stack>
      </form>
    </SideSheet>
  );
}

/** Stays where the fields are that it is about. */
function TestResult({ attempt }: { attempt: NotificationAttempt | undefined }) {
  const { t, i18n } = useTranslation();
  return (
    <div role="status">
      {attempt?.ok && <Notice tone="ok" title={t('notifications.testOk')} />}
      {attempt && !attempt.ok && (
        <Notice tone="bad" title={t('notifications.testBad', { reason: '' }).trim()}>
          <p className={classes.answer}>{failureOf(t, attempt, i18n.language)}</p>
        </Notice>
      )}
    </div>
  );
}

interface FieldsProps {
  draft: ChannelDraft;
  problems: ReturnType<typeof findProblems>;
  onChange: (change: Partial<ChannelDraft>) => void;
}

const helps = ['recipients', 'signingKey', 'user'] as const;

function ServiceFields({ draft, problems, onChange }: FieldsProps) {
  const { t } = useTranslation();
  return fieldsOfService(draft.service).map(({ name, isSecret, isOptional, choices, initial }) => {
    const key = name as 'url';
    const value = draft.fields[name] ?? '';
    const set = (next: string) => onChange({ fields: { ...draft.fields, ...portOf(name, next), [name]: next } });
    const problem = problems.get(name);
    const help = helps.find((one) => one === name);
    const field = {
      label: t(`notifications.field.${key}`),
      description: help ? t(`notifications.fieldHelp.${help}`) : isOptional ? t('notifications.optional') : '',
      error: problem && t(`notifications.${problem}`),
    };
    if (choices) {
      return (
        <Select
          key={name}
          label={field.label}
          data={choices.map((one) => ({ value: one, label: t(`notifications.security.${one as 'tls'}`) }))}
          value={value}
          allowDeselect={false}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          onChange={(next) => set(next ?? '')}
        />
      );
    }
    if (isSecret) {
      const isKept = value.startsWith('\u2022');
      const description = isKept ? t('notifications.fieldHelp.secretKept') : field.description;
      return (
        <SecretField
          key={name}
          size="sm"
          value={value}
          onChange={(next) => set(next.trim())}
          {...field}
          description={description}
        />
      );
    }
    return (
      <TextInput
        key={name}
        placeholder={initial}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => set(event.currentTarget.value)}
        {...field}
      />
    );
  });
}

/** Why this browser can't get push messages. */
type PushObstacle = 'insecure' | 'unsupported' | 'denied' | 'refused';

const worker = '/mgmt/sw.js';

/** Asks for permission and subscribes this browser, or says what is in the way. */
async function subscribeDevice(pushKey: string): Promise<Record<string, string> | PushObstacle> {
  if (!window.isSecureContext) return 'insecure';
  if (!('serviceWorker' in navigator) || !('PushManager' in window)) return 'unsupported';
  if ((await Notification.requestPermission()) !== 'granted') return 'denied';
  try {
    await navigator.serviceWorker.register(worker);
    const { pushManager } = await navigator.serviceWorker.ready;
    // A subscription for the key of an earlier installation is of no use.
    await (await pushManager.getSubscription())?.unsubscribe();
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey });
    const { endpoint = '', keys = {} } = made.toJSON();
    return { endpoint, p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' };
  } catch {
    return 'refused';
  }
}

/** Subscribes this browser; its address and keys are nothing to type. */
function DeviceField({ draft, problems, onChange }: FieldsProps) {
  const { t } = useTranslation();
  const pushKey = useQuery(channelsQuery).data?.pushKey ?? '';
  const [obstacle, setObstacle] = useState<PushObstacle>();
  const [isAsking, setIsAsking] = useState(false);
  const allow = async () => {
    setIsAsking(true);
    const answer = await subscribeDevice(pushKey);
    setIsAsking(false);
    setObstacle(typeof answer === 'string' ? answer : undefined);
    if (typeof answer !== 'string') onChange({ fields: answer });
  };
  const isAllowed = draft.fields.endpoint !== '';
  return (
    <Stack gap="xs" align="flex-start" role="status">
      {isAllowed ? (
        <Notice tone="ok" title={t('notifications.push.allowed')} />
      ) : (
        <Button variant="default" loading={isAsking} onClick={allow}>
          {t('notifications.push.allow')}
        </Button>
      )}
      {obstacle && <Notice tone="warn" title={t(`notifications.push.${obstacle}`)} />}
      {!isAllowed && !obstacle && problems.has('endpoint') && (
        <Notice tone="bad" title={t('notifications.push.missing')} />
      )}
    </Stack>
  );
}

/** The usual port of an encryption. */
const usualPorts: Readonly<Record<string, string>> = { starttls: '587', tls: '465', none: '25' };

function portOf(name: string, value: string): { port?: string } {
  const port = name === 'security' ? usualPorts[value] : undefined;
  return port === undefined ? {} : { port };
}

function RuleFields({ draft, problems, onChange }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <fieldset className={classes.rules}>
      <legend>{t('notifications.rules.title')}</legend>
      <Stack gap="md">
        <Select
          label={t('notifications.rules.severity')}
          data={[
            { value: 'all', label: t('notifications.rules.severityAll') },
            { value: 'bad', label: t('notifications.rules.severityBad') },
          ]}
          value={draft.severity}
          allowDeselect={false}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          onChange={(value) => onChange({ severity: value === 'bad' ? 'bad' : 'all' })}
        />
        <Select
          label={t('notifications.rules.digest')}
          data={[
            { value: 'none', label: t('notifications.rules.digestNone') },
            { value: 'hour', label: t('notifications.rules.digestHour') },
            { value: 'day', label: t('notifications.rules.digestDay') },
          ]}
          value={draft.digest}
          allowDeselect={false}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          onChange={(value) => onChange({ digest: (value ?? 'none') as ChannelDraft['digest'] })}
        />
        <MultiSelect
          label={t('notifications.rules.topics')}
          description={t('notifications.rules.topicsHelp')}
          data={notificationTopics.map((topic) => ({ value: topic, label: t(`notifications.topic.${topic}`) }))}
          value={[...draft.topics]}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          onChange={(chosen) => onChange({ topics: notificationTopics.filter((topic) => chosen.includes(topic)) })}
        />
        <Textarea
          label={t('notifications.rules.streams')}
          description={t('notifications.rules.streamsHelp')}
          placeholder="live/stage"
          rows={2}
          autoComplete="off"
          spellCheck={false}
          value={draft.streams}
          onChange={(event) => onChange({ streams: event.currentTarget.value })}
          error={problems.has('streams') && t('notifications.streamsInvalid')}
        />
        <Select
          label={t('notifications.language')}
          data={[
            { value: 'en', label: 'English' },
            { value: 'zh', label: '中文' },
          ]}
          value={draft.language}
          allowDeselect={false}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          onChange={(value) => onChange({ language: value === 'zh' ? 'zh' : 'en' })}
        />
        <Checkbox
          label={t('notifications.rules.resolved')}
          checked={draft.resolved}
          onChange={(event) => onChange({ resolved: event.currentTarget.checked })}
        />
        <Switch
          label={t('notifications.rules.quiet')}
          checked={draft.isQuiet}
          onChange={(event) => onChange({ isQuiet: event.currentTarget.checked })}
        />
        {draft.isQuiet && (
          <>
            <Group grow align="flex-start">
              <TextInput
                type="time"
                label={t('notifications.rules.quietFrom')}
                value={draft.quietFrom}
                onChange={(event) => onChange({ quietFrom: event.currentTarget.value })}
                error={problems.has('quiet') && t('notifications.timeInvalid')}
              />
              <TextInput
                type="time"
                label={t('notifications.rules.quietTo')}
                value={draft.quietTo}
                onChange={(event) => onChange({ quietTo: event.currentTarget.value })}
              />
            </Group>
            <Checkbox
              label={t('notifications.rules.quietExceptBad')}
              description={t('notifications.rules.zone', { zone: draft.zone })}
              checked={draft.quietExceptBad}
              onChange={(event) => onChange({ quietExceptBad: event.currentTarget.checked })}
            />
          </>
        )}
      </Stack>
    </fieldset>
  );
}
