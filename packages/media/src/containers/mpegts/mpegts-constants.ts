export const packetBytes = 188;
export const tsSyncByte = 0x47;

export const patPid = 0;
export const pmtPid = 0x1000;
export const videoPid = 0x100;
export const audioPid = 0x101;

/** ISO 13818-1 table 2-34. */
export const streamTypes = { mpeg1Audio: 0x03, mpeg2Audio: 0x04, privateData: 0x06, aac: 0x0f, h264: 0x1b, h265: 0x24 };

/** Timestamps are 33 bits of a 90 kHz clock and start over after 26.5 hours. */
export const timestampModulus = 2 ** 33;
