import { createContext, useContext } from 'react';

/** What is wrong with a field of a form. */
export interface FieldProblem {
  /** The name of the field: the member of the API that it is for. */
  readonly field: string;
  readonly message: string;
}

/** The problems of a form, the first one first. */
export const FormProblems = createContext<readonly FieldProblem[]>([]);

/** Whether a problem is about a field: the service may name a part of it, such as `roles[0]`. */
export const isOfField = (name: string, { field }: FieldProblem): boolean =>
  name !== '' && (field === name || (field.startsWith(name) && /^[.[]/.test(field.slice(name.length))));

/** The attributes of a field of a form that say what is wrong with it. The first wrong field gets the focus when the form is shown. */
export function useFormField(name: string, isFirst = false) {
  const problems = useContext(FormProblems);
  const problem = problems.find((one) => isOfField(name, one));
  const hasFocus = problems.length > 0 ? problem !== undefined && problem === problems[0] : isFirst;
  return { name, error: problem?.message, ...(hasFocus && { 'data-autofocus': true }) };
}
