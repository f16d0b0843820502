export { diagnoseServer, diagnoseStream } from './diagnose.ts';
