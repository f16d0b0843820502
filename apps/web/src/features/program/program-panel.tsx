import { ActionIcon, Button, Menu, Switch, VisuallyHidden } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type DataOf, type ProgramInput, type ProgramRow, programApi } from '@weir/contract';
import { streamLabel, type WirePlace } from '@weir/streams';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/ui/feedback/confirm-dialog.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { IconDots, IconGripVertical } from '../../components/ui/theme/icons.ts';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { EncoderSheet } from './encoder-sheet.tsx';
import { InputPicture } from './input-picture.tsx';
import classes from './program.module.css';
import { findProgram, programsQuery, watchedProgramsQuery } from './program-queries.ts';
import { ProgramSheet } from './program-sheet.tsx';
import { cutsProgram, moveInput, programCondition, settingsOf, toneOf } from './program-state.ts';
import { RehearseDialog } from './rehearse-dialog.tsx';
import { type HandleProps, useReorder } from './reorder.ts';
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

type Programs = DataOf<typeof programApi.query>;

/** Operator controls of a running program. */
function useProgramActions(program: ProgramRow) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const nameOf = useInputName();
  const refresh = () => queries.invalidateQueries({ queryKey: programsQuery.queryKey });
  const switching = useMutation({
    mutationFn: (input: string) => client.call(programApi.switch, { uuid: program.uuid, input }),
    onSettled: refresh,
  });
  const saving = useMutation({
    mutationFn: (change: Partial<ProgramRow>) => client.call(programApi.save, { ...settingsOf(program), ...change }),
    onMutate: (change) => show(change),
    onSettled: refresh,
  });
  const removing = useMutation({
    mutationFn: () => client.call(programApi.remove, { uuid: program.uuid }),
    onSuccess: () => notify.success(t('program.removed')),
    onSettled: refresh,
  });
  /** At once, as the server will answer. */
  function show(change: Partial<ProgramRow>): void {
    queries.setQueryData<Programs>(programsQuery.queryKey, (known) => {
      if (!known) return known;
      const programs = known.programs.map((one) => (one.uuid === program.uuid ? { ...one, ...change } : one));
      return { ...known, programs };
    });
  }
  const { inputs, onAir, isHeld, isReturning } = program;
  return {
    switchTo: (input: string) => switching.mutate(input),
    /** Input that is being switched to. */
    switching: switching.isPending ? switching.variables : undefined,
    isReturning: isReturning && !isHeld,
    /** Off keeps the input on air until an operator switches. */
    setReturning: (isOn: boolean) => {
      if (!isOn) switching.mutate(onAir);
      else if (isHeld) switching.mutate('');
      if (isOn && !isReturning) saving.mutate({ isReturning: true });
    },
    /** Sentence for screen readers. */
    move: (from: number, to: number): string => {
      const moved = moveInput(inputs, from, to);
      const input = inputs[from];
      if (moved === inputs || !input) return '';
      saving.mutate({ inputs: [...moved] });
      return t('program.moved', { name: nameOf(input, inputs), place: to + 1, count: moved.length });
    },
    setEnabled: (enabled: boolean) => saving.mutate({ enabled }),
    remove: () => removing.mutate(),
    isBusy: switching.isPending || saving.isPending || removing.isPending,
    isRemoving: removing.isPending,
  };
}

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
function InputCard({ program, input, handle, item, isSwitching, onSwitch }: InputCardProps) {
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
