import { Button, Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FirstStep, firstSteps } from '@weir/contract';
import { streamLabel } from '@weir/streams';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { streamPath } from '../../components/streams/stream-link.tsx';
import { streamsQuery } from '../../components/streams/streams-queries.ts';
import { useStreamAddresses } from '../../components/streams/use-stream-addresses.ts';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { PageHead } from '../../components/ui/layout/page-head.tsx';
import { paths, useLocalPath } from '../../lib/paths.ts';
import { SetUpList } from './set-up-list.tsx';
import classes from './start-tab.module.css';
import { setUpSteps, useStartSteps } from './use-start-steps.ts';

/** Tab for each step. */
const tabs: Readonly<Record<FirstStep, string>> = {
  published: 'live',
  watched: 'live',
  forwarded: 'forward',
  recorded: 'record',
};

/** Steps from a new server to people watching. */
export function StartTab() {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  const steps = useStartSteps();
  const { states, next, count, skip } = steps;
  return (
    <>
      <PageHead
        title={t('start.title')}
        purpose={t('start.help')}
        action={
          <Button component={Link} to={localPath(`${paths.scenario}?tab=overview`)} variant="default">
            {next === undefined ? t('start.finish') : t('start.skipAll')}
          </Button>
        }
      />
      <div className={classes.progress}>
        <span role="status">{t('start.progress', count)}</span>
        <Progress value={(100 * count.done) / count.all} size="sm" aria-label={t('start.title')} />
      </div>
      <OnAir />
      <SetUpList {...steps} />
      <ol className={classes.steps} start={setUpSteps.length + 1}>
        {firstSteps.map((step, index) => (
          <Step
            key={step}
            step={step}
            number={setUpSteps.length + index + 1}
            state={states[step]}
            isNext={step === next}
            onSkip={() => skip(step)}
          />
        ))}
      </ol>
    </>
  );
}

/** The goal: the first stream, as soon as it is live. */
function OnAir() {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  const stream = useQuery(streamsQuery).data?.streams[0];
  if (!stream) return null;
  return (
    <div className={classes.onAir}>
      <Notice tone="ok" title={t('start.onAir', { stream: streamLabel(stream) })}>
        <Button component={Link} to={localPath(streamPath(stream))} size="xs" mt={8}>
          {t('start.openStream')}
        </Button>
      </Notice>
    </div>
  );
}

interface StepProps {
  step: FirstStep;
  number: number;
  state: 'done' | 'skipped' | 'open';
  isNext: boolean;
  onSkip: () => void;
}

function Step({ step, number, state, isNext, onSkip }: StepProps) {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  return (
    <li className={classes.step} data-next={isNext || undefined} aria-current={isNext ? 'step' : undefined}>
      <div className={classes.picture}>
        <StepPicture step={step} />
      </div>
      <div className={classes.body}>
        <h2 className={classes.title}>
          <span className={classes.number} aria-hidden="true">
            {number}
          </span>
          {t(`start.${step}.title`)}
        </h2>
        <p>{t(`start.${step}.text`)}</p>
        {state === 'done' ? (
          <StatusLabel tone="ok" word={t('start.done')} />
        ) : (
          <>
            {step === 'published' && <PublishFields />}
            <Actions>
              <Button
                component={Link}
                to={localPath(`${paths.scenario}?tab=${tabs[step]}`)}
                variant={isNext ? 'filled' : 'default'}
                size="xs"
              >
                {t(`start.${step}.go`)}
              </Button>
              {step === 'published' && (
                <>
                  <Button component={Link} to={localPath(`${paths.scenario}?tab=camera`)} variant="default" size="xs">
                    {t('start.published.camera')}
                  </Button>
                  <StatusLabel tone="busy" word={t('start.published.waiting')} />
                </>
              )}
              {state === 'open' ? (
                <Button
                  variant="subtle"
                  size="xs"
                  aria-label={t('start.skipStep', { step: t(`start.${step}.title`) })}
                  onClick={onSkip}
                >
                  {t('start.skip')}
                </Button>
              ) : (
                <StatusLabel tone="off" word={t('start.skipped')} />
              )}
            </Actions>
          </>
        )}
      </div>
    </li>
  );
}

function Actions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>;
}

/** The two values that every encoder asks for. */
function PublishFields() {
  const { t } = useTranslation();
  const addresses = useStreamAddresses();
  if (!addresses) return null;
  return (
    <div className={classes.fields}>
      <CopyField label={t('settings.publishServer')} value={addresses.rtmpServer} />
      <CopyField label={t('settings.publishKey')} value={addresses.rtmpStreamKey} isSecret />
    </div>
  );
}

const line = 'var(--weir-chart-1)';
const paper = 'var(--weir-surface)';

const pictures: Readonly<Record<FirstStep, ReactNode>> = {
  // A camera that sends.
  published: (
    <>
      <rect x="52" y="34" width="104" height="64" rx="10" fill={paper} stroke={line} strokeWidth="2.5" />
      <path d="m156 56 34-16v52l-34-16z" fill={paper} stroke={line} strokeWidth="2.5" strokeLinejoin="round" />
      <circle cx="90" cy="66" r="17" fill={line} />
      <circle cx="90" cy="66" r="7" fill={paper} />
      <circle cx="136" cy="50" r="5" fill="var(--weir-dot-bad)" />
      <path
        d="M204 48q12 18 0 36M216 38q20 28 0 56"
        fill="none"
        stroke={line}
        strokeWidth="2.5"
        strokeLinecap="round"
      />
    </>
  ),
  // A player and a phone.
  watched: (
    <>
      <rect x="40" y="22" width="136" height="80" rx="8" fill={paper} stroke={line} strokeWidth="2.5" />
      <path d="m98 46 26 16-26 16z" fill={line} />
      <path d="M54 90h108" stroke="var(--weir-line)" strokeWidth="4" strokeLinecap="round" />
      <path d="M54 90h48" stroke={line} strokeWidth="4" strokeLinecap="round" />
      <rect x="190" y="38" width="34" height="64" rx="7" fill={paper} stroke={line} strokeWidth="2.5" />
      <path d="m202 60 13 9-13 9z" fill={line} />
    </>
  ),
  // One stream that goes to three places.
  forwarded: (
    <>
      <path
        d="M80 60h44c20 0 20-32 46-32M124 60h46M124 60c20 0 20 32 46 32"
        fill="none"
        stroke={line}
        strokeWidth="2.5"
      />
      <rect x="40" y="40" width="40" height="40" rx="9" fill={line} />
      <path d="m54 50 16 10-16 10z" fill={paper} />
      <rect x="172" y="14" width="28" height="28" rx="7" fill="#d9302a" />
      <rect x="172" y="46" width="28" height="28" rx="7" fill="#7b4bd6" />
      <rect x="172" y="78" width="28" height="28" rx="7" fill="#51636b" />
    </>
  ),
  // A waveform that is being recorded.
  recorded: (
    <>
      <rect x="36" y="22" width="188" height="76" rx="8" fill={paper} stroke="var(--weir-line)" strokeWidth="2" />
      <circle cx="62" cy="60" r="13" fill="none" stroke="var(--weir-dot-bad)" strokeWidth="3" />
      <circle cx="62" cy="60" r="6" fill="var(--weir-dot-bad)" />
      <path
        d="M90 60q5-20 10 0t10 0 10-14 10 14 10 12 10-22 10 10 10 0 10-6 10 6 10 0"
        fill="none"
        stroke={line}
        strokeWidth="2.5"
      />
    </>
  ),
};

/** Drawing of a step; its title says the same. */
function StepPicture({ step }: { step: FirstStep }) {
  return (
    <svg viewBox="0 0 260 120" aria-hidden="true">
      {pictures[step]}
    </svg>
  );
}
