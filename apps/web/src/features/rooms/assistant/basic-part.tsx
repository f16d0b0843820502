import { TextInput } from '@mantine/core';
import { roomLimits } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { NumberText } from '../../../components/settings-form/number-text.tsx';
import type { AssistantForm } from './use-assistant-form.ts';

/** How the assistant is called, and how much guests may ask of it. */
export function BasicPart({ form: { value, problem, edit } }: { form: AssistantForm }) {
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
      <NumberText
        label={t('rooms.assistant.messages')}
        help={t('rooms.assistant.messagesHelp')}
        value={value.messages}
        most={roomLimits.messagesPerDay}
        isWrong={wrong === 'messages'}
        onChange={(messages) => edit({ messages })}
      />
      <NumberText
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
