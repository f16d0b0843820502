import { Button, Checkbox, NativeSelect, SimpleGrid, Stack, Tabs, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type AiCapability, aiDefaultModels, type Room, roomLimits, roomsApi } from '@weir/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { modelsQuery } from '../../../components/ai/ai-queries.ts';
import { AiSettingsLink } from '../../../components/ai/ai-reason.tsx';
import { ChatFields } from '../../../components/ai/chat-fields.tsx';
import { LanguageSelect } from '../../../components/ai/language-select.tsx';
import { ModelField, VoiceField } from '../../../components/ai/model-field.tsx';
import { PrivacyLines } from '../../../components/ai/privacy-lines.tsx';
import { ProviderPart } from '../../../components/ai/provider/provider-part.tsx';
import { hasOwnProvider } from '../../../components/ai/provider/provider-problem.ts';
import { useAnswerers } from '../../../components/ai/use-answerers.ts';
import { NumberField } from '../../../components/settings-form/number-field.tsx';
import { PartTabs } from '../../../components/settings-form/part-tabs.tsx';
import { SettingsForm } from '../../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../../components/settings-form/use-settings-form.ts';
import { client } from '../../../lib/api.ts';
import { notify } from '../../../lib/notify.ts';
import { DisableAssistantDialog } from '../room-dialogs.tsx';
import { roomsKey } from '../rooms-queries.ts';
import {
  type AssistantDraft,
  type AssistantProblem,
  type AssistantTab,
  findAssistantProblem,
  toDraft,
  toProviderFacts,
  toRoomChange,
} from './assistant-draft.ts';
import { GuestLink } from './guest-link.tsx';
import { RoomUsage } from './room-usage.tsx';

/** Assistant of a room: provider, today's usage and settings. */
export function AssistantPanel({ room }: { room: Room }) {
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" verticalSpacing="lg">
        <WhereWordsGo room={room} />
        <RoomUsage uuid={room.uuid} />
      </SimpleGrid>
      {room.assistant ? <AssistantSettings room={room} /> : <Disabled room={room} />}
    </Stack>
  );
}

/** Providers that recognize, answer and speak with the saved settings. */
function WhereWordsGo({ room }: { room: Room }) {
  const { t } = useTranslation();
  const answerers = useAnswerers(toProviderFacts(room), room.aiAsrLanguage);
  const uses: Partial<Record<AiCapability, boolean>> = {
    transcribe: room.aiAsrEnabled,
    chat: room.aiChatEnabled,
    speak: room.aiTtsEnabled && room.aiChatEnabled,
  };
  const needs = (['transcribe', 'chat', 'speak'] as const).filter((need) => uses[need]);
  if (!answerers || needs.length === 0) return null;
  return (
    <Stack gap="xs" maw={560} component="section" aria-label={t('rooms.assistant.goes')}>
      <Text size="sm" fw={600}>
        {t('rooms.assistant.goes')}
      </Text>
      <PrivacyLines needs={needs} answerers={answerers} />
      {needs.some((need) => answerers[need].by === 'nobody') && (
        <Text size="sm">
          <AiSettingsLink />
        </Text>
      )}
    </Stack>
  );
}

function Disabled({ room: { uuid } }: { room: Room }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const enable = useMutation({
    mutationFn: () => client.call(roomsApi.update, { uuid, assistant: true }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: roomsKey });
      notify.success(t('rooms.assistant.enabled'));
    },
  });
  return (
    <Stack gap="md" align="flex-start" maw={560}>
      <Text size="sm">{t('rooms.assistant.offText')}</Text>
      <Button loading={enable.isPending} onClick={() => enable.mutate()}>
        {t('rooms.assistant.enable')}
      </Button>
    </Stack>
  );
}

function useAssistantForm(room: Room) {
  const { t } = useTranslation();
  const [tab, setTab] = useState<AssistantTab>('basic');
  const problemOf = (draft: AssistantDraft) => findAssistantProblem(draft, toProviderFacts(room));
  const form = useSettingsForm<AssistantDraft, AssistantProblem>({
    saved: toDraft(room),
    check: (draft) => {
      const found = problemOf(draft);
      if (found) setTab(found.tab);
      return found;
    },
    save: (draft) => client.call(roomsApi.update, { uuid: room.uuid, ...toRoomChange(draft) }),
    // The server masks a new key, so the room must be read again.
    refresh: (queries) => queries.invalidateQueries({ queryKey: roomsKey }),
    done: t('helper.setOk'),
  });
  return {
    ...form,
    tab,
    setTab,
    checkProvider: () => problemOf(form.value)?.tab !== 'provider' || form.check(),
  };
}
type AssistantForm = ReturnType<typeof useAssistantForm>;

const tabs: readonly AssistantTab[] = ['basic', 'provider', 'asr', 'chat', 'post', 'tts', 'assistant'];

function AssistantSettings({ room }: { room: Room }) {
  const { t } = useTranslation();
  const [isAsking, setIsAsking] = useState(false);
  const form = useAssistantForm(room);
  const { value, problem, edit, tab, setTab } = form;
  const parts: readonly { tab: AssistantTab; content: ReactNode }[] = [
    {
      tab: 'basic',
      content: <BasicPart form={form} />,
    },
    {
      tab: 'provider',
      content: (
        <ProviderPart
          value={value}
          onEdit={edit}
          problem={problem?.tab === 'provider' ? problem.provider : undefined}
          needs={['transcribe', 'chat', 'speak']}
          language={value.language}
          onCheck={form.checkProvider}
        />
      ),
    },
    { tab: 'asr', content: <AsrPart form={form} /> },
    { tab: 'chat', content: <ChatPart form={form} tab="chat" /> },
    { tab: 'post', content: <ChatPart form={form} tab="post" /> },
    { tab: 'tts', content: <TtsPart form={form} /> },
  ];
  const disable = (
    <Button variant="default" onClick={() => setIsAsking(true)}>
      {t('rooms.disable.action')}
    </Button>
  );
  return (
    <>
      <PartTabs
        tab={tab}
        onTab={setTab}
        parts={tabs.map((one) => ({ tab: one, word: t(`rooms.assistant.tab.${one}`) }))}
      >
        <Tabs.Panel value="assistant">
          <GuestLink room={room} />
        </Tabs.Panel>
        {tab !== 'assistant' && (
          <SettingsForm form={form} width={560} actions={disable}>
            {parts.map((part) => (
              <Tabs.Panel key={part.tab} value={part.tab}>
                <Stack gap="md">{part.content}</Stack>
              </Tabs.Panel>
            ))}
          </SettingsForm>
        )}
      </PartTabs>
      <DisableAssistantDialog room={room} opened={isAsking} onClose={() => setIsAsking(false)} />
    </>
  );
}

function BasicPart({ form: { value, problem, edit } }: { form: AssistantForm }) {
  const { t } = useTranslation();
  const wrong = problem?.tab === 'basic' ? problem.field : undefined;
  return (
    <>
      <TextInput
        size="md"
        label={t('rooms.assistant.name')}
        description={t('rooms.assistant.nameHelp')}
        maxLength={roomLimits.nameCharacters}
        autoComplete="off"
        value={value.name}
        onChange={(event) => edit({ name: event.currentTarget.value })}
      />
      <NumberField
        label={t('rooms.assistant.messages')}
        help={t('rooms.assistant.messagesHelp')}
        value={value.messages}
        most={roomLimits.messagesPerDay}
        isWrong={wrong === 'messages'}
        onChange={(messages) => edit({ messages })}
      />
      <NumberField
        label={t('rooms.assistant.wait')}
        help={t('rooms.assistant.waitHelp')}
        value={value.wait}
        {...roomLimits.waitSeconds}
        isWrong={wrong === 'wait'}
        onChange={(wait) => edit({ wait })}
      />
    </>
  );
}

function AsrPart({ form: { value, edit } }: { form: AssistantForm }) {
  const { t } = useTranslation();
  return (
    <Stack gap="md" maw={560}>
      <Checkbox
        label={t('rooms.asr.enabled')}
        description={t('rooms.asr.enabledHelp')}
        checked={value.hears}
        onChange={(event) => edit({ hears: event.currentTarget.checked })}
      />
      <Checkbox
        label={t('rooms.asr.edit')}
        description={t('rooms.asr.editHelp')}
        checked={value.edits}
        disabled={!value.hears}
        onChange={(event) => edit({ edits: event.currentTarget.checked })}
      />
      <LanguageSelect
        label={t('rooms.asr.language')}
        help={t('rooms.asr.languageHelp')}
        none={t('rooms.asr.languageAuto')}
        value={value.language}
        onChange={(language) => edit({ language })}
      />
      <ModelField provider={value} value={value.asrModel} onChange={(asrModel) => edit({ asrModel })} />
      <NativeSelect
        size="md"
        label={t('rooms.asr.prompt')}
        description={t('rooms.asr.promptHelp')}
        data={[
          { value: 'user-ai', label: t('rooms.asr.promptBoth') },
          { value: 'user-only', label: t('rooms.asr.promptUser') },
        ]}
        value={value.asrPrompt}
        onChange={(event) => edit({ asrPrompt: event.currentTarget.value === 'user-only' ? 'user-only' : 'user-ai' })}
      />
    </Stack>
  );
}

interface ChatPartProps {
  form: AssistantForm;
  tab: 'chat' | 'post';
}

function ChatPart({ form: { value, problem, edit }, tab }: ChatPartProps) {
  const { data: models } = useQuery(modelsQuery);
  const ofRoom = tab === 'post' ? value.chat.model.trim() : '';
  // The default provider's model does not apply to another provider.
  const ofProvider = hasOwnProvider(value) ? '' : models?.chat;
  return (
    <ChatFields
      kind={`rooms.${tab}`}
      value={value[tab]}
      onEdit={(change) => edit({ [tab]: { ...value[tab], ...change } })}
      most={roomLimits}
      wrong={problem?.tab === tab ? problem.field : undefined}
      provider={value}
      defaultModel={ofRoom || ofProvider || aiDefaultModels.roomChat}
    />
  );
}

function TtsPart({ form: { value, edit } }: { form: AssistantForm }) {
  const { t } = useTranslation();
  return (
    <Stack gap="md" maw={560}>
      <Checkbox
        label={t('rooms.tts.enabled')}
        description={t('rooms.tts.enabledHelp')}
        checked={value.speaks}
        onChange={(event) => edit({ speaks: event.currentTarget.checked })}
      />
      <ModelField provider={value} value={value.ttsModel} onChange={(ttsModel) => edit({ ttsModel })} />
      <VoiceField provider={value} value={value.voice} onChange={(voice) => edit({ voice })} />
    </Stack>
  );
}
