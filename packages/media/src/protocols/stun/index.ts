export { writeStunAnswer, writeStunCheck } from './stun-answer.ts';
export { isProved, parseStunAnswer, parseStunCheck, type StunCheck, writeStun } from './stun-check.ts';
