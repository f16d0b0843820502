import { ActionIcon, Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import {
  offeredExtensions,
  type ProgramRow,
  pictureExtensions,
  programApi,
  programLimits,
  type Source,
  sourceApi,
  sourceLimits,
} from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NumberField } from '../../components/settings-form/number-field.tsx';
import { SourcePicker } from '../../components/sources/source-picker.tsx';
import { libraryQuery, sourcesKey } from '../../components/sources/source-queries.ts';
import { UploadSession } from '../../components/sources/upload/upload-session.ts';
import { Uploader } from '../../components/sources/upload/uploader.tsx';
import { IconGripVertical, IconX } from '../../components/ui/theme/icons.ts';
import { client } from '../../lib/api.ts';
import { InputPicture } from './input-picture.tsx';
import classes from './program.module.css';
import type { InputDraft, InputProblem } from './program-draft.ts';
import type { HandleProps } from './reorder.ts';
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

const picturesQuery = queryOptions({
  queryKey: [...sourcesKey, 'library', 'picture'],
  queryFn: ({ signal }) => client.call(sourceApi.library, { kind: 'picture' }, { signal }),
});
const films = offeredExtensions.filter((extension) => ['.mp4', '.flv', '.ts'].includes(extension));

interface SlateFieldsProps {
  input: InputDraft;
  program: ProgramRow | undefined;
  problem: InputProblem | undefined;
  onChange: (change: Partial<InputDraft>) => void;
}

/** Image and audio for viewers while there is no other input. */
function SlateFields({ input, program, problem, onChange }: SlateFieldsProps) {
  const { t } = useTranslation();
  const pictures = useQuery(picturesQuery).data ?? [];
  const media = useQuery(libraryQuery).data?.filter(({ source }) => source.type !== 'stream') ?? [];
  return (
    <>
      {program && input.id !== '' && (
        <figure className={classes.slate}>
          <InputPicture uuid={program.uuid} input={input.id} isLive isEnabled={program.enabled} />
          <figcaption>{t('program.slateNow')}</figcaption>
        </figure>
      )}
      <FileField
        label={t('program.picture')}
        help={t('program.pictureHelp')}
        none={t('program.pictureNone')}
        value={input.picture}
        known={[...pictures, ...media.filter(({ source }) => source.video !== null)].map(({ source }) => source)}
        endings={[...pictureExtensions, ...films]}
        onChange={(picture) => onChange({ picture })}
      />
      <TextInput
        label={t('program.text')}
        description={t('program.textHelp')}
        maxLength={programLimits.slateTextCharacters}
        value={input.text}
        onChange={(event) => onChange({ text: event.currentTarget.value })}
      />
      <FileField
        label={t('program.music')}
        help={t('program.musicHelp')}
        none={t('program.musicNone')}
        value={input.music}
        known={media.filter(({ source }) => source.audio !== null).map(({ source }) => source)}
        endings={offeredExtensions}
        onChange={(music) => onChange({ music })}
      />
      <NumberField
        label={t('program.leastBitrate')}
        help={t('program.leastBitrateHelp')}
        value={input.leastBitrate}
        most={programLimits.leastBitrate}
        isWrong={problem === 'bitrate'}
        onChange={(leastBitrate) => onChange({ leastBitrate })}
      />
    </>
  );
}

interface FileFieldProps {
  label: string;
  help: string;
  /** Name of the choice without a file. */
  none: string;
  value: string;
  known: readonly { readonly uuid: string; readonly name: string }[];
  endings: readonly string[];
  onChange: (uuid: string) => void;
}

/** One file of the library, or a new one. A new one is kept when the program is saved. */
function FileField({ label, help, none, value, known, endings, onChange }: FileFieldProps) {
  const { t } = useTranslation();
  const [session] = useState(() => new UploadSession());
  const [isUploading, setIsUploading] = useState(false);
  const [uploaded, setUploaded] = useState<FileFieldProps['known']>([]);
  const all = [...known, ...uploaded.filter(({ uuid }) => known.every((one) => one.uuid !== uuid))];
  const isKnown = value === '' || all.some(({ uuid }) => uuid === value);
  return (
    <div className={classes.file}>
      <NativeSelect
        label={label}
        description={help}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        data={[
          { value: '', label: none },
          ...all.map(({ uuid, name }) => ({ value: uuid, label: name })),
          ...(isKnown ? [] : [{ value, label: t('program.savedFile') }]),
        ]}
      />
      {isUploading ? (
        <Uploader
          isBusy={false}
          session={session}
          endings={endings}
          onPick={async ({ uuid, name }) => {
            setUploaded((before) => [...before, { uuid, name }]);
            onChange(uuid);
            setIsUploading(false);
          }}
        />
      ) : (
        <Button
          variant="default"
          size="compact-sm"
          w="fit-content"
          aria-label={t('program.uploadFor', { label })}
          onClick={() => setIsUploading(true)}
        >
          {t('program.upload')}
        </Button>
      )}
    </div>
  );
}
