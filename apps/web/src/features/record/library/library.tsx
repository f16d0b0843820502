import { Button, Stack, Text } from '@mantine/core';
import type { Recording } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { OwnDiskNote } from '../../../components/pair/own-disk-note.tsx';
import { EmptyState } from '../../../components/ui/feedback/empty-state.tsx';
import classes from '../record.module.css';
import { TranscriptSearch } from '../search/transcript-search.tsx';
import { EndRecordingDialog } from './end-dialog.tsx';
import { DeletedRecordingNotice } from './gone-notice.tsx';
import { LibraryToolbar } from './library-toolbar.tsx';
import { isOver, listStreams, viewLibrary, wholeLibrary } from './library-view.ts';
import { PlayerDialog } from './player-dialog.tsx';
import { RecordingTable } from './recording-table.tsx';
import { RemoveRecordingsDialog } from './remove-dialog.tsx';
import { SelectionBar } from './selection-bar.tsx';

const pageRows = 20;

type Asked =
  | { readonly what: 'play'; readonly uuid: string; readonly second?: number }
  | { readonly what: 'end'; readonly uuid: string }
  | { readonly what: 'remove'; readonly uuids: readonly string[] };

/** Every recording: find it, watch it, take it away, delete it. */
export function Library({ recordings, isOn }: { recordings: readonly Recording[]; isOn: boolean }) {
  const { t } = useTranslation();
  const [view, setView] = useState(wholeLibrary);
  const [rows, setRows] = useState(pageRows);
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  if (recordings.length === 0) {
    return (
      <Stack gap="md">
        <OwnDiskNote />
        <DeletedRecordingNotice recordings={recordings} />
        <EmptyState title={t('record.library.none')} text={isOn ? t('record.none') : t('record.library.noneOff')} />
      </Stack>
    );
  }
  const found = viewLibrary(recordings, view);
  const chosen = found.filter((recording) => picked.has(recording.uuid) && isOver(recording));
  return (
    <Asking recordings={recordings}>
      {(ask) => (
        <TranscriptSearch recordings={recordings} onOpen={(uuid, second) => ask({ what: 'play', uuid, second })}>
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
                  onRemove={() => ask({ what: 'remove', uuids: chosen.map(({ uuid }) => uuid) })}
                />
                <RecordingTable
                  recordings={found.slice(0, rows)}
                  picked={picked}
                  onPick={(uuid, isPicked) => setPicked(withOne(picked, uuid, isPicked))}
                  onPlay={(uuid) => ask({ what: 'play', uuid })}
                  onEnd={(uuid) => ask({ what: 'end', uuid })}
                  onRemove={(uuid) => ask({ what: 'remove', uuids: [uuid] })}
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
    </Asking>
  );
}

/** The dialogs. What was asked about stays while its dialog fades out. */
function Asking(props: {
  recordings: readonly Recording[];
  children: (ask: (asked: Asked) => void) => React.ReactNode;
}) {
  const [asked, setAsked] = useState<Asked>();
  const [isOpen, setIsOpen] = useState(false);
  const [{ named, key }, setNamed] = useState({ named: '', key: '' });
  const location = useLocation();
  // An address that names a recording opens it, and again when it is followed again.
  const uuid = new URLSearchParams(location.search).get('recording') ?? '';
  if (named !== uuid || key !== location.key) {
    setNamed({ named: uuid, key: location.key });
    if (uuid !== '') {
      setAsked({ what: 'play', uuid });
      setIsOpen(true);
    }
  }
  const dialog = { opened: isOpen, onClose: () => setIsOpen(false) };
  const wanted = asked === undefined ? [] : asked.what === 'remove' ? asked.uuids : [asked.uuid];
  const targets = props.recordings.filter(({ uuid }) => wanted.includes(uuid));
  const [first] = targets;
  return (
    <>
      {props.children((next) => {
        setAsked(next);
        setIsOpen(true);
      })}
      {asked?.what === 'play' && first && <PlayerDialog recording={first} startSeconds={asked.second} {...dialog} />}
      {asked?.what === 'end' && first && <EndRecordingDialog recording={first} {...dialog} />}
      {asked?.what === 'remove' && <RemoveRecordingsDialog recordings={targets} {...dialog} />}
    </>
  );
}

function withOne(picked: ReadonlySet<string>, uuid: string, isPicked: boolean): ReadonlySet<string> {
  const next = new Set(picked);
  if (isPicked) next.add(uuid);
  else next.delete(uuid);
  return next;
}
