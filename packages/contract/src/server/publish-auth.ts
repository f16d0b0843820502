import * as z from 'zod';
import { limits } from '../constants.ts';
import { post } from '../endpoint.ts';

/**
 * Secret of all publishers. Limited to letters, digits and `-._~`, because it is part of URLs of several protocols in which other
 * characters have a meaning.
 */
export const PublishSecret = z
  .string()
  .min(limits.publishSecretLeast)
  .max(limits.publishSecretMost)
  .refine((secret) => /^[\w.~-]+$/.test(secret), 'may contain only letters, digits and - . _ ~');

export const PublishAuth = z.object({
  publish: z.string(),
  /** Publishing without the secret is allowed. */
  pubNoAuth: z.boolean(),
});
export type PublishAuth = z.infer<typeof PublishAuth>;

const query = (path: string) =>
  post(path, { summary: 'Get the publish secret, and whether it is required', data: PublishAuth });

export const publishAuthApi = {
  query: query('/terraform/v1/hooks/srs/secret/query'),
  queryShort: query('/terraform/v1/hooks/srs/secret'),
  update: post('/terraform/v1/hooks/srs/secret/update', {
    summary: 'Replace the publish secret; live streams continue',
    body: z.object({ secret: PublishSecret }),
    data: z.null(),
  }),
  disable: post('/terraform/v1/hooks/srs/secret/disable', {
    summary: 'Set whether publishing requires the secret',
    body: z.object({ pubNoAuth: z.boolean().default(false) }),
    data: z.null(),
  }),
} as const;

/** Query flag of the settings page that reveals the no-secret option. */
export const noAuthFlag = 'allow-noauth';
