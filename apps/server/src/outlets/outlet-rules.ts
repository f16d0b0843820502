import { isFeaturePlatform, type OutletChange, type OutletFeature, serverProblem } from '@weir/contract';
import { WeirError } from '../core/errors.ts';
import { classifyAddress } from '../core/outgoing/address-class.ts';

/** The slot a change is about, once its name is one of this feature's. */
export function checkPlatform(feature: OutletFeature, platform: string | undefined): string {
  if (!platform) throw new WeirError('missing_field', 'no platform');
  if (!isFeaturePlatform(feature, platform)) throw new WeirError('invalid_input', `invalid platform${named(platform)}`);
  return platform;
}

export function checkAction(action: string): 'update' | 'remove' {
  if (action === 'update' || action === 'remove') return action;
  throw new WeirError('invalid_input', `invalid action${named(action)}`);
}

/** Allows destinations on this or another machine over streaming protocols; no files or options. */
export function checkDestination({ server = '', secret = '' }: OutletChange): void {
  const problem = serverProblem(server);
  if (problem === 'missing') throw new WeirError('missing_field', 'no server');
  if (problem === 'scheme') {
    throw new WeirError('invalid_input', 'invalid server, should start with rtmp://, rtmps:// or srt://');
  }
  if (problem === 'invalid') throw new WeirError('invalid_input', 'invalid server, should be a full URL');
  if (/\p{Cc}/u.test(secret.trim())) throw new WeirError('invalid_input', 'invalid secret, must be a single line');
  if (isNeverAsked(new URL(server.trim()).hostname)) {
    throw new WeirError('invalid_input', 'invalid server, link-local and reserved addresses are not allowed');
  }
}

/** Interprets the host as programs that connect do: 2852039166 is an address too. */
function isNeverAsked(hostname: string): boolean {
  const web = `http://${hostname}/`;
  const host = (URL.canParse(web) ? new URL(web).hostname : hostname).replace(/^\[|\]$/g, '');
  const isAddress = /^[\d.]+$/.test(host) || host.includes(':');
  // `0.0.0.0` is this machine to whoever connects to it.
  return isAddress && host !== '0.0.0.0' && classifyAddress(host) === 'never';
}

/** Repeats only plain words of the input. */
function named(word: string): string {
  return /^[\w-]{1,80}$/.test(word) ? `=${word}` : '';
}
