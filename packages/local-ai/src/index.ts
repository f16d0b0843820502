export { installLocalAi } from './install.ts';
export { LocalAiError } from './local-ai-error.ts';
export { localAiPlaces } from './places.ts';
export { removeLocalAi } from './remove.ts';
export { localAiState } from './state.ts';
export { changedFile } from './verify.ts';
