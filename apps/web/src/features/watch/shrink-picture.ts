import { type WatchPicture, watchLimits } from '@weir/contract';

/** Thrown for a file that this browser cannot decode, or that stays too large. */
export class PictureError extends Error {}

/** Base64 of a picture that is small enough to send: scaled down, and without what cameras hide in files. */
export async function shrinkPicture(file: Blob, kind: WatchPicture): Promise<string> {
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (!bitmap) throw new PictureError();
  const isLogo = kind === 'logo';
  const side = isLogo ? watchLimits.logoSide : watchLimits.pictureSide;
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  // A logo keeps its transparency.
  for (const quality of isLogo ? [1] : [0.88, 0.75, 0.6]) {
    const blob = await new Promise<Blob | null>((done) =>
      canvas.toBlob(done, isLogo ? 'image/png' : 'image/jpeg', quality),
    );
    if (blob && blob.size <= watchLimits.pictureBytes) return toBase64(await blob.arrayBuffer());
  }
  throw new PictureError();
}

function toBase64(bytes: ArrayBuffer): string {
  let text = '';
  const all = new Uint8Array(bytes);
  for (let at = 0; at < all.length; at += 8192) text += String.fromCharCode(...all.subarray(at, at + 8192));
  return btoa(text);
}
