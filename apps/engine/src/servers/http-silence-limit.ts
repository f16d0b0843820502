/** HTTP clients treat a server that is silent for longer as broken. */
export const httpSilenceLimitMs = 3000;
