import { Text } from '@mantine/core';
import type { DubbingGroup } from '@weir/contract';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../../lib/notify.ts';
import { draftKey } from './edit-field.ts';
import { GroupCard, type GroupHandlers } from './group-card.tsx';
import classes from './studio.module.css';
import type { ShownParts } from './studio.tsx';
import type { StudioModel } from './use-studio.ts';
import type { VideoPlayer } from './use-video-player.ts';
import { useVirtualList } from './use-virtual-list.ts';

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
  const { scroller, height, rows, measure, show } = useVirtualList({ keys, estimate });
  // Shorter cards leave space for more rows above the playing one.
  const above = 4 + (shown.times ? 0 : 2) + (shown.asr ? 0 : 3) + (shown.translation ? 0 : 3);
  const { groupIndex } = player;
  useEffect(() => {
    // Scrolling must not move the field in which the user types.
    if (!document.activeElement?.matches('textarea')) show(groupIndex, above);
  }, [groupIndex, above, show]);

  const handlers = useStable<GroupHandlers>({
    choose: (group) => player.go(keys.indexOf(group.uuid)),
    play: (group, audioMode) => {
      if (audioMode !== 'source' && group.tts === '') notify.failure(t('dubbing.studio.noVoice', { id: group.id }));
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
      <ul className={classes.groups} style={{ height }} aria-label={t('dubbing.studio.groups')}>
        {rows.map(({ index, top }) => {
          const group = groups[index];
          if (!group) return null;
          return (
            <GroupCard
              key={group.uuid}
              {...{ group, top, shown, handlers, measure }}
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

/** Returns one stable object that calls the latest handlers, so that unchanged rows do not render again. */
function useStable<Handlers extends object>(handlers: Handlers): Handlers {
  const latest = useRef(handlers);
  useLayoutEffect(() => {
    latest.current = handlers;
  });
  return useMemo(() => new Proxy({} as Handlers, { get: (_target, name) => Reflect.get(latest.current, name) }), []);
}
