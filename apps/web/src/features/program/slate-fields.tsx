import { Button, NativeSelect, TextInput } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { offeredExtensions, type ProgramRow, pictureExtensions, programLimits, sourceApi } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NumberField } from '../../components/settings-form/number-field.tsx';
import { libraryQuery, sourcesKey } from '../../components/sources/source-queries.ts';
import { UploadSession } from '../../components/sources/upload/upload-session.ts';
import { Uploader } from '../../components/sources/upload/uploader.tsx';
import { client } from '../../lib/api.ts';
import { InputPicture } from './input-picture.tsx';
import classes from './program.module.css';
import type { InputDraft, InputProblem } from './program-draft.ts';

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

/** What viewers see and hear while there is no other input. */
export function SlateFields({ input, program, problem, onChange }: SlateFieldsProps) {
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
