import { hmac, sha256 } from '../../uploads/sigv4.ts';

export interface TencentKey {
  readonly secretId: string;
  readonly secretKey: string;
}

interface CallToSign {
  readonly service: string;
  readonly host: string;
  readonly body: string;
  readonly atSeconds: number;
}

const type = 'application/json; charset=utf-8';

/** Tencent Cloud's signature of version 3 (TC3-HMAC-SHA256) of a POST with a JSON body, as headers. */
export function signCall({ service, host, body, atSeconds }: CallToSign, key: TencentKey): Record<string, string> {
  const canonical = ['POST', '/', '', `content-type:${type}`, `host:${host}`, '', 'content-type;host', sha256(body)];
  const date = new Date(atSeconds * 1000).toISOString().slice(0, 10);
  const scope = `${date}/${service}/tc3_request`;
  const toSign = ['TC3-HMAC-SHA256', atSeconds, scope, sha256(canonical.join('\n'))].join('\n');
  const signingKey = scope
    .split('/')
    .reduce<string | Buffer>((secret, part) => hmac(secret, part), `TC3${key.secretKey}`);
  const signature = hmac(signingKey, toSign).toString('hex');
  return {
    'content-type': type,
    'x-tc-timestamp': String(atSeconds),
    authorization: `TC3-HMAC-SHA256 Credential=${key.secretId}/${scope}, SignedHeaders=content-type;host, Signature=${signature}`,
  };
}
