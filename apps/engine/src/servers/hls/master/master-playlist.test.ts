import { describe, expect, it } from 'vitest';
import { sample } from '../../../packagers/hls/hls-source.fixture.ts';
import { openHls, urisOf } from '../hls.fixture.ts';
import { type MasterRendition, type MasterVariant, masterPlaylist } from './master-playlist.ts';
import { expectedBitrates } from './master-text.ts';

const bare: MasterVariant = {
  uri: 'show.m3u8?hls_ctx=1',
  bandwidth: 1_234_567.8,
  averageBandwidth: 0,
  codecs: '',
  width: 0,
  height: 0,
  fps: 0,
};

describe('masterPlaylist', () => {
  it('names the media playlist with the known attributes', () => {
    const one = (variant: MasterVariant) => ({ isIndependent: false, variants: [variant], renditions: [] });
    expect(masterPlaylist(one(bare))).toBe('#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1234568\nshow.m3u8?hls_ctx=1\n');
    const known = {
      codecs: 'avc1.64001f,mp4a.40.2',
      width: 1280,
      height: 720,
      fps: 29.97,
      averageBandwidth: 1_000_000,
    };
    expect(masterPlaylist({ ...one({ ...bare, ...known }), isIndependent: true })).toBe(
      '#EXTM3U\n#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-STREAM-INF:BANDWIDTH=1234568,AVERAGE-BANDWIDTH=1000000,' +
        'CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=29.970\nshow.m3u8?hls_ctx=1\n',
    );
  });

  it('offers subtitles under unique names', () => {
    const track = (language: string, name: string, isDefault = false): MasterRendition => ({
      type: 'SUBTITLES',
      language,
      name,
      isDefault,
      uri: `show.sub-${language}.m3u8`,
    });
    const renditions = [
      track('en', 'English', true),
      track('zh-Hans', '中文'),
      track('zh-Hant', '中文'),
      track('de', ''),
    ];
    const variants = [{ ...bare, uri: 'show.m3u8', bandwidth: 1 }];
    expect(masterPlaylist({ isIndependent: false, variants, renditions })).toBe(`#EXTM3U
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,FORCED=NO,URI="show.sub-en.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="中文 (zh-Hans)",LANGUAGE="zh-Hans",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="show.sub-zh-Hans.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="中文 (zh-Hant)",LANGUAGE="zh-Hant",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="show.sub-zh-Hant.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="(de)",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="show.sub-de.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES="subtitles"
show.m3u8
`);
  });

  it('lists several qualities and audio tracks, each variant with the groups that go with it', () => {
    const variants = [
      { ...bare, uri: 'show.m3u8', bandwidth: 3_000_000 },
      { ...bare, uri: 'show.v-480.m3u8', bandwidth: 900_000 },
    ];
    const audio = { type: 'AUDIO', name: 'Deutsch', language: 'de', isDefault: false, uri: 'show.a-de.m3u8' } as const;
    expect(masterPlaylist({ isIndependent: true, variants, renditions: [audio] })).toBe(`#EXTM3U
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Deutsch",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,URI="show.a-de.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=3000000,AUDIO="audio"
show.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=900000,AUDIO="audio"
show.v-480.m3u8
`);
  });
});

describe('the master playlist of a stream', () => {
  const settings = { noHlsCtx: false, shortSegments: true };
  const numberIn = (text: string, name: string) =>
    Number(new RegExp(`[:,]${name}=([\\d.]+)`).exec(text)?.[1] ?? Number.NaN);

  it.each(['show', 'show.ll'])('describes %s as its segments have it', async (name) => {
    const { source, get } = await openHls({ settings });
    source.play(sample(9));
    const { text } = await get(`/live/${name}.m3u8`);
    expect(text).toContain('#EXT-X-INDEPENDENT-SEGMENTS\n');
    expect(text).toMatch(/CODECS="avc1\.[0-9a-f]{6},mp4a\.40\.2"/);
    const media = (await get('/live/show.m3u8?hls_ctx=0123456789abcdef')).text;
    const lengths = [...media.matchAll(/EXTINF:([\d.]+)/g)].map(([, seconds]) => Number(seconds));
    const sizes = await Promise.all(urisOf(media).map(async (uri) => (await get(`/live/${uri}`)).body.length));
    const rates = sizes.map((size, index) => (8 * size) / (lengths[index] ?? 1));
    expect(numberIn(text, 'BANDWIDTH')).toBeCloseTo(Math.max(...rates), -2);
    expect(numberIn(text, 'AVERAGE-BANDWIDTH')).toBeLessThanOrEqual(numberIn(text, 'BANDWIDTH'));
    expect(numberIn(text, 'AVERAGE-BANDWIDTH')).toBeGreaterThanOrEqual(Math.min(...rates) - 1);
    expect(numberIn(text, 'FRAME-RATE')).toBe(25);
  });

  it('estimates the attributes of a stream that just began', async () => {
    const { source, get } = await openHls({ settings });
    const { configs, frames } = sample(9);
    source.play({ configs, frames: frames.filter(({ dtsMs }) => dtsMs < 1200) });
    const early = numberIn((await get('/live/show.m3u8')).text, 'BANDWIDTH');
    source.play({ configs: [], frames: frames.filter(({ dtsMs }) => dtsMs >= 1200) });
    const later = numberIn((await get('/live/show.m3u8')).text, 'BANDWIDTH');
    expect(early / later).toBeGreaterThan(0.7);
    expect(early / later).toBeLessThan(2);
  });

  it('does not name the codecs while an announced track is missing', async () => {
    const { source, get } = await openHls({ settings });
    const { configs, frames } = sample(9);
    const [video] = configs.filter(({ kind }) => kind === 'video');
    source.play({
      configs: video ? [video] : [],
      frames: frames.filter(({ kind, dtsMs }) => kind === 'video' && dtsMs < 900),
    });
    expect((await get('/live/show.m3u8')).text).not.toContain('CODECS');
  });

  it('uses the values that the encoder announces before there are frames, unless they are invalid', () => {
    const metadata = { videodatarate: 4500, audiodatarate: 160 };
    expect(expectedBitrates(metadata, { bytes: 188, durationMs: 0 }).average).toBeCloseTo(4_660_000 * 1.06, -3);
    for (const videodatarate of [-1, Number.NaN, 1e30, '5000', null])
      expect(expectedBitrates({ videodatarate }, { bytes: 0, durationMs: 0 })).toEqual({ peak: 2_000_000, average: 0 });
  });
});
