import { ActionIcon, Button, CloseButton, Group, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type TranscriptLine, transcriptApi, transcriptLimits } from '@weir/contract';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { languagesQuery } from '../../../components/ai/ai-queries.ts';
import { StaleChip } from '../../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { IconPlus, IconSearch } from '../../../components/ui/theme/icons.ts';
import { client } from '../../../lib/api.ts';
import { saveFile } from '../../../lib/browser/save-file.ts';
import { useStickToBottom } from '../../../lib/browser/use-stick-to-bottom.ts';
import { formatClock } from '../../../lib/format.ts';
import { notify } from '../../../lib/notify.ts';
import { isNotFound } from '../queues/correction-queue.tsx';
import { linesQuery } from '../transcript-queries.ts';
import { IconDownload, IconPencil } from './icons.ts';
import classes from './running.module.css';
import { findLines, formatTranscript, lineText, mergeLines } from './running-transcript.ts';

interface RunningPanelProps {
  uuid: string;
  isOn: boolean;
  /** Name of the stream, for the file. */
  stream: string;
  /** Spoken language; empty if it is detected. */
  spoken: string;
  translations: readonly string[];
  onAddLanguage: () => void;
}

/** Running transcript of a stream, a tab for each language. */
export function RunningPanel({ uuid, isOn, stream, spoken, translations, onAddLanguage }: RunningPanelProps) {
  const { t } = useTranslation();
  const query = useQuery(linesQuery(uuid, isOn));
  const { data: known } = useQuery(languagesQuery);
  const nameOf = (code: string) => known?.languages.find((language) => language.code === code)?.name ?? code;
  const [chosen, setLanguage] = useState('');
  const language = translations.includes(chosen) ? chosen : '';
  const [search, setSearch] = useState<string>();
  const [edit, setEdit] = useState<LineEdit>();
  const save = useEdit(uuid, () => setEdit(undefined));
  const lines = useMergedLines(query.data?.lines);
  const shown = findLines(lines, language, search ?? '');
  const growing = search ? '' : (query.data?.growing ?? '');
  const { box, isBack, onScroll, toNewest } = useStickToBottom(
    // The list stays still while a line is edited.
    edit ? [edit.line.id, '', ''] : [shown, growing, language],
    undefined,
  );
  const tabs = ['', ...translations];
  return (
    <section className={classes.panel} aria-label={t('transcript.running.title')}>
      <div className={classes.bar}>
        <fieldset className={classes.tabs} aria-label={t('transcript.running.languages')}>
          {tabs.map((code) => (
            <button
              key={code}
              type="button"
              className={classes.tab}
              aria-pressed={code === language}
              onClick={() => setLanguage(code)}
            >
              {code === '' ? (spoken === '' ? t('transcript.running.spoken') : nameOf(spoken)) : nameOf(code)}
            </button>
          ))}
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('transcript.translations.add')}
            title={t('transcript.translations.add')}
            onClick={onAddLanguage}
          >
            <IconPlus size={16} aria-hidden />
          </ActionIcon>
        </fieldset>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('transcript.running.search')}
          title={t('transcript.running.search')}
          aria-expanded={search !== undefined}
          onClick={() => setSearch(search === undefined ? '' : undefined)}
        >
          <IconSearch size={16} aria-hidden />
        </ActionIcon>
      </div>
      {search !== undefined && (
        <TextInput
          className={classes.search}
          aria-label={t('transcript.running.search')}
          placeholder={t('transcript.running.search')}
          autoFocus
          value={search}
          rightSection={<CloseButton aria-label={t('helper.close')} onClick={() => setSearch(undefined)} />}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard */}
      <div ref={box} className={classes.scroller} onScroll={onScroll} tabIndex={0}>
        {shown.length === 0 && growing === '' ? (
          <p className={classes.empty}>{t(emptyText(isOn, search))}</p>
        ) : (
          <LineList
            {...{ lines: shown, language, growing, edit, isSaving: save.isPending }}
            translations={translations.length}
            onEdit={setEdit}
            onSave={() => edit && save.mutate(edit)}
          />
        )}
      </div>
      <div className={classes.foot}>
        {isBack ? (
          <Button size="xs" variant="default" onClick={toNewest}>
            {t('transcript.running.newest')}
          </Button>
        ) : (
          isOn && <StatusLabel tone="ok" word={t('transcript.running.following')} />
        )}
        <StaleChip {...query} />
        <Button
          className={classes.download}
          size="xs"
          variant="default"
          disabled={lines.length === 0}
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => saveFile(`${fileName(stream, language)}.txt`, formatTranscript(lines, language))}
        >
          {t('transcript.running.download')}
        </Button>
      </div>
    </section>
  );
}

function emptyText(isOn: boolean, search: string | undefined) {
  if (search) return 'transcript.running.nothingFound';
  return isOn ? 'transcript.running.empty' : 'transcript.running.off';
}

function fileName(stream: string, language: string): string {
  return [stream || 'transcript', language].filter((part) => part !== '').join('.');
}

/** Keeps lines while the page is open. */
function useMergedLines(latest: readonly TranscriptLine[] | undefined): readonly TranscriptLine[] {
  const merged = useRef<{ latest: typeof latest; lines: readonly TranscriptLine[] }>({ latest: undefined, lines: [] });
  if (latest && latest !== merged.current.latest)
    merged.current = { latest, lines: mergeLines(merged.current.lines, latest) };
  return merged.current.lines;
}

/** Saved at once: viewers see the text within seconds. */
function useEdit(uuid: string, onSaved: () => void) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ line: { segment }, text }: LineEdit) =>
      client.call(transcriptApi.edit, { uuid, ...(segment ?? { tsid: '' }), text: text.trim() }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['transcript', 'lines', uuid] });
      onSaved();
      notify.success(t('helper.setOk'));
    },
    // A late edit is no error, so the page stays as it is.
    onError: (error: unknown) => {
      if (isNotFound(error)) notify.failure(t('transcript.edit.late'));
    },
    meta: { handles: isNotFound },
  });
}

interface LineEdit {
  readonly line: TranscriptLine;
  readonly text: string;
}

interface LineListProps {
  lines: readonly TranscriptLine[];
  /** Empty for the spoken language, the only one that can be edited. */
  language: string;
  growing: string;
  edit: LineEdit | undefined;
  isSaving: boolean;
  /** Languages that are translated again after an edit. */
  translations: number;
  onEdit: (edit: LineEdit | undefined) => void;
  onSave: () => void;
}

/** Sentences with their times. Those that viewers have not seen yet can be edited in place. */
function LineList(props: LineListProps) {
  const { lines, language, growing, edit, onEdit } = props;
  const { t } = useTranslation();
  const onAir = lines.findLast(({ state }) => state === 'air')?.id;
  return (
    <ol className={classes.lines}>
      {lines.map((line) => {
        const text = lineText(line, language);
        if (edit?.line.id === line.id && language === '') return <EditedLine key={line.id} {...props} line={line} />;
        const isEditable = line.segment !== null && language === '';
        return (
          <li
            key={line.id}
            className={classes.line}
            data-state={line.state}
            data-on-air={line.id === onAir || undefined}
            {...(isEditable && { onDoubleClick: () => onEdit({ line, text: line.text }) })}
          >
            <time dateTime={line.at}>{formatClock(new Date(line.at))}</time>
            <div className={classes.words}>
              {line.cleared ? (
                <del>{text}</del>
              ) : (
                <p lang={language || undefined}>{text ?? t('transcript.running.untranslated')}</p>
              )}
              {(line.edited || line.cleared) && (
                <Text size="xs" c="dimmed">
                  {line.cleared ? t('transcript.cleared') : t('transcript.edited')}
                </Text>
              )}
            </div>
            {isEditable && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('transcript.running.edit', { text: line.text })}
                title={t('transcript.edit.button')}
                onClick={() => onEdit({ line, text: line.text })}
              >
                <IconPencil size={16} aria-hidden />
              </ActionIcon>
            )}
          </li>
        );
      })}
      {growing !== '' && language === '' && (
        <li className={classes.line} data-state="growing">
          <time />
          <p>{growing} …</p>
        </li>
      )}
    </ol>
  );
}

function EditedLine({ line, edit, isSaving, translations, onEdit, onSave }: LineListProps & { line: TranscriptLine }) {
  const { t } = useTranslation();
  const isLate = line.segment === null;
  const press = (event: KeyboardEvent) => {
    // An input method uses the same keys to choose a character.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      if (!isLate) onSave();
    }
    if (event.key === 'Escape') onEdit(undefined);
  };
  return (
    <li className={classes.line} data-editing>
      <time dateTime={line.at}>{formatClock(new Date(line.at))}</time>
      <div className={classes.words}>
        <Textarea
          classNames={{ input: classes.field }}
          aria-label={t('transcript.edit.label')}
          maxLength={transcriptLimits.textCharacters}
          rows={2}
          value={edit?.text ?? ''}
          // The user asked to type here and has only seconds.
          autoFocus
          onChange={(event) => onEdit({ line, text: event.currentTarget.value })}
          onKeyDown={press}
        />
        <Group gap="xs" mt="xs">
          <Button size="xs" loading={isSaving} disabled={isLate} onClick={onSave}>
            {t('helper.update')}
          </Button>
          <Button size="xs" variant="default" onClick={() => onEdit(undefined)}>
            {t('helper.cancel')}
          </Button>
          {isLate ? (
            <Text size="xs" role="status">
              {t('transcript.edit.late')}
            </Text>
          ) : (
            translations > 0 && (
              <Text size="xs" c="dimmed">
                {t('transcript.running.retranslates', { count: translations })}
              </Text>
            )
          )}
        </Group>
      </div>
    </li>
  );
}
