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
  Field,
  Item,
  ListPaths,
  Method,
  PathParameters,
  PathsOf,
  Query,
  ReadAnswer,
  ReadOptions,
  Schemas,
  SelectingOptions,
  WriteOptions,
  WriteSettings,
} from './api/types';
