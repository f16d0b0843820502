import { ActionIcon, Button, Checkbox, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconArrowDown, IconArrowUp, IconPlayerPause, IconPlayerPlay } from '../../../../components/ui/theme/icons.ts';
import type { ScriptEditor } from '../groups/script-editor.ts';
import classes from '../studio.module.css';
import type { ShownParts } from '../studio.tsx';
import { audioModes } from './dub-player.ts';
import { IconArrowBackUp, IconArrowForwardUp } from './icons.ts';
import type { VideoPlayer } from './use-video-player.ts';

interface PlayerControlsProps {
  player: VideoPlayer;
  /** Groups there are. */
  count: number;
  editor: ScriptEditor;
  canUndo: boolean;
  canRedo: boolean;
  shown: ShownParts;
  onShown: (shown: ShownParts) => void;
  isFullscreen: boolean;
  onFullscreen: (isFullscreen: boolean) => void;
  /** Without it there are no problems. */
  onNextProblem: (() => void) | undefined;
}

const parts = ['times', 'asr', 'translation'] as const;

/** What is heard and shown, and the way from group to group. */
export function PlayerControls({
  player,
  editor,
  shown,
  onShown,
  isFullscreen,
  onFullscreen,
  ...rest
}: PlayerControlsProps) {
  const { t } = useTranslation();
  const icon = { size: 18, 'aria-hidden': true } as const;
  const tools = [
    {
      word: t('dubbing.studio.previous'),
      Mark: IconArrowUp,
      act: () => player.go(player.groupIndex - 1),
      isOff: player.groupIndex <= 0,
    },
    {
      word: t('dubbing.studio.next'),
      Mark: IconArrowDown,
      act: () => player.go(player.groupIndex + 1),
      isOff: player.groupIndex >= rest.count - 1,
    },
    { word: t('dubbing.studio.undo'), Mark: IconArrowBackUp, act: () => void editor.undo(), isOff: !rest.canUndo },
    { word: t('dubbing.studio.redo'), Mark: IconArrowForwardUp, act: () => void editor.redo(), isOff: !rest.canRedo },
  ];
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <ActionIcon size="lg" aria-label={t(player.isPlaying ? 'player.pause' : 'player.play')} onClick={player.toggle}>
          {player.isPlaying ? <IconPlayerPause {...icon} /> : <IconPlayerPlay {...icon} />}
        </ActionIcon>
        <SegmentedControl
          size="xs"
          aria-label={t('dubbing.studio.mode')}
          data={audioModes.map((value) => ({ value, label: t(`dubbing.studio.${value}`) }))}
          value={player.audioMode}
          onChange={(value) => player.setAudioMode(audioModes.find((one) => one === value) ?? 'dub')}
        />
        <Group gap={4}>
          {tools.map(({ word, Mark, act, isOff }) => (
            <ActionIcon
              key={word}
              variant="default"
              size="lg"
              title={word}
              aria-label={word}
              disabled={isOff}
              onClick={act}
            >
              <Mark {...icon} />
            </ActionIcon>
          ))}
        </Group>
        {rest.onNextProblem && (
          <Button variant="default" size="xs" onClick={rest.onNextProblem}>
            {t('dubbing.studio.nextProblem')}
          </Button>
        )}
      </Group>
      <Group gap="md">
        <Checkbox
          size="xs"
          label={t('dubbing.studio.fullscreen')}
          checked={isFullscreen}
          onChange={(event) => onFullscreen(event.currentTarget.checked)}
        />
        {parts.map((part) => (
          <Checkbox
            key={part}
            size="xs"
            label={t(`dubbing.studio.${part}`)}
            checked={shown[part]}
            onChange={(event) => onShown({ ...shown, [part]: event.currentTarget.checked })}
          />
        ))}
      </Group>
      <Text size="xs" c="dimmed" className={classes.keys}>
        {t('dubbing.studio.keys')}
      </Text>
    </Stack>
  );
}
