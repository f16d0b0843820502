/**
 * All failures of the API: the error code that existing clients check, and the HTTP status. Several kinds share a code, because the codes
 * are older than the kinds.
 */
export const errorTable = {
  internal: { code: 1, status: 500 },
  engine_unreachable: { code: 1, status: 502 },
  unavailable: { code: 1, status: 503 },
  missing_field: { code: 1000, status: 422 },
  booting: { code: 1001, status: 500 },
  certificate: { code: 1002, status: 422 },
  certificate_failed: { code: 1002, status: 500 },
  not_found: { code: 1003, status: 404 },
  invalid_input: { code: 1004, status: 422 },
  wrong_method: { code: 1004, status: 405 },
  too_large: { code: 1004, status: 413 },
  upgrading: { code: 1005, status: 500 },
  cloud_account: { code: 1006, status: 422 },
  store_unavailable: { code: 1007, status: 500 },
  wrong_password: { code: 2000, status: 401 },
  wrong_setup_code: { code: 2000, status: 403 },
  too_many_tries: { code: 2000, status: 429 },
  token: { code: 2001, status: 401 },
  not_initialised: { code: 2002, status: 401 },
  publish_refused: { code: 3000, status: 401 },
  https_elsewhere: { code: 3001, status: 500 },
  demo: { code: 3002, status: 403 },
} as const satisfies Record<string, { code: number; status: number }>;

export type ErrorKind = keyof typeof errorTable;

/** Codes that the console explains in its own words. */
export const errorCode = { token: 2001, store: 1007, httpsElsewhere: 3001, demo: 3002 } as const;
