import { Button, Checkbox, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import type { Recording } from '@weir/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { RecordArt } from '../../../components/outlets/empty-art.tsx';
import { EmptyList } from '../../../components/outlets/empty-list.tsx';
import { SeparateDisksNote } from '../../../components/separate-disks-note.tsx';
import { EmptyState } from '../../../components/ui/feedback/empty-state.tsx';
import { Notice } from '../../../components/ui/feedback/notice.tsx';
import { formatBytes } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import classes from '../record.module.css';
import { TranscriptSearch } from '../search/transcript-search.tsx';
import {
  isFiltered,
  isOver,
  type LibraryView,
  librarySorts,
  listStreams,
  viewLibrary,
  wholeLibrary,
} from './library-view.ts';
import { recordedBytes } from './recorded.ts';
import type { OpenRecordingDialog } from './recording-dialogs.tsx';
import { RecordingTable } from './recording-table.tsx';

const pageRows = 20;

interface LibraryProps {
  recordings: readonly Recording[];
  onOpen: OpenRecordingDialog;
  isOn: boolean;
  /** First step while there is no recording at all. */
  start: ReactNode;
}

/** Recordings that have ended, with search and filters. Those in progress are shown above it. */
export function Library({ recordings, onOpen, isOn, start }: LibraryProps) {
  const { t } = useTranslation();
  const [view, setView] = useState(wholeLibrary);
  const [rows, setRows] = useState(pageRows);
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const ended = recordings.filter(({ state }) => state !== 'recording');
  if (recordings.length === 0) {
    return (
      <Stack gap="md">
        <SeparateDisksNote />
        <DeletedRecordingNotice recordings={recordings} />
        <EmptyList art={<RecordArt />} text={isOn ? t('record.none') : t('record.library.noneOff')} action={start} />
      </Stack>
    );
  }
  const found = viewLibrary(ended, view);
  const chosen = found.filter((recording) => picked.has(recording.uuid) && isOver(recording));
  return (
    <TranscriptSearch recordings={recordings} onOpen={(uuid, second) => onOpen({ what: 'play', uuid, second })}>
      <Stack gap="md">
        <DeletedRecordingNotice recordings={recordings} />
        {ended.length > 1 && <LibraryToolbar view={view} streams={listStreams(ended)} onChange={setView} />}
        {ended.length === 0 && <EmptyState title={t('record.library.none')} text={t('record.library.noneEnded')} />}
        {ended.length > 0 && found.length === 0 && (
          <EmptyState title={t('record.library.noMatch')} text={t('record.library.noMatchText')} />
        )}
        {found.length > 0 && (
          <>
            <SelectionBar
              found={found}
              chosen={chosen}
              onPick={(uuids) => setPicked(new Set(uuids))}
              onRemove={() => onOpen({ what: 'remove', uuids: chosen.map(({ uuid }) => uuid) })}
            />
            <RecordingTable
              recordings={found.slice(0, rows)}
              picked={picked}
              onPick={(uuid, isPicked) => setPicked(withOne(picked, uuid, isPicked))}
              onOpen={onOpen}
            />
            {found.length > rows && (
              <div className={classes.more}>
                <Button variant="default" onClick={() => setRows(rows + pageRows)}>
                  {t('record.library.more')}
                </Button>
                <Text size="sm" c="dimmed">
                  {t('record.library.shown', { shown: rows, total: found.length })}
                </Text>
              </div>
            )}
          </>
        )}
      </Stack>
    </TranscriptSearch>
  );
}

function withOne(picked: ReadonlySet<string>, uuid: string, isPicked: boolean): ReadonlySet<string> {
  const next = new Set(picked);
  if (isPicked) next.add(uuid);
  else next.delete(uuid);
  return next;
}

/** Explains a link to a deleted recording, for example from a past broadcast. */
function DeletedRecordingNotice({ recordings }: { recordings: readonly Recording[] }) {
  const { t } = useTranslation();
  const [query] = useSearchParams();
  const named = query.get('recording') ?? '';
  if (named === '' || recordings.some(({ uuid }) => uuid === named)) return null;
  return (
    <Notice tone="info" title={t('record.library.gone')}>
      {t('record.library.goneText')}
    </Notice>
  );
}

interface LibraryToolbarProps {
  view: LibraryView;
  streams: readonly string[];
  onChange: (view: LibraryView) => void;
}

function LibraryToolbar({ view, streams, onChange }: LibraryToolbarProps) {
  const { t } = useTranslation();
  const edit = (change: Partial<LibraryView>) => onChange({ ...view, ...change });
  return (
    <div className={classes.toolbar}>
      <NativeSelect
        label={t('record.source')}
        value={view.stream}
        data={[
          { value: '', label: t('record.library.anyStream') },
          ...streams.map((name) => ({ value: name, label: name })),
        ]}
        onChange={(event) => edit({ stream: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={t('record.library.from')}
        max={view.to || undefined}
        value={view.from}
        onChange={(event) => edit({ from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={t('record.library.to')}
        min={view.from || undefined}
        value={view.to}
        onChange={(event) => edit({ to: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('record.library.sort')}
        value={view.sort}
        data={librarySorts.map((sort) => ({ value: sort, label: t(`record.library.by.${sort}`) }))}
        onChange={(event) => edit({ sort: librarySorts.find((one) => one === event.currentTarget.value) ?? 'newest' })}
      />
      {isFiltered(view) && (
        <Button variant="subtle" onClick={() => onChange({ ...wholeLibrary, sort: view.sort })}>
          {t('record.library.clear')}
        </Button>
      )}
    </div>
  );
}

interface SelectionBarProps {
  found: readonly Recording[];
  chosen: readonly Recording[];
  onPick: (uuids: readonly string[]) => void;
  onRemove: () => void;
}

/** Selects all found recordings, and deletes the selected ones. */
function SelectionBar({ found, chosen, onPick, onRemove }: SelectionBarProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const over = found.filter(isOver);
  const bytes = (list: readonly Recording[]) =>
    formatBytes(
      list.reduce((sum, recording) => sum + recordedBytes(recording), 0),
      locale,
    );
  const isAll = chosen.length === over.length;
  return (
    <div className={classes.selection}>
      {over.length > 0 && (
        <Checkbox
          label={t('record.library.pickAll', { count: over.length })}
          checked={isAll}
          indeterminate={chosen.length > 0 && !isAll}
          onChange={() => onPick(isAll ? [] : over.map(({ uuid }) => uuid))}
        />
      )}
      {chosen.length > 0 ? (
        <Button variant="default" size="xs" onClick={onRemove}>
          {t('record.library.removePicked', { count: chosen.length, size: bytes(chosen) })}
        </Button>
      ) : (
        <Text size="sm" c="dimmed">
          {t('record.library.total', { count: found.length, size: bytes(found) })}
        </Text>
      )}
    </div>
  );
}
