import { describe, expect, it } from 'vitest';
import { agreeToReceive, readOffer } from './negotiation.ts';
import { audioSection, offerText, videoSection } from './offers.fixture.ts';
import { RequestFailed } from './request-body.ts';

const h264 = ['102 H264/90000', '103 rtx/90000'];
const failureOf = (text: string) => {
  try {
    agreeToReceive(readOffer(text));
    return undefined;
  } catch (error) {
    if (error instanceof RequestFailed) return error.failure;
    throw error;
  }
};

describe('an offer to publish', () => {
  it.each([
    ['VP8 alone', [videoSection(['96 VP8/90000', '97 rtx/90000'])], 'VP8'],
    ['VP8 beside audio', [videoSection(['96 VP8/90000']), audioSection()], 'VP8'],
    ['no codec that can be read', [videoSection([]), audioSection()], 'no codec'],
    ['H.264 without rtcp-mux', [videoSection(h264).filter((line) => line !== 'a=rtcp-mux')], 'rtcp-mux'],
  ])('of %s is refused with 422 and the reason', (_what, sections, reason) => {
    expect(failureOf(offerText(...sections))).toMatchObject({
      status: 422,
      message: expect.stringContaining(reason),
    });
  });

  it.each([
    ['audio alone', [audioSection()]],
    ['VP8 and H.264', [videoSection(['96 VP8/90000', ...h264]), audioSection()]],
    ['one usable video of two', [videoSection(['96 VP8/90000']), videoSection(h264, [], '7'), audioSection()]],
    ['video that is not sent', [videoSection(['96 VP8/90000'], ['a=inactive']), audioSection()]],
  ])('of %s is accepted', (_what, sections) => {
    const text = offerText(...sections);
    expect(failureOf(text)).toBeUndefined();
    expect(agreeToReceive(readOffer(text)).audio ?? agreeToReceive(readOffer(text)).video).toBeDefined();
  });
});
