import type { StreamAddresses } from '@weir/streams';

/** Commands, short codes and links of the guides. */
export interface GuideValues {
  readonly rtmpPublishUrl: string;
  readonly ffmpegRtmp: string;
  readonly ffmpegRtmpTest: string;
  readonly ffmpegSrt: string;
  readonly ffmpegSrtTest: string;
  readonly ffplayWindows: string;
  readonly ffplayUnix: string;
  readonly flvSkinPlayer: string;
  readonly hlsSkinPlayer: string;
  readonly flvShortcode: string;
  readonly hlsShortcode: string;
  readonly rtcShortcode: string;
  readonly publisherShortcode: string;
}

const file = '-re -i ./sample.mp4 -c copy';
/** Test pattern and tone for users without a file. Without B-frames, so that WebRTC needs no conversion. */
const test =
  '-re -f lavfi -i testsrc2=size=1280x720:rate=30 -f lavfi -i sine=frequency=440' +
  ' -c:v libx264 -preset veryfast -tune zerolatency -pix_fmt yuv420p -g 60 -b:v 2500k -c:a aac -b:a 128k';
const lowDelay = '-fflags nobuffer -flags low_delay';

export function guideValues(addresses: StreamAddresses): GuideValues {
  const rtmpPublishUrl = addresses.rtmpServer + addresses.rtmpStreamKey;
  // Some shells expand the question mark. Double quotes work in all of them.
  const rtmpOutput = `-f flv "${rtmpPublishUrl}"`;
  // Single quotes, because some shells expand `!` in double quotes.
  const srtOutput = `-pes_payload_size 0 -f mpegts '${addresses.srtPublishUrl}'`;
  return {
    rtmpPublishUrl,
    ffmpegRtmp: `ffmpeg ${file} ${rtmpOutput}`,
    ffmpegRtmpTest: `ffmpeg ${test} ${rtmpOutput}`,
    ffmpegSrt: `ffmpeg ${file} ${srtOutput}`,
    ffmpegSrtTest: `ffmpeg ${test} ${srtOutput}`,
    ffplayWindows: `ffplay ${lowDelay} -i "${addresses.srtPlayUrl}"`,
    ffplayUnix: `ffplay ${lowDelay} -i '${addresses.srtPlayUrl}'`,
    flvSkinPlayer: skinPlayer(addresses.flvPlayer),
    hlsSkinPlayer: skinPlayer(addresses.hlsPlayer),
    flvShortcode: shortcode('srs_player', addresses.flvUrl),
    hlsShortcode: shortcode('srs_player', addresses.m3u8Url),
    rtcShortcode: shortcode('srs_player', addresses.rtcUrl),
    publisherShortcode: shortcode('srs_publisher', addresses.rtcPublishUrl),
  };
}

function skinPlayer(player: string): string {
  return player.replace('player.html', 'xgplayer.html');
}

function shortcode(name: string, url: string): string {
  return `[${name} url="${url}"]`;
}
