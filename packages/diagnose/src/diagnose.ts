import type { Diagnosis, Issue } from '@weir/contract';
import type { SampleTable, ServerSampleField, StreamSampleField } from '@weir/streams';
import type { ServerFacts, StreamFacts } from './facts.ts';
import type { Rule } from './rule.ts';
import { inputRules } from './rules/input-rules.ts';
import { machineRules } from './rules/machine-rules.ts';
import { publisherRules } from './rules/publisher-rules.ts';
import { reachRules } from './rules/reach-rules.ts';
import { trackRules } from './rules/track-rules.ts';
import { viewerRules } from './rules/viewer-rules.ts';
import { workRules } from './rules/work-rules.ts';
import { SampleView } from './sample-view.ts';

const streamRules = [...publisherRules, ...inputRules, ...trackRules, ...viewerRules];
const serverRules = [...machineRules, ...reachRules, ...workRules];
/** No verdict before this many samples: a stream that begins looks odd in many ways. */
const leastSamples = 5;
/** Older samples say nothing about now. */
const freshMs = 15_000;

/** Judges a stream by its last minutes. */
export function diagnoseStream(table: SampleTable<StreamSampleField>, facts: StreamFacts): Diagnosis {
  const samples = new SampleView(table);
  const isFresh = facts.nowMs - (samples.newestMs ?? 0) < freshMs;
  if (facts.publishedAtMs === undefined || samples.length < leastSamples || !isFresh) {
    return { verdict: 'none', issues: [] };
  }
  return judge(streamRules, { samples, facts });
}

/** Judges the server. Rules that need no samples work without them. */
export function diagnoseServer(table: SampleTable<ServerSampleField>, facts: ServerFacts): Diagnosis {
  return judge(serverRules, { samples: new SampleView(table), facts });
}

function judge<Seen>(rules: readonly Rule<Seen>[], seen: Seen): Diagnosis {
  const issues = rules.flatMap(({ id, find }) =>
    [find(seen) ?? []].flat().map(
      ({ severity, sinceMs, numbers = {}, subject = '' }): Issue => ({
        id,
        severity,
        subject,
        since: new Date(sinceMs).toISOString(),
        numbers: Object.fromEntries(
          Object.entries(numbers).map(([name, value]) => [name, Math.round(value * 10) / 10]),
        ),
      }),
    ),
  );
  issues.sort((a, b) => rank(a) - rank(b));
  const [worst] = issues;
  return { verdict: worst === undefined ? 'good' : worst.severity === 'bad' ? 'bad' : 'ok', issues };
}

function rank({ severity }: Issue): number {
  return severity === 'bad' ? 0 : 1;
}
