import type { LevelChoice } from '../../components/level-picker';

/** What the user wants to remediate. */
export type Remediation =
  | {
      readonly kind: 'level';
      /** Where, and which variable: undefined, if the user has not said it. */
      readonly level: LevelChoice | undefined;
      readonly key: string | undefined;
    }
  /** The own values of all devices that fail by this variable. */
  | { readonly kind: 'own'; readonly key: string };
