import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { TencentPlaces } from './tencent-api.ts';

interface AskedCall {
  readonly action: string;
  readonly version: string;
  readonly authorization: string;
  readonly body: Readonly<Record<string, unknown>>;
}

type Answer = (call: AskedCall) => object;

/**
 * Answers of Tencent Cloud in the shapes its documentation gives, from a server on this machine; its storage is an S3-compatible
 * server beside it. Nothing here was recorded from an account.
 */
export class FakeTencent {
  readonly calls: AskedCall[] = [];
  readonly answers = new Map<string, Answer>();
  readonly places: TencentPlaces;
  readonly #server = createServer(async (request, response) => {
    const call = await callOf(request);
    this.calls.push(call);
    const answer = this.answers.get(call.action)?.(call) ?? {
      Error: { Code: 'InvalidAction', Message: 'no such action' },
    };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ Response: { ...answer, RequestId: '35b1eb64-3b1f-4f0b-8a33-6ea7f4e4ac53' } }));
  });

  private constructor(storageEndpoint: string) {
    this.places = {
      api: () => `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`,
      storage: () => ({ endpoint: storageEndpoint, isPathStyle: true }),
      ownNetwork: 'typed',
    };
    const templates = [
      {
        Definition: '100010',
        Container: 'mp4',
        Name: 'MP4-Deprecated',
        VideoTemplate: { Codec: 'copy' },
        AudioTemplate: { Codec: 'copy' },
      },
      {
        Definition: '100020',
        Container: 'mp4',
        Name: 'STD-H264-MP4',
        VideoTemplate: { Codec: 'libx264' },
        AudioTemplate: { Codec: 'libfdk_aac' },
      },
      {
        Definition: '875',
        Container: 'mp4',
        Name: 'Remux-MP4',
        Comment: '',
        VideoTemplate: { Codec: 'copy' },
        AudioTemplate: { Codec: 'copy' },
      },
    ];
    this.on('GetUserAppId', () => ({ Uin: '3449203261', OwnerUin: '3449203261', AppId: 1253810548 }))
      .on('CreateSubAppId', () => ({ SubAppId: 1500012345 }))
      .on('CreateStorageRegion', () => ({}))
      .on('ModifyDefaultStorageRegion', () => ({}))
      .on('DescribeTranscodeTemplates', () => ({ TotalCount: templates.length, TranscodeTemplateSet: templates }))
      .on('DescribeVodDomains', () => ({
        TotalCount: 1,
        DomainSet: [{ Domain: '1500012345.vod2.myqcloud.com', DeployStatus: 'Online' }],
      }))
      .on('ApplyUpload', () => ({
        VodSessionKey: 'a-session',
        MediaStoragePath: '/6c0f1c00vodgzp251000333/dee2125c/f0.m3u8',
        CoverStoragePath: '',
        StorageAppId: 10022853,
        StorageBucket: 'recordings',
        StorageRegion: 'ap-chongqing',
        TempCertificate: {
          SecretId: 'S3RVER',
          SecretKey: 'S3RVER',
          Token: 'a-temporary-token',
          ExpiredTime: Math.floor(Date.now() / 1000) + 7200,
        },
      }))
      .on('CommitUpload', () => ({
        FileId: '24820810452266399',
        MediaUrl: 'http://example.com/dee2125c/f0.m3u8',
        CoverUrl: '',
      }))
      .on('ProcessMedia', () => ({ TaskId: '1500012345-procedurev2-bffb15f07530b57bc1aabb01fac74bca' }))
      .on('DescribeMediaInfos', () => ({
        MediaInfoSet: [{ FileId: '24820810452266399', TranscodeInfo: null }],
        NotExistFileIdSet: [],
      }));
  }

  static async start(storageEndpoint: string): Promise<FakeTencent> {
    const fake = new FakeTencent(storageEndpoint);
    fake.#server.listen(0, '127.0.0.1');
    await once(fake.#server, 'listening');
    return fake;
  }

  on(action: string, answer: Answer): this {
    this.answers.set(action, answer);
    return this;
  }

  actions(): string[] {
    return this.calls.map(({ action }) => action);
  }

  close(): void {
    this.#server.close();
  }
}

async function callOf(request: IncomingMessage): Promise<AskedCall> {
  const header = (name: string) => String(request.headers[name] ?? '');
  return {
    action: header('x-tc-action'),
    version: header('x-tc-version'),
    authorization: header('authorization'),
    body: (await json(request)) as Record<string, unknown>,
  };
}
