import { flvKind } from '@weir/media';
import { encodeAmf0 } from '../../packages/media/src/protocols/rtmp/amf0.ts';
import { FrameViewer } from '../../tests/media/fixtures/frames.fixture.ts';
import { type Attack, holds } from '../attack.ts';
import { RtmpPeer } from '../rtmp-peer.ts';

/** An object with one key that is no text: as long as it may be, and three times as long once it was made text. */
function metadata(keyBytes: number): Buffer {
  const key = Buffer.alloc(keyBytes, 0xff);
  const head = Buffer.from([0x03, keyBytes >> 8, keyBytes & 0xff]);
  return Buffer.concat([encodeAmf0(['onMetaData']), head, key, Buffer.from([0x05, 0x00, 0x00, 0x09])]);
}

export const unencodableMetadata: Attack = {
  id: 'S34',
  title: 'metadata that can be decoded but not re-encoded, with viewers requesting it',
  growthMb: 60,
  async run({ live }) {
    const lengths = [1, 21_845, 21_846, 65_535];
    for (const length of lengths) {
      const { rtmpPort: port, httpPort } = live.weir;
      const name = `meta${length}`;
      const peer = new RtmpPeer({ port, mode: 'publish', name: `${name}?secret=${live.secret}` });
      await peer.begun();
      holds(!peer.hasEnded, 'the publisher was not let in');
      peer.session.sendMedia(flvKind.script, 0, metadata(length));
      await peer.drain();
      const viewer = FrameViewer.overFlv(httpPort, `/live/${name}.flv`);
      const other = FrameViewer.overRtmp(port, 'live', name);
      await live.isLive(name);
      await fetch(live.http(name, '.m3u8')).then((response) => response.text());
      viewer.close();
      other.close();
      peer.close();
    }
    return `${lengths.length} kinds, with viewers over HTTP-FLV, RTMP and HLS`;
  },
};
