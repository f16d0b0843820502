import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@weir/client';
import { errorTable, type FixSegment, transcriptApi, transcriptLimits } from '@weir/contract';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Legend } from '../../../components/segments/legend.tsx';
import { QueueBody } from '../../../components/segments/queue-body.tsx';
import { DataTable } from '../../../components/ui/facts/data-table.tsx';
import { ConfirmDialog } from '../../../components/ui/feedback/confirm-dialog.tsx';
import { client } from '../../../lib/api.ts';
import { notify } from '../../../lib/notify.ts';
import { fixQueueQuery } from '../transcript-queries.ts';
import { CueList, useColumns } from './cue-list.tsx';
import classes from './queues.module.css';
import { allowClearSubtitle } from './segment-facts.ts';

interface Editing {
  readonly segment: FixSegment;
  /** Undefined: the segment has no text yet. */
  readonly cue: number | undefined;
  readonly text: string;
}

/** Texts that can still be edited or cleared. */
export function CorrectionQueue({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const query = useQuery(fixQueueQuery(uuid));
  const columns = useColumns().fix;
  const { clear, edit } = useCorrectionActions(uuid);
  const [editing, setEditing] = useState<Editing>();
  const [asked, setAsked] = useState<FixSegment>();
  const segments = query.data?.segments ?? [];
  const isLate = editing !== undefined && segments.every(({ tsid }) => tsid !== editing.segment.tsid);
  // A row being edited stays until the user is done.
  const rows = isLate ? [editing.segment, ...segments] : segments;

  const save = () => {
    if (!editing || edit.isPending) return;
    const { segment, cue, text } = editing;
    edit.mutate({ tsid: segment.tsid, cue, text: text.trim() }, { onSuccess: () => setEditing(undefined) });
  };
  const textOf = (row: FixSegment) => {
    if (editing?.segment.tsid === row.tsid) {
      return (
        <CueEditor
          text={editing.text}
          isLate={isLate}
          isSaving={edit.isPending}
          onChange={(text) => setEditing({ ...editing, text })}
          onSave={save}
          onClose={() => setEditing(undefined)}
        />
      );
    }
    const begin = (cue: number | undefined, text: string) => setEditing({ segment: row, cue, text });
    return (
      <>
        <CueList
          segment={row}
          actionOf={(cue, text) => (
            <Button size="compact-xs" variant="subtle" onClick={() => begin(cue, text)}>
              {t('transcript.edit.button')}
            </Button>
          )}
        />
        {row.asrs.length === 0 && (
          <Button size="compact-xs" variant="subtle" onClick={() => begin(undefined, '')}>
            {t('transcript.edit.add')}
          </Button>
        )}
      </>
    );
  };
  return (
    <QueueBody query={query} isEmpty={rows.length === 0} empty={t('transcript.nofix')}>
      <Stack gap="sm">
        <DataTable
          label={t('transcript.fix')}
          columns={[...columns, { title: t('transcript.column.text'), render: textOf }]}
          rows={rows}
          keyOf={({ tsid }) => tsid}
          actionsTitle={t('segments.action')}
          actions={(row) =>
            allowClearSubtitle(segments, row.tsid) && (
              <Button size="xs" variant="default" onClick={() => setAsked(row)}>
                {t('transcript.clear')}
              </Button>
            )
          }
        />
        <Legend text={t('transcript.legend.fix')} />
      </Stack>
      <ConfirmDialog
        opened={asked !== undefined}
        title={t('transcript.clearTitle', { seqno: asked?.seqno ?? 0 })}
        text={`${t('transcript.clear2')}${asked?.asr ? ` “${asked.asr}”` : ''}`}
        action={t('transcript.clear')}
        busy={clear.isPending}
        onConfirm={() => asked && clear.mutate(asked.tsid, { onSettled: () => setAsked(undefined) })}
        onClose={() => setAsked(undefined)}
      />
    </QueueBody>
  );
}

interface CueEditorProps {
  text: string;
  /** The segment left the queue during editing. */
  isLate: boolean;
  isSaving: boolean;
  onChange: (text: string) => void;
  onSave: () => void;
  onClose: () => void;
}

function CueEditor({ text, isLate, isSaving, onChange, onSave, onClose }: CueEditorProps) {
  const { t } = useTranslation();
  const press = (event: KeyboardEvent) => {
    // An input method uses the same keys to choose a character.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      if (!isLate) onSave();
    }
    if (event.key === 'Escape') onClose();
  };
  return (
    <div className={classes.editor}>
      <Textarea
        aria-label={t('transcript.edit.label')}
        maxLength={transcriptLimits.textCharacters}
        rows={2}
        value={text}
        // The user asked to type here and has only seconds.
        autoFocus
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={press}
      />
      {isLate && (
        <Text size="xs" role="status">
          {t('transcript.edit.late')}
        </Text>
      )}
      <Group gap="xs">
        <Button size="xs" loading={isSaving} disabled={isLate} onClick={onSave}>
          {t('helper.update')}
        </Button>
        <Button size="xs" variant="default" onClick={onClose}>
          {t('helper.cancel')}
        </Button>
      </Group>
    </div>
  );
}

/** Edits or clears a text before it is shown. Both are saved at once. */
function useCorrectionActions(uuid: string) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const onSuccess = async () => {
    notify.success(t('helper.setOk'));
    await queries.invalidateQueries(fixQueueQuery(uuid));
  };
  // A late edit is no error, so the page stays as it is.
  const onError = (error: unknown) => {
    if (isNotFound(error)) notify.failure(t('transcript.edit.late'));
  };
  const meta = { handles: isNotFound };
  const clear = useMutation({
    mutationFn: (tsid: string) => client.call(transcriptApi.clearSubtitle, { uuid, tsid }),
    onSuccess,
    onError,
    meta,
  });
  const edit = useMutation({
    mutationFn: (change: { tsid: string; cue: number | undefined; text: string }) =>
      client.call(transcriptApi.edit, { uuid, ...change }),
    onSuccess,
    onError,
    meta,
  });
  return { clear, edit };
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.code === errorTable.not_found.code;
}
