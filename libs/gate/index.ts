/** Bounds on what runs at once within this process. */
export { Gate } from './gate';
