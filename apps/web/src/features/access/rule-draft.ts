import { type AccessRule, AccessRuleTexts, type accessApi, accessLimits, type BodyOf } from '@weir/contract';
import type { TokenAlgorithm } from '@weir/streams';
import { isWholeNumber } from '../../components/settings-form/number-field.tsx';

type RuleChange = BodyOf<typeof accessApi.save>;

/** Fields of the rule form as typed. */
export interface RuleDraft {
  readonly pattern: string;
  readonly mode: AccessRule['mode'];
  /** New password; empty keeps the one there is. */
  readonly password: string;
  readonly algorithm: TokenAlgorithm;
  /** New shared secret; empty keeps the one there is. */
  readonly secret: string;
  readonly jwksUrl: string;
  /** One per line. */
  readonly sites: string;
  readonly networks: string;
  /** Empty for any number. */
  readonly maxViewers: string;
  readonly maxPerLink: string;
}

export const blankRule: RuleDraft = {
  pattern: '',
  mode: 'open',
  password: '',
  algorithm: 'HS256',
  secret: '',
  jwksUrl: '',
  sites: '',
  networks: '',
  maxViewers: '',
  maxPerLink: '',
};

export function toRuleDraft(rule: AccessRule): RuleDraft {
  const { pattern, mode, algorithm, jwksUrl, sites, networks, maxViewers, maxPerLink } = rule;
  return {
    ...blankRule,
    pattern,
    mode,
    algorithm,
    jwksUrl,
    sites: sites.join('\n'),
    networks: networks.join('\n'),
    maxViewers: maxViewers === 0 ? '' : String(maxViewers),
    maxPerLink: maxPerLink === 0 ? '' : String(maxPerLink),
  };
}

/** Fields of the call. Secrets of other modes are not sent. */
export function toRuleChange(draft: RuleDraft, id: string | undefined): RuleChange {
  const { pattern, mode, password, algorithm, secret, jwksUrl, sites, networks, maxViewers, maxPerLink } = draft;
  return {
    ...(id !== undefined && { id }),
    pattern,
    mode,
    algorithm,
    jwksUrl,
    sites: linesOf(sites),
    networks: linesOf(networks),
    maxViewers: Number(maxViewers || 0),
    maxPerLink: Number(maxPerLink || 0),
    ...(mode === 'password' && password !== '' && { password }),
    ...(mode === 'token' && algorithm === 'HS256' && secret !== '' && { secret }),
  };
}

/** True for a rule that says no more than there being none. */
export function isUnconditional({
  mode,
  sites = [],
  networks = [],
  maxViewers = 0,
  maxPerLink = 0,
}: RuleChange): boolean {
  return mode === 'open' && sites.length + networks.length + maxViewers + maxPerLink === 0;
}

export type RuleProblem =
  | 'pattern'
  | 'passwordMissing'
  | 'password'
  | 'secretMissing'
  | 'secret'
  | 'jwksUrl'
  | 'sites'
  | 'networks'
  | 'maxViewers'
  | 'maxPerLink';

/** Problems of what is typed for a rule that is stored, or for a new one. */
export function findRuleProblems(draft: RuleDraft, stored: AccessRule | undefined): ReadonlySet<RuleProblem> {
  const { mode, password, algorithm, secret, jwksUrl, maxViewers, maxPerLink } = draft;
  const problems = new Set<RuleProblem>();
  const refused = findRefused(draft);
  for (const field of ['pattern', 'sites', 'networks'] as const) if (refused.has(field)) problems.add(field);
  if (mode === 'password') {
    if (password === '' && !stored?.hasPassword) problems.add('passwordMissing');
    else if (password !== '' && password.length < accessLimits.passwordLeast) problems.add('password');
  }
  if (mode === 'token' && algorithm === 'HS256') {
    if (secret === '' && !stored?.hasSecret) problems.add('secretMissing');
    else if (secret !== '' && secret.length < accessLimits.secretLeast) problems.add('secret');
  }
  if (mode === 'token' && algorithm !== 'HS256' && !URL.canParse(jwksUrl.trim())) problems.add('jwksUrl');
  if (!isLimit(maxViewers)) problems.add('maxViewers');
  if (!isLimit(maxPerLink)) problems.add('maxPerLink');
  return problems;
}

/** Fields that the call itself would refuse. */
function findRefused({ pattern, sites, networks }: RuleDraft): ReadonlySet<unknown> {
  const { error } = AccessRuleTexts.safeParse({ pattern, sites: linesOf(sites), networks: linesOf(networks) });
  return new Set(error?.issues.map(({ path }) => path[0]));
}

function isLimit(text: string): boolean {
  return text.trim() === '' || isWholeNumber(text, accessLimits.viewers);
}

function linesOf(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
