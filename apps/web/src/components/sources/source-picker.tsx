import { ActionIcon, Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@weir/client';
import {
  offeredExtensions,
  type Source,
  type SourceRef,
  type SourceType,
  serverFileProblem,
  sourceApi,
  streamUrlProblem,
} from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client, isTransient } from '../../lib/api.ts';
import { IconArrowDown, IconArrowUp, IconX } from '../ui/theme/icons.ts';
import { DownloadForm } from './download-form.tsx';
import { LibraryPicker } from './library-picker.tsx';
import { useProbeText } from './probe-text.ts';
import { type SourceFormProps, toSourceRef } from './source-form.ts';
import { sourcesKey } from './source-queries.ts';
import { SourceRefusal, useSourceProblemText } from './source-refusal.tsx';
import classes from './sources.module.css';
import { TypedSource } from './typed-source.tsx';
import { UploadSession } from './upload/upload-session.ts';
import { Uploader } from './upload/uploader.tsx';

/** Ways to pick a source; the library has files of earlier uses. */
type SourceMethod = SourceType | 'library';

interface SourcePickerProps {
  files: readonly Source[];
  /** Called after reordering or removing. */
  onChange: (files: Source[]) => void;
  /** Assigns sources; the server probes them first. */
  choose: (refs: readonly SourceRef[]) => Promise<Source[]>;
  onChosen: (files: Source[]) => void;
  label: string;
  help: string;
  problem: string | undefined;
  /** False for features that accept files only. */
  hasStreams?: boolean;
  /** Allows only one source. */
  isSingle?: boolean;
}

/** Lists the chosen sources or shows the forms to pick one. */
export function SourcePicker({
  files,
  onChange,
  choose,
  onChosen,
  label,
  help,
  problem,
  hasStreams = true,
  isSingle = false,
}: SourcePickerProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [mode, setMode] = useState<'list' | 'replace' | 'add'>('list');
  const [method, setMethod] = useState<SourceMethod>(files[0]?.type ?? 'upload');
  // Owned here, so that switching to another form does not abort the upload.
  const [upload] = useState(() => new UploadSession());
  const pick = useMutation({
    mutationFn: (refs: readonly SourceRef[]) => choose(mode === 'add' ? [...files, ...refs] : refs),
    onSuccess: async (chosen) => {
      onChosen(chosen);
      setMode('list');
      await queries.invalidateQueries({ queryKey: sourcesKey });
    },
    meta: { handles: () => true },
  });
  const isChoosing = files.length === 0 || mode !== 'list';
  const isStream = files[0]?.type === 'stream';
  const methods: SourceMethod[] = [
    'upload',
    'file',
    'ytdl',
    ...(hasStreams && mode !== 'add' ? (['stream'] as const) : []),
    'library',
  ];
  const leave = () => {
    pick.reset();
    setMode('list');
  };

  return (
    <Stack gap="sm" role="group" aria-label={label}>
      <div>
        <Text fw={500} size="sm">
          {label}
        </Text>
        <Text size="sm" c="dimmed">
          {help}
        </Text>
      </div>
      {files.length > 0 && mode !== 'replace' && <SourceList files={files} onChange={onChange} />}
      {isChoosing ? (
        <Stack gap="sm">
          <Radio.Group
            aria-label={t('source.ways')}
            value={method}
            onChange={(value) => {
              pick.reset();
              setMethod(value as SourceMethod);
            }}
          >
            <div className={classes.ways}>
              {methods.map((one) => (
                <Radio key={one} value={one} label={one === 'library' ? t('source.library') : t(`plat.tool.${one}`)} />
              ))}
            </div>
          </Radio.Group>
          <SourceForm
            method={method}
            isBusy={pick.isPending}
            onPick={(ref) => pick.mutateAsync([ref])}
            taken={files}
            upload={upload}
          />
          {pick.isPending && (
            <Text size="sm" role="status">
              {t('source.looking')}
            </Text>
          )}
          {pick.isError && <SourceRefusal error={pick.error} />}
          {files.length > 0 && (
            <Button variant="default" size="sm" w="fit-content" onClick={leave}>
              {mode === 'add' ? t('helper.cancel') : t('source.keep')}
            </Button>
          )}
        </Stack>
      ) : (
        <Group gap="xs">
          <Button variant="default" size="sm" onClick={() => setMode('replace')}>
            {t('source.change')}
          </Button>
          {!isStream && !isSingle && (
            <Button
              variant="default"
              size="sm"
              onClick={() => {
                setMode('add');
                if (method === 'stream') setMethod('upload');
              }}
            >
              {t('source.add')}
            </Button>
          )}
        </Group>
      )}
      {problem && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
    </Stack>
  );
}

interface SourceFormSwitchProps {
  method: SourceMethod;
  isBusy: boolean;
  onPick: (ref: SourceRef) => Promise<unknown>;
  taken: readonly Source[];
  upload: UploadSession;
}

function SourceForm({ method, isBusy, onPick, taken, upload }: SourceFormSwitchProps) {
  switch (method) {
    case 'upload':
      return <Uploader isBusy={isBusy} onPick={onPick} session={upload} />;
    case 'file':
      return <ServerFileForm isBusy={isBusy} onPick={onPick} />;
    case 'ytdl':
      return <DownloadForm isBusy={isBusy} onPick={onPick} />;
    case 'stream':
      return <StreamForm isBusy={isBusy} onPick={onPick} />;
    case 'library':
      return <LibraryPicker isBusy={isBusy} onPick={onPick} taken={taken} />;
  }
}

/** Picks a file that is already on the server. */
function ServerFileForm({ isBusy, onPick }: SourceFormProps) {
  const { t } = useTranslation();
  const [file, setFile] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const problemText = useSourceProblemText();
  const prepare = useMutation({
    mutationFn: (path: string) => client.call(sourceApi.server, { file: path }),
    onSuccess: (prepared, path) => onPick(toSourceRef(prepared, 'file', path)).catch(() => undefined),
    meta: { handles: (error) => error instanceof ApiError && !isTransient(error) },
  });
  const problem = serverFileProblem(file, offeredExtensions);
  const problems = {
    missing: t('plat.tool.fileMissing'),
    place: t('plat.tool.fileOutside'),
    extension: `${t('plat.tool.fileExtension')} ${offeredExtensions.join(' ')}`,
  };
  const refusal = prepare.error instanceof ApiError ? problemText(prepare.error) : undefined;
  return (
    <TypedSource
      label={t('source.path')}
      placeholder={t('plat.tool.fileExample')}
      help={t('source.pathHelp')}
      value={file}
      onChange={(value) => {
        prepare.reset();
        setFile(value);
      }}
      error={isChecked && problem ? problems[problem] : refusal}
      action={t('source.use')}
      isBusy={isBusy || prepare.isPending}
      onSubmit={() => {
        setIsChecked(true);
        if (!problem) prepare.mutate(file.trim());
      }}
    />
  );
}

/** Registers a URL with the server before it is probed. */
type PrepareStream = (url: string) => Promise<{ name: string; uuid: string; target: string }>;

const prepareHere: PrepareStream = (url) => client.call(sourceApi.streamUrl, { url });

interface StreamFormProps extends SourceFormProps {
  prepare?: PrepareStream;
  help?: string;
  example?: string;
}

/** Picks a live stream from another server. */
function StreamForm({ isBusy, onPick, prepare = prepareHere, help, example }: StreamFormProps) {
  const { t } = useTranslation();
  const [url, setUrl] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const problemText = useSourceProblemText();
  const send = useMutation({
    mutationFn: prepare,
    onSuccess: (prepared, typed) => onPick(toSourceRef(prepared, 'stream', typed)).catch(() => undefined),
    meta: { handles: (error) => error instanceof ApiError && !isTransient(error) },
  });
  const problem = streamUrlProblem(url);
  const problems = {
    missing: t('plat.tool.stream3'),
    scheme: t('plat.tool.stream2'),
    suffix: t('plat.tool.stream4'),
    invalid: t('source.urlInvalid'),
  };
  const refusal = send.error instanceof ApiError ? problemText(send.error) : undefined;
  return (
    <TypedSource
      label={t('source.streamUrl')}
      placeholder={example ?? 'rtmp://example.com/live/livestream'}
      help={help ?? t('source.streamHelp')}
      value={url}
      onChange={(value) => {
        send.reset();
        setUrl(value);
      }}
      error={isChecked && problem ? problems[problem] : refusal}
      action={t('source.use')}
      isBusy={isBusy || send.isPending}
      onSubmit={() => {
        setIsChecked(true);
        if (!problem) send.mutate(url.trim());
      }}
    />
  );
}

/** Chosen sources in playing order. */
function SourceList({ files, onChange }: { files: readonly Source[]; onChange: (files: Source[]) => void }) {
  const { t } = useTranslation();
  const probeLine = useProbeText();
  const isOne = files.length === 1;
  const move = (from: number, to: number) => {
    const rest = files.filter((_file, index) => index !== from);
    const moved = files[from];
    if (moved) onChange([...rest.slice(0, to), moved, ...rest.slice(to)]);
  };
  return (
    <ol className={classes.list} aria-label={t('source.chosen')}>
      {files.map((file, index) => (
        // The same file may play twice, so its id alone is no key.
        // biome-ignore lint/suspicious/noArrayIndexKey: the position is part of a row's identity
        <li key={`${file.uuid}-${index}`} className={classes.row}>
          {!isOne && <span className={classes.number}>{index + 1}</span>}
          <div className={classes.facts}>
            <Text size="sm" fw={500} className={classes.name}>
              {file.name}
            </Text>
            <Text size="sm" c="dimmed">
              {probeLine(file)}
            </Text>
          </div>
          {!isOne && (
            <div className={classes.tools}>
              <ActionIcon
                variant="subtle"
                color="gray"
                disabled={index === 0}
                aria-label={t('source.up', { name: file.name })}
                onClick={() => move(index, index - 1)}
              >
                <IconArrowUp size={16} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                disabled={index === files.length - 1}
                aria-label={t('source.down', { name: file.name })}
                onClick={() => move(index, index + 1)}
              >
                <IconArrowDown size={16} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('source.remove', { name: file.name })}
                onClick={() => onChange(files.filter((_file, place) => place !== index))}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            </div>
          )}
        </li>
      ))}
    </ol>
  );
}
