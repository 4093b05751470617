import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { OpenAPIObject } from '@nestjs/swagger';

/** The ID of the schema with all components, which is compiled only once. */
const COMPONENTS = 'api';

/** Validates responses against the schemas of the description, without undocumented members. */
export class Validators {
  /** Not optimized, because most schemas validate few responses. */
  private readonly ajv = new Ajv({
    strict: false,
    allowUnionTypes: true,
    allErrors: true,
    code: { optimize: false },
  });
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(api: OpenAPIObject) {
    addFormats(this.ajv);
    this.ajv.addFormat('int64', true);
    this.ajv.addSchema({ $id: COMPONENTS, components: closed(api.components ?? {}) });
  }

  faults(schema: object, response: unknown): string[] {
    // Many responses have equal schemas.
    const key = JSON.stringify(schema);
    let validate = this.compiled.get(key);
    if (!validate) {
      validate = this.ajv.compile(closed(schema));
      this.compiled.set(key, validate);
    }
    return validate(response)
      ? []
      : (validate.errors ?? []).map((e) => `${e.instancePath} ${e.message ?? ''}`);
  }
}

/** The schema with closed objects: members that are not described are faults. */
function closed(node: object): object {
  if (Array.isArray(node)) return node.map((item: unknown) => (isObject(item) ? closed(item) : item));
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) copy[key] = isObject(value) ? closed(value) : value;
  if (typeof copy['$ref'] === 'string') copy['$ref'] = `${COMPONENTS}${copy['$ref']}`;
  if (copy['type'] === 'object' && 'properties' in copy && !('additionalProperties' in copy))
    copy['additionalProperties'] = false;
  return copy;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
