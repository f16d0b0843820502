import { Tabs } from '@mantine/core';
import { type DubbingProject, dubbingApi } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PartTabs } from '../../../components/settings-form/part-tabs.tsx';
import { SettingsForm } from '../../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../../components/settings-form/use-settings-form.ts';
import { client } from '../../../lib/api.ts';
import { dubbingKey } from '../dubbing-queries.ts';
import { BasicPart } from './basic-part.tsx';
import {
  dubbingParts,
  type ProjectDraft,
  type ProjectProblem,
  type ProjectTab,
  projectProblem,
  toDraft,
  toDubbingChange,
} from './project-draft.ts';
import { StepPart } from './step-part.tsx';
import { usePrompts } from './use-prompts.ts';

const tabs = ['basic', ...dubbingParts] as const;

/** The settings of a project: in several tabs, and saved together. */
export function ProjectSettings({ project }: { project: DubbingProject }) {
  const { t } = useTranslation();
  const [tab, setTab] = useState<ProjectTab>('basic');
  const { translationFrom, rephrasing, isOurs } = usePrompts();
  const prompts = { trans: translationFrom(project.asr?.aiAsrLanguage ?? ''), rephrase: rephrasing };
  const form = useSettingsForm<ProjectDraft, ProjectProblem>({
    saved: toDraft(project, prompts),
    check: (draft) => {
      const found = projectProblem(draft, project);
      if (found) setTab(found.tab);
      return found;
    },
    save: (draft) => client.call(dubbingApi.update, { uuid: project.uuid, ...toDubbingChange(draft) }),
    // The mask of a new key is the server's to make.
    settle: (queries) => queries.invalidateQueries({ queryKey: dubbingKey }),
    done: t('helper.setOk'),
  });
  const { value, problem, edit } = form;
  const editStep = (part: (typeof dubbingParts)[number], change: Partial<ProjectDraft['asr']>) => {
    const language = part === 'asr' ? change.aiAsrLanguage : undefined;
    const follows = language !== undefined && isOurs(value.trans.aiChatPrompt);
    edit({
      [part]: { ...value[part], ...change },
      // Into which language follows from which is spoken, until somebody writes a prompt of their own.
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
              onCheck={() => projectProblem(value, project)?.tab !== part || form.check()}
            />
          </Tabs.Panel>
        ))}
      </PartTabs>
    </SettingsForm>
  );
}
