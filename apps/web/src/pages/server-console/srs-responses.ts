/** Parts of `/api/v1/…` responses that these views show. Media servers differ, so every field is optional. */
interface SrsRates {
  readonly recv_30s?: number;
  readonly send_30s?: number;
}

export interface SrsVhost {
  readonly id?: string;
  readonly name?: string;
  readonly enabled?: boolean;
  readonly clients?: number;
  readonly streams?: number;
  readonly send_bytes?: number;
  readonly recv_bytes?: number;
  readonly kbps?: SrsRates;
  readonly hls?: { readonly enabled?: boolean };
}

export interface SrsStream {
  readonly id?: string;
  readonly name?: string;
  readonly vhost?: string;
  readonly vhostName?: string;
  readonly app?: string;
  readonly tcUrl?: string;
  readonly url?: string;
  readonly live_ms?: number;
  readonly clients?: number;
  readonly frames?: number;
  readonly fps?: number;
  readonly keyframe_ms?: number;
  readonly send_bytes?: number;
  readonly recv_bytes?: number;
  readonly kbps?: SrsRates;
  readonly publish?: {
    readonly active?: boolean;
    readonly cid?: string;
    readonly since?: string;
    readonly address?: string;
    readonly protocol?: string;
  };
  readonly video?: {
    readonly codec?: string;
    readonly profile?: string | number;
    readonly level?: string | number;
    readonly width?: number;
    readonly height?: number;
  } | null;
  readonly audio?: {
    readonly codec?: string;
    readonly sample_rate?: number;
    readonly channel?: number;
    readonly profile?: string | number;
  } | null;
}

export interface SrsClient {
  readonly id?: string;
  readonly vhost?: string;
  readonly stream?: string;
  readonly ip?: string;
  readonly pageUrl?: string;
  readonly swfUrl?: string;
  readonly tcUrl?: string;
  readonly url?: string;
  readonly name?: string;
  readonly type?: string;
  readonly publish?: boolean;
  readonly alive?: number;
  readonly send_bytes?: number;
  readonly recv_bytes?: number;
  readonly kbps?: SrsRates;
}

export interface SrsSummary {
  readonly now_ms?: number;
  readonly self?: {
    readonly version?: string;
    readonly weir?: string;
    readonly pid?: number;
    readonly ppid?: number;
    readonly mem_kbyte?: number;
    readonly mem_percent?: number;
    readonly cpu_percent?: number;
    readonly srs_uptime?: number;
  };
  readonly system?: {
    readonly cpu_percent?: number;
    readonly cpus?: number;
    readonly uptime?: number;
    readonly load_1m?: number;
    readonly load_5m?: number;
    readonly load_15m?: number;
    readonly mem_ram_kbyte?: number;
    readonly mem_ram_percent?: number;
    readonly conn_sys?: number;
    readonly conn_srs?: number;
  };
}
