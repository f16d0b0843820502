import { Anchor, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type AiUsageReport, aiHosts } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { usageQuery } from '../../../components/ai/ai-queries.ts';
import { AiReason } from '../../../components/ai/ai-reason.tsx';
import { Notice } from '../../../components/ui/feedback/notice.tsx';
import { useLocale } from '../../../lib/i18n.ts';
import { paths, useLocalPath } from '../../../lib/paths.ts';
import { roomUsageQuery } from '../rooms-queries.ts';
import classes from './room-usage.module.css';

/** Today's usage of all rooms and its limits; for one room also its messages. */
export function RoomUsage({ uuid, isTitled = true }: { uuid?: string; isTitled?: boolean }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const localPath = useLocalPath();
  const { data } = useQuery(usageQuery);
  if (!data) return null;
  const limits = data.limits.rooms;
  const { calls, minutes } = spentBy(data);
  const number = (value: number) => value.toLocaleString(locale, { maximumFractionDigits: 1 });
  const callsText = limits.calls
    ? t('rooms.use.of', { used: number(calls), most: number(limits.calls) })
    : number(calls);
  const minutesText = limits.minutes
    ? t('rooms.use.minutesOf', { used: number(minutes), most: number(limits.minutes) })
    : t('rooms.use.minutesUsed', { used: number(minutes) });
  const hasLimit = limits.calls > 0 || limits.minutes > 0;
  return (
    <Stack gap="xs" maw={560} {...(isTitled && { component: 'section', 'aria-label': t('rooms.use.title') })}>
      {isTitled && (
        <Text size="sm" fw={600}>
          {t('rooms.use.title')}
        </Text>
      )}
      {uuid !== undefined && <RoomUse uuid={uuid} />}
      <Meter name={t('rooms.use.calls')} text={callsText} used={calls} most={limits.calls} />
      <Meter name={t('rooms.use.minutes')} text={minutesText} used={minutes} most={limits.minutes} />
      {data.paused.includes('rooms') && (
        <AiReason cause="limit-reached" tone="warn">
          <p>{t('rooms.use.reached')}</p>
        </AiReason>
      )}
      <Text size="sm" c="dimmed">
        {t('rooms.use.note')}{' '}
        <Anchor component={Link} to={localPath(`${paths.settings}?tab=llm#limits`)} inherit>
          {t(hasLimit ? 'rooms.use.changeLimit' : 'rooms.use.setLimit')}
        </Anchor>
      </Text>
    </Stack>
  );
}

function RoomUse({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { data } = useQuery(roomUsageQuery(uuid));
  if (!data) return null;
  const { messages, mostMessages, isReached } = data;
  const used = messages.toLocaleString(locale);
  const text = mostMessages > 0 ? t('rooms.use.of', { used, most: mostMessages.toLocaleString(locale) }) : used;
  return (
    <>
      <Meter name={t('rooms.use.messages')} text={text} used={messages} most={mostMessages} />
      {isReached && (
        <Notice tone="warn" title={t('rooms.use.roomReached')}>
          <p>{t('rooms.use.reached')}</p>
        </Notice>
      )}
    </>
  );
}

interface MeterProps {
  name: string;
  text: string;
  used: number;
  /** 0 = no limit. */
  most: number;
}

function Meter({ name, text, used, most }: MeterProps) {
  const percent = most > 0 ? Math.min(100, Math.round((used / most) * 100)) : 0;
  const color = percent >= 100 ? 'red' : percent >= 80 ? 'yellow' : undefined;
  return (
    <div>
      <div className={classes.row}>
        <span>{name}</span>
        <span className={classes.figure}>{text}</span>
      </div>
      {most > 0 && <Progress value={percent} aria-label={name} {...(color && { color })} />}
    </div>
  );
}

/** Counts as the limits do: built-in AI costs nothing. */
function spentBy({ today }: AiUsageReport): { calls: number; minutes: number } {
  const rows = today.filter(({ feature, host }) => feature === 'rooms' && host !== aiHosts.builtIn);
  const sum = (field: 'calls' | 'audioSeconds') => rows.reduce((total, row) => total + row[field], 0);
  return { calls: sum('calls'), minutes: sum('audioSeconds') / 60 };
}
