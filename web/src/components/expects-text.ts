import { useQuery } from '@tanstack/react-query';
import { definitionsQuery, describesKey } from '../api/variable-definitions';
import { useProjectId } from '../app/use-project';
import { isObject } from './is-object';
import { resolvesToTextQuery } from './resolves-to-text';
import { parseVariablePath } from './variable-path';

/**
 * Why a text is expected in a variable rather than a number: devices have texts in it, or its definition demands one. Undefined if
 * nothing says so.
 * @param isEnabled whether what is entered could be a text, too: only then it is read
 */
export function useExpectsText(variable: string, isEnabled: boolean): string | undefined {
  const projectId = useProjectId();
  const path = parseVariablePath(variable);
  const isRead = isEnabled && path?.steps.length === 0;
  const { data: haveTexts } = useQuery(resolvesToTextQuery(projectId, variable, isRead));
  const { data: definitions = [] } = useQuery({
    ...definitionsQuery(projectId),
    enabled: isRead,
    retry: false,
  });
  if (!isRead) return undefined;
  if (haveTexts === true) return `Devices have texts in ${variable}`;
  const isDefined = definitions.some(
    ({ key, schema }) => key !== undefined && describesKey(key, variable) && isOfTexts(schema),
  );
  return isDefined ? `The definition of ${variable} demands a text` : undefined;
}

/** Whether a JSON Schema obviously accepts nothing but texts. */
function isOfTexts(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { type, const: only, enum: choices } = schema;
  return type === 'string' || typeof only === 'string' || (Array.isArray(choices) && choices.every(isText));
}

const isText = (value: unknown): boolean => typeof value === 'string';
