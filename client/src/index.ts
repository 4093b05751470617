export {
  ApiError,
  NetworkError,
  type ApiErrorDetail,
  type components,
  type operations,
  type paths,
} from '@muster/api-types';
export {
  Muster,
  type ApiResponse,
  type JsonFormat,
  type MusterOptions,
  type RequestOptions,
} from './api/muster';
export type { Connection, TransportOptions } from './api/transport';
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
