/** Facts about Weir for a configuration of SRS. */
interface SrsConfFacts {
  readonly rtmpPort: number;
  readonly srtPort: number;
  readonly rtcPort: number;
  /** Empty = SRT is not encrypted. */
  readonly srtPassphrase: string;
  /** `port` or `address:port` of its API and of its HTTP server. */
  readonly api: string;
  readonly http: string;
  /** URL of the hooks with the token, without a trailing slash. */
  readonly hooks: string;
  /** Folder for segments; inside Weir's data directory no segment is copied. */
  readonly hlsPath: string;
  /** `address:port` of the APIs of the other origins, where several share the streams. */
  readonly coworkers: readonly string[];
  /** Address that WebRTC clients are told; empty = the host they asked Weir at. */
  readonly candidate: string;
}

/**
 * SRS configuration for Weir, with the limits of the contract. Segment names contain their time, so that a republished stream does not
 * overwrite segments that are still being fetched.
 */
export function srsConf(facts: SrsConfFacts): string {
  const { rtmpPort, srtPort, rtcPort, srtPassphrase, api, http, hooks, hlsPath, coworkers, candidate } = facts;
  return `# Made by npm run srs-config. It contains the token that identifies this SRS to Weir: keep it secret.
listen              ${rtmpPort};
max_connections     10000;
daemon              off;
srs_log_tank        console;
# At level trace, SRS logs full URLs of publishers with their secrets.
srs_log_level_v2    warn;
pid                 ${hlsPath}/srs.pid;

http_api {
    enabled         on;
    listen          ${api};
}
http_server {
    enabled         on;
    listen          ${http};
    dir             ${hlsPath};
}
srt_server {
    enabled         on;
    listen          ${srtPort};
    maxbw           1000000000;
    connect_timeout 4000;
    peerlatency     20;
    recvlatency     20;
    latency         20;
    tlpktdrop       off;
    tsbpdmode       off;${srtPassphrase === '' ? '' : `\n    passphrase      ${quoted(srtPassphrase)};\n    pbkeylen        16;`}
}
rtc_server {
    enabled         on;
    listen          ${rtcPort};
    candidate       ${candidate === '' ? '*' : candidate};
    api_as_candidates on;
}

vhost __defaultVhost__ {${coworkers.length === 0 ? '' : clusterOf(coworkers)}
    # The longer a publisher takes to begin, the likelier SRS before 7.0.151 loses its stream to a clean-up, and nobody can play it (ossrs/srs#4656).
    tcp_nodelay     on;
    http_remux {
        enabled     on;
        mount       [vhost]/[app]/[stream].flv;
        # SRS guesses from the first packets what a stream has. Without this it would drop the audio of viewers who come right after a keyframe.
        drop_if_not_match off;
    }
    srt {
        enabled     on;
        srt_to_rtmp on;
    }
    rtc {
        enabled     on;
        rtmp_to_rtc on;
        rtc_to_rtmp on;
        keep_bframe off;
        pli_for_rtmp 6.0;
    }
    hls {
        enabled     on;
        hls_path    ${hlsPath};
        hls_fragment 4;
        hls_window  24;
        hls_m3u8_file [app]/[stream].m3u8;
        hls_ts_file [app]/[stream]-[seq]-[timestamp].ts;
        hls_wait_keyframe on;
        hls_dispose 15;
    }
    http_hooks {
        enabled     on;
        on_publish  ${hooks}/client;
        on_unpublish ${hooks}/client;
        on_play     ${hooks}/client;
        on_stop     ${hooks}/client;
        on_hls      ${hooks}/segment;
    }
}
`;
}

/** Origins query each other for a stream and redirect players. */
function clusterOf(coworkers: readonly string[]): string {
  return `
    cluster {
        mode        local;
        origin_cluster on;
        coworkers   ${coworkers.join(' ')};
    }`;
}

/** Quotes a word of a configuration. SRS has no escapes, so a word can contain only one of the two quotes. */
function quoted(text: string): string {
  if (text.includes('"') && text.includes("'"))
    throw new Error('WEIR_SRT_PASSPHRASE: must not contain both single and double quotes, SRS cannot escape them');
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}
