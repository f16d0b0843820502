/** A real SRS, where somebody has one. */
export const srsBinary = process.env.SRS_BINARY ?? '';
