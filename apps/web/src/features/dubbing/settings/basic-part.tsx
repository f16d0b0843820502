import { NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { type DubbingProject, dubbingLimits } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { FactList } from '../../../components/ui/facts/fact-list.tsx';
import { Notice } from '../../../components/ui/feedback/notice.tsx';
import { formatDuration } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import type { ProjectDraft, ProjectProblem } from './project-draft.ts';

interface BasicPartProps {
  project: DubbingProject;
  value: ProjectDraft;
  edit: (change: Partial<ProjectDraft>) => void;
  problem: Extract<ProjectProblem, { tab: 'basic' }> | undefined;
}

/** How a project is called, what is known of its film and heard of it, and how terms are translated. */
export function BasicPart({ project, value, edit, problem }: BasicPartProps) {
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
  const picture =
    video && [video.codec_name, video.profile, `${video.width}×${video.height}`].filter(Boolean).join(' ');
  const sound = audio && `${audio.codec_name} ${audio.sample_rate} Hz, ${audio.channels} ch`;
  return (
    <>
      {source === '' && <Notice tone="bad" title={t('dubbing.setting.gone')} />}
      <FactList
        facts={[
          { term: t('dubbing.setting.file'), value: filepath },
          { term: t('dubbing.setting.duration'), value: formatDuration(format?.duration ?? 0, locale) },
          { term: t('dubbing.setting.video'), value: picture ?? t('dubbing.setting.none') },
          { term: t('dubbing.setting.audio'), value: sound ?? t('dubbing.setting.none') },
        ]}
      />
    </>
  );
}
