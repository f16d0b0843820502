import { publicKeyOf } from '@weir/plane';
import type { TokenAlgorithm } from '@weir/streams';
import { WeirError } from '../../core/errors.ts';
import { OutgoingError } from '../../core/outgoing/outgoing-error.ts';
import type { OutgoingClient, OutgoingPolicy } from '../../core/outgoing/request/outgoing-client.ts';

interface NamedPublicKey {
  readonly id: string;
  readonly publicKey: string;
}

const policy: OutgoingPolicy = {
  ownNetwork: 'named',
  verifiesTls: true,
  redirects: 0,
  withinMs: 5000,
  answerBytes: 64 * 1024,
};
const mostKeys = 16;

/** Reads the public keys at a JWKS URL (RFC 7517). Throws `invalid_input` when there is none to check tokens with. */
export async function fetchPublicKeys(
  outgoing: Pick<OutgoingClient, 'send'>,
  url: string,
  algorithm: TokenAlgorithm,
): Promise<NamedPublicKey[]> {
  const answer = await outgoing
    .send({ url, method: 'GET', headers: { accept: 'application/json' } }, policy)
    .catch((cause) => {
      if (cause instanceof OutgoingError)
        throw new WeirError('invalid_input', `the keys could not be read: ${cause.message}`, { cause });
      throw cause;
    });
  if (answer.status !== 200)
    throw new WeirError('invalid_input', `the keys could not be read: status ${answer.status}`);
  const keys = parsePublicKeys(answer.body.toString(), algorithm);
  if (keys.length === 0) throw new WeirError('invalid_input', `there is no public key for ${algorithm} at this URL`);
  return keys;
}

/** Keys that can check tokens of this algorithm; others are left out. */
export function parsePublicKeys(text: string, algorithm: TokenAlgorithm): NamedPublicKey[] {
  const type = algorithm === 'RS256' ? 'RSA' : 'EC';
  return listIn(text)
    .filter((key) => key.kty === type && (key.use ?? 'sig') === 'sig' && (key.alg ?? algorithm) === algorithm)
    .slice(0, mostKeys)
    .map(({ kid, kty, n, e, crv, x, y }) => ({
      id: typeof kid === 'string' ? kid.slice(0, 256) : '',
      // Returns only the public parts of a key.
      publicKey: JSON.stringify(kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y }),
    }))
    .filter(({ publicKey }) => publicKey.length <= 4096 && isStrong(publicKey));
}

function isStrong(publicKey: string): boolean {
  const { modulusLength = 0, namedCurve } = publicKeyOf(publicKey)?.asymmetricKeyDetails ?? {};
  return modulusLength >= 2048 || namedCurve === 'prime256v1';
}

function listIn(text: string): Record<string, unknown>[] {
  try {
    const body: unknown = JSON.parse(text);
    const keys = typeof body === 'object' && body !== null && 'keys' in body ? body.keys : undefined;
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'object' && key !== null) : [];
  } catch {
    return [];
  }
}
