export {
  Muster,
  type ApiResponse,
  type JsonFormat,
  type MusterOptions,
  type RequestOptions,
} from './api/muster';
export { ApiError, NetworkError, type ApiErrorDetail } from './api/errors';
export type { Connection, TransportOptions } from './api/transport';
export type { components, operations, paths } from './api/schema';
export type {
  Body,
  CommonWriteOptions,
  Field,
  FieldsReadOptions,
  Item,
  ListPaths,
  Method,
  PathParameters,
  PathsOf,
  Query,
  ReadOptions,
  ReadResponseBody,
  ResponseBody,
  Schemas,
  WriteOptions,
} from './api/types';
