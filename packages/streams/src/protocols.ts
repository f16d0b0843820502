/** Playback protocols in the media server's names. */
export const playProtocols = ['rtc', 'flv', 'hls', 'rtmp', 'srt'] as const;
export type PlayProtocol = (typeof playProtocols)[number];

/** Protocols with a port of their own. */
export const listenerProtocols = ['http', 'https', 'rtmp', 'rtc', 'srt'] as const;
export type ListenerProtocol = (typeof listenerProtocols)[number];

/** Why a port is not open; empty while it is. */
export const listenerNotes = ['no-certificate', 'port-taken', 'no-library', 'no-filter', 'unsupported', ''] as const;
export type ListenerNote = (typeof listenerNotes)[number];

/**
 * Why the engine refuses a publisher by itself. `in-use`: the stream has a publisher. `too-many`: the limit of streams is reached. `memory`:
 * memory is nearly full.
 */
export const engineRefusals = ['in-use', 'too-many', 'memory'] as const;
export type EngineRefusal = (typeof engineRefusals)[number];
