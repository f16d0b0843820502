import { openApiDocument } from '@weir/contract/openapi';
import { describe, expect, it } from 'vitest';
import { curlSample, exampleBody, jquerySample, listCalls, listFields, sampleCall } from './api-calls.ts';

const calls = listCalls(openApiDocument('1.2.3'));
const call = (name: string) => calls.find((candidate) => candidate.name === name);

describe('the calls of the API', () => {
  it('are all of the document, including the initial one', () => {
    expect(calls.length).toBeGreaterThan(25);
    expect(call(sampleCall.name)).toMatchObject({ method: 'POST', isPublic: false, body: undefined });
    expect(call('GET /terraform/v1/mgmt/check')?.isPublic).toBe(true);
  });

  it('start with a body that names every field', () => {
    expect(exampleBody(call('POST /terraform/v1/mgmt/beian/update')?.body)).toEqual({ beian: 'title', text: '' });
    expect(exampleBody(call('POST /terraform/v1/mgmt/logout')?.body)).toEqual({ all: false });
    expect(exampleBody(undefined)).toEqual({});
  });

  it('list fields by their full names', () => {
    const streams = listFields(call('POST /terraform/v1/mgmt/streams/query')?.data);
    expect(streams).toContainEqual({ name: 'streams[].app', type: 'string', isRequired: true });
    expect(streams.map(({ name }) => name)).toContain('streams[].media.video.codec');
    expect(listFields(call('POST /terraform/v1/mgmt/beian/update')?.body)[0]).toEqual({
      name: 'beian',
      type: 'title | icp',
      isRequired: true,
    });
  });
});

describe('the code samples', () => {
  const facts = { call: sampleCall, origin: 'http://weir', secret: 'S', body: '{"text":"it\'s"}' };

  it('quote every argument for the shell', () => {
    expect(curlSample(facts)).toBe(
      "curl -X POST -H 'Authorization: Bearer S' -H 'Content-Type: application/json' " +
        `-d '{"text":"it'\\''s"}' 'http://weir/terraform/v1/hooks/srs/secret/query'`,
    );
  });

  it('show no credential for public calls', () => {
    const open = { ...facts, call: { ...sampleCall, method: 'GET', isPublic: true } };
    expect(curlSample(open)).toBe("curl -X GET 'http://weir/terraform/v1/hooks/srs/secret/query'");
    expect(jquerySample(open)).not.toContain('Bearer');
    expect(jquerySample(facts)).toContain('headers: { Authorization: "Bearer S" }');
  });
});
