import { Checkbox, Stack, Textarea } from '@mantine/core';
import { type AiNeed, type DubbingAssistant, roomLimits } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { LanguageSelect } from '../../../components/ai/language-select.tsx';
import { ModelField, VoiceField } from '../../../components/ai/model-field.tsx';
import { ProviderPart } from '../../../components/ai/provider/provider-part.tsx';
import type { ProviderProblem } from '../../../components/ai/provider/provider-problem.ts';
import { type DubbingPart, toAssistantChange, toProviderFacts } from './project-draft.ts';

/** Fields of an assistant that a step uses, and what it asks AI for. */
const steps = {
  asr: { need: 'transcribe', isOn: 'aiAsrEnabled', model: 'aiAsrModel', word: 'asrOn', help: 'asrOnHelp' },
  trans: { need: 'chat', isOn: 'aiChatEnabled', model: 'aiChatModel', word: 'transOn', help: 'transOnHelp' },
  rephrase: { need: 'chat', isOn: 'aiChatEnabled', model: 'aiChatModel', word: 'rephraseOn', help: 'rephraseOnHelp' },
  tts: { need: 'speak', isOn: 'aiTtsEnabled', model: 'aiTtsModel', word: 'ttsOn', help: 'ttsOnHelp' },
} as const satisfies Record<DubbingPart, { need: AiNeed; isOn: string; model: string; word: string; help: string }>;

interface StepPartProps {
  part: DubbingPart;
  value: DubbingAssistant;
  onEdit: (change: Partial<DubbingAssistant>) => void;
  /** Spoken in the film. */
  language: string;
  problem: ProviderProblem | undefined;
  onCheck: () => boolean;
}

/** Whether a step is done, by whom, with which model, and how that is asked. */
export function StepPart({ part, value, onEdit, language, problem, onCheck }: StepPartProps) {
  const { t } = useTranslation();
  const provider = toProviderFacts(value);
  const { need, isOn, model, word, help } = steps[part];
  return (
    <Stack gap="md" maw={560}>
      <Checkbox
        label={t(`dubbing.setting.${word}`)}
        description={t(`dubbing.setting.${help}`)}
        checked={part === 'asr' || value[isOn]}
        disabled={part === 'asr'}
        onChange={(event) => onEdit({ [isOn]: event.currentTarget.checked })}
      />
      <ProviderPart
        value={provider}
        onEdit={(change) => onEdit(toAssistantChange(change))}
        needs={[need]}
        language={part === 'asr' ? language : ''}
        offersBuiltIn={need !== 'chat'}
        {...{ problem, onCheck }}
      />
      {part === 'asr' && (
        <LanguageSelect
          label={t('dubbing.create.language')}
          help={t('dubbing.create.languageHelp')}
          none={t('dubbing.create.languageAuto')}
          value={value.aiAsrLanguage}
          onChange={(aiAsrLanguage) => onEdit({ aiAsrLanguage })}
        />
      )}
      <ModelField provider={provider} value={value[model]} onChange={(name) => onEdit({ [model]: name })} />
      {part === 'tts' && (
        <VoiceField provider={provider} value={value.aiTtsVoice} onChange={(aiTtsVoice) => onEdit({ aiTtsVoice })} />
      )}
      {need === 'chat' && (
        <Textarea
          size="md"
          rows={4}
          label={t('dubbing.setting.prompt')}
          description={t('dubbing.setting.promptHelp')}
          maxLength={roomLimits.promptCharacters}
          value={value.aiChatPrompt}
          onChange={(event) => onEdit({ aiChatPrompt: event.currentTarget.value })}
        />
      )}
    </Stack>
  );
}
