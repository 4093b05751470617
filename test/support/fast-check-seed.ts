import fc from 'fast-check';
import { oneSeed } from './seeds';

// Jest runs this before each test file. A property that fails names its seed.
fc.configureGlobal({ seed: oneSeed() });
