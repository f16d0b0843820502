interface Codec {
  readonly mimeType: string;
  readonly sdpFmtpLine?: string;
}

/**
 * Every viewer's device decodes constrained baseline H.264, so it comes first; the others stay as they were, should
 * the server not take it.
 */
export function sortByPreference<C extends Codec>(codecs: readonly C[]): C[] {
  return codecs
    .map((codec, place) => ({ codec, place }))
    .sort((a, b) => rank(a.codec) - rank(b.codec) || a.place - b.place)
    .map(({ codec }) => codec);
}

function rank({ mimeType, sdpFmtpLine = '' }: Codec): number {
  if (mimeType.toLowerCase() !== 'video/h264') return 3;
  if (!sdpFmtpLine.includes('packetization-mode=1')) return 2;
  return /profile-level-id=42e0/i.test(sdpFmtpLine) ? 0 : 1;
}

export function preferH264(transceiver: RTCRtpTransceiver): void {
  const codecs = RTCRtpSender.getCapabilities('video')?.codecs ?? [];
  try {
    transceiver.setCodecPreferences(sortByPreference(codecs));
  } catch {
    // Browsers differ in which lists they take; then their own order stands and the server chooses.
  }
}
