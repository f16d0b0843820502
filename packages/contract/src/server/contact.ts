import * as z from 'zod';
import { limits } from '../constants.ts';
import { post } from '../endpoint.ts';

export function isContactLink(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

const Link = z
  .string()
  .trim()
  .max(limits.contactLinkCharacters)
  .refine((text) => text === '' || isContactLink(text), 'must be an http or https URL, or empty');

/** Links of the contact page; empty means not set. The first three are for English, the others for Chinese. */
export const ContactLinks = z.object({
  chat: Link.default(''),
  social: Link.default(''),
  source: Link.default(''),
  group: Link.default(''),
  video: Link.default(''),
  community: Link.default(''),
});
export type ContactLinks = z.infer<typeof ContactLinks>;

export const contactApi = {
  query: post('/terraform/v1/mgmt/contact/query', { summary: 'Get the links of the contact page', data: ContactLinks }),
  update: post('/terraform/v1/mgmt/contact/update', {
    summary: 'Set links of the contact page; omitted links stay, empty links are cleared',
    // Not `partial()` of the above: its defaults would clear omitted fields.
    body: z.object({
      chat: Link.optional(),
      social: Link.optional(),
      source: Link.optional(),
      group: Link.optional(),
      video: Link.optional(),
      community: Link.optional(),
    }),
    data: ContactLinks,
  }),
} as const;
