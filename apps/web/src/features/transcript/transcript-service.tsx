import { Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { aiTaskLimits, outletLimits, type TranscriptConfig, transcriptApi, transcriptLimits } from '@weir/contract';
import { streamLabel } from '@weir/streams';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { languagesQuery } from '../../components/ai/ai-queries.ts';
import { LanguageSelect } from '../../components/ai/language-select.tsx';
import { ServiceForm } from '../../components/ai-task/service-form.tsx';
import { TaskProvider } from '../../components/ai-task/task-provider.tsx';
import { useAiTaskForm } from '../../components/ai-task/use-ai-task-form.ts';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
import { IconX } from '../../components/ui/theme/icons.ts';
import { client } from '../../lib/api.ts';
import { useLocale } from '../../lib/i18n.ts';
import { StyleEditor } from './style/style-editor.tsx';
import {
  findTranscriptProblem,
  refusedField,
  type SentConfig,
  type TranscriptDraft,
  type TranscriptPart,
  type TranscriptProblem,
  toDraft,
  toSentConfig,
} from './transcript-draft.ts';
import { transcriptKey, transcriptQuery } from './transcript-queries.ts';

export function useTranscriptForm(saved: TranscriptConfig, uuid: string) {
  const locale = useLocale();
  const { captions: _captions, ...sent } = saved;
  return useAiTaskForm<SentConfig, TranscriptDraft, TranscriptProblem, TranscriptPart>({
    saved: sent,
    uuid,
    configOf: toSentConfig,
    savedDraft: toDraft(saved, locale),
    keys: { all: transcriptKey, config: transcriptQuery.queryKey },
    problemOf: (draft) => findTranscriptProblem(draft, saved),
    apply: (body) => client.call(transcriptApi.apply, body),
    reset: (task) => client.call(transcriptApi.reset, task),
    refused: refusedField,
  });
}
type TranscriptFormat = ReturnType<typeof useTranscriptForm>;

export function TranscriptService({ form, segments }: { form: TranscriptFormat; segments: number }) {
  const { t } = useTranslation();
  const words = (part: TranscriptPart) => ({
    part,
    title: t(`transcript.part.${part}.title`),
    help: t(`transcript.part.${part}.help`),
  });
  const provider = <TaskProvider form={form} needs={['transcribe']} language={form.draft.lang} isTested />;
  return (
    <ServiceForm<TranscriptPart>
      {...{ kind: 'transcript', form, segments }}
      parts={[
        { ...words('provider'), content: provider },
        { ...words('asr'), content: <AsrPart form={form} /> },
        { ...words('overlay'), content: <OverlayPart form={form} /> },
        { ...words('webvtt'), content: <WebVttPart form={form} /> },
      ]}
    />
  );
}

function AsrPart({ form }: { form: TranscriptFormat }) {
  const { t } = useTranslation();
  const { data } = useQuery(languagesQuery);
  const { draft, problem } = form;
  const languages = data?.languages ?? [];
  return (
    <Stack gap="md" maw={560}>
      <LanguageSelect
        label={t('transcript.lang')}
        help={t('transcript.lang2')}
        none={t('transcript.langAuto')}
        value={draft.lang}
        onChange={(lang) => form.edit({ lang })}
      />
      <TranslationChoice
        {...{ languages, spoken: draft.lang, chosen: draft.translations }}
        onChange={(translations) => form.edit({ translations })}
      />
      <StreamChoice chosen={draft.streams} onChange={(streams) => form.edit({ streams })} />
      <TextInput
        size="md"
        label={t('transcript.fixSeconds')}
        description={t('transcript.fixSecondsHelp', { most: transcriptLimits.fixSeconds })}
        placeholder={t('transcript.fixSecondsAuto')}
        inputMode="decimal"
        autoComplete="off"
        value={draft.fixSeconds}
        onChange={(event) => form.edit({ fixSeconds: event.currentTarget.value })}
        error={
          problem?.part === 'asr' ? t('transcript.fixSecondsWrong', { most: transcriptLimits.fixSeconds }) : undefined
        }
      />
    </Stack>
  );
}

function OverlayPart({ form }: { form: TranscriptFormat }) {
  const { t } = useTranslation();
  const { draft, problem } = form;
  const field = (name: 'forceStyle' | 'videoCodecParams', label: string, description: string) => (
    <TextInput
      size="md"
      {...{ label, description }}
      autoComplete="off"
      spellCheck={false}
      maxLength={aiTaskLimits.settingCharacters}
      value={draft[name]}
      onChange={(event) => form.edit({ [name]: event.currentTarget.value })}
      error={problem?.part === 'overlay' && problem.field === name ? t(`transcript.wrong.${name}`) : undefined}
    />
  );
  return (
    <Stack gap="md">
      <Checkbox
        label={t('transcript.ole')}
        description={t('transcript.oleHelp')}
        checked={draft.overlayEnabled}
        onChange={(event) => form.edit({ overlayEnabled: event.currentTarget.checked })}
      />
      <StyleEditor text={draft.forceStyle} onChange={(forceStyle) => form.edit({ forceStyle })} />
      <Stack gap="md" maw={720}>
        {field('forceStyle', t('transcript.fstyle'), t('transcript.fstyle2'))}
        {field('videoCodecParams', t('transcript.trans0'), t('transcript.trans1'))}
      </Stack>
    </Stack>
  );
}

/** WebVTT subtitles, which viewers switch on and off. */
function WebVttPart({ form }: { form: TranscriptFormat }) {
  const { t } = useTranslation();
  return (
    <Checkbox
      label={t('transcript.vtt2')}
      description={t('transcript.vttHelp')}
      checked={form.draft.webvttEnabled}
      onChange={(event) => form.edit({ webvttEnabled: event.currentTarget.checked })}
    />
  );
}

interface TranslationChoiceProps {
  languages: readonly { code: string; name: string }[];
  /** The spoken language needs no translation. */
  spoken: string;
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

/** Target languages of subtitles: added one at a time, removed by a click. */
function TranslationChoice({ languages, spoken, chosen, onChange }: TranslationChoiceProps) {
  const { t } = useTranslation();
  const nameOf = (code: string) => languages.find((language) => language.code === code)?.name ?? code;
  const isFull = chosen.length >= transcriptLimits.translations;
  const others = languages.filter(({ code }) => code !== spoken && !chosen.includes(code));
  return (
    <Stack gap="xs">
      <NativeSelect
        size="md"
        label={t('transcript.translations.label')}
        description={t('transcript.translations.help', { most: transcriptLimits.translations })}
        data={[
          { value: '', label: t('transcript.translations.add') },
          ...others.map(({ code, name }) => ({ value: code, label: `${name} (${code})` })),
        ]}
        value=""
        disabled={isFull}
        onChange={(event) => onChange([...chosen, event.currentTarget.value])}
      />
      {chosen.length > 0 && (
        <Group gap="xs">
          {chosen.map((code) => (
            <Button
              key={code}
              variant="default"
              rightSection={<IconX size={16} aria-hidden />}
              aria-label={t('transcript.translations.remove', { language: nameOf(code) })}
              onClick={() => onChange(chosen.filter((one) => one !== code))}
            >
              {nameOf(code)}
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  );
}

interface StreamChoiceProps {
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

/** Streams that get subtitles: live ones, and others by name. Empty means the newest. */
function StreamChoice({ chosen, onChange }: StreamChoiceProps) {
  const { t } = useTranslation();
  const { data } = useQuery(streamsQuery);
  const [typed, setTyped] = useState('');
  const live = (data?.streams ?? []).map(streamLabel);
  const isFull = chosen.length >= transcriptLimits.streams;
  const name = typed.trim();
  const add = () => {
    if (name === '' || isFull) return;
    if (!chosen.includes(name)) onChange([...chosen, name]);
    setTyped('');
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    // Enter would submit the form without the stream.
    event.preventDefault();
    add();
  };
  return (
    <Checkbox.Group
      label={t('transcript.streams.label')}
      description={t('transcript.streams.help', { most: transcriptLimits.streams })}
      size="md"
      value={[...chosen]}
      onChange={onChange}
    >
      <Stack gap="xs" mt="xs">
        {chosen.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('transcript.streams.newest')}
          </Text>
        )}
        {[...new Set([...live, ...chosen])].map((stream) => (
          <Checkbox
            key={stream}
            value={stream}
            label={live.includes(stream) ? stream : t('transcript.streams.away', { stream })}
            disabled={isFull && !chosen.includes(stream)}
          />
        ))}
        <Group gap="xs" align="flex-end">
          <TextInput
            aria-label={t('transcript.streams.name')}
            placeholder="live/livestream"
            autoComplete="off"
            spellCheck={false}
            maxLength={outletLimits.streamCharacters}
            value={typed}
            disabled={isFull}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={press}
          />
          <Button variant="default" disabled={name === '' || isFull} onClick={add}>
            {t('transcript.streams.add')}
          </Button>
        </Group>
      </Stack>
    </Checkbox.Group>
  );
}
