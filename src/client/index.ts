export {
  Muster,
  type JsonFormat,
  type MusterOptions,
  type PlainAnswer,
  type PlainRequest,
} from './api/muster';
export { Refusal, Unreachable, type RefusalDetail } from './api/errors';
export type { Connection, TransportOptions } from './api/transport';
export type { components, operations, paths } from './api/schema';
export type {
  Answer,
  Body,
  Item,
  ListPaths,
  Method,
  PathParameters,
  PathsOf,
  Query,
  ReadOptions,
  Schemas,
  WriteOptions,
  WriteSettings,
} from './api/types';
