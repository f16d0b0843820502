import { Checkbox, NativeSelect, Stack, Tabs, Textarea, TextInput } from '@mantine/core';
import {
  type AiCapability,
  DubbingAssistant,
  type DubbingChange,
  type DubbingProject,
  dubbingApi,
  dubbingLimits,
  roomLimits,
} from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LanguageSelect } from '../../components/ai/language-select.tsx';
import { ModelField, VoiceField } from '../../components/ai/model-field.tsx';
import { ProviderPart } from '../../components/ai/provider/provider-part.tsx';
import {
  hasOwnProvider,
  type ProviderFacts,
  type ProviderProblem,
  providerProblem,
} from '../../components/ai/provider/provider-problem.ts';
import { PartTabs } from '../../components/settings-form/part-tabs.tsx';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { useTracksText } from '../../components/sources/probe-text.ts';
import { FactList } from '../../components/ui/facts/fact-list.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { client } from '../../lib/api.ts';
import { formatDuration } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { dubbingKey } from './dubbing-queries.ts';
import { usePrompts } from './use-prompts.ts';

const dubbingParts = ['asr', 'trans', 'rephrase', 'tts'] as const;
type DubbingPart = (typeof dubbingParts)[number];
type ProjectTab = 'basic' | DubbingPart;

interface ProjectDraft extends Record<DubbingPart, DubbingAssistant> {
  readonly title: string;
  readonly background: DubbingProject['background'];
  /** Lines of `original = translation`. */
  readonly glossary: string;
}

type ProjectProblem =
  | { readonly tab: 'basic'; readonly field: 'title' }
  | { readonly tab: 'basic'; readonly field: 'glossary'; readonly line: number }
  | { readonly tab: DubbingPart; readonly provider: ProviderProblem };

const blank = DubbingAssistant.parse({});

function toDraft(project: DubbingProject, prompts: { trans: string; rephrase: string }): ProjectDraft {
  const { title, background, glossary } = project;
  const [asr, trans, rephrase, tts] = dubbingParts.map((part) => project[part] ?? blank);
  return {
    title,
    background,
    asr: asr ?? blank,
    tts: tts ?? blank,
    trans: { ...(trans ?? blank), aiChatPrompt: trans?.aiChatPrompt || prompts.trans },
    rephrase: { ...(rephrase ?? blank), aiChatPrompt: rephrase?.aiChatPrompt || prompts.rephrase },
    glossary: glossary.map(({ source, target }) => `${source} = ${target}`).join('\n'),
  };
}

function toProviderFacts({ aiSecretKey, aiBaseURL, aiOrganization }: DubbingAssistant): ProviderFacts {
  return { secretKey: aiSecretKey, baseURL: aiBaseURL, organization: aiOrganization };
}

/** Maps changed provider fields to those of the assistant. */
function toAssistantChange({ secretKey, baseURL, organization }: Partial<ProviderFacts>): Partial<DubbingAssistant> {
  return {
    ...(secretKey !== undefined && { aiSecretKey: secretKey }),
    ...(baseURL !== undefined && { aiBaseURL: baseURL }),
    ...(organization !== undefined && { aiOrganization: organization }),
  };
}

/** The update must carry the settings of all steps. */
function toDubbingChange(draft: ProjectDraft): DubbingChange {
  const { title, background, glossary } = draft;
  const sent = (part: DubbingPart) => ({ ...draft[part], aiProvider: 'openai', aiAsrPrompt: 'user-only' });
  return {
    title: title.trim(),
    background,
    glossary: parseGlossary(glossary).map(({ term }) => term),
    asr: sent('asr'),
    trans: sent('trans'),
    rephrase: sent('rephrase'),
    tts: sent('tts'),
  };
}

function findProjectProblem(draft: ProjectDraft, saved: DubbingProject): ProjectProblem | undefined {
  if (draft.title.trim() === '') return { tab: 'basic', field: 'title' };
  const lines = parseGlossary(draft.glossary);
  const wrong = lines.find(({ term }, place) => !isTerm(term) || place >= dubbingLimits.glossaryLines);
  if (wrong) return { tab: 'basic', field: 'glossary', line: wrong.line };
  for (const tab of dubbingParts) {
    const facts = toProviderFacts(draft[tab]);
    const provider = hasOwnProvider(facts) ? providerProblem(facts, toProviderFacts(saved[tab] ?? blank)) : undefined;
    if (provider) return { tab, provider };
  }
  return undefined;
}

/** Splits each line at its first equals sign; skips empty lines. */
function parseGlossary(glossary: string) {
  return glossary
    .split('\n')
    .map((text, index) => ({ text, line: index + 1 }))
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, line }) => {
      const [source = '', ...rest] = text.split('=');
      return { line, term: { source: source.trim(), target: rest.join('=').trim() } };
    });
}

function isTerm(term: { source: string; target: string }): boolean {
  return [term.source, term.target].every((word) => word !== '' && word.length <= dubbingLimits.glossaryCharacters);
}

const tabs = ['basic', ...dubbingParts] as const;

export function ProjectSettings({ project }: { project: DubbingProject }) {
  const { t } = useTranslation();
  const [tab, setTab] = useState<ProjectTab>('basic');
  const { translationFrom, rephrasing, isOurs } = usePrompts();
  const prompts = { trans: translationFrom(project.asr?.aiAsrLanguage ?? ''), rephrase: rephrasing };
  const form = useSettingsForm<ProjectDraft, ProjectProblem>({
    saved: toDraft(project, prompts),
    check: (draft) => {
      const found = findProjectProblem(draft, project);
      if (found) setTab(found.tab);
      return found;
    },
    save: (draft) => client.call(dubbingApi.update, { uuid: project.uuid, ...toDubbingChange(draft) }),
    // The server masks a new key, so the project must be read again.
    refresh: (queries) => queries.invalidateQueries({ queryKey: dubbingKey }),
    done: t('helper.setOk'),
  });
  const { value, problem, edit } = form;
  const editStep = (part: (typeof dubbingParts)[number], change: Partial<ProjectDraft['asr']>) => {
    const language = part === 'asr' ? change.aiAsrLanguage : undefined;
    const follows = language !== undefined && isOurs(value.trans.aiChatPrompt);
    edit({
      [part]: { ...value[part], ...change },
      // A default prompt follows the spoken language; a prompt of the owner's stays.
      ...(follows && { trans: { ...value.trans, aiChatPrompt: translationFrom(language) } }),
    });
  };
  return (
    <SettingsForm form={form}>
      <PartTabs tab={tab} onTab={setTab} parts={tabs.map((one) => ({ tab: one, word: t(`dubbing.setting.${one}`) }))}>
        <Tabs.Panel value="basic">
          <BasicPart
            project={project}
            value={value}
            edit={edit}
            problem={problem?.tab === 'basic' ? problem : undefined}
          />
        </Tabs.Panel>
        {dubbingParts.map((part) => (
          <Tabs.Panel key={part} value={part}>
            <StepPart
              {...{ part, value: value[part], onEdit: (change) => editStep(part, change) }}
              language={value.asr.aiAsrLanguage}
              problem={problem?.tab === part ? problem.provider : undefined}
              onCheck={() => findProjectProblem(value, project)?.tab !== part || form.check()}
            />
          </Tabs.Panel>
        ))}
      </PartTabs>
    </SettingsForm>
  );
}

interface BasicPartProps {
  project: DubbingProject;
  value: ProjectDraft;
  edit: (change: Partial<ProjectDraft>) => void;
  problem: Extract<ProjectProblem, { tab: 'basic' }> | undefined;
}

function BasicPart({ project, value, edit, problem }: BasicPartProps) {
  const { t } = useTranslation();
  const glossaryProblem =
    problem?.field === 'glossary' &&
    t('dubbing.setting.glossaryWrong', { line: problem.line, most: dubbingLimits.glossaryCharacters });
  return (
    <Stack gap="md" maw={560}>
      <TextInput
        size="md"
        label={t('dubbing.create.name')}
        maxLength={dubbingLimits.titleCharacters}
        autoComplete="off"
        value={value.title}
        error={problem?.field === 'title' && t('dubbing.create.nameMissing')}
        onChange={(event) => edit({ title: event.currentTarget.value })}
      />
      <SourceFacts project={project} />
      <NativeSelect
        size="md"
        label={t('dubbing.setting.background')}
        description={t('dubbing.setting.backgroundHelp')}
        data={[
          { value: 'off', label: t('dubbing.setting.backgroundOff') },
          { value: 'ducked', label: t('dubbing.setting.backgroundDucked') },
        ]}
        value={value.background}
        onChange={(event) => edit({ background: event.currentTarget.value === 'ducked' ? 'ducked' : 'off' })}
      />
      <Textarea
        size="md"
        rows={5}
        label={t('dubbing.setting.glossary')}
        description={t('dubbing.setting.glossaryHelp', { most: dubbingLimits.glossaryLines })}
        placeholder={t('dubbing.setting.glossaryExample')}
        spellCheck={false}
        value={value.glossary}
        error={glossaryProblem}
        onChange={(event) => edit({ glossary: event.currentTarget.value })}
      />
    </Stack>
  );
}

function SourceFacts({ project: { filepath, format, video, audio, source } }: { project: DubbingProject }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const tracksOf = useTracksText();
  return (
    <>
      {source === '' && <Notice tone="bad" title={t('dubbing.setting.gone')} />}
      <FactList
        facts={[
          { term: t('dubbing.setting.file'), value: filepath },
          { term: t('dubbing.setting.duration'), value: formatDuration(format?.duration ?? 0, locale) },
          { term: t('dubbing.setting.tracks'), value: tracksOf({ video, audio }) },
        ]}
      />
    </>
  );
}

/** Assistant fields of each step, and the AI capability it needs. */
const steps = {
  asr: { need: 'transcribe', isOn: 'aiAsrEnabled', model: 'aiAsrModel', word: 'asrOn', help: 'asrOnHelp' },
  trans: { need: 'chat', isOn: 'aiChatEnabled', model: 'aiChatModel', word: 'transOn', help: 'transOnHelp' },
  rephrase: { need: 'chat', isOn: 'aiChatEnabled', model: 'aiChatModel', word: 'rephraseOn', help: 'rephraseOnHelp' },
  tts: { need: 'speak', isOn: 'aiTtsEnabled', model: 'aiTtsModel', word: 'ttsOn', help: 'ttsOnHelp' },
} as const satisfies Record<
  DubbingPart,
  { need: AiCapability; isOn: string; model: string; word: string; help: string }
>;

interface StepPartProps {
  part: DubbingPart;
  value: DubbingAssistant;
  onEdit: (change: Partial<DubbingAssistant>) => void;
  /** Language spoken in the video. */
  language: string;
  problem: ProviderProblem | undefined;
  onCheck: () => boolean;
}

function StepPart({ part, value, onEdit, language, problem, onCheck }: StepPartProps) {
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
