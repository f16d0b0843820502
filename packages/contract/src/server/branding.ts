import * as z from 'zod';
import { limits } from '../constants.ts';
import { get, post } from '../endpoint.ts';

/** Site texts: `title` heads every page, `icp` is in the footer. Plain text, empty if not set. */
export const Branding = z.object({
  title: z.string().max(limits.brandingCharacters).default(''),
  icp: z.string().max(limits.brandingCharacters).default(''),
});
export type Branding = z.infer<typeof Branding>;

export const brandingApi = {
  query: get('/terraform/v1/mgmt/beian/query', {
    summary: 'Get the site title and footer text',
    access: 'public',
    data: Branding.partial(),
  }),
  update: post('/terraform/v1/mgmt/beian/update', {
    summary: 'Set the site title or footer text; an empty text clears it',
    body: z.object({ beian: z.enum(['title', 'icp']), text: z.string().max(limits.brandingCharacters) }),
    data: z.null(),
  }),
} as const;
