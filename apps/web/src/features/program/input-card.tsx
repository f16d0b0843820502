import { ActionIcon, Button } from '@mantine/core';
import type { ProgramInput, ProgramRow } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { IconGripVertical } from '../../components/ui/theme/icons.ts';
import { InputPicture } from './input-picture.tsx';
import classes from './program.module.css';
import { toneOf } from './program-state.ts';
import type { HandleProps } from './reorder.ts';
import { useInputName, useInputWords } from './use-program-words.ts';

interface InputCardProps {
  program: ProgramRow;
  input: ProgramInput;
  handle: HandleProps;
  /** Props of the reordered item. */
  item: object;
  isSwitching: boolean;
  onSwitch: () => void;
}

/** One input: what it sends, how it does, and the button that puts it on air. */
export function InputCard({ program, input, handle, item, isSwitching, onSwitch }: InputCardProps) {
  const { t } = useTranslation();
  const nameOf = useInputName();
  const wordsOf = useInputWords();
  const { condition, word, facts, remedy } = wordsOf(input, program);
  const name = nameOf(input, program.inputs);
  const isOnAir = program.onAir === input.id;
  const isArmed = program.armed === input.id;
  const tone = toneOf(condition);
  return (
    <li className={classes.card} data-on-air={isOnAir || undefined} aria-label={name} {...item}>
      <div className={classes.picture}>
        <InputPicture
          uuid={program.uuid}
          input={input.id}
          isLive={tone !== 'off' && tone !== 'bad'}
          isEnabled={program.enabled}
        />
      </div>
      <div className={classes.facts}>
        <div className={classes.name}>
          <span className={classes.cut} title={name}>
            {name}
          </span>
        </div>
        <div className={classes.state}>
          {isOnAir && <span className={classes.onAir}>{t('program.onAir')}</span>}
          <StatusLabel tone={tone} word={word} />
        </div>
        {facts !== '' && <div className={classes.numbers}>{facts}</div>}
        {isArmed && <StatusLabel tone="busy" word={t('program.armed')} />}
        {!isOnAir && program.enabled && (
          <Button
            size="compact-sm"
            variant="default"
            className={classes.switch}
            loading={isSwitching}
            onClick={onSwitch}
            aria-label={t('program.switchTo', { name })}
          >
            {t('program.switch')}
          </Button>
        )}
      </div>
      {handle && (
        <ActionIcon
          {...handle}
          variant="subtle"
          color="gray"
          size={24}
          className={classes.handle}
          aria-label={t('program.move', { name })}
          title={t('program.moveHelp')}
        >
          <IconGripVertical size={16} aria-hidden />
        </ActionIcon>
      )}
      {remedy !== '' && <p className={classes.remedy}>{remedy}</p>}
    </li>
  );
}
