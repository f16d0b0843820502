import { isSameHost, maskKey } from '@weir/contract';
import { WeirError } from '../core/errors.ts';
import type { ProviderChoice } from './ai.ts';

type Keyed = Pick<ProviderChoice, 'secretKey' | 'baseURL'>;

/** The mask stands for the stored key at its own host only. Another mask stands for the global key, which is not stored here. */
export function keptKey(stored: Keyed, { secretKey, baseURL }: Keyed): string {
  if (stored.secretKey === '' || secretKey !== maskKey(stored.secretKey)) return secretKey;
  if (isSameHost(stored.baseURL, baseURL)) return stored.secretKey;
  throw new WeirError('invalid_input', 'the base URL has a new host, enter the secret key again');
}
