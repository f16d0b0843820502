import type { FirstStep } from '@weir/contract';
import type { ReactNode } from 'react';

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
export function StepPicture({ step }: { step: FirstStep }) {
  return (
    <svg viewBox="0 0 260 120" aria-hidden="true">
      {pictures[step]}
    </svg>
  );
}
