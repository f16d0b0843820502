import { type Amf0Object, type Amf0Value, encodeAmf0 } from './amf0.ts';
import { encodeMessage } from './chunks/chunk-writer.ts';
import { messageType } from './message.ts';
import { playChunkSize } from './outgoing.ts';

const commandChunkStream = 3;
const statusChunkStream = 5;
/** RTMP 1.0, 5.4.1: until Set Chunk Size says otherwise. */
const initialChunkSize = 128;

export function encodeCommand(streamId: number, values: readonly Amf0Value[], chunkSize = playChunkSize): Buffer {
  const chunkStreamId = streamId === 0 ? commandChunkStream : statusChunkStream;
  const payload = encodeAmf0(values);
  return encodeMessage({ type: messageType.command, streamId, timestamp: 0, payload, chunkStreamId }, chunkSize);
}

export function encodeData(streamId: number, values: readonly Amf0Value[], chunkSize = playChunkSize): Buffer {
  const payload = encodeAmf0(values);
  const chunkStreamId = statusChunkStream;
  return encodeMessage({ type: messageType.data, streamId, timestamp: 0, payload, chunkStreamId }, chunkSize);
}

export function encodeStatus(streamId: number, level: 'status' | 'error', code: string, description: string): Buffer {
  return encodeCommand(streamId, ['onStatus', 0, null, { level, code, description }]);
}

/** Enhanced RTMP: the peer should connect again, here. */
export function encodeReconnectRequest(description: string): Buffer {
  return encodeStatus(0, 'status', 'NetConnection.Connect.ReconnectRequest', description);
}

export function encodeConnectResult(transactionId: number, request: Amf0Object): Buffer {
  const server = { fmsVer: 'FMS/3,5,3,888', capabilities: 127, mode: 1, ...enhancedCapabilities(request) };
  const information = {
    level: 'status',
    code: 'NetConnection.Connect.Success',
    description: 'Connection succeeded',
    objectEncoding: 0,
  };
  return encodeCommand(0, ['_result', transactionId, server, information]);
}

export function encodeConnectRefusal(transactionId: number, description: string): Buffer {
  const information = { level: 'error', code: 'NetConnection.Connect.Rejected', description };
  // No chunk size has been announced yet at this point.
  return encodeCommand(0, ['_error', transactionId, null, information], initialChunkSize);
}

const videoCodecs = ['avc1', 'hvc1', 'av01', 'vp09'];
const audioCodecs = ['mp4a', 'Opus', '.mp3'];
/** Enhanced RTMP v2: the server passes the codec on without decoding it. */
const canForward = 4;
/** Flag of peers that understand a reconnect request. */
export const reconnectCapability = 0x01;
/** Several tracks and modifiers are read, and a server that stops says so; times in nanoseconds are not used. */
const capabilities = reconnectCapability | 0x02 | 0x04;

/** Enhanced RTMP: sent only to clients that ask, because older ones may fail on unknown properties. */
function enhancedCapabilities(request: Amf0Object): Amf0Object {
  const answer: Amf0Object = {};
  if (Array.isArray(request.fourCcList)) answer.fourCcList = [...videoCodecs, ...audioCodecs];
  if (isObject(request.videoFourCcInfoMap)) answer.videoFourCcInfoMap = infoMap(videoCodecs);
  if (isObject(request.audioFourCcInfoMap)) answer.audioFourCcInfoMap = infoMap(audioCodecs);
  if (typeof request.capsEx === 'number') answer.capsEx = capabilities;
  return answer;
}

function infoMap(codecs: readonly string[]): Amf0Object {
  return Object.fromEntries(codecs.map((codec) => [codec, canForward]));
}

function isObject(value: Amf0Value): boolean {
  return typeof value === 'object' && value !== null;
}
