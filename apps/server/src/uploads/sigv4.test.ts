import { describe, expect, it } from 'vitest';
import { emptyHash, encodeKey, sha256, signRequest } from './sigv4.ts';

// The examples of AWS's own page about signing requests to S3 in the Authorization header.
const credential = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const origin = 'https://examplebucket.s3.amazonaws.com';
const sign = (method: string, path: string, headers: Record<string, string> = {}, payloadHash = emptyHash) =>
  signRequest({ method, url: new URL(origin + path), headers, payloadHash }, credential, {
    region: 'us-east-1',
    at: new Date('2013-05-24T00:00:00Z'),
  });
const signatureOf = ({ authorization = '' }: Record<string, string>) => authorization.split('Signature=')[1];

describe('signature version 4', () => {
  it('signs a part of an object like AWS does', () => {
    const headers = sign('GET', '/test.txt', { range: 'bytes=0-9' });
    expect(headers.authorization).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, ' +
        'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, ' +
        'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    );
  });

  it('signs an object with a body and a name that must be encoded', () => {
    const headers = { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' };
    const signed = sign('PUT', `/${encodeKey('test$file.text')}`, headers, sha256('Welcome to Amazon S3.'));
    expect(signatureOf(signed)).toBe('98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd');
  });

  it.each([
    ['/?lifecycle', 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
    ['/?max-keys=2&prefix=J', '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
  ])('signs the query of %s', (path, signature) => expect(signatureOf(sign('GET', path))).toBe(signature));

  it('includes the token of a temporary key, signed', () => {
    const url = new URL(`${origin}/test.txt`);
    const signed = signRequest(
      { method: 'GET', url, headers: {}, payloadHash: emptyHash },
      { ...credential, sessionToken: 'for a while' },
      { region: 'us-east-1', at: new Date() },
    );
    expect(signed).toMatchObject({
      'x-amz-security-token': 'for a while',
      authorization: expect.stringContaining('x-amz-date;x-amz-security-token,'),
    });
  });

  it('encodes characters that a URL would leave alone or change', () => {
    expect(encodeKey("a b/ü(1)*'!~.ts")).toBe('a%20b/%C3%BC%281%29%2A%27%21~.ts');
  });
});
