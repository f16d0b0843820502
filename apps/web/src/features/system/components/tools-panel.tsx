import { Text } from '@mantine/core';
import type { Tool } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { StatusLabel, type Tone } from '../../../components/ui/feedback/status-label.tsx';
import { CopyField } from '../../../components/ui/fields/copy-field.tsx';
import { Section } from '../../../components/ui/layout/section.tsx';
import classes from './tools-panel.module.css';

/** Debian packages; Node.js comes with Weir. */
const installCommands = {
  ffmpeg: 'sudo apt-get install ffmpeg',
  libsrt: 'sudo apt-get install libsrt1.5-gnutls',
  'yt-dlp': 'sudo apt-get install yt-dlp',
} as const;

export function ToolsPanel({ tools }: { tools: readonly Tool[] }) {
  const { t } = useTranslation();
  return (
    <Section anchor="tools" title={t('coms.tools')} help={t('coms.toolsHelp')}>
      <ul className={classes.tools}>
        {tools.map((tool) => (
          <ToolRow key={tool.name} tool={tool} />
        ))}
      </ul>
    </Section>
  );
}

function ToolRow({ tool }: { tool: Tool }) {
  const { t } = useTranslation();
  const { name, state, version, lacks } = tool;
  const { tone, word } = describeToolState(tool);
  return (
    <li className={classes.tool}>
      <div className={classes.head}>
        <span className={classes.name}>
          {t(`coms.tool.${name}.name`)} {version}
        </span>
        <StatusLabel tone={tone} word={t(word)} />
      </div>
      <Text size="sm" c="dimmed">
        {t(`coms.tool.${name}.enables`)}
      </Text>
      {lacks.map((encoder) => (
        <Text key={encoder} size="sm" mt={4}>
          {t(`coms.lacks.${encoder}`)}
        </Text>
      ))}
      {state === 'missing' && name !== 'node' && (
        <>
          <Text size="sm" mt={4} mb="xs">
            {t(`coms.tool.${name}.without`)}
          </Text>
          <CopyField label={t('coms.install')} value={installCommands[name]} />
        </>
      )}
    </li>
  );
}

function describeToolState({ state, lacks }: Tool) {
  if (state === 'missing') return { tone: 'warn', word: 'coms.missing' } as const;
  if (state === 'unknown') return { tone: 'off', word: 'coms.unknown' } as const;
  if (lacks.length > 0) return { tone: 'warn', word: 'coms.incomplete' } as const;
  return { tone: 'ok' satisfies Tone, word: 'coms.there' } as const;
}
