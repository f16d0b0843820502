const protocolNames: Record<string, string> = { rtmp: 'RTMP', srt: 'SRT', rtc: 'WebRTC', flv: 'FLV', hls: 'HLS' };

export function protocolName(protocol: string): string {
  return protocolNames[protocol] ?? protocol.toUpperCase();
}
