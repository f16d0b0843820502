import { Button, Checkbox, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import type { Recording } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearchParams } from 'react-router';
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
import { PlayerDialog } from './player-dialog.tsx';
import { recordedBytes } from './recorded-bytes.ts';
import { EndRecordingDialog, RemoveRecordingsDialog } from './recording-dialogs.tsx';
import { RecordingTable } from './recording-table.tsx';

const pageRows = 20;

type DialogRequest =
  | { readonly what: 'play'; readonly uuid: string; readonly second?: number }
  | { readonly what: 'end'; readonly uuid: string }
  | { readonly what: 'remove'; readonly uuids: readonly string[] };

export function Library({ recordings, isOn }: { recordings: readonly Recording[]; isOn: boolean }) {
  const { t } = useTranslation();
  const [view, setView] = useState(wholeLibrary);
  const [rows, setRows] = useState(pageRows);
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  if (recordings.length === 0) {
    return (
      <Stack gap="md">
        <SeparateDisksNote />
        <DeletedRecordingNotice recordings={recordings} />
        <EmptyState title={t('record.library.none')} text={isOn ? t('record.none') : t('record.library.noneOff')} />
      </Stack>
    );
  }
  const found = viewLibrary(recordings, view);
  const chosen = found.filter((recording) => picked.has(recording.uuid) && isOver(recording));
  return (
    <RecordingDialogs recordings={recordings}>
      {(openDialog) => (
        <TranscriptSearch recordings={recordings} onOpen={(uuid, second) => openDialog({ what: 'play', uuid, second })}>
          <Stack gap="md">
            <DeletedRecordingNotice recordings={recordings} />
            <LibraryToolbar view={view} streams={listStreams(recordings)} onChange={setView} />
            {found.length === 0 ? (
              <EmptyState title={t('record.library.noMatch')} text={t('record.library.noMatchText')} />
            ) : (
              <>
                <SelectionBar
                  found={found}
                  chosen={chosen}
                  onPick={(uuids) => setPicked(new Set(uuids))}
                  onRemove={() => openDialog({ what: 'remove', uuids: chosen.map(({ uuid }) => uuid) })}
                />
                <RecordingTable
                  recordings={found.slice(0, rows)}
                  picked={picked}
                  onPick={(uuid, isPicked) => setPicked(withOne(picked, uuid, isPicked))}
                  onPlay={(uuid) => openDialog({ what: 'play', uuid })}
                  onEnd={(uuid) => openDialog({ what: 'end', uuid })}
                  onRemove={(uuid) => openDialog({ what: 'remove', uuids: [uuid] })}
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
      )}
    </RecordingDialogs>
  );
}

/** Dialogs. Each keeps its recording while it fades out. */
function RecordingDialogs(props: {
  recordings: readonly Recording[];
  children: (openDialog: (request: DialogRequest) => void) => React.ReactNode;
}) {
  const [request, setRequest] = useState<DialogRequest>();
  const [isOpen, setIsOpen] = useState(false);
  const [{ named, key }, setNamed] = useState({ named: '', key: '' });
  const location = useLocation();
  // An address that names a recording opens it, each time the link is followed.
  const uuid = new URLSearchParams(location.search).get('recording') ?? '';
  if (named !== uuid || key !== location.key) {
    setNamed({ named: uuid, key: location.key });
    if (uuid !== '') {
      setRequest({ what: 'play', uuid });
      setIsOpen(true);
    }
  }
  const dialog = { opened: isOpen, onClose: () => setIsOpen(false) };
  const wanted = request === undefined ? [] : request.what === 'remove' ? request.uuids : [request.uuid];
  const targets = props.recordings.filter(({ uuid }) => wanted.includes(uuid));
  const [first] = targets;
  return (
    <>
      {props.children((next) => {
        setRequest(next);
        setIsOpen(true);
      })}
      {request?.what === 'play' && first && (
        <PlayerDialog recording={first} startSeconds={request.second} {...dialog} />
      )}
      {request?.what === 'end' && first && <EndRecordingDialog recording={first} {...dialog} />}
      {request?.what === 'remove' && <RemoveRecordingsDialog recordings={targets} {...dialog} />}
    </>
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
