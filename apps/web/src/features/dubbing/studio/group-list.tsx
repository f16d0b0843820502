import { Button, Group, Loader, Menu, Text, Textarea } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type DubbingGroup, dubbingLimits } from '@weir/contract';
import { memo, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../components/ui/feedback/notice.tsx';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { RowMenu } from '../../../components/ui/layout/row-menu.tsx';
import { IconPlayerPlay } from '../../../components/ui/theme/icons.ts';
import { notify } from '../../../lib/notify.ts';
import { draftKey, fieldText, type TextField } from './edit-field.ts';
import { formatTimecode, freeSpaceTone, groupNumber, statusText, statusTone } from './group-status.ts';
import classes from './studio.module.css';
import type { ShownParts } from './studio.tsx';
import type { GroupAction, StudioModel } from './use-studio.ts';
import { type AudioMode, audioModes, type VideoPlayer } from './use-video-player.ts';

interface GroupListProps {
  groups: readonly DubbingGroup[];
  player: VideoPlayer;
  studio: StudioModel;
  shown: ShownParts;
}

/** Virtual list of all groups. Keeps the playing group in view. */
export function GroupList({ groups, player, studio, shown }: GroupListProps) {
  const { t } = useTranslation();
  const keys = useMemo(() => groups.map(({ uuid }) => uuid), [groups]);
  const estimate = 60 + (shown.times ? 34 : 0) + (shown.asr ? 44 : 0) + (shown.translation ? 44 : 0);
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: keys.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimate,
    getItemKey: (index) => keys[index] ?? index,
    overscan: 5,
    // Keeps the first visible row in place when groups above it are merged or split.
    anchorTo: 'end',
    // Rendering inside a scroll event would block it.
    useFlushSync: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: cards with other parts have other heights
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, estimate]);
  // Shorter cards leave space for more rows above the playing one.
  const above = 4 + (shown.times ? 0 : 2) + (shown.asr ? 0 : 3) + (shown.translation ? 0 : 3);
  const { groupIndex } = player;
  useEffect(() => {
    // Scrolling must not move the field in which the user types.
    if (document.activeElement?.matches('textarea')) return;
    const height = virtualizer.scrollRect?.height ?? 0;
    const first = findFirstRow(virtualizer.measurementsCache, { index: groupIndex, above, height });
    const [top] = virtualizer.getOffsetForIndex(first, 'start') ?? [0];
    const isFar = Math.abs(top - (virtualizer.scrollOffset ?? 0)) > 2 * height;
    const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    virtualizer.scrollToIndex(first, { align: 'start', behavior: isCalm || isFar ? 'auto' : 'smooth' });
  }, [groupIndex, above, virtualizer]);

  const handlers = useStable<GroupHandlers>({
    choose: (group) => player.go(keys.indexOf(group.uuid)),
    play: (group, audioMode) => {
      if (audioMode !== 'source' && group.tts === '')
        notify.failure(t('dubbing.studio.noVoice', { id: groupNumber(group) }));
      else player.play(keys.indexOf(group.uuid), audioMode);
    },
    act: (group, action) => void studio.act(group.uuid, group.revision, action),
    split: (group) => {
      const at = player.headIn(group);
      if (at === undefined) notify.failure(t('dubbing.group.splitHint'));
      else void studio.act(group.uuid, group.revision, { splitAt: at });
    },
    type: studio.editor.type,
    save: (group, field) => void studio.editor.save(group.uuid, field),
    resolveConflict: (group, field, isMine) => studio.editor.resolveConflict(group.uuid, field, isMine),
  });
  const { drafts, conflicts, busy } = studio.state;
  return (
    <div ref={scroller} className={classes.scroller} data-empty={groups.length === 0 || undefined}>
      {groups.length === 0 && (
        <Text size="sm" c="dimmed" p="md">
          {t('dubbing.studio.groupsNone')}
        </Text>
      )}
      <ul
        className={classes.groups}
        style={{ height: virtualizer.getTotalSize() }}
        aria-label={t('dubbing.studio.groups')}
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const group = groups[index];
          if (!group) return null;
          return (
            <GroupCard
              key={group.uuid}
              {...{ group, index, shown, handlers }}
              top={start}
              measure={virtualizer.measureElement}
              isCurrent={index === groupIndex}
              isLast={index === groups.length - 1}
              isBusy={busy.has(group.uuid)}
              typedText={drafts[draftKey(group.uuid, 'text')]?.text}
              typedTranslation={drafts[draftKey(group.uuid, 'translated')]?.text}
              lostText={conflicts[draftKey(group.uuid, 'text')]}
              lostTranslation={conflicts[draftKey(group.uuid, 'translated')]}
            />
          );
        })}
      </ul>
    </div>
  );
}

/** First row to show so that a row, with up to `above` rows before it, ends within the upper two thirds of the view. */
export function findFirstRow(
  rows: readonly { readonly start: number; readonly end: number }[],
  { index, above, height }: { index: number; above: number; height: number },
): number {
  const end = rows[index]?.end ?? 0;
  let first = Math.max(0, index - above);
  while (first < index && end - (rows[first]?.start ?? 0) > height * 0.67) first += 1;
  return first;
}

/** Returns one stable object that calls the latest handlers, so that unchanged rows do not render again. */
function useStable<Handlers extends object>(handlers: Handlers): Handlers {
  const latest = useRef(handlers);
  useLayoutEffect(() => {
    latest.current = handlers;
  });
  return useMemo(() => new Proxy({} as Handlers, { get: (_target, name) => Reflect.get(latest.current, name) }), []);
}

interface GroupHandlers {
  choose: (group: DubbingGroup) => void;
  play: (group: DubbingGroup, audioMode: AudioMode) => void;
  act: (group: DubbingGroup, action: GroupAction) => void;
  split: (group: DubbingGroup) => void;
  type: (group: DubbingGroup, field: TextField, text: string) => void;
  save: (group: DubbingGroup, field: TextField) => void;
  resolveConflict: (group: DubbingGroup, field: TextField, isMine: boolean) => void;
}

interface GroupCardProps {
  group: DubbingGroup;
  index: number;
  /** Pixels from the top of the list. */
  top: number;
  shown: ShownParts;
  handlers: GroupHandlers;
  measure: (row: HTMLElement | null) => void;
  isCurrent: boolean;
  isLast: boolean;
  isBusy: boolean;
  typedText: string | undefined;
  typedTranslation: string | undefined;
  lostText: string | undefined;
  lostTranslation: string | undefined;
}

const words = { source: 'playSource', dub: 'playDub', both: 'playBoth' } as const;

/** Card of a group: times, source text, translation, and whether the voice fits. */
const GroupCard = memo(function GroupCard(props: GroupCardProps) {
  const { t } = useTranslation();
  const { group, shown, handlers, isCurrent, isBusy } = props;
  const tone = freeSpaceTone(group);
  const text = (field: TextField, typed: string | undefined, lost: string | undefined) => (
    <GroupText {...{ group, field, typed, lost, handlers }} saved={fieldText(group, field)} />
  );
  return (
    <li
      ref={props.measure}
      data-index={props.index}
      className={classes.row}
      style={{ transform: `translateY(${props.top}px)` }}
      aria-label={t('dubbing.group.label', { id: groupNumber(group) })}
      aria-current={isCurrent || undefined}
      tabIndex={isCurrent ? 0 : -1}
    >
      <div className={classes.card} data-tone={tone} data-current={isCurrent || undefined}>
        <Group gap="xs" justify="space-between" wrap="nowrap" align="flex-start">
          <Group gap="xs">
            <button type="button" data-touch className={classes.number} onClick={() => handlers.choose(group)}>
              #{groupNumber(group)}
            </button>
            {shown.times && (
              <Text size="xs" c="dimmed" className={classes.times}>
                {formatTimecode(group.start)} ~ {formatTimecode(group.end)}
              </Text>
            )}
            <span role="status">
              {isBusy ? (
                <Group gap={6}>
                  <Loader size={14} aria-hidden />
                  <Text size="sm">{t('dubbing.group.working')}</Text>
                </Group>
              ) : (
                <StatusLabel tone={statusTone(group)} word={statusText(t, group)} />
              )}
            </span>
          </Group>
          <GroupMenu {...{ group, handlers, isBusy, isLast: props.isLast }} />
        </Group>
        {shown.asr && text('text', props.typedText, props.lostText)}
        {shown.translation && text('translated', props.typedTranslation, props.lostTranslation)}
        {shown.translation && group.rephrased !== '' && group.rephrased !== group.translated && (
          <Text size="sm" c="dimmed">
            {t('dubbing.group.shorter', { text: group.rephrased })}
          </Text>
        )}
        <Group gap={4}>
          {audioModes.map((audioMode) => (
            <Button
              key={audioMode}
              {...{ size: 'compact-xs', variant: 'subtle' }}
              leftSection={<IconPlayerPlay size={12} aria-hidden />}
              aria-label={t(`dubbing.group.${words[audioMode]}`)}
              onClick={() => handlers.play(group, audioMode)}
            >
              {t(`dubbing.studio.${audioMode}`)}
            </Button>
          ))}
        </Group>
      </div>
    </li>
  );
});

interface GroupMenuProps {
  group: DubbingGroup;
  handlers: GroupHandlers;
  isBusy: boolean;
  isLast: boolean;
}

function GroupMenu({ group, handlers, isBusy, isLast }: GroupMenuProps) {
  const { t } = useTranslation();
  return (
    <RowMenu size={28} label={t('dubbing.group.more', { id: groupNumber(group) })} disabled={isBusy}>
      <Menu.Item onClick={() => handlers.act(group, 'rephrase')}>{t('dubbing.group.rephrase')}</Menu.Item>
      <Menu.Item onClick={() => handlers.act(group, 'speak')}>{t('dubbing.group.speak')}</Menu.Item>
      <Menu.Item onClick={() => handlers.act(group, 'again')}>{t('dubbing.group.again')}</Menu.Item>
      <Menu.Item onClick={() => handlers.split(group)}>{t('dubbing.group.split')}</Menu.Item>
      <Menu.Item disabled={isLast} onClick={() => handlers.act(group, 'mergeNext')}>
        {t('dubbing.group.mergeNext')}
      </Menu.Item>
      <Menu.Item disabled={group.id === 0} onClick={() => handlers.act(group, 'mergePrevious')}>
        {t('dubbing.group.mergePrevious')}
      </Menu.Item>
    </RowMenu>
  );
}

interface GroupTextProps {
  group: DubbingGroup;
  field: TextField;
  saved: string;
  /** Draft that is not saved yet. */
  typed: string | undefined;
  /** Draft that lost against a change made elsewhere. */
  lost: string | undefined;
  handlers: GroupHandlers;
}

/** Editable text of a group, saved on blur or after a pause in typing. */
function GroupText({ group, field, saved, typed, lost, handlers }: GroupTextProps) {
  const { t } = useTranslation();
  const isTranslation = field === 'translated';
  return (
    <>
      <Textarea
        // Estimates the rows; browsers with `field-sizing` do better.
        rows={Math.min(4, 1 + Math.floor((typed ?? saved).length / 70))}
        classNames={{ input: classes.text }}
        size="sm"
        variant={isTranslation ? 'default' : 'filled'}
        aria-label={t(isTranslation ? 'dubbing.group.translation' : 'dubbing.group.asr', { id: groupNumber(group) })}
        maxLength={dubbingLimits.groupCharacters}
        data-translation={isTranslation || undefined}
        value={typed ?? saved}
        onChange={(event) => handlers.type(group, field, event.currentTarget.value)}
        onBlur={() => handlers.save(group, field)}
      />
      {lost !== undefined && (
        <Notice tone="warn" title={t('dubbing.studio.changed')}>
          <Text size="sm">{t('dubbing.studio.mine', { text: lost })}</Text>
          <Group gap="xs">
            <Button size="compact-sm" variant="default" onClick={() => handlers.resolveConflict(group, field, true)}>
              {t('dubbing.studio.useMine')}
            </Button>
            <Button size="compact-sm" variant="subtle" onClick={() => handlers.resolveConflict(group, field, false)}>
              {t('dubbing.studio.dismiss')}
            </Button>
          </Group>
        </Notice>
      )}
    </>
  );
}
