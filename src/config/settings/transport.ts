import { z } from 'zod';
import { integer, optional } from './types';

/** How clients reach the service. */
export const transportSettings = {
  HOST: optional(z.string().default('127.0.0.1')),
  PORT: optional(integer(0, 65535).default(7780)),
  PUBLIC_URL: optional(
    z.url({ protocol: /^https?$/, error: 'must be a URL that begins with http:// or https://' }).optional(),
  ),
};
