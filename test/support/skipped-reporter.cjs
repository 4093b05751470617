const { relative } = require('node:path');

/** Names the tests that were skipped, because Jest only counts them if it runs several files. */
module.exports = class SkippedReporter {
  constructor({ rootDir, testNamePattern }) {
    this.rootDir = rootDir;
    // With -t, all other tests are skipped.
    this.isSelection = testNamePattern !== undefined && testNamePattern !== '';
  }

  onRunComplete(_, { testResults }) {
    if (this.isSelection) return;
    const lines = testResults.flatMap(({ testFilePath, testResults: tests }) => {
      const counts = new Map();
      for (const { status, ancestorTitles, title } of tests) {
        if (status !== 'pending') continue;
        const name = ancestorTitles[0] ?? title;
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
      const file = relative(this.rootDir, testFilePath);
      return [...counts].map(([name, count]) => `SKIPPED ${count} in ${file}: ${name}`);
    });
    if (lines.length > 0) console.error(lines.join('\n'));
  }
};
