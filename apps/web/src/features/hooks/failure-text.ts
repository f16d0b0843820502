import type { Hooks } from '@weir/contract';
import type { TFunction } from 'i18next';
import { formatBytes } from '../../lib/format.ts';

type Outcome = Pick<Hooks, 'failure' | 'fact' | 'said'>;

/** Sentences for a failed delivery: ours, then the receiver's words. Empty if it succeeded. */
export function failureText(t: TFunction, { failure, fact, said }: Outcome, locale: string): string[] {
  if (failure === '') return [];
  return [failureSentence(t, failure, fact, locale), ...(said === '' ? [] : [t('hooks.said', { said })])];
}

function failureSentence(t: TFunction, failure: Exclude<Outcome['failure'], ''>, fact: string, locale: string): string {
  const connection = connectionFaults[fact];
  if (failure === 'no-connection' && connection) return t(`hooks.connection.${connection}`);
  const certificate = certificateFaults[fact];
  if (failure === 'bad-certificate' && certificate) return t(`hooks.certificate.${certificate}`);
  const isSize = failure === 'too-large' && fact !== '';
  // Older servers stored no fact.
  return t(`hooks.failure.${failure}`, { fact: isSize ? formatBytes(Number(fact), locale) : fact || '?' });
}

/** Texts by the system's error name; other errors are described by their kind. */
const connectionFaults: Readonly<Record<string, 'refused' | 'closed' | 'unreachable' | 'silent' | 'noTls' | 'noHttp'>> =
  {
    ECONNREFUSED: 'refused',
    ECONNRESET: 'closed',
    EPIPE: 'closed',
    EHOSTUNREACH: 'unreachable',
    ENETUNREACH: 'unreachable',
    ETIMEDOUT: 'silent',
    'no-tls': 'noTls',
    'no-http': 'noHttp',
  };

const certificateFaults: Readonly<Record<string, 'expired' | 'early' | 'selfSigned' | 'otherName' | 'issuer'>> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'early',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'selfSigned',
  SELF_SIGNED_CERT_IN_CHAIN: 'issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'issuer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'issuer',
  ERR_TLS_CERT_ALTNAME_INVALID: 'otherName',
};
