import { createHash, randomBytes } from 'node:crypto';
import type { Log } from '@weir/plane';
import * as z from 'zod';
import { WeirError } from '../../core/errors.ts';
import type { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import type { Setting } from '../../core/store/setting.ts';
import type { Store } from '../../core/store/store.ts';
import { S3Client } from '../../uploads/s3-client.ts';
import { S3Error } from '../../uploads/s3-error.ts';
import { type TencentApi, type TencentCall, TencentError, type TencentPlaces, toStorage } from './tencent-api.ts';

/** Resources prepared in the account, in order; an empty field is still to be prepared. */
const Account = z.object({
  secretId: z.string().default(''),
  secretKey: z.string().default(''),
  appId: z.string().default(''),
  uin: z.string().default(''),
  bucket: z.string().default(''),
  region: z.string().default(''),
  hasPolicy: z.boolean().default(false),
  hasCors: z.boolean().default(false),
  /** Id of the application in the video service. */
  service: z.int().default(0),
  /** Region of its storage. */
  storage: z.string().default(''),
  /** The template that makes an mp4 without encoding again; 0: there is none. */
  remux: z.int().default(0),
  domain: z.string().default(''),
});
type Account = z.output<typeof Account>;

const Id = z.union([z.string(), z.number()]).transform(String);
const User = z.object({ AppId: Id, Uin: Id });
const SubApp = z.object({ SubAppId: z.int() });
const Nothing = z.object({});
const Templates = z.object({
  TranscodeTemplateSet: z.array(
    z.looseObject({
      Definition: Id,
      Container: z.string(),
      Name: z.string().nullish(),
      VideoTemplate: z.object({ Codec: z.string() }).nullish(),
      AudioTemplate: z.object({ Codec: z.string() }).nullish(),
    }),
  ),
});
const Domains = z.object({ DomainSet: z.array(z.object({ Domain: z.string(), DeployStatus: z.string() })).nullish() });

interface Context {
  readonly store: Store;
  readonly api: TencentApi;
  readonly places: TencentPlaces;
  readonly outgoing: OutgoingClient;
  readonly log: Log;
}

/** The account of a Tencent Cloud customer: its key, and what is prepared with it. */
export class TencentAccount {
  readonly #context: Context;
  readonly #account: Setting<Account>;

  constructor(context: Context) {
    this.#context = context;
    this.#account = context.store.setting('tencent/account', Account);
  }

  read(): Promise<Account> {
    return this.#account.read();
  }

  async hasSecret(): Promise<boolean> {
    const { appId, secretId, secretKey } = await this.read();
    return appId !== '' && secretId !== '' && secretKey !== '';
  }

  /** For calls of the video service. */
  async vod<T>(action: string, body: object, answer: z.ZodType<T>): Promise<T> {
    const { secretId, secretKey, service, storage } = await this.read();
    const key = { secretId, secretKey };
    const call: TencentCall<T> = {
      service: 'vod',
      action,
      key,
      region: storage,
      answer,
      body: { ...body, SubAppId: service },
    };
    return this.#context.api.call(call);
  }

  /** Checks the key and prepares what is not yet. What was done before a failure is kept, and not done again. */
  async setUp({ secretId, secretKey, region }: { secretId: string; secretKey: string; region: string }): Promise<void> {
    if (secretId === '') throw new WeirError('missing_field', 'no secretId');
    if (secretKey === '') throw new WeirError('missing_field', 'no secretKey');
    const key = { secretId, secretKey };
    const ask = <T>(call: Omit<TencentCall<T>, 'key' | 'region'>) => this.#context.api.call({ ...call, key, region });
    try {
      const user = await ask({ service: 'cam', action: 'GetUserAppId', body: {}, answer: User });
      await this.#account.update((current) => ({
        // Resources of another account do not carry over.
        ...(current.appId === user.AppId ? current : Account.parse({ region })),
        ...key,
        appId: user.AppId,
        uin: user.Uin,
      }));
      await this.#prepareStorage();
      await this.#prepareVideo(ask);
    } catch (error) {
      this.#context.log.warn({ err: error }, 'cloud account setup failed');
      if (error instanceof TencentError || error instanceof S3Error)
        throw new WeirError('cloud_account', error.message, { cause: error });
      throw error;
    }
    this.#context.log.info('cloud account ready');
  }

  async #prepareStorage(): Promise<void> {
    let account = await this.read();
    const s3 = () =>
      new S3Client(
        this.#context.outgoing,
        toStorage(this.#context.places, { ...account, credential: toCredential(account) }),
      );
    const name = `srs-lighthouse-${randomBytes(2).toString('hex')}-${account.appId}`;
    if (account.bucket === '') {
      account = { ...account, bucket: name };
      await named('create bucket', s3().configure({}, ''));
      await this.#keep({ bucket: name });
    }
    if (!account.hasPolicy) {
      await named(
        'bucket policy',
        s3().configure({ policy: '' }, policyOf(account), { 'content-type': 'application/json' }),
      );
      await this.#keep({ hasPolicy: true });
    }
    if (!account.hasCors) {
      const md5 = createHash('md5').update(cors).digest('base64');
      const headers = { 'content-type': 'application/xml', 'content-md5': md5 };
      await named('bucket CORS', s3().configure({ cors: '' }, cors, headers));
      await this.#keep({ hasCors: true });
    }
  }

  async #prepareVideo(ask: <T>(call: Omit<TencentCall<T>, 'key' | 'region'>) => Promise<T>): Promise<void> {
    const vod = <T>(action: string, body: object, answer: z.ZodType<T>) =>
      ask({ service: 'vod', action, body, answer });
    const account = await this.read();
    let { service: SubAppId } = account;
    if (SubAppId === 0) {
      const Name = `srs-lighthouse-${randomBytes(2).toString('hex')}`;
      ({ SubAppId } = await vod('CreateSubAppId', { Name }, SubApp));
      await this.#keep({ service: SubAppId });
    }
    if (account.storage === '') {
      const StorageRegion = account.region;
      await vod('CreateStorageRegion', { StorageRegion, SubAppId }, Nothing);
      await vod('ModifyDefaultStorageRegion', { StorageRegion, SubAppId }, Nothing);
      await this.#keep({ storage: StorageRegion });
    }
    if (account.remux === 0) {
      const kind = { Type: 'Preset', ContainerType: 'Video', TEHDType: 'Common', Limit: 100 };
      const { TranscodeTemplateSet } = await vod('DescribeTranscodeTemplates', { ...kind, SubAppId }, Templates);
      const remux = TranscodeTemplateSet.filter(({ Name }) => !Name?.includes('Deprecated')).find(
        ({ Container, VideoTemplate, AudioTemplate }) =>
          Container === 'mp4' && VideoTemplate?.Codec === 'copy' && AudioTemplate?.Codec === 'copy',
      );
      await this.#keep({ remux: Number(remux?.Definition ?? 0) });
    }
    if (account.domain === '') {
      const { DomainSet } = await vod('DescribeVodDomains', { SubAppId }, Domains);
      await this.#keep({ domain: DomainSet?.find(({ DeployStatus }) => DeployStatus === 'Online')?.Domain ?? '' });
    }
  }

  async #keep(change: Partial<Account>): Promise<void> {
    await this.#account.update((current) => ({ ...current, ...change }));
  }
}

export function toCredential({ secretId, secretKey }: Pick<Account, 'secretId' | 'secretKey'>) {
  return { accessKeyId: secretId, secretAccessKey: secretKey };
}

function named(step: string, work: Promise<void>): Promise<void> {
  return work.catch((error: unknown) => {
    if (error instanceof S3Error) throw new S3Error(error.failure, `${step}: ${error.message}`, { cause: error });
    throw error;
  });
}

/** Bucket policy: objects are readable by name, listing is denied. Tencent's format differs from S3's. */
function policyOf({ appId, bucket, region }: Account): string {
  const actions = ['HeadBucket', 'ListMultipartUploads', 'ListParts', 'GetObject', 'HeadObject', 'OptionsObject'];
  return JSON.stringify({
    version: '2.0',
    Statement: [
      {
        Effect: 'allow',
        Principal: { qcs: ['qcs::cam::anyone:anyone'] },
        Action: actions.map((action) => `name/cos:${action}`),
        Resource: [`qcs::cos:${region}:uid/${appId}:${bucket}/*`],
      },
    ],
  });
}

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD'].map((method) => `<AllowedMethod>${method}</AllowedMethod>`);
const exposed = ['ETag', 'Content-Length', 'X-Cos-Request-Id'].map((name) => `<ExposeHeader>${name}</ExposeHeader>`);
const cors = `<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin>${methods.join('')}<AllowedHeader>*</AllowedHeader>${exposed.join('')}</CORSRule></CORSConfiguration>`;
