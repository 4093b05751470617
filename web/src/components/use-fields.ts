import { useState } from 'react';

/** The values of a form, and a function that changes some of them. */
export function useFields<T extends object>(initial: T): readonly [T, (changed: Partial<T>) => void] {
  const [values, setValues] = useState(initial);
  return [
    values,
    (changed) => {
      setValues((former) => ({ ...former, ...changed }));
    },
  ];
}
