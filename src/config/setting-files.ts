import { readFileSync } from 'node:fs';
import { isNativeError } from 'node:util/types';

/** The end of the name of a variable that names a file with the value of a setting. */
const SUFFIX = '_FILE';

/** The variable that names a file with the value of a setting, as container platforms pass secrets. */
export const fileVariable = (setting: string): string => `${setting}${SUFFIX}`;

/** The texts of settings that have one, and what is wrong with the others. */
export interface SettingTexts {
  readonly texts: Readonly<Record<string, string>>;
  /** Sentences without any value or content, because both may be secret. */
  readonly faults: readonly string[];
}

/**
 * Reads settings from variables, and from the files that variables such as `SECRETS_KEY_FILE` name. An empty variable counts
 * as absent. An empty file does not: it is a secret that was not written.
 */
export function readSettingTexts(source: NodeJS.ProcessEnv, settings: readonly string[]): SettingTexts {
  const texts: Record<string, string> = {};
  const faults: string[] = [];
  for (const setting of settings) {
    const variable = fileVariable(setting);
    const [text, file] = [source[setting] ?? '', source[variable] ?? ''];
    if (text !== '' && file !== '') faults.push(`${setting} and ${variable} are both set: use one of them`);
    else if (file !== '') {
      const content = contentOf(file);
      if ('fault' in content) faults.push(`${variable}: ${content.fault}`);
      else texts[setting] = content.text;
    } else if (text !== '') texts[setting] = text;
  }
  return { texts, faults };
}

/** The content of a file without the newline at its end, which editors and `echo` add. */
function contentOf(file: string): { readonly text: string } | { readonly fault: string } {
  try {
    const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    return text === '' ? { fault: 'names an empty file' } : { text };
  } catch (error) {
    const reason = isNativeError(error) && 'code' in error ? String(error.code) : String(error);
    return { fault: `names a file that cannot be read (${reason})` };
  }
}
