import { describe, expect, it } from 'vitest';
import { findPreset, findPresetSlot, isCustomSlot, listPresets } from './presets.ts';

const own = { server: 'rtmp://localhost/live/', aliases: ['rtmp://localhost/live'], publishSecret: '' };
const slot = (platform: string, server: string, custom = false) => ({ platform, server, secret: 'k', custom });

describe('the platform of a slot', () => {
  it.each([
    [slot('wx', 'rtmp://a.rtmp.youtube.com/live2'), 'en', 'youtube'],
    [slot('wx', 'rtmp://127.0.0.1/live'), 'en', 'youtube'],
    [slot('wx', 'rtmp://127.0.0.1/live'), 'zh', 'weixin'],
    [slot('wx', 'rtmp://127.0.0.1/live', true), 'en', 'server'],
    [slot('forwarding-4-a1b2c3', 'rtmp://live.twitch.tv/app', true), 'zh', 'twitch'],
    [slot('forwarding-4-a1b2c3', 'rtmps://fra02.contribute.live-video.net/app', true), 'en', 'twitch'],
    [slot('forwarding-4-a1b2c3', 'srt://not-youtube.community:10080', true), 'en', 'server'],
    [slot('vlive-4-a1b2c3', 'rtmp://localhost/live/', true), 'en', 'own'],
    [slot('kuaishou', ''), 'zh', 'kuaishou'],
  ])('of %j in %s is %s', (one, locale, preset) => {
    expect(findPreset(one, locale, own)).toBe(preset);
  });

  it('has a slot of its own in one language, and is custom elsewhere', () => {
    expect([findPresetSlot('twitch', 'en'), findPresetSlot('twitch', 'zh')]).toEqual(['bilibili', undefined]);
    expect(isCustomSlot('bilibili', 'twitch', 'en')).toBe(false);
    expect(isCustomSlot('bilibili', 'server', 'en')).toBe(true);
    expect(isCustomSlot('forwarding-4-a1b2c3', 'twitch', 'en')).toBe(true);
    expect(isCustomSlot('kuaishou', 'kuaishou', 'zh')).toBe(true);
  });

  it('stands first in its own language', () => {
    expect(listPresets('en').slice(0, 3)).toEqual(['youtube', 'twitch', 'facebook']);
    expect(listPresets('zh')).toEqual(['weixin', 'bilibili', 'kuaishou', 'youtube', 'twitch', 'facebook']);
  });
});
