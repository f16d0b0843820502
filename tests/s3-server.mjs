// An S3-compatible server: s3rver stores, and as it does not check signatures of version 4, aws4 does before.
// Both are other people's: what signs and uploads here is judged by neither of our own.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import process from 'node:process';
import aws4 from 'aws4';
import S3rver from 's3rver';

const [directory, port, partDelayMs] = process.argv.slice(2);
const keys = { S3RVER: 'S3RVER' };
const uploads = new Set();
/** Uploads that have a part. */
const begun = new Set();
const s3 = new S3rver({
  directory,
  silent: true,
  // Buckets may be named by the host: recordings.s3.localhost
  serviceEndpoint: 'localhost',
  configureBuckets: [{ name: 'recordings' }],
});
await s3.configureBuckets();
const handle = s3.callback();

const server = createServer((request, response) => {
  const problem = problemOf(request);
  process.stdout.write(`${request.method} ${request.url} ${problem || 'accepted'}\n`);
  if (!problem) {
    checkBody(request);
    // The settings of a bucket: s3rver knows none of them.
    if (/\?(policy|cors)=$/.test(request.url)) return request.resume().on('end', () => response.writeHead(204).end());
    const [, uploadId] = /[?&]uploadId=([^&]+)/.exec(request.url) ?? [];
    // Error of S3 that s3rver lacks.
    if (uploadId && !uploads.has(decodeURIComponent(uploadId))) return refuse(request, response, 404, 'NoSuchUpload');
    if (uploadId && request.method === 'PUT') begun.add(uploadId);
    if (uploadId && request.method === 'POST') {
      if (!begun.has(uploadId)) return refuse(request, response, 400, 'InvalidPart');
      response.once('finish', () => uploads.delete(decodeURIComponent(uploadId)));
    }
    noteUpload(response);
    const delayMs = /[?&]partNumber=/.test(request.url) ? Number(partDelayMs) : 0;
    return setTimeout(() => handle(request, response), delayMs);
  }
  refuse(request, response, 403, problem);
});
server.listen(Number(port), '127.0.0.1');

function refuse(request, response, status, code) {
  request.resume();
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`);
}

/** Remembers the id in the answer to who begins an upload in parts. */
function noteUpload(response) {
  const end = response.end;
  response.end = function (body, ...rest) {
    const [, id] = /<UploadId>([^<]+)</.exec(String(body ?? '')) ?? [];
    if (id) uploads.add(id);
    return end.call(this, body, ...rest);
  };
}

/** The request as it should have been signed, compared with how it was. */
function problemOf({ method, url, headers }) {
  const found = /Credential=([^/]+)\/\d+\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), /.exec(
    headers.authorization,
  );
  if (!found) return 'AccessDenied';
  const [, accessKeyId, region, names] = found;
  if (!(accessKeyId in keys)) return 'InvalidAccessKeyId';
  const signed = Object.fromEntries(names.split(';').map((name) => [name, headers[name]]));
  if (!signed.host || !signed['x-amz-date'] || !signed['x-amz-content-sha256']) return 'AccessDenied';
  const options = { service: 's3', region, method, path: url, headers: signed };
  const { Authorization } = aws4.sign(options, { accessKeyId, secretAccessKey: keys[accessKeyId] }).headers;
  return Authorization === headers.authorization ? '' : 'SignatureDoesNotMatch';
}

/** A body other than the signed one is a mistake of ours that no test may pass over. */
function checkBody(request) {
  const hash = createHash('sha256');
  const push = request.push;
  request.push = function (chunk, encoding) {
    if (chunk) hash.update(chunk);
    else if (request.complete && hash.digest('hex') !== request.headers['x-amz-content-sha256']) {
      process.stderr.write('a body is not the one that was signed\n');
      process.exit(1);
    }
    return push.call(this, chunk, encoding);
  };
}
