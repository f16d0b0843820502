import { Button, Group, Loader, Text } from '@mantine/core';
import type { DubbingGroup } from '@weir/contract';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { StatusLabel } from '../../../../components/ui/feedback/status-label.tsx';
import { IconPlayerPlay } from '../../../../components/ui/theme/icons.ts';
import { type AudioMode, audioModes } from '../film/dub-player.ts';
import { formatTimecode, freeSpaceTone, statusText, statusTone } from '../group-status.ts';
import classes from '../studio.module.css';
import type { ShownParts } from '../studio.tsx';
import type { GroupAction } from '../use-studio.ts';
import { fieldText, type TextField } from './edit-field.ts';
import { GroupMenu } from './group-menu.tsx';
import { GroupText } from './group-text.tsx';

export interface GroupHandlers {
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
  /** Pixels from the top of the list. */
  top: number;
  shown: ShownParts;
  handlers: GroupHandlers;
  measure: (row: HTMLElement | null) => (() => void) | undefined;
  isCurrent: boolean;
  isLast: boolean;
  isBusy: boolean;
  typedText: string | undefined;
  typedTranslation: string | undefined;
  lostText: string | undefined;
  lostTranslation: string | undefined;
}

const words = { source: 'playSource', dub: 'playDub', both: 'playBoth' } as const;

/** A sentence: when it is said, what was said, what is said instead, and whether that fits. */
export const GroupCard = memo(function GroupCard(props: GroupCardProps) {
  const { t } = useTranslation();
  const { group, shown, handlers, isCurrent, isBusy } = props;
  const tone = freeSpaceTone(group);
  const text = (field: TextField, typed: string | undefined, lost: string | undefined) => (
    <GroupText {...{ group, field, typed, lost, handlers }} saved={fieldText(group, field)} />
  );
  return (
    <li
      ref={props.measure}
      data-row={group.uuid}
      className={classes.row}
      style={{ transform: `translateY(${props.top}px)` }}
      aria-label={t('dubbing.group.label', { id: group.id })}
      aria-current={isCurrent || undefined}
      tabIndex={isCurrent ? 0 : -1}
    >
      <div className={classes.card} data-tone={tone} data-current={isCurrent || undefined}>
        <Group gap="xs" justify="space-between" wrap="nowrap" align="flex-start">
          <Group gap="xs">
            <button type="button" className={classes.number} onClick={() => handlers.choose(group)}>
              #{group.id}
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
