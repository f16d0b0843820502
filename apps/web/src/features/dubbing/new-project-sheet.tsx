import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type DubbingProject, dubbingApi, dubbingLimits, type Source } from '@weir/contract';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LanguageSelect } from '../../components/ai/language-select.tsx';
import { SourcePicker } from '../../components/sources/source-picker.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { SideSheet } from '../../components/ui/layout/side-sheet.tsx';
import { client } from '../../lib/api.ts';
import { useLocale } from '../../lib/i18n.ts';
import { dubbingKey } from './dubbing-queries.ts';
import { refusalText } from './refusal-text.ts';
import { usePrompts } from './use-prompts.ts';

interface NewProjectSheetProps {
  opened: boolean;
  onClose: () => void;
  onMade: (project: DubbingProject) => void;
}

/** The video first, then its title and language. */
export function NewProjectSheet({ opened, onClose, onMade }: NewProjectSheetProps) {
  const { t } = useTranslation();
  const formId = useId();
  const form = useNewProject(onMade);
  const { problem } = form;
  return (
    <SideSheet
      opened={opened}
      onClose={onClose}
      title={t('dubbing.create.title')}
      footer={
        <>
          <Button type="submit" form={formId} loading={form.isCreating}>
            {t('dubbing.create.action')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('helper.cancel')}
          </Button>
        </>
      }
    >
      <Stack gap="lg" data-key="1">
        <SourcePicker
          label={t('dubbing.create.sourceLabel')}
          help={t('dubbing.create.source')}
          problem={problem === 'file' ? t('dubbing.create.noFile') : undefined}
          files={form.files}
          onChange={form.chooseFiles}
          choose={async (refs) => (await client.call(dubbingApi.source, { files: [...refs] })).files}
          onChosen={form.chooseFiles}
          hasStreams={false}
          isSingle
        />
        <form id={formId} onSubmit={form.submit} noValidate>
          <Stack gap="md">
            <TextInput
              size="md"
              label={t('dubbing.create.name')}
              maxLength={dubbingLimits.titleCharacters}
              autoComplete="off"
              value={form.title}
              error={problem === 'title' && t('dubbing.create.nameMissing')}
              onChange={(event) => form.setTitle(event.currentTarget.value)}
            />
            <LanguageSelect
              label={t('dubbing.create.language')}
              help={t('dubbing.create.languageHelp')}
              none={t('dubbing.create.languageAuto')}
              value={form.language}
              onChange={form.setLanguage}
            />
            {form.refused && <Notice tone="bad" title={form.refused} />}
          </Stack>
        </form>
      </Stack>
    </SideSheet>
  );
}

function useNewProject(onMade: (project: DubbingProject) => void) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { translationFrom, rephrasing } = usePrompts();
  const [title, setTitle] = useState(t('dubbing.create.example'));
  const [language, setLanguage] = useState<string>(useLocale());
  const [files, setFiles] = useState<readonly Source[]>([]);
  const [problem, setProblem] = useState<'title' | 'file'>();
  const create = useMutation({
    mutationFn: async () => {
      const { uuid } = await client.call(dubbingApi.create, { title: title.trim(), files: [...files] });
      return client.call(dubbingApi.update, {
        uuid,
        asr: { aiAsrLanguage: language, aiAsrPrompt: 'user-only' },
        trans: { aiChatPrompt: translationFrom(language) },
        rephrase: { aiChatPrompt: rephrasing },
      });
    },
    onSuccess: async (project) => {
      await queries.invalidateQueries({ queryKey: dubbingKey });
      onMade(project);
    },
    meta: { handles: (error) => refusalText(t, error) !== undefined },
  });
  return {
    title,
    language,
    files,
    problem,
    setLanguage,
    isCreating: create.isPending,
    refused: refusalText(t, create.error),
    setTitle: (next: string) => {
      setTitle(next);
      setProblem(undefined);
    },
    chooseFiles: (chosen: readonly Source[]) => {
      setFiles(chosen);
      setProblem(undefined);
      create.reset();
    },
    submit: (event: FormEvent) => {
      event.preventDefault();
      const found = title.trim() === '' ? 'title' : files.length === 0 ? 'file' : undefined;
      setProblem(found);
      if (!found && !create.isPending) create.mutate();
    },
  };
}
