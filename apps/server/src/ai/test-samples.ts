import { wavOf } from './wav.ts';

/** The words WEIR 42 in black on white, 128 × 48, as JPEG. */
export const sampleImage: Uint8Array = Buffer.from(
  [
    '/9j/4AAQSkZJRgABAgAAAQABAAD//gAQTGF2YzU5LjM3LjEwMAD/2wBDAAgQEBMQExYWFhYWFhoYGhsbGxoaGhobGxsdHR0iIiIdHR0bGx0dICAiIiUmJSMj',
    'IiMmJigoKDAwLi44ODpFRVP/xABvAAEBAQEBAQAAAAAAAAAAAAAABwYFBAIBAQAAAAAAAAAAAAAAAAAAAAAQAAEDAwIEBAUDBAMBAAAAAAEEAwIRABIFISIU',
    'MRMyYXFBFZGBUQYjQ0KSdCRSoqEzsREBAAAAAAAAAAAAAAAAAAAAAP/AABEIADAAgAMBIgACEQADEQD/2gAMAwEAAhEDEQA/AL/a1z1AuUnVl6J9zMQEXWOG',
    'McWz1FYxBlTOI3qdrChWuRfkWqrUb7baOWPbZkofGMJVbzjEeKMqe/SnW6IoWQaROKgaxiyXY+fDlH57WHZtcxTLFvwCat12r5addjLBsYgVw4REROwruPe/',
    'Lp7OsrkjKj4t2+7HLHkmJU8q1FflYVi18JCnVsCYUq+bJIxPZgziPcUgTWvnea0JcoWTXh6eYZUybb4YxxiCduGIr6mpsKFa4ygd1bVHVuGo9iLCibcY8qw5',
    'tU03IidgKe99pDqC1jUvhy6Tbspt9xl6EcDICu0ojb+MunQj3sKZa1rBa4av1xbNWzJLMQSczBNljCXflXjkDKJpEeEEEV63XlpUhPPlRAvbYdzwbyFSdx0F',
    'TYdS1zeSTX4wLg1BibgFezy8A3I/69zafpsL7ujal8VRxfMcJiRg5EdBONOld6EEHyrSw1dyfU/8PXdOU9IviSafr0jX6zH9N1i8F+RIH16OITxyeadg42Kx',
    'idtjvIgdDXc+1hxkjI1NdrLkvCY8jA/YCNHP+VDePULZufjjCb96b0UZj7jtzrT+kQB9bqmgonUKGMHxi9ObjroqDxzl94kg8IHQ3ghoaz40JmH+FFTNUJZQ',
    'p3JREvBln44geH2sN3qbMU+iqGo9G0koD0jCl4/R0OqOaemk1qnZgYcLfKMzwFTtlI1Pqbo2qMuKEKlpuOU3GpxiKgVJGwqSAPqbwunvayhSMp/hPc7Uccud',
    'YjXzpQ0+dhvkTCpiEgpVc3IyqJ9mDOIoOGkCQd963gfxj/11T+8n/wDZXuUKhY/nzSPlMccP123s61r4AMabdetbzmhIVCOa8vQwDymTjfFGWUSTvwyNPQ0N',
    'hhNGVLk72pBMh5sFW4ZS5htnE5S2pMEn6X1tJlPUNYeUq6MKE7fbglocoQP8zI7SHEen+1dhS9LoSFQjmvL0MA8pk43xRllEk78MjT0NDfxrCBSVKVeihm+z',
    'LGcMow7rR6gmRA23H18rCi3NfyBf2w0hg7Biaqom9OQhFpn+UspEDI7gCv8A3S6QNwNqeR9vlUXz30SVSRJ5Ow8QKAuNwmQPsDIHawi2tPae01pbKV9PKDCm',
    'FcHW5YxHWU8TtXqSfe7k080ogJtOQdga0lCQlE067xJFzHWdDg8UfKI2BiojJ7CDLf6fvlXHIeW/pe3VQdSInI6ew13AP0moiDcKykKmnDHYEy9q0sOBrOqy',
    'T0RpB3Vj4pCMf2wf3Jfag3FfU7X19H04aWjgxXKW8nJexnLrTyGwHkLnOmM6rp3cclpJUKHSS4/NanEpb9AKHGPlXf5XVkTyl9syUpuVmJECHdg9WNBxZQAA',
    'qainXaw7FrWsFrWsFrWsFrWsFrWsFrWsFrWsFrWsP//Z',
  ].join(''),
  'base64',
);

const sampleRate = 16_000;

/** A second of silence: enough to learn whether somebody listens. */
export function sampleSpeech(): Uint8Array {
  return wavOf(Buffer.alloc(sampleRate * 2));
}
