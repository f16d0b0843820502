import { useQuery } from '@tanstack/react-query';
import { doctorApi, type FirstStep, firstSteps } from '@weir/contract';
import { useState } from 'react';
import { client } from '../../lib/api.ts';
import { readStorage, storageKeys, writeStorage } from '../../lib/browser/browser-storage.ts';
import { environmentQuery, statusQuery } from '../../lib/queries/system-queries.ts';

/** Steps that prepare the server, before the first stream. */
export const setUpSteps = ['password', 'check', 'https'] as const;
export type SetUpStep = (typeof setUpSteps)[number];
type StartStep = SetUpStep | FirstStep;

const allSteps: readonly StartStep[] = [...setUpSteps, ...firstSteps];

export interface StartSteps {
  readonly states: Readonly<Record<StartStep, 'done' | 'skipped' | 'open'>>;
  /** First open step; undefined if none is left. */
  readonly next: StartStep | undefined;
  readonly count: { readonly done: number; readonly all: number };
  readonly skip: (step: StartStep) => void;
}

/** Steps from a new server to people watching. Skipped ones are remembered by the browser. */
export function useStartSteps(): StartSteps {
  const status = useQuery(statusQuery).data;
  const environment = useQuery(environmentQuery).data;
  const checked = useQuery({
    queryKey: ['doctor'],
    queryFn: ({ signal }) => client.call(doctorApi.query, {}, { signal }),
    meta: { quiet: true },
  }).data;
  const [skipped, setSkipped] = useState(() => (readStorage(storageKeys.skippedSteps) ?? '').split(','));
  const certificate = status?.health.certificate;
  // Without a port of its own, HTTPS is managed in front of this server.
  const isTrusted = certificate ? certificate.subject !== certificate.issuer : environment?.httpsPort === '';
  const isDone = (step: StartStep): boolean => {
    // Signing in needs a password, so it is always set here.
    if (step === 'password') return true;
    if (step === 'check') return (checked?.startedAt ?? '') !== '';
    if (step === 'https') return isTrusted;
    return status?.steps?.[step] ?? false;
  };
  const stateOf = (step: StartStep) => (isDone(step) ? 'done' : skipped.includes(step) ? 'skipped' : 'open');
  const states = Object.fromEntries(allSteps.map((step) => [step, stateOf(step)])) as StartSteps['states'];
  return {
    states,
    next: allSteps.find((step) => states[step] === 'open'),
    count: { done: allSteps.filter((step) => states[step] === 'done').length, all: allSteps.length },
    skip: (step) => {
      const all = [...skipped.filter((each) => each !== ''), step];
      writeStorage(storageKeys.skippedSteps, all.join(','));
      setSkipped(all);
    },
  };
}
