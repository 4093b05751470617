#!/usr/bin/env node
// npm links this file when it installs the package, which is before the package is built.
import '../dist/cli.js';
