import { Button, Checkbox, Menu, Radio, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { limits, type Program, type ProgramRow, programApi } from '@weir/contract';
import { streamLabel, type WirePlace } from '@weir/streams';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NumberField } from '../../components/settings-form/number-field.tsx';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { SideSheet } from '../../components/ui/layout/side-sheet.tsx';
import { IconPlus } from '../../components/ui/theme/icons.ts';
import { client } from '../../lib/api.ts';
import { toErrorMessage } from '../../lib/errors/error-message.ts';
import { notify } from '../../lib/notify.ts';
import { EncoderSheet } from './encoder-sheet.tsx';
import { InputFields } from './input-fields.tsx';
import classes from './program.module.css';
import {
  addInput,
  type DraftProblems,
  draftFrom,
  draftOf,
  findProblems,
  freeKinds,
  type ProgramDraft,
  type ProgramTemplate,
  programTemplates,
  type Rule,
  ruleLimits,
  toChange,
} from './program-draft.ts';
import { programsQuery } from './program-queries.ts';
import { moveInput } from './program-state.ts';
import { useReorder } from './reorder.ts';

interface ProgramSheetProps {
  /** Program to edit; undefined sets up a new one. */
  program?: ProgramRow;
  /** Stream of a new one; undefined lets its owner name it. */
  stream?: WirePlace;
  onClose: () => void;
}

/** Sets up a program, or edits one. A new one ends with the addresses for its encoders. */
export function ProgramSheet({ program, stream, onClose }: ProgramSheetProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const formId = useId();
  const [template, setTemplate] = useState<ProgramTemplate>('backup');
  const [draft, setDraft] = useState<ProgramDraft>(() =>
    program ? draftFrom(program) : draftOf('backup', stream ? streamLabel(stream) : ''),
  );
  const [isChecked, setIsChecked] = useState(false);
  const [made, setMade] = useState<Program>();
  const found = findProblems(draft);
  const problems = isChecked ? found : undefined;
  const edit = (change: Partial<ProgramDraft>) => setDraft((before) => ({ ...before, ...change }));
  const save = useMutation({
    mutationFn: () => client.call(programApi.save, toChange(draft, program)),
    meta: { handles: () => true },
    onSuccess: async (saved) => {
      await queries.invalidateQueries({ queryKey: programsQuery.queryKey });
      notify.success(t('program.saved', { name: streamLabel(saved) }));
      if (program) onClose();
      else setMade(saved);
    },
  });
  if (made) return <EncoderSheet program={made} onClose={onClose} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (!found && !save.isPending) save.mutate();
  };
  const choose = (value: string) => {
    const chosen = programTemplates.find((one) => one === value);
    if (!chosen) return;
    setTemplate(chosen);
    setIsChecked(false);
    setDraft((before) => draftOf(chosen, before.stream));
  };
  let number = 0;
  const next = () => {
    number += 1;
    return number;
  };
  return (
    <SideSheet
      opened
      onClose={onClose}
      title={program ? t('program.editTitle', { name: streamLabel(program) }) : t('program.add')}
      footer={
        <>
          <Button type="submit" form={formId} loading={save.isPending}>
            {t('program.save')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('helper.cancel')}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate className={classes.form} onSubmit={submit}>
        {!program && !stream && (
          <Step number={next()} title={t('program.step.stream')}>
            <StreamField
              value={draft.stream}
              isWrong={problems?.stream === true}
              onChange={(name) => edit({ stream: name })}
            />
          </Step>
        )}
        {!program && (
          <Step number={next()} title={t('program.step.template')}>
            <Radio.Group value={template} onChange={choose} aria-label={t('program.step.template')}>
              <div className={classes.templates}>
                {programTemplates.map((one) => (
                  <Radio.Card
                    key={one}
                    value={one}
                    className={classes.template}
                    aria-label={t(`program.template.${one}`)}
                  >
                    <Radio.Indicator size="xs" />
                    <span>
                      <span className={classes.templateName}>{t(`program.template.${one}`)}</span>
                      <span className={classes.templateHelp}>{t(`program.templateHelp.${one}`)}</span>
                    </span>
                  </Radio.Card>
                ))}
              </div>
            </Radio.Group>
          </Step>
        )}
        <Step number={next()} title={t('program.step.inputs')} hint={t('program.step.inputsHint')}>
          <InputsField draft={draft} problems={problems} program={program} edit={edit} />
        </Step>
        <details className={classes.rules} open={(problems?.rules.length ?? 0) > 0 || undefined}>
          <summary>{t('program.step.rules')}</summary>
          <RulesFields draft={draft} problems={problems} edit={edit} />
        </details>
        {!program && <ReconnectNote stream={draft.stream} />}
        {save.error && (
          <Notice tone="bad" title={t('program.refused')}>
            <p role="alert">{toErrorMessage(save.error)}</p>
          </Notice>
        )}
      </form>
    </SideSheet>
  );
}

function Step({
  number,
  title,
  hint,
  children,
}: {
  number: number;
  title: string;
  hint?: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={classes.step} aria-labelledby={id}>
      <h3 id={id}>
        <span aria-hidden="true">{number}</span>
        {title}
      </h3>
      {hint && <p>{hint}</p>}
      {children}
    </section>
  );
}

function StreamField({
  value,
  isWrong,
  onChange,
}: {
  value: string;
  isWrong: boolean;
  onChange: (name: string) => void;
}) {
  const { t } = useTranslation();
  const listId = useId();
  const { data } = useQuery(streamsQuery);
  return (
    <>
      <TextInput
        label={t('program.stream')}
        description={t('program.streamHelp')}
        placeholder="live/show"
        list={listId}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        maxLength={limits.streamNameCharacters}
        value={value}
        error={isWrong && t('program.problem.stream')}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={listId}>
        {data?.streams.map((stream) => (
          <option key={stream.client_id} value={streamLabel(stream)} />
        ))}
      </datalist>
    </>
  );
}

/** A publisher that came before its program becomes an input when it connects again. */
function ReconnectNote({ stream }: { stream: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(streamsQuery);
  const name = stream.trim();
  if (!data?.streams.some((live) => streamLabel(live) === name)) return null;
  return <Notice tone="info" title={t('program.reconnects', { name })} />;
}

interface PartProps {
  draft: ProgramDraft;
  problems: DraftProblems | undefined;
  edit: (change: Partial<ProgramDraft>) => void;
}

function InputsField({ draft, problems, program, edit }: PartProps & { program: ProgramRow | undefined }) {
  const { t } = useTranslation();
  const { inputs } = draft;
  const movable = inputs.filter(({ kind }) => kind !== 'slate').length;
  const reorder = useReorder({
    count: movable,
    onMove: (from, to) => edit({ inputs: moveInput(inputs, from, to) }),
  });
  const kinds = freeKinds(inputs);
  return (
    <>
      <ol className={classes.rows} aria-label={t('program.step.inputs')}>
        {inputs.map((input, place) => (
          <InputFields
            key={input.row}
            input={input}
            all={inputs}
            program={program}
            problem={problems?.inputs[input.row]}
            item={reorder.item(place)}
            handle={movable > 1 && place < movable ? reorder.handle(place) : undefined}
            onChange={(change) =>
              edit({ inputs: inputs.map((one) => (one.row === input.row ? { ...one, ...change } : one)) })
            }
            onRemove={() => edit({ inputs: inputs.filter(({ row }) => row !== input.row) })}
          />
        ))}
      </ol>
      {problems?.onlySlate && (
        <p className={classes.problem} role="alert">
          {t('program.problem.onlySlate')}
        </p>
      )}
      {kinds.length > 0 && (
        <Menu position="bottom-start">
          <Menu.Target>
            <Button variant="default" size="sm" w="fit-content" leftSection={<IconPlus size={16} aria-hidden />}>
              {t('program.addInput')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {kinds.map((kind) => (
              <Menu.Item key={kind} onClick={() => edit({ inputs: addInput(inputs, kind) })}>
                {t(`program.kind.${kind}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}

const returnRules: readonly Rule[] = ['returnSeconds', 'leastSeconds'];
const lossRules: readonly Rule[] = ['failMs', 'slateAfterMs', 'slateSeconds'];
const faultRules: readonly Rule[] = ['blackSeconds', 'frozenSeconds', 'quietSeconds'];

function RulesFields({ draft, problems, edit }: PartProps) {
  const { t } = useTranslation();
  const field = (rule: Rule) => (
    <NumberField
      key={rule}
      label={t(`program.rule.${rule}`)}
      help={t(`program.ruleHelp.${rule}`)}
      value={draft.rules[rule]}
      {...ruleLimits[rule]}
      isWrong={problems?.rules.includes(rule) ?? false}
      onChange={(value) => edit({ rules: { ...draft.rules, [rule]: value } })}
    />
  );
  return (
    <div className={classes.ruleFields}>
      {lossRules.map(field)}
      <Checkbox
        label={t('program.rule.isReturning')}
        description={t('program.ruleHelp.isReturning')}
        checked={draft.isReturning}
        onChange={(event) => edit({ isReturning: event.currentTarget.checked })}
      />
      {draft.isReturning && returnRules.map(field)}
      <Checkbox
        label={t('program.rule.isConforming')}
        description={t('program.ruleHelp.isConforming')}
        checked={draft.isConforming}
        onChange={(event) => edit({ isConforming: event.currentTarget.checked })}
      />
      <p>{t('program.faults')}</p>
      {faultRules.map(field)}
    </div>
  );
}
