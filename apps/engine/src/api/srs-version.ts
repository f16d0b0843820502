/** The version of SRS whose HTTP API we speak. */
export const srsVersion = { major: 5, minor: 0, revision: 213, version: '5.0.213' };
