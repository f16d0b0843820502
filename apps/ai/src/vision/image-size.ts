interface ImageSize {
  /** As ffmpeg names what reads it. */
  readonly format: 'jpeg_pipe' | 'png_pipe';
  readonly width: number;
  readonly height: number;
}

/** What a JPEG or PNG says of itself; undefined for everything else. */
export function readImageSize(image: Buffer): ImageSize | undefined {
  const size = image.length < 32 ? undefined : (pngSize(image) ?? jpegSize(image));
  return size && size.width > 0 && size.height > 0 ? size : undefined;
}

function pngSize(image: Buffer): ImageSize | undefined {
  const isPng = image.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n' && image.toString('latin1', 12, 16) === 'IHDR';
  return isPng ? { format: 'png_pipe', width: image.readUInt32BE(16), height: image.readUInt32BE(20) } : undefined;
}

/** Markers follow each other with their lengths; a frame header (C0 to CF, but for three tables) has the size. */
function jpegSize(image: Buffer): ImageSize | undefined {
  if (image.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 < image.length; ) {
    if (image[at] !== 0xff) return undefined;
    const marker = image[at + 1] ?? 0;
    // Fill bytes may stand before a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { format: 'jpeg_pipe', width: image.readUInt16BE(at + 7), height: image.readUInt16BE(at + 5) };
    at += 2 + Math.max(2, image.readUInt16BE(at + 2));
  }
  return undefined;
}
