import type { Outlet } from '@weir/contract';
import { outputAddress } from '@weir/process';

type Destination = Pick<Outlet, 'server' | 'secret'>;

/** A shorter one hides nothing worth hiding, and taking it out of every line would leave no line readable. */
const shortestSecret = 4;
const secretName = /secret|token|key|pass|sign|auth/i;

/** URL of a slot. ffmpeg knows schemes in lower case only. */
export function outletUrl({ server, secret }: Destination): string {
  const base = server.trim().replace(/^[a-z]+(?=:)/i, (scheme) => scheme.toLowerCase());
  return outputAddress(base, secret.trim());
}

/** Texts to redact: the key, whole and in parts, and credentials in the server's address. */
export function outletSecrets({ server, secret }: Destination): string[] {
  const key = secret.trim().replace(/^\/+/, '');
  const [name = '', query = ''] = key.split(/\?(.*)/s);
  const named = pairsOf(server).filter(([field]) => secretName.test(field));
  const texts = [key, name, ...[...pairsOf(`?${query}`), ...named].map(([, value]) => value), passwordOf(server)];
  return [...new Set(texts)].filter((text) => text.length >= shortestSecret).sort((a, b) => b.length - a.length);
}

/** The one that is valid now: the saved address may hold an older one, or none. By SRT it stands in the stream's id, as typed. */
export function withPublishSecret(url: string, secret: string): string {
  if (!/^rtmps?:/i.test(url)) return url;
  const [place = '', query = ''] = url.split(/\?(.*)/s);
  const others = query.split('&').filter((pair) => pair !== '' && !pair.startsWith('secret='));
  return `${place}?${[...others, `secret=${encodeURIComponent(secret)}`].join('&')}`;
}

function pairsOf(address: string): [name: string, value: string][] {
  const [, ...pairs] = address.split(/[?&,]/);
  return pairs.map((pair) => [pair.split('=', 1)[0] ?? '', pair.slice(pair.indexOf('=') + 1)]);
}

function passwordOf(server: string): string {
  return /^[a-z]+:\/\/[^/@]*:([^/@]*)@/i.exec(server.trim())?.[1] ?? '';
}
