import { Injectable } from '@nestjs/common';
import type { ValidateFunction } from 'ajv';
import { compileSchema, faultOf, isStackOverflow, type Fault } from './json-schema';
import { TookTooLong, withinTime } from './time-limit';

/** A value that is held against a schema: JSON texts, both. */
export interface Checked {
  readonly schema: string;
  readonly value: string;
}

/** In milliseconds, for all values of one call. */
const TIME_TO_CHECK = 1_000;
/** What the texts of all schemas that are kept compiled take together; compiled, they take a few times that. */
const MOST_KEPT = 4 * 1024 * 1024;

/**
 * Holds values against schemas. Each schema is compiled once, and known by its text: a version that was written by a
 * transaction which then failed is none that anybody else could meet.
 */
@Injectable()
export class JsonSchemas {
  /** In the order in which they were last used. */
  private readonly compiled = new Map<string, ValidateFunction>();
  private kept = 0;

  /**
   * Holds values against schemas, all within one limit of time, so that no schema can keep the process from its other
   * work. The schemas must be ones that `schemaFault` found nothing wrong with.
   * @returns for each value, in order, what is wrong with it; undefined where nothing is
   * @throws TooHard if one of them takes too long, or more room than there is
   */
  faults(checks: readonly Checked[]): (Fault | undefined)[] {
    const faults: (Fault | undefined)[] = [];
    try {
      withinTime(TIME_TO_CHECK, () => {
        for (const check of checks) faults.push(this.fault(check));
      });
      return faults;
    } catch (error) {
      const tooHard = checks[faults.length];
      if (!tooHard || !(error instanceof TookTooLong || isStackOverflow(error))) throw error;
      // It may have been cut off in the middle of whatever it was doing.
      this.forget(tooHard.schema);
      throw new TooHard(faults, error instanceof TookTooLong ? 'takes too long' : 'goes round in a ring');
    }
  }

  private fault({ schema, value }: Checked): Fault | undefined {
    const validate = this.validator(schema);
    return validate(JSON.parse(value)) ? undefined : faultOf(validate.errors ?? []);
  }

  private validator(text: string): ValidateFunction {
    const known = this.compiled.get(text);
    if (known) {
      this.compiled.delete(text);
      this.compiled.set(text, known);
      return known;
    }
    const made = compileSchema(JSON.parse(text));
    this.compiled.set(text, made);
    this.kept += text.length;
    for (const oldest of this.compiled.keys()) {
      if (this.kept <= MOST_KEPT || oldest === text) break;
      this.forget(oldest);
    }
    return made;
  }

  private forget(text: string): void {
    if (this.compiled.delete(text)) this.kept -= text.length;
  }
}

/** A value that could not be held against its schema: the one after those whose faults were found. */
export class TooHard extends Error {
  constructor(
    readonly faults: readonly (Fault | undefined)[],
    why: string,
  ) {
    super(`cannot be checked: the schema ${why}`);
  }
}
