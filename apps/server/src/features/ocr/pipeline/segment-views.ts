import type { OcrDoneSegment, OcrImageSegment, OcrLiveSegment, OcrReadSegment } from '@weir/contract';
import { streamLabel } from '@weir/streams';
import { usualFormat } from '../../../segments/segment-feed.ts';
import { beganAt, type OcrRow, segmentIds } from './ocr-row.ts';

/** Gives the path of a picture that opens for some time without a credential. */
type ImagePath = (tsid: string) => string;

/** A segment as each queue shows it. */
export const segmentViews = { live: liveView, ocr: imageView, callback: readView, cleanup: doneView } as const;

function liveView(row: OcrRow): OcrLiveSegment {
  const { org } = segmentIds(row);
  return { ...common(row), tsid: org, url: `ocr/${org}${usualFormat.extension}`, size: row.bytes };
}

function imageView(row: OcrRow, imagePath: ImagePath): OcrImageSegment {
  const { org, image } = segmentIds(row);
  const address = row.imageBytes > 0 ? imagePath(image) : '';
  const { imageBytes: size, eic } = row;
  return { ...common(row), tsid: image, url: `ocr/${image}.jpg`, size, stsid: org, eic, image: address };
}

function readView(row: OcrRow, imagePath: ImagePath): OcrReadSegment {
  const { ocr, ocrc, outcome, cause, answeredBy, model, prompt } = row;
  return {
    ...imageView(row, imagePath),
    ocr,
    ocrc,
    outcome: outcome ?? 'skipped',
    cause,
    answeredBy,
    model,
    prompt,
  };
}

function doneView(row: OcrRow, imagePath: ImagePath): OcrDoneSegment {
  return { ...readView(row, imagePath), cbc: row.cbc };
}

function common(row: OcrRow) {
  const { sequence: seqno, epoch, durationMs } = row;
  return { seqno, duration: durationMs / 1000, stream: streamLabel(row), epoch, at: beganAt(row) };
}
