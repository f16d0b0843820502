import { TranscodeConfig, transcodeProblem } from '@weir/contract';
import { describe, expect, it } from 'vitest';
import { toDraft, toTranscodeConfig } from './transcode-draft.ts';

const own = { server: 'rtmp://h/live/', secret: 'livestream-trans?secret=s' };
const offered = toDraft(TranscodeConfig.parse({}), own);

describe('the form of transcoding', () => {
  it('offers what suits most, to our own server, before anything was saved', () => {
    expect(offered).toMatchObject({ vbitrate: '1200', abitrate: '64', vprofile: 'baseline', achannels: '0', ...own });
    expect(transcodeProblem(toTranscodeConfig(offered, true))).toBeUndefined();
  });

  it('shows what was saved, and fills no part of a destination with ours', () => {
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
  ])('finds the first of what is wrong in %j', (change, field) => {
    expect(transcodeProblem(toTranscodeConfig({ ...offered, ...change }, true))?.field).toBe(field);
  });

  it('takes a whole address from either field', () => {
    const config = toTranscodeConfig({ ...offered, server: ' ', secret: 'rtmp://h/live/a ' }, true);
    expect(transcodeProblem(config)).toBeUndefined();
  });
});
