import { Button, Group, Loader, Text } from '@mantine/core';
import type { DubbingGroup } from '@weir/contract';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { StatusLabel } from '../../../../components/ui/feedback/status-label.tsx';
import { IconPlayerPlay } from '../../../../components/ui/theme/icons.ts';
import { type Listening, listenings } from '../film/film-voices.ts';
import { clockOf, statusText, toneOf, wordTone } from '../group-status.ts';
import classes from '../studio.module.css';
import type { Shown } from '../studio.tsx';
import type { GroupAction } from '../use-studio.ts';
import { type TextField, textOf } from './edit-field.ts';
import { GroupMenu } from './group-menu.tsx';
import { GroupText } from './group-text.tsx';

export interface GroupHandlers {
  choose: (group: DubbingGroup) => void;
  play: (group: DubbingGroup, listening: Listening) => void;
  act: (group: DubbingGroup, action: GroupAction) => void;
  split: (group: DubbingGroup) => void;
  type: (group: DubbingGroup, field: TextField, text: string) => void;
  save: (group: DubbingGroup, field: TextField) => void;
  settle: (group: DubbingGroup, field: TextField, isMine: boolean) => void;
}

interface GroupCardProps {
  group: DubbingGroup;
  /** Pixels from the top of the list. */
  top: number;
  shown: Shown;
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
  const tone = toneOf(group);
  const text = (field: TextField, typed: string | undefined, lost: string | undefined) => (
    <GroupText {...{ group, field, typed, lost, handlers }} saved={textOf(group, field)} />
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
                {clockOf(group.start)} ~ {clockOf(group.end)}
              </Text>
            )}
            <span role="status">
              {isBusy ? (
                <Group gap={6}>
                  <Loader size={14} aria-hidden />
                  <Text size="sm">{t('dubbing.group.working')}</Text>
                </Group>
              ) : (
                <StatusLabel tone={wordTone(group)} word={statusText(t, group)} />
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
          {listenings.map((listening) => (
            <Button
              key={listening}
              {...{ size: 'compact-xs', variant: 'subtle' }}
              leftSection={<IconPlayerPlay size={12} aria-hidden />}
              aria-label={t(`dubbing.group.${words[listening]}`)}
              onClick={() => handlers.play(group, listening)}
            >
              {t(`dubbing.studio.${listening}`)}
            </Button>
          ))}
        </Group>
      </div>
    </li>
  );
});
