import { Button, Stack, Tabs } from '@mantine/core';
import type { Room } from '@weir/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ProviderPart } from '../../../components/ai/provider/provider-part.tsx';
import { PartTabs } from '../../../components/settings-form/part-tabs.tsx';
import { SettingsForm } from '../../../components/settings-form/settings-form.tsx';
import { DisableAssistantDialog } from '../room-dialogs.tsx';
import { AsrPart } from './asr-part.tsx';
import type { AssistantTab } from './assistant-draft.ts';
import { BasicPart } from './basic-part.tsx';
import { ChatPart } from './chat-part.tsx';
import { GuestLink } from './guest-link.tsx';
import { TtsPart } from './tts-part.tsx';
import { useAssistantForm } from './use-assistant-form.ts';

const tabs: readonly AssistantTab[] = ['basic', 'provider', 'asr', 'chat', 'post', 'tts', 'assistant'];

/** Everything the owner decides of an assistant that is on, and the links to it. */
export function AssistantSettings({ room }: { room: Room }) {
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
