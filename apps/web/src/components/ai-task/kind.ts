/** What AI does with the segments of live streams. Each has texts of its own, under the same keys. */
export type AiTaskKind = 'ocr' | 'transcript';
