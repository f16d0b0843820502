import { ApiError, answerMessage } from '@weir/client';
import { type PreparedFile, sourceApi, type UploadState } from '@weir/contract';
import { client } from '../../../lib/api.ts';
import { xsrfHeaders } from '../../../lib/browser/xsrf.ts';
import { readCredentials } from '../../../lib/credentials.ts';

/** How an upload reaches the server. Tests hand in another. */
export interface UploadTransport {
  begin(name: string, size: number): Promise<UploadState>;
  /** What has arrived; undefined when the server knows of no such upload. */
  find(uuid: string): Promise<UploadState | undefined>;
  append(piece: UploadChunk): Promise<UploadState>;
  finish(uuid: string): Promise<PreparedFile>;
  cancel(uuid: string): Promise<void>;
}

export interface UploadChunk {
  readonly uuid: string;
  readonly offset: number;
  readonly bytes: Blob;
  readonly onProgress: (sentBytes: number) => void;
  readonly signal: AbortSignal;
}

export const uploadTransport: UploadTransport = {
  begin: (name, size) => client.call(sourceApi.beginUpload, { name, size }),
  find: async (uuid) => (await client.call(sourceApi.uploads)).find((upload) => upload.uuid === uuid),
  append: sendPiece,
  finish: (uuid) => client.call(sourceApi.finishUpload, { uuid }),
  cancel: async (uuid) => {
    await client.call(sourceApi.cancelUpload, { uuid });
  },
};

/** By the older kind of request: `fetch` does not tell how far a body is sent. */
function sendPiece({ uuid, offset, bytes, onProgress, signal }: UploadChunk): Promise<UploadState> {
  const url = sourceApi.append.path.replace(':uuid', uuid).replace(':offset', String(offset));
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    const fail = (message: string) => reject(new ApiError(message, { url }));
    request.open('POST', url);
    request.responseType = 'json';
    request.setRequestHeader('authorization', `Bearer ${readCredentials()?.bearer ?? ''}`);
    request.setRequestHeader('content-type', 'application/octet-stream');
    for (const [name, value] of Object.entries(xsrfHeaders())) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.onabort = () => fail('Request aborted');
    request.onerror = () => fail('Network Error');
    request.onload = () => {
      const answer: unknown = request.response;
      const isGood = request.status === 200 && typeof answer === 'object' && answer !== null && 'data' in answer;
      if (isGood) resolve(answer.data as UploadState);
      else {
        const response = new Response(null, { status: Math.max(200, request.status) });
        reject(
          new ApiError(answerMessage(answer) ?? `Request failed with status code ${request.status}`, {
            url,
            response,
            body: answer,
          }),
        );
      }
    };
    request.onloadend = () => signal.removeEventListener('abort', stop);
    signal.addEventListener('abort', stop);
    request.send(bytes);
  });
}
