import { ActionIcon, Button, Menu, Switch, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ProgramInput, ProgramRow } from '@weir/contract';
import { streamLabel, type WirePlace } from '@weir/streams';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/ui/feedback/confirm-dialog.tsx';
import { IconDots } from '../../components/ui/theme/icons.ts';
import { EncoderSheet } from './encoder-sheet.tsx';
import { InputCard } from './input-card.tsx';
import classes from './program.module.css';
import { findProgram, watchedProgramsQuery } from './program-queries.ts';
import { ProgramSheet } from './program-sheet.tsx';
import { cutsProgram, programCondition } from './program-state.ts';
import { RehearseDialog } from './rehearse-dialog.tsx';
import { useReorder } from './reorder.ts';
import { useProgramActions } from './use-program-actions.ts';
import { useInputName, useInputWords, useProgramLine, useSwitchText } from './use-program-words.ts';

/** Inputs of the stream's program, on the stream's page. Nothing for a stream without one. */
export function ProgramPanel({ stream }: { stream: WirePlace }) {
  const { data } = useQuery(watchedProgramsQuery);
  const program = data && findProgram(data.programs, stream);
  return program ? <Inputs program={program} /> : null;
}

const tones = { off: undefined, waiting: undefined, main: undefined, backup: 'warn', slate: 'bad' } as const;
type Dialog = 'rehearse' | 'encoders' | 'edit' | 'remove';

function Inputs({ program }: { program: ProgramRow }) {
  const { t } = useTranslation();
  const actions = useProgramActions(program);
  const lineOf = useProgramLine();
  const textOf = useSwitchText();
  const nameOf = useInputName();
  const wordsOf = useInputWords();
  const [dialog, setDialog] = useState<Dialog>();
  const [asked, setAsked] = useState<ProgramInput>();
  const [moved, setMoved] = useState('');
  const { inputs, enabled, onAir, switches } = program;
  const close = () => setDialog(undefined);
  const movable = inputs.filter(({ kind }) => kind !== 'slate').length;
  const reorder = useReorder({ count: movable, onMove: (from, to) => setMoved(actions.move(from, to)) });
  const last = switches.findLast(({ reason }) => reason !== 'start');
  const isRehearsable = inputs.some(({ id, kind }) => id === onAir && kind !== 'slate');
  return (
    <section className={classes.panel} id="program" tabIndex={-1} aria-labelledby="program-title">
      <div className={classes.head}>
        <h2 id="program-title">{t('program.inputs')}</h2>
        <span className={classes.line} data-tone={tones[programCondition(program)]} role="status">
          {lineOf(program)}
        </span>
        <div className={classes.tools}>
          <Switch
            size="xs"
            label={t('program.return')}
            checked={actions.isReturning}
            disabled={actions.isBusy || onAir === ''}
            onChange={(event) => actions.setReturning(event.currentTarget.checked)}
          />
          <Button size="compact-sm" variant="default" disabled={!isRehearsable} onClick={() => setDialog('rehearse')}>
            {t('program.rehearse.open')}
          </Button>
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="default" size={28} aria-label={t('program.more')}>
                <IconDots size={16} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => setDialog('encoders')}>{t('program.encoders.open')}</Menu.Item>
              <Menu.Item onClick={() => setDialog('edit')}>{t('program.edit')}</Menu.Item>
              <Menu.Item onClick={() => actions.setEnabled(!enabled)}>
                {enabled ? t('program.turnOff') : t('program.turnOn')}
              </Menu.Item>
              <Menu.Item color="var(--weir-tone-bad)" onClick={() => setDialog('remove')}>
                {t('program.remove')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </div>
      </div>
      <ol className={classes.cards} aria-label={t('program.inputs')}>
        {inputs.map((input, place) => (
          <InputCard
            key={input.id}
            program={program}
            input={input}
            item={reorder.item(place)}
            handle={movable > 1 && place < movable ? reorder.handle(place) : undefined}
            isSwitching={actions.switching === input.id}
            onSwitch={() =>
              cutsProgram(wordsOf(input, program).condition) ? setAsked(input) : actions.switchTo(input.id)
            }
          />
        ))}
      </ol>
      {last && <p className={classes.last}>{t('program.lastSwitch', { text: textOf(last, inputs) })}</p>}
      <VisuallyHidden role="status">{moved}</VisuallyHidden>
      <ConfirmDialog
        opened={asked !== undefined}
        title={t('program.switchTo', { name: asked ? nameOf(asked, inputs) : '' })}
        text={t('program.switchUnhealthy', { state: asked ? wordsOf(asked, program).word : '' })}
        action={t('program.switch')}
        busy={false}
        onConfirm={() => {
          if (asked) actions.switchTo(asked.id);
          setAsked(undefined);
        }}
        onClose={() => setAsked(undefined)}
      />
      <ConfirmDialog
        opened={dialog === 'remove'}
        title={t('program.removeTitle', { name: streamLabel(program) })}
        text={t('program.removeText')}
        action={t('program.remove')}
        busy={actions.isRemoving}
        onConfirm={actions.remove}
        onClose={close}
      />
      {dialog === 'rehearse' && <RehearseDialog program={program} onClose={close} />}
      {dialog === 'encoders' && <EncoderSheet program={program} onClose={close} />}
      {dialog === 'edit' && <ProgramSheet program={program} onClose={close} />}
    </section>
  );
}
