import { Anchor, Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  browserChecks,
  type DoctorFinding,
  type DoctorReport,
  type DoctorVerdict,
  doctorApi,
  doctorChecks,
  doctorLimits,
} from '@weir/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { StatusLabel, type Tone } from '../../components/ui/feedback/status-label.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { saveFile } from '../../lib/browser/save-file.ts';
import { paths, useLocalPath } from '../../lib/paths.ts';
import { environmentQuery } from '../../lib/queries/system-queries.ts';
import { type BrowserFinding, runBrowserTests } from './browser-tests.ts';
import classes from './check-panel.module.css';

type Finding = DoctorFinding | BrowserFinding;

const tones: Record<DoctorVerdict, Tone> = { ok: 'ok', warn: 'warn', bad: 'bad', skipped: 'off' };
const queryKey = ['doctor'];

/** Values of the sentence; which there are depends on the reason. */
function factsOf({ facts }: Finding): { zone: string; browserZone: string } {
  return { zone: '', browserZone: '', ...facts };
}

/** Examines the server from within and from the visitor's browser. */
export function CheckPanel() {
  const { t } = useTranslation();
  const { report, browser, isRunning, start } = useChecks();
  const [name, setName] = useState('');
  const isInvalid = name.trim() !== '' && !/^[a-z0-9.-]+$/i.test(name.trim());
  const findings = [...browser, ...(report?.findings ?? [])];
  const hasRun = report !== undefined && report.startedAt !== '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isInvalid) start(name.trim());
  };
  return (
    <Section
      anchor="check"
      title={t('doctor.title')}
      help={t('doctor.help')}
      state={<Verdict findings={findings} isRunning={isRunning} hasRun={hasRun} />}
    >
      <form className={classes.form} onSubmit={submit}>
        <TextInput
          className={classes.name}
          label={t('doctor.publicName')}
          description={t('doctor.publicNameHelp')}
          placeholder="live.example.com"
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={isInvalid && t('doctor.publicNameInvalid')}
        />
        <Button type="submit" loading={isRunning}>
          {hasRun ? t('doctor.again') : t('doctor.start')}
        </Button>
      </form>
      {hasRun && (
        <div className={classes.results}>
          <FindingList title={t('doctor.browser')} checks={browserChecks} findings={browser} isRunning={isRunning} />
          <FindingList
            title={t('doctor.server')}
            checks={doctorChecks}
            findings={report.findings}
            isRunning={isRunning}
          />
        </div>
      )}
      {hasRun && !isRunning && <Download report={report} findings={findings} />}
    </Section>
  );
}

function useChecks() {
  const queries = useQueryClient();
  const environment = useQuery(environmentQuery).data;
  const [browser, setBrowser] = useState<readonly BrowserFinding[]>([]);
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.call(doctorApi.query, {}, { signal }),
    refetchInterval: ({ state }) => (state.data?.isRunning ? doctorLimits.pollMs : false),
  });
  const run = useMutation({
    mutationFn: async (name: string) => {
      setBrowser([]);
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      const report = await client.call(doctorApi.run, { name, nowMs: Date.now(), zone: timeZone });
      queries.setQueryData(queryKey, report);
      const { rtcTicket } = report;
      await runBrowserTests({ httpsPort: environment?.httpsPort, rtcTicket }, (finding) =>
        setBrowser((before) => [...before, finding]),
      );
    },
  });
  return {
    report: query.data,
    browser,
    isRunning: run.isPending || query.data?.isRunning === true,
    start: run.mutate,
  };
}

interface VerdictProps {
  findings: readonly Finding[];
  isRunning: boolean;
  hasRun: boolean;
}

function Verdict({ findings, isRunning, hasRun }: VerdictProps) {
  const { t } = useTranslation();
  if (isRunning) return <StatusLabel tone="busy" word={t('doctor.running')} tinted />;
  if (!hasRun) return <StatusLabel tone="off" word={t('doctor.never')} tinted />;
  const wrong = findings.filter(({ verdict }) => verdict === 'bad' || verdict === 'warn');
  if (wrong.length === 0) return <StatusLabel tone="ok" word={t('doctor.allOk')} tinted />;
  const tone = wrong.some(({ verdict }) => verdict === 'bad') ? 'bad' : 'warn';
  return <StatusLabel tone={tone} word={t('doctor.problems', { count: wrong.length })} tinted />;
}

interface FindingListProps {
  title: string;
  checks: readonly Finding['check'][];
  findings: readonly Finding[];
  isRunning: boolean;
}

/** One row for each check, in a fixed order; those without a result yet are shown while they run. */
function FindingList({ title, checks, findings, isRunning }: FindingListProps) {
  const rows = checks.map((check) => ({ check, finding: findings.find((each) => each.check === check) }));
  const shown = isRunning ? rows : rows.filter(({ finding }) => finding);
  if (shown.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className={classes.heading}>{title}</h3>
      <ul className={classes.list}>
        {shown.map(({ check, finding }) => (
          <FindingRow key={check} check={check} finding={finding} />
        ))}
      </ul>
    </section>
  );
}

function FindingRow({ check, finding }: { check: Finding['check']; finding: Finding | undefined }) {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  const tab = finding && 'tab' in finding && finding.verdict !== 'ok' ? finding.tab : '';
  const command = finding && 'command' in finding ? finding.command : '';
  return (
    <li className={classes.row}>
      <div className={classes.head}>
        <span className={classes.check}>{t(`doctor.${check}.title`)}</span>
        {finding ? (
          <StatusLabel tone={tones[finding.verdict]} word={t(`doctor.verdict.${finding.verdict}`)} />
        ) : (
          <StatusLabel tone="busy" word={t('doctor.running')} />
        )}
      </div>
      {finding && (
        <p className={classes.text}>{t(`doctor.${finding.reason}` as 'doctor.zone.differs', factsOf(finding))}</p>
      )}
      {tab && (
        <Anchor component={Link} to={localPath(`${paths.settings}?tab=${tab}`)} size="sm">
          {t('doctor.open')}
        </Anchor>
      )}
      {command && <CopyField label={t('doctor.fix')} value={command} />}
    </li>
  );
}

function Download({ report, findings }: { report: DoctorReport; findings: readonly Finding[] }) {
  const { t } = useTranslation();
  const save = () => {
    const lines = findings.map((finding) => {
      const text = t(`doctor.${finding.reason}` as 'doctor.zone.differs', factsOf(finding));
      const command = 'command' in finding && finding.command !== '' ? `\n    ${finding.command}` : '';
      return `[${t(`doctor.verdict.${finding.verdict}`)}] ${t(`doctor.${finding.check}.title`)}: ${text}${command}`;
    });
    const head = `Weir ${report.version}, ${report.startedAt}`;
    saveFile(`weir-check-${report.startedAt.slice(0, 10)}.txt`, `${[head, '', ...lines].join('\n')}\n`);
  };
  return (
    <div className={classes.foot}>
      <Button variant="default" onClick={save}>
        {t('doctor.download')}
      </Button>
      <span className={classes.note}>{t('doctor.downloadHelp')}</span>
    </div>
  );
}
