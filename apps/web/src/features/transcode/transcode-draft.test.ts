import { TranscodeConfig, transcodeProblem } from '@weir/contract';
import { describe, expect, it } from 'vitest';
import { toDraft, toTranscodeConfig } from './transcode-draft.ts';

const own = { server: 'rtmp://h/live/', secret: 'livestream-trans?secret=s' };
const offered = toDraft(TranscodeConfig.parse({}), own);

describe('the transcoding form', () => {
  it('proposes usual values and this server before the first save', () => {
    expect(offered).toMatchObject({ vbitrate: '1200', abitrate: '64', vprofile: 'baseline', achannels: '0', ...own });
    expect(transcodeProblem(toTranscodeConfig(offered, true))).toBeUndefined();
  });

  it('shows saved values and completes no part of a destination', () => {
    const saved = { ...toTranscodeConfig(offered, true), vbitrate: 800, server: 'rtmp://other/app/key', secret: '' };
    expect(toDraft(saved, own)).toMatchObject({ vbitrate: '800', server: 'rtmp://other/app/key', secret: '' });
    expect(toTranscodeConfig(toDraft(saved, own), true)).toEqual(saved);
  });

  it.each([
    [{ vbitrate: '1200k' }, 'vbitrate'],
    [{ vbitrate: '99' }, 'vbitrate'],
    [{ abitrate: '' }, 'abitrate'],
    [{ abitrate: '1001', vcodec: '' }, 'abitrate'],
    [{ vcodec: '' }, 'vcodec'],
    [{ vprofile: '', vpreset: '' }, 'vprofile'],
    [{ vpreset: '' }, 'vpreset'],
    [{ acodec: '' }, 'acodec'],
    [{ achannels: '' }, 'achannels'],
    [{ server: '', secret: '' }, 'server'],
    [{ server: 'http://h/' }, 'server'],
  ])('finds the first problem in %j', (change, field) => {
    expect(transcodeProblem(toTranscodeConfig({ ...offered, ...change }, true))?.field).toBe(field);
  });

  it('accepts a whole URL in either field', () => {
    const config = toTranscodeConfig({ ...offered, server: ' ', secret: 'rtmp://h/live/a ' }, true);
    expect(transcodeProblem(config)).toBeUndefined();
  });
});
