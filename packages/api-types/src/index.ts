export { ApiError, hasUnknownOutcome, NetworkError, parseApiError, type ApiErrorDetail } from './errors';
export type { components, operations, paths } from './schema';
export { changeKinds, collectionsByKind, deviceKinds, inventoryKinds } from './resources';
export { groupEqualFaults, type EqualFaults } from './equal-faults';
export { lineNumbers } from './line-numbers';
export { shellWord } from './shell-word';
export { LIST_OR_OBJECT_HINT, isTextSample, unusualTypeText, type UnusualReason } from './unusual-type-text';
export { expandRanges, InvalidRangeError } from './ranges';
export {
  parseConditions,
  parseWhere,
  valueOfOtherType,
  type VarsCondition,
  type WhereCondition,
} from './variable-conditions';
