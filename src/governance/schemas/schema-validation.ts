import { Injectable } from '@nestjs/common';
import type { ValidateFunction } from 'ajv';
import { storedText, takeAccepted } from './compiled-schemas';
import { compileSchema, faultOf, isStackOverflow, type Fault } from './compile-schema';
import { TookTooLong, withinTime } from './validation-timeout';

/** A value that is held against a schema: JSON texts, both. */
export interface Checked {
  readonly schema: string;
  readonly value: string;
}

interface Ready {
  readonly validate: ValidateFunction;
  readonly value: string;
}

/** In milliseconds, for all values of one call. */
const TIME_TO_CHECK = 1_000;
/** In milliseconds, for all schemas of one call that are to be compiled. What is compiled by then is kept. */
const TIME_TO_COMPILE = 2_000;
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
   * work. Schemas that are new to the process are compiled before, within a limit of their own. They must be ones that
   * `schemaFault` found nothing wrong with.
   * @returns for each value, in order, what is wrong with it; undefined where nothing is
   * @throws TooHard if one of them takes too long, or more room than there is
   */
  faults(checks: readonly Checked[]): (Fault | undefined)[] {
    const ready = this.ready(checks);
    const faults: (Fault | undefined)[] = [];
    try {
      withinTime(TIME_TO_CHECK, () => {
        for (const { validate, value } of ready) faults.push(faultWith(validate, value));
      });
    } catch (error) {
      const tooHard = checks[faults.length];
      if (!tooHard || !(error instanceof TookTooLong || isStackOverflow(error))) throw error;
      // It may have been cut off in the middle of whatever it was doing.
      this.forget(tooHard.schema);
      throw new TooHard(faults, error instanceof TookTooLong ? 'takes too long' : 'goes round in a ring');
    }
    if (ready.length < checks.length) throw new TooHard(faults, 'takes too long');
    return faults;
  }

  /** The values with what they are checked by, up to the first whose schema there was no time left to compile. */
  private ready(checks: readonly Checked[]): Ready[] {
    const until = performance.now() + TIME_TO_COMPILE;
    const ready: Ready[] = [];
    for (const { schema, value } of checks) {
      const validate = this.known(schema) ?? this.compile(schema, until - performance.now());
      if (!validate) break;
      ready.push({ validate, value });
    }
    return ready;
  }

  private known(text: string): ValidateFunction | undefined {
    const known = this.compiled.get(text);
    if (!known) return undefined;
    this.compiled.delete(text);
    this.compiled.set(text, known);
    return known;
  }

  /** @returns undefined if it takes longer than so many milliseconds */
  private compile(text: string, milliseconds: number): ValidateFunction | undefined {
    const schema: unknown = JSON.parse(text);
    const made = takeAccepted(storedText(schema)) ?? compiledWithin(milliseconds, schema);
    if (!made) return undefined;
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

function compiledWithin(milliseconds: number, schema: unknown): ValidateFunction | undefined {
  if (milliseconds < 1) return undefined;
  try {
    return withinTime(Math.floor(milliseconds), () => compileSchema(schema));
  } catch (error) {
    if (error instanceof TookTooLong || isStackOverflow(error)) return undefined;
    throw error;
  }
}

const faultWith = (validate: ValidateFunction, value: string): Fault | undefined =>
  validate(JSON.parse(value)) ? undefined : faultOf(validate.errors ?? []);

/** A value that could not be held against its schema: the one after those whose faults were found. */
export class TooHard extends Error {
  constructor(
    readonly faults: readonly (Fault | undefined)[],
    why: string,
  ) {
    super(`cannot be checked: the schema ${why}`);
  }
}
