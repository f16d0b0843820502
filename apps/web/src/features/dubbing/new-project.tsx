import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type DubbingProject, dubbingApi, dubbingLimits, type Source } from '@weir/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LanguageSelect } from '../../components/ai/language-select.tsx';
import { SourcePicker } from '../../components/sources/source-picker.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { client } from '../../lib/api.ts';
import { useLocale } from '../../lib/i18n.ts';
import { dubbingKey } from './dubbing-queries.ts';
import { refusalText } from './refusal-text.ts';
import { usePrompts } from './settings/use-prompts.ts';

/** Makes a project of one film. */
export function NewProject({ onMade }: { onMade: (project: DubbingProject) => void }) {
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
  const refused = refusalText(t, create.error);
  const take = (chosen: readonly Source[]) => {
    setFiles(chosen);
    setProblem(undefined);
    create.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = title.trim() === '' ? 'title' : files.length === 0 ? 'file' : undefined;
    setProblem(found);
    if (!found && !create.isPending) create.mutate();
  };
  return (
    <Stack gap="md" maw={760}>
      <SourcePicker
        label={t('dubbing.create.sourceLabel')}
        help={t('dubbing.create.source')}
        problem={problem === 'file' ? t('dubbing.create.noFile') : undefined}
        files={files}
        onChange={take}
        choose={async (refs) => (await client.call(dubbingApi.source, { files: [...refs] })).files}
        onChosen={take}
        hasStreams={false}
        isSingle
      />
      <form onSubmit={submit} noValidate>
        <Stack gap="md" maw={560}>
          <TextInput
            size="md"
            label={t('dubbing.create.name')}
            maxLength={dubbingLimits.titleCharacters}
            autoComplete="off"
            value={title}
            error={problem === 'title' && t('dubbing.create.nameMissing')}
            onChange={(event) => {
              setTitle(event.currentTarget.value);
              setProblem(undefined);
            }}
          />
          <LanguageSelect
            label={t('dubbing.create.language')}
            help={t('dubbing.create.languageHelp')}
            none={t('dubbing.create.languageAuto')}
            value={language}
            onChange={setLanguage}
          />
          {refused && <Notice tone="bad" title={refused} />}
          <Group>
            <Button type="submit" loading={create.isPending}>
              {t('dubbing.create.action')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Stack>
  );
}
