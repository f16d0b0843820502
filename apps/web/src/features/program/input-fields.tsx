import { ActionIcon, Checkbox, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ProgramRow, programApi, programLimits, type Source, sourceLimits } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SourcePicker } from '../../components/sources/source-picker.tsx';
import { libraryQuery } from '../../components/sources/source-queries.ts';
import { IconGripVertical, IconX } from '../../components/ui/theme/icons.ts';
import { client } from '../../lib/api.ts';
import classes from './program.module.css';
import type { InputDraft, InputProblem } from './program-draft.ts';
import type { HandleProps } from './reorder.ts';
import { SlateFields } from './slate-fields.tsx';
import { useInputName } from './use-program-words.ts';

interface InputFieldsProps {
  input: InputDraft;
  all: readonly InputDraft[];
  /** Saved program, whose slate can be shown. */
  program: ProgramRow | undefined;
  problem: InputProblem | undefined;
  handle: HandleProps;
  item: object;
  onChange: (change: Partial<InputDraft>) => void;
  onRemove: () => void;
}

/** Row of one input in the form of a program, with the fields of its kind. */
export function InputFields(props: InputFieldsProps) {
  const { input, all, problem, handle, item, onChange, onRemove } = props;
  const { t } = useTranslation();
  const nameOf = useInputName();
  const name = nameOf(input, all);
  const url = {
    spellCheck: false,
    autoCapitalize: 'none',
    autoComplete: 'off',
  } as const;
  return (
    <li className={classes.inputRow} aria-label={name} {...item}>
      <div className={classes.inputHead}>
        {handle && (
          <ActionIcon
            {...handle}
            variant="subtle"
            color="gray"
            className={classes.grip}
            aria-label={t('program.move', { name })}
            title={t('program.moveHelp')}
          >
            <IconGripVertical size={16} aria-hidden />
          </ActionIcon>
        )}
        <span className={classes.inputName}>{name}</span>
        <ActionIcon variant="subtle" color="gray" aria-label={t('program.removeInput', { name })} onClick={onRemove}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </div>
      <p className={classes.inputHelp}>{t(`program.kindHelp.${input.kind}`)}</p>
      {input.kind !== 'slate' && (
        <TextInput
          label={t('program.name')}
          placeholder={t(`program.kind.${input.kind}`)}
          maxLength={programLimits.nameCharacters}
          value={input.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
      )}
      {input.kind === 'pull' && (
        <>
          <TextInput
            {...url}
            label={t('program.url')}
            placeholder="srt://192.0.2.10:10080?streamid=…"
            maxLength={sourceLimits.urlCharacters}
            value={input.url}
            error={problem === 'url' && t('program.problem.url')}
            onChange={(event) => onChange({ url: event.currentTarget.value })}
          />
          <Checkbox
            label={t('program.cold')}
            description={t('program.coldHelp')}
            checked={input.isCold}
            onChange={(event) => onChange({ isCold: event.currentTarget.checked })}
          />
        </>
      )}
      {input.kind === 'stream' && (
        <TextInput
          {...url}
          label={t('program.stream')}
          placeholder="live/camera"
          value={input.stream}
          error={problem === 'stream' && t('program.problem.stream')}
          onChange={(event) => onChange({ stream: event.currentTarget.value })}
        />
      )}
      {input.kind === 'file' && (
        <FilesField
          uuids={input.files}
          problem={problem === 'files' ? t('program.problem.files') : undefined}
          onChange={(files) => onChange({ files })}
        />
      )}
      {input.kind === 'slate' && <SlateFields {...props} />}
    </li>
  );
}

interface FilesFieldProps {
  uuids: readonly string[];
  problem: string | undefined;
  onChange: (uuids: string[]) => void;
}

function FilesField({ uuids, problem, onChange }: FilesFieldProps) {
  const { t } = useTranslation();
  const { data: library } = useQuery(libraryQuery);
  const [chosen, setChosen] = useState<readonly Source[]>([]);
  const known = [...chosen, ...(library?.map(({ source }) => source) ?? [])];
  const files = uuids.flatMap((uuid) => known.find((source) => source.uuid === uuid) ?? []);
  const take = (sources: readonly Source[]) => {
    setChosen(sources);
    onChange(sources.map(({ uuid }) => uuid));
  };
  return (
    <SourcePicker
      label={t('program.files')}
      help={t('program.filesHelp')}
      files={files}
      problem={problem}
      hasStreams={false}
      choose={(refs) => client.call(programApi.files, { files: [...refs] })}
      onChosen={take}
      onChange={take}
    />
  );
}
