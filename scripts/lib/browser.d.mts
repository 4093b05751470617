/** What Playwright launches. */
export interface BrowserProgram {
  readonly executablePath: string;
  readonly args: string[];
}

export function findBrowser(): Promise<BrowserProgram | undefined>;
