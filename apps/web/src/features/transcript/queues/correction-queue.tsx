import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { FixSegment } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Legend } from '../../../components/segments/legend.tsx';
import { QueueBody } from '../../../components/segments/queue-body.tsx';
import { DataTable } from '../../../components/ui/facts/data-table.tsx';
import { ConfirmDialog } from '../../../components/ui/feedback/confirm-dialog.tsx';
import { fixQueueQuery } from '../transcript-queries.ts';
import { CueEditor } from './cue-editor.tsx';
import { CueList } from './cue-list.tsx';
import { allowClearSubtitle } from './segment-facts.ts';
import { useColumns } from './use-columns.tsx';
import { useFixActions } from './use-fix-actions.ts';

interface Editing {
  readonly segment: FixSegment;
  /** Undefined: the segment has no text yet. */
  readonly cue: number | undefined;
  readonly text: string;
}

/** Text that can still be edited or cleared. */
export function CorrectionQueue({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const query = useQuery(fixQueueQuery(uuid));
  const columns = useColumns().fix;
  const { clear, edit } = useFixActions(uuid);
  const [editing, setEditing] = useState<Editing>();
  const [asked, setAsked] = useState<FixSegment>();
  const segments = query.data?.segments ?? [];
  const isLate = editing !== undefined && segments.every(({ tsid }) => tsid !== editing.segment.tsid);
  // A row that left while somebody types in it stays until they are done.
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
