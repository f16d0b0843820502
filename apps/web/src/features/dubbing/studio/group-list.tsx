import { Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { DubbingGroup } from '@weir/contract';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../../lib/notify.ts';
import { draftKey } from './edit-field.ts';
import { GroupCard, type GroupHandlers } from './group-card.tsx';
import { groupNumber } from './group-status.ts';
import classes from './studio.module.css';
import type { ShownParts } from './studio.tsx';
import type { StudioModel } from './use-studio.ts';
import type { VideoPlayer } from './use-video-player.ts';

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
