import { isSameHost, maskKey } from '@weir/contract';
import { WeirError } from '../core/errors.ts';
import type { ProviderChoice } from './ai.ts';

type Keyed = Pick<ProviderChoice, 'secretKey' | 'baseURL'>;

/** The mask stands for the stored key, towards its own host only. Any other mask is the global key's, which is not kept here. */
export function keptKey(stored: Keyed, { secretKey, baseURL }: Keyed): string {
  if (stored.secretKey === '' || secretKey !== maskKey(stored.secretKey)) return secretKey;
  if (isSameHost(stored.baseURL, baseURL)) return stored.secretKey;
  throw new WeirError('invalid_input', 'the base URL has a new host, enter the secret key again');
}
