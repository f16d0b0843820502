import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { builtInBaseUrl, type OcrConfig, ocrApi, ocrDefaults, ocrLimits, outletLimits } from '@weir/contract';
import { streamLabel } from '@weir/streams';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ChatDraft } from '../../components/ai/chat-fields.tsx';
import { ChatFields } from '../../components/ai/chat-fields.tsx';
import {
  type ProviderFacts,
  type ProviderProblem,
  providerProblem,
} from '../../components/ai/provider/provider-problem.ts';
import { ServiceForm } from '../../components/ai-task/service-form.tsx';
import { TaskProvider } from '../../components/ai-task/task-provider.tsx';
import { useAiTaskForm } from '../../components/ai-task/use-ai-task-form.ts';
import { isWholeNumber, NumberField } from '../../components/settings-form/number-field.tsx';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { paths, useLocalPath } from '../../lib/paths.ts';
import { ocrKey, ocrQuery } from './ocr-queries.ts';

type OcrPart = 'provider' | 'chat' | 'stream' | 'callback';

interface OcrDraft extends ProviderFacts {
  readonly chat: ChatDraft;
  readonly stream: string;
  readonly interval: string;
  readonly skipUnchanged: boolean;
}

type OcrProblem =
  | { readonly part: 'provider'; readonly provider: ProviderProblem }
  | { readonly part: 'chat'; readonly field: 'window' | 'words' }
  | { readonly part: 'stream' };

function savedProvider(saved: OcrConfig): ProviderFacts {
  return { secretKey: saved.aiSecretKey, baseURL: saved.aiBaseURL, organization: saved.aiOrganization };
}

/** Fills the form from the saved settings, or with defaults before the first save. */
function toDraft(saved: OcrConfig, defaultPrompt: string): OcrDraft {
  const isUnsaved = saved.aiProvider === '';
  const { aiChatMaxWindow, aiChatMaxWords } = isUnsaved ? ocrDefaults : saved;
  return {
    ...savedProvider(saved),
    chat: {
      isOn: saved.aiChatEnabled,
      model: saved.aiChatModel || ocrDefaults.aiChatModel,
      prompt: saved.aiChatPrompt || defaultPrompt,
      window: String(aiChatMaxWindow),
      words: String(aiChatMaxWords),
    },
    stream: saved.stream,
    interval: String(saved.intervalSeconds),
    skipUnchanged: saved.skipUnchanged,
  };
}

function toOcrConfig(draft: OcrDraft, all: boolean): OcrConfig {
  const { secretKey, baseURL, organization, chat, skipUnchanged, interval } = draft;
  return {
    all,
    aiProvider: ocrDefaults.aiProvider,
    aiChatEnabled: chat.isOn,
    skipUnchanged,
    aiSecretKey: secretKey,
    aiBaseURL: baseURL,
    aiOrganization: organization,
    aiChatModel: chat.model.trim(),
    aiChatPrompt: chat.prompt.trim(),
    aiChatMaxWindow: Number(chat.window),
    aiChatMaxWords: Number(chat.words),
    stream: draft.stream.trim(),
    intervalSeconds: Number(interval),
  };
}

/** A provider for OCR alone must be complete. */
function isOwn({ baseURL, secretKey }: ProviderFacts): boolean {
  return baseURL !== builtInBaseUrl && (baseURL !== '' || secretKey !== '');
}

function findOcrProblem(draft: OcrDraft, saved: OcrConfig): OcrProblem | undefined {
  const provider = isOwn(draft) ? providerProblem(draft, savedProvider(saved)) : undefined;
  if (provider) return { part: 'provider', provider };
  const field = (['window', 'words'] as const).find((name) => !isWholeNumber(draft.chat[name], ocrLimits[name]));
  if (field) return { part: 'chat', field };
  return isWholeNumber(draft.interval, ocrLimits.intervalSeconds) ? undefined : { part: 'stream' };
}

export function useOcrForm(saved: OcrConfig, uuid: string) {
  const { t } = useTranslation();
  return useAiTaskForm<OcrConfig, OcrDraft, OcrProblem, OcrPart>({
    saved,
    uuid,
    configOf: toOcrConfig,
    savedDraft: toDraft(saved, t('ocr.defaultPrompt')),
    keys: { all: ocrKey, config: ocrQuery.queryKey },
    problemOf: (draft) => findOcrProblem(draft, saved),
    apply: (body) => client.call(ocrApi.apply, body),
    reset: (task) => client.call(ocrApi.reset, task),
    announce(problem) {
      if (problem.part !== 'provider') return;
      // The specification gives this text; the field says what to do.
      notify.failure(t(problem.provider.field === 'baseURL' ? 'ocr.invalidUrl' : 'ocr.invalidKey'));
    },
  });
}
type OcrForm = ReturnType<typeof useOcrForm>;

/** Provider, prompt, stream and callback of OCR. */
export function OcrService({ form, segments }: { form: OcrForm; segments: number }) {
  const { t } = useTranslation();
  const words = (part: OcrPart) => ({ part, title: t(`ocr.part.${part}.title`), help: t(`ocr.part.${part}.help`) });
  const provider = <TaskProvider form={form} needs={['see']} />;
  return (
    <ServiceForm<OcrPart>
      {...{ kind: 'ocr', form, segments }}
      parts={[
        { ...words('provider'), content: provider },
        { ...words('chat'), content: <ChatPart form={form} /> },
        { ...words('stream'), content: <StreamPart form={form} /> },
        { ...words('callback'), content: <CallbackPart /> },
      ]}
    />
  );
}

function ChatPart({ form: { draft, problem, edit } }: { form: OcrForm }) {
  const { chat } = draft;
  return (
    <ChatFields
      kind="ocr"
      value={chat}
      onEdit={(change) => edit({ chat: { ...chat, ...change } })}
      most={ocrLimits}
      wrong={problem?.part === 'chat' ? problem.field : undefined}
      provider={draft}
    />
  );
}

function StreamPart({ form }: { form: OcrForm }) {
  const { t } = useTranslation();
  const listId = useId();
  const { data } = useQuery(streamsQuery);
  const { draft, problem, edit } = form;
  return (
    <Stack gap="md" maw={560}>
      <TextInput
        size="md"
        label={t('ocr.stream')}
        description={t('ocr.streamHelp')}
        placeholder={t('segments.newest')}
        autoComplete="off"
        spellCheck={false}
        list={listId}
        maxLength={outletLimits.streamCharacters}
        value={draft.stream}
        onChange={(event) => edit({ stream: event.currentTarget.value })}
      />
      <datalist id={listId}>
        {[...new Set((data?.streams ?? []).map(streamLabel))].map((stream) => (
          <option key={stream} value={stream} />
        ))}
      </datalist>
      <NumberField
        label={t('ocr.interval')}
        help={t('ocr.intervalHelp')}
        value={draft.interval}
        most={ocrLimits.intervalSeconds}
        isWrong={problem?.part === 'stream'}
        onChange={(interval) => edit({ interval })}
      />
      <Checkbox
        label={t('ocr.skip')}
        description={t('ocr.skipHelp')}
        checked={draft.skipUnchanged}
        onChange={(event) => edit({ skipUnchanged: event.currentTarget.checked })}
      />
    </Stack>
  );
}

function CallbackPart() {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  return (
    <Stack gap="md" maw={560} align="flex-start">
      <Text size="sm">{t('ocr.link2')}</Text>
      <Button variant="default" component={Link} to={localPath(`${paths.settings}?tab=callback`)}>
        {t('ocr.link')}
      </Button>
    </Stack>
  );
}
