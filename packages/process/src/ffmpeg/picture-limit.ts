/**
 * Largest picture that a program decodes, a bit above 8K; stands before each input. Probing decodes too, and a segment of 800 KB with
 * black pictures takes 630 MB of memory otherwise.
 */
export const pictureLimit: readonly string[] = ['-max_pixels', String(8192 * 4352)];
