/** Usual heights of pictures. Encoders round sizes, since pictures have an even number of lines. */
const usual = [90, 135, 144, 180, 216, 240, 270, 288, 360, 432, 480, 540, 576, 720, 1080, 1440, 2160, 4320];
const roundedBy = 0.012;
/** Name of one quality in an address, as `720p`; two of the same size are numbered, as `720p-2`. */
export const qualityPattern = '\\d{1,5}p(?:-\\d{1,2})?';
const qualityForm = new RegExp(`^${qualityPattern}$`);

/** Name of video by its shorter side, so that a film on a phone is called the same upright. */
export function qualityName({ width, height }: { readonly width: number; readonly height: number }): string {
  const lines = Math.min(width, height);
  const near = usual.find((each) => Math.abs(each - lines) <= Math.max(1, each * roundedBy));
  return `${near ?? lines}p`;
}

/** True of the name of a quality. */
export const isQuality = (name: string): boolean => qualityForm.test(name);

/** The quality that a query asks for; undefined for the best, and for what is no name of one. */
export function readQuality(query: string): string | undefined {
  const [, name = ''] = /(?:^|[?&])quality=([^&#]*)/.exec(query) ?? [];
  return isQuality(name) ? name : undefined;
}
