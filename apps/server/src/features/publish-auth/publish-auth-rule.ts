import { limits } from '@weir/contract';
import { sameText } from '../../core/same-text.ts';
import { isPartOfName } from './secret-in-name.ts';

interface Publish {
  readonly stream: string;
  /** Query of the publisher's address: `?secret=S`, `secret=S` or a whole query such as `app=…&secret=S&eip=…`. */
  readonly param: string;
}

/**
 * The parameter `secret` decides: it must be the secret, exactly. Only without it the stream's name is looked at, for
 * programs that cannot send parameters: the secret counts there as a part of its own, or as the end of any name when it is
 * too long to be there by chance.
 */
export function showsSecret({ stream, param }: Publish, secret: string): boolean {
  if (secret === '') return false;
  const shown = new URLSearchParams(param).getAll('secret');
  // Several that differ would leave open which one was meant.
  if (shown.length > 0) return shown.every((value) => sameText(value, secret));
  if (secret.length < limits.publishSecretLeast) return false;
  const isEnd = secret.length >= limits.publishSecretGood && sameText(stream.slice(-secret.length), secret);
  return isPartOfName(stream, secret) || isEnd;
}

/** The one value of the parameter `secret`; undefined without one, or with several that differ. */
export function shownSecret({ param }: Pick<Publish, 'param'>): string | undefined {
  const [first, ...more] = new URLSearchParams(param).getAll('secret');
  return first !== undefined && first !== '' && more.every((value) => value === first) ? first : undefined;
}

/** True if any secret was given, right or wrong: a missing one needs another hint than a mistyped one. */
export function namesSecret({ param }: Pick<Publish, 'param'>): boolean {
  return new URLSearchParams(param).getAll('secret').some((value) => value !== '');
}
