import type { Request } from 'express';
import { isIP } from 'node:net';

/** The client's address, for the log: that which a trusted proxy tells if it is one, else whoever is connected. */
export const clientAddress = ({ ip = '', socket }: Request): string | undefined =>
  isIP(ip) === 0 ? socket.remoteAddress : ip;
