import { readdir, readFile } from 'node:fs/promises';
import type { InjectOptions } from 'fastify';
import type { createReadyApp } from '../app.ready.fixture.ts';

export const api = 'ffmpeg/vlive';
const bearer = { authorization: 'Bearer srs-v2-00000000000000000000000000000000' };
export const uuid = /^[0-9a-f-]{36}$/;

type Server = Awaited<ReturnType<typeof createReadyApp>>;

export async function send(server: Server, url: string, payload: Buffer, headers: Record<string, string> = bearer) {
  const options: InjectOptions = { method: 'POST', url: `/terraform/v1/${api}/${url}`, payload, headers };
  const response = await server.inject(options);
  return { status: response.statusCode, ...response.json() };
}

export function form(name: string, content: Buffer): { payload: Buffer; headers: Record<string, string> } {
  const written = name.replaceAll('"', '%22');
  const head = `--b\r\nContent-Disposition: form-data; name="${written}"; filename="${written}"\r\n\r\n`;
  const payload = Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--b--\r\n')]);
  return { payload, headers: { ...bearer, 'content-type': 'multipart/form-data; boundary=b' } };
}

export async function upload(server: Server, name: string, content: Buffer) {
  const { payload, headers } = form(name, content);
  return send(server, `upload/${encodeURIComponent(name)}`, payload, headers);
}

/** Content of the source folders. */
export const files = async (server: Server) =>
  (await readdir(server.dataDir, { recursive: true })).filter((name) => /^(upload|vlive)\//.test(name)).sort();

/** A film that was uploaded and is not used yet. */
export async function prepared(server: Server, path: string) {
  return (await upload(server, 'film.mp4', await readFile(path))).data as { uuid: string; target: string };
}
