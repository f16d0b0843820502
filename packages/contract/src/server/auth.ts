import * as z from 'zod';
import { limits } from '../constants.ts';
import { get, post } from '../endpoint.ts';

const Password = z.string().min(1).max(limits.passwordCharacters);
const NewPassword = Password.min(limits.passwordLeast);

/** Session. `bearer` goes into the Authorization header, `token` into the body field of that name; either suffices. */
export const Session = z.object({
  token: z.string(),
  createAt: z.string(),
  expireAt: z.string(),
  bearer: z.string(),
});
export type Session = z.infer<typeof Session>;

const InitState = z.object({ init: z.boolean() });

export const authApi = {
  initState: get('/terraform/v1/mgmt/init', {
    summary: 'Get whether an administrator password is set',
    access: 'public',
    data: InitState,
  }),
  init: post('/terraform/v1/mgmt/init', {
    summary: 'Set the administrator password of a new server and sign in; without a password, the same as GET',
    access: 'public',
    body: z.object({
      /** Empty only queries the state. */
      password: z
        .string()
        .max(limits.passwordCharacters)
        .refine(
          (text) => text === '' || text.length >= limits.passwordLeast,
          `must be at least ${limits.passwordLeast} characters`,
        )
        .default(''),
      /** One-time code of the setup URL; not needed by scripts on the machine itself. */
      code: z.string().max(128).default(''),
    }),
    data: z.union([Session, InitState]),
  }),
  login: post('/terraform/v1/mgmt/login', {
    summary: 'Sign in with the administrator password',
    access: 'public',
    body: z.object({ password: Password }),
    data: Session,
  }),
  token: post('/terraform/v1/mgmt/token', {
    summary: 'Check a token and get a fresh one for the same session',
    body: z.object({ token: z.string().optional() }),
    data: Session.omit({ bearer: true }),
  }),
  logout: post('/terraform/v1/mgmt/logout', {
    summary: 'End this session, or all sessions with `all`',
    body: z.object({ all: z.boolean().default(false) }),
    data: z.null(),
  }),
  changePassword: post('/terraform/v1/mgmt/password/update', {
    summary: 'Change the administrator password and end all other sessions',
    body: z.object({ password: Password, newPassword: NewPassword }),
    data: Session,
  }),
  apiSecret: post('/terraform/v1/mgmt/secret/query', {
    summary: 'Get the API secret, the bearer token for scripts',
    data: z.string(),
  }),
  rotateApiSecret: post('/terraform/v1/mgmt/secret/rotate', {
    summary: 'Replace the API secret; the old one stops working, and all other sessions end',
    data: Session.extend({ secret: z.string() }),
  }),
} as const;
