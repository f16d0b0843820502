import { Anchor, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  type componentsApi,
  type DataOf,
  type DataUsage,
  type Health,
  planeNames,
  type Status,
  type Tool,
} from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { daysLeft } from '../../../components/certificate-state.ts';
import { FeatureParts } from '../../../components/feature-parts.tsx';
import { LastExit } from '../../../components/processes/last-exit.tsx';
import { FactList } from '../../../components/ui/facts/fact-list.tsx';
import { type Freshness, StaleChip } from '../../../components/ui/feedback/stale-chip.tsx';
import { StatePill } from '../../../components/ui/feedback/state-pill.tsx';
import { StatusLabel, type Tone } from '../../../components/ui/feedback/status-label.tsx';
import { CopyField } from '../../../components/ui/fields/copy-field.tsx';
import { PageHead } from '../../../components/ui/layout/page-head.tsx';
import { Section } from '../../../components/ui/layout/section.tsx';
import { formatBytes, formatClock } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { paths, useLocalPath } from '../../../lib/paths.ts';
import { statusQuery } from '../../../lib/queries/system-queries.ts';
import { CertificateState, DiskState } from '../overview/parts-panel.tsx';
import { useServerState } from '../overview/use-server-state.ts';
import classes from './components-page.module.css';
import { componentsQuery } from './components-queries.ts';
import { PlaneCard } from './plane-card.tsx';

/** Version, processes, required programs and disk usage of the server. */
export function ComponentsPage() {
  const { t } = useTranslation();
  const status = useQuery(statusQuery);
  const components = useQuery(componentsQuery);
  const server = useServerState();
  const planes = components.data?.planes;
  return (
    <>
      <PageHead
        title={t('coms.title')}
        state={<StatePill tone={server.tone} word={server.word} />}
        purpose={t('coms.purpose')}
      />
      <div className={classes.panels}>
        <FeatureParts slot="serverPanels" props={{}} />
      </div>
      <div className={classes.columns}>
        <div className={classes.column}>
          {status.data ? <HostCard status={status.data} freshness={status} /> : <Skeleton height={206} radius="md" />}
          <FeatureParts slot="serverCards" props={{}} />
          {components.data?.planes.map((plane) => (
            <PlaneCard
              key={plane.name}
              plane={plane}
              failedWorkers={plane.name === 'engine' ? components.data.failedWorkers : []}
              freshness={components}
            />
          ))}
          {planes?.length === 0 && <Section title={t('coms.engine.title')}>{t('coms.noPlanes')}</Section>}
          {!planes && planeNames.map((name) => <Skeleton key={name} height={300} radius="md" />)}
        </div>
        <div className={classes.column}>
          {components.data && status.data ? (
            <StoragePanel use={components.data.dataUse} health={status.data.health} />
          ) : (
            <Skeleton height={410} radius="md" />
          )}
          {components.data ? <AiCard process={components.data.ai} /> : <Skeleton height={130} radius="md" />}
          {components.data ? <ToolsPanel tools={components.data.tools} /> : <Skeleton height={380} radius="md" />}
        </div>
      </div>
    </>
  );
}

function HostCard({ status, freshness }: { status: Status; freshness: Freshness }) {
  const { t } = useTranslation();
  const { version, stable, latest } = status;
  return (
    <Section title={t('coms.host')} help={t('coms.hostHelp')} state={<StaleChip {...freshness} />}>
      <FactList
        facts={[
          { term: t('coms.version'), value: version },
          { term: t('coms.stable'), value: stable },
          { term: t('coms.latest'), value: <Latest version={latest} /> },
        ]}
      />
      <Text size="sm" c="dimmed" mt="md">
        {version === latest ? t('coms.current') : t('coms.newer', { version: latest })}
      </Text>
    </Section>
  );
}

/** The change log is part of the console, so no other site is asked. */
function Latest({ version }: { version: string }) {
  const { t } = useTranslation();
  return (
    <>
      {version}{' '}
      <Anchor inherit href={`${import.meta.env.BASE_URL}changelog.txt`} target="_blank" rel="noopener noreferrer">
        {t('coms.changes')}
      </Anchor>
    </>
  );
}

type AiProcess = DataOf<typeof componentsApi.query>['ai'];

/** Process of built-in AI, which runs only on demand. */
function AiCard({ process }: { process: AiProcess }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const localPath = useLocalPath();
  const { pid, memoryBytes, starts, lastExit, installed } = process;
  const { tone, word } = describeState(process);
  return (
    <Section
      anchor="ai"
      title={t('coms.ai.title')}
      help={t('coms.ai.help')}
      state={<StatusLabel tone={tone} word={t(word)} tinted />}
    >
      {installed && (
        <FactList
          facts={[
            { term: t('coms.pid'), value: pid || '–' },
            { term: t('coms.memory'), value: memoryBytes === null ? '–' : formatBytes(memoryBytes, locale) },
            { term: t('coms.ai.starts'), value: starts },
            { term: t('process.exit.label'), value: <LastExit exit={lastExit} /> },
          ]}
        />
      )}
      <Anchor
        component={Link}
        to={localPath(`${paths.settings}?tab=llm`)}
        size="sm"
        mt={installed ? 'md' : 0}
        display="inline-block"
      >
        {t('ai.settings')}
      </Anchor>
    </Section>
  );
}

function describeState({ phase, installed }: AiProcess) {
  if (!installed) return { tone: 'off' as Tone, word: 'coms.ai.absent' as const };
  return states[phase];
}

const states = {
  running: { tone: 'ok', word: 'coms.running' },
  starting: { tone: 'busy', word: 'coms.ai.starting' },
  stopped: { tone: 'off', word: 'coms.ai.idle' },
  'backing-off': { tone: 'bad', word: 'coms.ai.failing' },
} as const satisfies Record<AiProcess['phase'], { tone: Tone; word: string }>;

function StoragePanel({ use, health }: { use: DataUsage; health: Health }) {
  const { t } = useTranslation();
  const locale = useLocale();
  return (
    <Section anchor="storage" title={t('coms.storage')} help={t('coms.storageHelp')}>
      <FactList
        facts={[
          { term: t('coms.store'), value: formatBytes(use.storeBytes, locale) },
          { term: t('coms.dataUse'), value: <UseFacts use={use} /> },
          { term: t('coms.disk'), value: <DiskState disk={health.disk} /> },
          { term: t('coms.certificate'), value: <CertificateFacts certificate={health.certificate} /> },
        ]}
      />
    </Section>
  );
}

function UseFacts({ use }: { use: DataUsage }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const size = formatBytes(use.bytes, locale);
  return (
    <>
      {use.atLeast ? t('coms.atLeast', { size }) : size}
      <Text size="sm" c="dimmed">
        {use.path}, {t('coms.measured', { time: formatClock(new Date(use.measuredAt)) })}
      </Text>
      <ul className={classes.largest} aria-label={t('coms.largest')}>
        {use.largest.map(({ name, bytes }) => (
          <li key={name}>
            <span className={classes.file}>{name}</span>
            <span>{formatBytes(bytes, locale)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function CertificateFacts({ certificate }: { certificate: Health['certificate'] }) {
  const { t } = useTranslation();
  const days = certificate ? daysLeft(certificate.expireAt, Date.now()) : 0;
  return (
    <>
      {days > 0 && <Text size="sm">{t('coms.days', { count: days })}</Text>}
      <CertificateState certificate={certificate} />
    </>
  );
}

/** Debian packages; Node.js comes with Weir. */
const installCommands = {
  ffmpeg: 'sudo apt-get install ffmpeg',
  libsrt: 'sudo apt-get install libsrt1.5-gnutls',
  'yt-dlp': 'sudo apt-get install yt-dlp',
} as const;

function ToolsPanel({ tools }: { tools: readonly Tool[] }) {
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
