import { Menu } from '@mantine/core';
import type { Room } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { parseStreamPath } from '../../components/streams/preview-query.ts';
import { Thumbnail } from '../../components/streams/thumbnail.tsx';
import { Ago } from '../../components/ui/facts/moment.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { FlowRow } from '../../components/ui/layout/flow-row.tsx';
import { RowMenu } from '../../components/ui/layout/row-menu.tsx';
import { CopyRoomDialog, RemoveRoomDialog } from './room-dialogs.tsx';
import classes from './rooms-page.module.css';

interface RoomRowProps {
  room: Room;
  isLive: boolean;
  /** Undefined until known. */
  guests: number | undefined;
  /** Address of the room's page. */
  to: string;
}

/** Room in the list: its stream, whether it is live, and who is in it. */
export function RoomRow({ room, isLive, guests, to }: RoomRowProps) {
  const { t } = useTranslation();
  const { title, stream, uuid, used_at: usedAt, assistant } = room;
  const place = parseStreamPath(`live/${stream}`);
  return (
    <FlowRow
      // A room that was never used has no picture to look for.
      picture={<Thumbnail stream={isLive || usedAt !== '' ? place : undefined} isLive={isLive} />}
      name={
        <Link data-touch className={classes.name} to={to} title={uuid}>
          {title}
        </Link>
      }
      way={<span className={classes.stream}>live/{stream}</span>}
      state={<StatusLabel tone={isLive ? 'ok' : 'off'} word={t(isLive ? 'rooms.live' : 'rooms.off')} />}
      since={usedAt === '' ? t('rooms.list.never') : !isLive && <LastUsed at={usedAt} />}
      bitrate={<Guests count={guests} hasAssistant={assistant} />}
      menu={<RoomMenu room={room} to={to} />}
    />
  );
}

function LastUsed({ at }: { at: string }) {
  const { t } = useTranslation();
  return (
    <>
      {t('rooms.list.used')} <Ago at={at} />
    </>
  );
}

function Guests({ count, hasAssistant }: { count: number | undefined; hasAssistant: boolean }) {
  const { t } = useTranslation();
  if (!hasAssistant) return <span className={classes.muted}>{t('rooms.assistant.isOff')}</span>;
  if (count === undefined) return null;
  if (count === 0) return <span className={classes.muted}>{t('rooms.list.noGuests')}</span>;
  return <StatusLabel tone="ok" word={t('rooms.list.guests', { count })} />;
}

/** Actions on a room besides opening it. */
export function RoomMenu({ room, to, onRemoved }: { room: Room; to?: string; onRemoved?: () => void }) {
  const { t } = useTranslation();
  const [dialog, setDialog] = useState<'copy' | 'remove'>();
  const close = () => setDialog(undefined);
  return (
    <>
      <RowMenu label={t('rooms.list.more', room)} isFramed={to === undefined}>
        {to !== undefined && (
          <Menu.Item component={Link} to={to}>
            {t('rooms.list.manage')}
          </Menu.Item>
        )}
        <Menu.Item onClick={() => setDialog('copy')}>{t('rooms.copy.action')}</Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" onClick={() => setDialog('remove')}>
          {t('rooms.remove.action')}
        </Menu.Item>
      </RowMenu>
      <RemoveRoomDialog
        room={room}
        opened={dialog === 'remove'}
        onClose={close}
        {...(onRemoved && { onDone: onRemoved })}
      />
      <CopyRoomDialog room={room} opened={dialog === 'copy'} onClose={close} />
    </>
  );
}
