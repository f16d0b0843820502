import { describe, expect, it } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { FakeMediaServer } from '../../media-server/fake-media-server.fixture.ts';

const secret = 'ffmpeg/camera/secret';
const source = 'ffmpeg/camera/source';
const streamUrl = 'ffmpeg/camera/stream-url';
const wx = { action: 'update', platform: 'wx', server: 'rtmp://127.0.0.1:9/live', secret: 'the-stream-key' };
const open = () => createReadyApp({ mediaServer: new FakeMediaServer() });

describe('cameras', () => {
  it('are an empty list at first', async () => {
    const { call } = await open();
    expect((await call(secret)).data).toEqual({});
    expect((await call('ffmpeg/camera/streams')).data).toEqual([]);
  });

  it('are prepared by their address, which is stored as it was typed and not contacted', async () => {
    const { call } = await open();
    const url = 'rtsp://Cam@Viewer:p@ss?!#@10.255.255.1:554/Streaming/101';
    expect((await call(streamUrl, { url })).data).toMatchObject({ name: '101', target: url });
  });

  it.each([
    [streamUrl, { url: '' }, 'url is required'],
    [streamUrl, { url: 'file:///etc/passwd' }, 'scheme'],
    [streamUrl, { url: 'http://camera.test/' }, 'suffix'],
    [streamUrl, { url: 'rtsp://169.254.169.254/x' }, 'link-local'],
    [source, { platform: 'wx', files: [] }, 'no files'],
    [source, { platform: 'vlive-4-abc', files: [{ uuid: 'x', type: 'stream' }] }, 'invalid platform=vlive-4-abc'],
    [source, { platform: 'wx', files: [{ uuid: 'x', target: '/etc/passwd', type: 'file' }] }, 'not a source of this'],
    [secret, wx, 'no files'],
    [secret, { ...wx, files: [] }, 'no files'],
    [secret, { ...wx, files: [{ uuid: 'x', target: '/etc/passwd', type: 'stream' }] }, 'not a source of this'],
    [secret, { ...wx, action: 'start' }, 'invalid action=start'],
  ])('%s refuses %j: %s', async (path, body, message) => {
    const { call } = await open();
    const answer = await call(path, body);
    expect([answer.status, answer.data.message]).toEqual([422, expect.stringContaining(message)]);
    expect((await call(secret)).data).toEqual({});
  });
});
