export * from './codec-choice.ts';
export * from './sdp-answer.ts';
export * from './sdp-offer.ts';
export { type ChosenSimulcast, chooseSimulcast } from './simulcast.ts';
