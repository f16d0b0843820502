export { installLocalAi, removeLocalAi } from './install.ts';
export { LocalAiError } from './local-ai-error.ts';
export { localAiPaths } from './paths.ts';
export { type ModelSet, modelSets } from './required-files.ts';
export { readLocalAiState } from './state.ts';
export { findChangedFile } from './verify.ts';
