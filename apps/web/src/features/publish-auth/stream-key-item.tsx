import { Menu, Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type StreamKeyRow, type StreamKeyUse, streamKeysApi } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { protocolName } from '../../components/streams/facts/protocol-name.ts';
import { StreamLink } from '../../components/streams/stream-link.tsx';
import { Ago } from '../../components/ui/facts/moment.tsx';
import { RowName } from '../../components/ui/facts/row-list.tsx';
import { ConfirmDialog } from '../../components/ui/feedback/confirm-dialog.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { RowMenu } from '../../components/ui/layout/row-menu.tsx';
import { client } from '../../lib/api.ts';
import { formatDateTime } from '../../lib/format.ts';
import { notify } from '../../lib/notify.ts';
import classes from './stream-keys.module.css';
import type { ShownKey } from './stream-keys-panel.tsx';
import { streamKeysQuery } from './stream-keys-query.ts';

interface StreamKeyItemProps {
  streamKey: StreamKeyRow;
  onEdit: () => void;
  onValue: (shown: ShownKey) => void;
}

/** Row of one key: what it opens, who uses it, its switch and its menu. */
export function StreamKeyItem({ streamKey, onEdit, onValue }: StreamKeyItemProps) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<'rotate' | 'revoke'>();
  const { uuid, name, streams, protocols, expiresAt, publishers, enabled, createdAt } = streamKey;
  const actions = useKeyActions(streamKey, { onValue, onSettled: () => setAsked(undefined) });
  const limits = [
    protocols.length > 0 && protocols.map(protocolName).join(', '),
    expiresAt !== '' && t('settings.keys.until', { time: formatDateTime(new Date(expiresAt)) }),
    publishers > 0 && t('settings.keys.atMost', { count: publishers }),
    t('settings.keys.created', { time: formatDateTime(new Date(createdAt)) }),
  ].filter((limit) => limit !== false);
  return (
    <li className={classes.row} id={`key-${uuid}`}>
      <div className={classes.text}>
        <RowName onOpen={onEdit}>{name}</RowName>
        <div className={classes.streams} title={streams.join('\n')}>
          {streams.join(', ')}
        </div>
        <div className={classes.limits}>{limits.join(' · ')}</div>
      </div>
      <KeyState streamKey={streamKey} />
      <Switch
        className={classes.control}
        aria-label={name}
        checked={enabled}
        disabled={actions.isBusy}
        onChange={() => actions.toggle()}
      />
      <RowMenu label={t('settings.keys.more', { name })} className={classes.menu}>
        <Menu.Item onClick={onEdit}>{t('settings.keys.edit')}</Menu.Item>
        <Menu.Item onClick={() => setAsked('rotate')}>{t('settings.keys.rotate')}</Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" onClick={() => setAsked('revoke')}>
          {t('settings.keys.revoke')}
        </Menu.Item>
      </RowMenu>
      <ConfirmDialog
        opened={asked === 'rotate'}
        title={t('settings.keys.rotateTitle', { name })}
        text={t('settings.keys.rotateText')}
        action={t('settings.keys.rotate')}
        busy={actions.isBusy}
        onConfirm={() => actions.rotate()}
        onClose={() => setAsked(undefined)}
      />
      <ConfirmDialog
        opened={asked === 'revoke'}
        title={t('settings.keys.revokeTitle', { name })}
        text={t('settings.keys.revokeText')}
        action={t('settings.keys.revoke')}
        busy={actions.isBusy}
        onConfirm={() => actions.revoke()}
        onClose={() => setAsked(undefined)}
      />
    </li>
  );
}

function stateOf({ live, enabled, expiresAt }: StreamKeyRow): 'inUse' | 'off' | 'expired' | 'notInUse' {
  if (live.length > 0) return 'inUse';
  if (!enabled) return 'off';
  return expiresAt !== '' && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'notInUse';
}

function KeyState({ streamKey }: { streamKey: StreamKeyRow }) {
  const { t } = useTranslation();
  const { last, live } = streamKey;
  const [first, ...more] = live;
  const state = stateOf(streamKey);
  const tone = state === 'inUse' ? 'ok' : state === 'expired' ? 'warn' : 'off';
  return (
    <div className={classes.state}>
      <StatusLabel tone={tone} word={t(`settings.keys.${state}`)} tinted={false} />
      <div className={classes.use}>
        {first ? (
          <>
            <UseText use={first} />
            {more.length > 0 && ` ${t('settings.keys.others', { count: more.length })}`}
          </>
        ) : last ? (
          <>
            {t('settings.keys.lastUsed')} <Ago at={last.at} />
            <br />
            <UseText use={last} />
          </>
        ) : (
          t('settings.keys.neverUsed')
        )}
      </div>
    </div>
  );
}

/** `live/stage-b · RTMP from 203.0.113.20` */
function UseText({ use }: { use: StreamKeyUse }) {
  const { t } = useTranslation();
  const { protocol, address } = use;
  return (
    <>
      <StreamLink stream={use} />
      {protocol !== '' && ` · ${t('live.facts.from', { protocol: protocolName(protocol), address })}`}
    </>
  );
}

interface Done {
  readonly onValue: (shown: ShownKey) => void;
  readonly onSettled: () => void;
}

function useKeyActions({ uuid, enabled }: StreamKeyRow, { onValue, onSettled }: Done) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const refresh = () => {
    onSettled();
    return queries.invalidateQueries({ queryKey: streamKeysQuery.queryKey });
  };
  const toggle = useMutation({
    mutationFn: () => client.call(streamKeysApi.update, { uuid, enabled: !enabled }),
    onSettled: refresh,
  });
  const rotate = useMutation({
    mutationFn: () => client.call(streamKeysApi.rotate, { uuid }),
    onSuccess: onValue,
    onSettled: refresh,
  });
  const revoke = useMutation({
    mutationFn: () => client.call(streamKeysApi.revoke, { uuid }),
    onSuccess: () => notify.success(t('settings.keys.revoked')),
    onSettled: refresh,
  });
  return {
    isBusy: toggle.isPending || rotate.isPending || revoke.isPending,
    toggle: () => toggle.mutate(),
    rotate: () => rotate.mutate(),
    revoke: () => revoke.mutate(),
  };
}
