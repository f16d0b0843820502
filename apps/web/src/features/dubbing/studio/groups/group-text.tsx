import { Button, Group, Text, Textarea } from '@mantine/core';
import { type DubbingGroup, dubbingLimits } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../../components/ui/feedback/notice.tsx';
import classes from '../studio.module.css';
import type { TextField } from './edit-field.ts';
import type { GroupHandlers } from './group-card.tsx';

interface GroupTextProps {
  group: DubbingGroup;
  field: TextField;
  saved: string;
  /** Not saved yet. */
  typed: string | undefined;
  /** Typed over a change that somebody else made. */
  lost: string | undefined;
  handlers: GroupHandlers;
}

/** A text of a sentence, corrected in its place and saved when it is left or nobody types for a while. */
export function GroupText({ group, field, saved, typed, lost, handlers }: GroupTextProps) {
  const { t } = useTranslation();
  const isTranslation = field === 'translated';
  return (
    <>
      <Textarea
        // As many as the text needs, roughly: browsers that can do better do.
        rows={Math.min(4, 1 + Math.floor((typed ?? saved).length / 70))}
        classNames={{ input: classes.text }}
        size="sm"
        variant={isTranslation ? 'default' : 'filled'}
        aria-label={t(isTranslation ? 'dubbing.group.translation' : 'dubbing.group.asr', { id: group.id })}
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
