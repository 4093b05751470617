#!/usr/bin/env node
import '../dist/ansible-cli.js';
