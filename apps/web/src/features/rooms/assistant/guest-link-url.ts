import type { Locale } from '@weir/contract';
import { paths } from '../../../lib/paths.ts';

/** Pages that a guest link can open. */
export const guestPages = ['chat', 'dictation', 'transcript'] as const;
export type GuestPage = (typeof guestPages)[number];

interface GuestLinkOptions {
  /** `https://example.com` */
  readonly origin: string;
  readonly locale: Locale;
  readonly page: GuestPage;
  /** Creation time and eight random hexadecimal digits make each link unique. */
  readonly created: string;
  readonly random: string;
  readonly username: string;
  readonly language: string;
  readonly room: string;
  readonly roomToken: string;
}

/** URL of a guest page. The specification gives names and order of the parameters; readers have no name. */
export function guestLinkUrl(link: GuestLinkOptions): string {
  const speaks = link.page !== 'transcript';
  const query = new URLSearchParams({
    app: 'ai-talk',
    popout: '1',
    assistant: speaks ? '1' : '0',
    created: link.created,
    random: link.random,
    ...(speaks && link.username !== '' && { username: link.username }),
    ...(speaks && link.language !== '' && { language: link.language }),
    ...(speaks && { pattern: link.page }),
    room: link.room,
    roomToken: link.roomToken,
  });
  return `${link.origin}/mgmt/${link.locale}${paths.talk}?${query}`;
}
