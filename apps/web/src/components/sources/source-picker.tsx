import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Source, SourceRef, SourceType } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DownloadForm } from './download-form.tsx';
import { LibraryPicker } from './library-picker.tsx';
import { ServerFileForm } from './server-file-form.tsx';
import { SourceList } from './source-list.tsx';
import { sourcesKey } from './source-queries.ts';
import { SourceRefusal } from './source-refusal.tsx';
import { StreamForm } from './stream-form.tsx';
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
            <Group gap="sm" wrap="wrap">
              {methods.map((one) => (
                <Radio key={one} value={one} label={one === 'library' ? t('source.library') : t(`plat.tool.${one}`)} />
              ))}
            </Group>
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
