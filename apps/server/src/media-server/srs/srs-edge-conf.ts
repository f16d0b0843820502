interface EdgeFacts {
  /** `port` or `address:port`. */
  readonly rtmp: string;
  readonly http: string;
  /** `address:port` of RTMP at each origin. */
  readonly origins: readonly string[];
}

/**
 * SRS before one or several others: fetches a stream by RTMP when its first viewer comes, and takes publishers to an origin, where
 * Weir's hooks decide about them.
 */
export function srsEdgeConf({ rtmp, http, origins }: EdgeFacts): string {
  return `# Made by npm run srs-config -- --edge: an edge before ${origins.join(' and ')}.
listen              ${rtmp};
max_connections     10000;
daemon              off;
srs_log_tank        console;
srs_log_level_v2    warn;
pid                 ./srs-edge.pid;

http_server {
    enabled         on;
    listen          ${http};
    crossdomain     on;
}

vhost __defaultVhost__ {
    cluster {
        mode        remote;
        origin      ${origins.join(' ')};
    }
    http_remux {
        enabled     on;
        mount       [vhost]/[app]/[stream].flv;
        drop_if_not_match off;
    }
}
`;
}
