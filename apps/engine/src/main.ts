import { runPlane } from '@weir/plane';
import { startEngine } from './engine.ts';

runPlane('engine', startEngine);
