/** The maximum length of a reason. */
export const MAX_REASON_LENGTH = 2_000;

/** A reason on one line, as a header has it: line breaks and other white space become single blanks. */
export const reasonText = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
