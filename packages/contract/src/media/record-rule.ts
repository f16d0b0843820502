import { globPath, matchingGlob } from '@weir/streams';

export interface RecordRules {
  /** Recording is on, for all streams or those that match `globs`. */
  readonly all: boolean;
  readonly globs: readonly string[];
}

interface Named {
  readonly app: string;
  readonly stream: string;
}

/**
 * Decision about one stream. `off`: recording is off. `unmatched`: no rule matches. `name`: a rule with exactly its name, which a switch can
 * remove. `rule`: a wider pattern. `every`: without patterns, all streams are recorded.
 */
interface StreamRecordChoice {
  readonly by: 'off' | 'unmatched' | 'name' | 'rule' | 'every';
  /** The matching wider pattern; empty otherwise. */
  readonly rule: string;
}

/** Pattern that matches exactly this stream. */
export function exactGlob(place: Named): string {
  return globPath(place).replace(/[\\*?[{]/g, '\\$&');
}

/** A wider pattern outranks the name, because removing the name would not stop the recording. */
export function streamRecordChoice({ all, globs }: RecordRules, place: Named): StreamRecordChoice {
  if (!all) return { by: 'off', rule: '' };
  if (globs.length === 0) return { by: 'every', rule: '' };
  const rule = matchingGlob(otherRules(globs, place), globPath(place));
  if (rule !== undefined) return { by: 'rule', rule };
  return { by: globs.includes(exactGlob(place)) ? 'name' : 'unmatched', rule: '' };
}

/** Rules that apply to other streams too. */
export function otherRules(globs: readonly string[], place: Named): string[] {
  const own = exactGlob(place);
  return globs.filter((glob) => glob !== own);
}

/**
 * Rules after the switch of one stream. Recording of everything must not begin by accident: an empty list means all streams, so removing
 * the last name turns recording off. Undefined if the switch cannot do it, because a wider rule decides.
 */
export function switchStreamRecording(rules: RecordRules, place: Named, isOn: boolean): RecordRules | undefined {
  const { by } = streamRecordChoice(rules, place);
  const { all, globs } = rules;
  if (isOn) {
    if (by === 'name' || by === 'rule' || by === 'every') return rules;
    const own = exactGlob(place);
    const isListed = globs.includes(own);
    // An empty list is a rule for every stream only while recording is on.
    return { all: true, globs: isListed ? globs : [...globs, own] };
  }
  if (by === 'rule' || by === 'every') return undefined;
  if (by !== 'name') return rules;
  const rest = otherRules(globs, place);
  return { all: all && rest.length > 0, globs: rest };
}
