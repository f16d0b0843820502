import { Button, Menu, Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type NotificationChannelRow, notificationsApi } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Ago } from '../../components/ui/facts/moment.tsx';
import { RowList, RowName } from '../../components/ui/facts/row-list.tsx';
import { ConfirmDialog } from '../../components/ui/feedback/confirm-dialog.tsx';
import { EmptyState } from '../../components/ui/feedback/empty-state.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { PageHead } from '../../components/ui/layout/page-head.tsx';
import { RowMenu } from '../../components/ui/layout/row-menu.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { IconPlus } from '../../components/ui/theme/icons.ts';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { ChannelSheet } from './channel-sheet.tsx';
import { channelsQuery, failureOf } from './channels.ts';
import classes from './notifications.module.css';

export function NotificationsTab() {
  const { t } = useTranslation();
  const query = useQuery(channelsQuery);
  const [edited, setEdited] = useState<NotificationChannelRow | 'new'>();
  const channels = query.data?.channels;
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
      {t('notifications.add')}
    </Button>
  );
  return (
    <>
      <PageHead
        title={t('notifications.tab')}
        purpose={t('nav.purpose.notifications')}
        state={<StaleChip {...query} />}
        action={channels && channels.length > 0 ? add : undefined}
      />
      {!channels && query.failureCount === 0 && <PageSkeleton />}
      {channels?.length === 0 && (
        <EmptyState title={t('notifications.none')} text={t('notifications.noneText')}>
          <div className={classes.first}>{add}</div>
        </EmptyState>
      )}
      {channels && channels.length > 0 && (
        <Section title={t('notifications.list')} help={t('notifications.help')} anchor="channels">
          <RowList label={t('notifications.list')}>
            {channels.map((channel) => (
              <ChannelItem key={channel.id} channel={channel} onEdit={() => setEdited(channel)} />
            ))}
          </RowList>
        </Section>
      )}
      {edited && <ChannelSheet channel={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

interface ChannelItemProps {
  channel: NotificationChannelRow;
  onEdit: () => void;
}

/** Row of one channel: where it sends, whether that works, its switch and its menu. */
function ChannelItem({ channel, onEdit }: ChannelItemProps) {
  const { t } = useTranslation();
  const [isRemoving, setIsRemoving] = useState(false);
  const { name, service, enabled } = channel;
  const actions = useChannelActions(channel, () => setIsRemoving(false));
  return (
    <li className={classes.row}>
      <div className={classes.text}>
        <RowName onOpen={onEdit}>{name}</RowName>
        <div className={classes.facts}>
          {[t(`notifications.services.${service}`), targetOf(channel)].filter((part) => part !== '').join(' · ')}
        </div>
        <div className={classes.facts}>{useRuleText(channel)}</div>
      </div>
      <ChannelState channel={channel} />
      <Switch
        className={classes.control}
        aria-label={name}
        checked={enabled}
        disabled={actions.isBusy}
        onChange={() => actions.toggle()}
      />
      <RowMenu label={t('notifications.more', { name })} className={classes.menu}>
        <Menu.Item onClick={onEdit}>{t('notifications.edit')}</Menu.Item>
        <Menu.Item onClick={() => actions.test()}>{t('notifications.test')}</Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" onClick={() => setIsRemoving(true)}>
          {t('notifications.remove')}
        </Menu.Item>
      </RowMenu>
      <ConfirmDialog
        opened={isRemoving}
        title={t('notifications.removeTitle', { name })}
        text={t('notifications.removeText')}
        action={t('notifications.remove')}
        busy={actions.isBusy}
        onConfirm={() => actions.remove()}
        onClose={() => setIsRemoving(false)}
      />
    </li>
  );
}

/** Recipient as far as it is no secret. */
function targetOf({ service, fields }: NotificationChannelRow): string {
  if (service === 'email') return fields.recipients ?? '';
  if (service === 'telegram') return fields.chat ?? '';
  const address = fields.server ?? (service === 'webhook' ? fields.url : '') ?? '';
  return URL.canParse(address) ? new URL(address).host : '';
}

function useRuleText({ rules }: NotificationChannelRow): string {
  const { t } = useTranslation();
  const { severity, topics, streams, digest, quiet } = rules;
  const parts = [
    t(severity === 'bad' ? 'notifications.rules.severityBad' : 'notifications.rules.severityAll'),
    topics.length > 0 && topics.map((topic) => t(`notifications.topic.${topic}`)).join(', '),
    streams.length > 0 && streams.join(', '),
    digest === 'hour' && t('notifications.rules.digestHour'),
    digest === 'day' && t('notifications.rules.digestDay'),
    quiet.on && `${t('notifications.rules.quiet')} ${quiet.from}–${quiet.to}`,
  ];
  return parts.filter((part) => part !== false).join(' · ');
}

function ChannelState({ channel }: { channel: NotificationChannelRow }) {
  const { t, i18n } = useTranslation();
  const { enabled, last, open } = channel;
  const state = !enabled ? 'off' : !last ? 'ready' : last.ok ? 'working' : 'failing';
  const tone = ({ off: 'off', ready: 'ok', working: 'ok', failing: 'bad' } as const)[state];
  return (
    <div className={classes.state}>
      <StatusLabel tone={tone} word={t(`notifications.state.${state}`)} tinted={false} />
      <div className={classes.facts}>
        {last ? (
          <>
            {t('notifications.state.sent')} <Ago at={last.at} />
          </>
        ) : (
          t('notifications.state.never')
        )}
      </div>
      {last && !last.ok && <div className={classes.failure}>{failureOf(t, last, i18n.language)}</div>}
      {open > 0 && <div className={classes.facts}>{t('notifications.state.open', { count: open })}</div>}
    </div>
  );
}

function useChannelActions(channel: NotificationChannelRow, onSettled: () => void) {
  const { t, i18n } = useTranslation();
  const queries = useQueryClient();
  const { last: _last, open: _open, ...stored } = channel;
  const refresh = () => {
    onSettled();
    return queries.invalidateQueries({ queryKey: channelsQuery.queryKey });
  };
  const toggle = useMutation({
    mutationFn: () => client.call(notificationsApi.save, { ...stored, enabled: !channel.enabled }),
    onSettled: refresh,
  });
  const test = useMutation({
    mutationFn: () => client.call(notificationsApi.test, stored),
    onSuccess: (attempt) => {
      if (attempt.ok) notify.success(t('notifications.testOk'));
      else notify.failure(t('notifications.testBad', { reason: failureOf(t, attempt, i18n.language) }));
    },
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: () => client.call(notificationsApi.remove, { id: channel.id }),
    onSuccess: () => notify.success(t('notifications.removed')),
    onSettled: refresh,
  });
  return {
    isBusy: toggle.isPending || remove.isPending,
    toggle: () => toggle.mutate(),
    test: () => test.mutate(),
    remove: () => remove.mutate(),
  };
}
