import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../weir.fixture.ts';
import { encodedClip, Publisher } from '../fixtures/ffmpeg.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';
import { Recordings } from '../fixtures/record.fixture.ts';

let live: Live;
let publisher: Publisher;
beforeAll(async () => {
  live = await Live.start();
  await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
});
afterAll(async () => {
  await publisher?.stop('SIGKILL');
  await live?.close();
});

/** Files and folders below the data directory that somebody else could read, if that directory were open to them. */
function openToOthers(): string[] {
  const { dataDir } = live.weir;
  return readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => ((lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0)
    .map((path) => relative(dataDir, path));
}

it('segments, recordings, uploads and files made from them are readable by the user of the server alone', async () => {
  const recordings = new Recordings(live);
  await recordings.start();
  const copies = join(live.weir.dataDir, 'copies');
  mkdirSync(copies, { mode: 0o700 });
  await recordings.post('post-processing', { postProcess: 'post-cp-file', postCpDir: '/data/copies' });
  publisher = new Publisher(live.publishUrl('private'));
  const recording = await recordings.wait('private', ({ duration }) => duration > 3, 'some seconds are recorded');
  expect(readdirSync(join(live.weir.dataDir, 'hls'), { recursive: true }).length).toBeGreaterThan(1);
  expect(openToOthers()).toEqual([]);
  const { uuid } = await recordings.finish(recording);
  const form = new FormData();
  form.set('file', new Blob([readFileSync(encodedClip())]), 'film.flv');
  const upload = `${live.weir.origin}/terraform/v1/ffmpeg/vlive/upload/film.flv`;
  const response = await fetch(upload, { method: 'POST', body: form, headers: live.headers });
  const { data } = (await response.json()) as { data: { uuid: string; target: string } };
  await live.post('/terraform/v1/ffmpeg/vlive/source', { platform: 'wx', files: [{ uuid: data.uuid }] });
  const copy = join(copies, `${uuid}.mp4`);
  await until(() => statSync(copy, { throwIfNoEntry: false }) !== undefined, 'the copy is there');
  // Other programs of the owner's read copies.
  expect(statSync(copy).mode & 0o777).toBe(0o640);
  expect(statSync(join(live.weir.dataDir, data.target.replace('upload/', 'vlive/'))).mode & 0o777).toBe(0o600);
  expect(openToOthers()).toEqual([relative(live.weir.dataDir, copy)]);
});
