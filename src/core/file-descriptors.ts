import { isNativeError } from 'node:util/types';

/** Whether the process, or the machine, has too many open files and connections for another one. */
export const isOutOfFileDescriptors = (error: unknown): boolean =>
  isNativeError(error) && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
