import type { Socket } from 'node:net';
import { Pool } from 'pg';
import { poolOptions, PoolSockets } from '../../../src/database/connection/connection-options';
import { freePort } from '../../support/free-port';

describe('a pool for several servers', () => {
  it('closes all sockets when no server accepts a connection', async () => {
    const port = await freePort();
    const lines = new PoolSockets();
    const sockets: Socket[] = [];
    const socket = () => {
      const taken = lines.create();
      sockets.push(taken);
      return taken;
    };
    const url = `postgres://u@127.0.0.1:${String(port)},127.0.0.1:${String(port)}/d`;
    const pool = new Pool(poolOptions({ url }, { as: 'service', socket }));
    for (let i = 0; i < 3; i++) await expect(pool.connect()).rejects.toThrow(/ECONNREFUSED/);
    expect(sockets.length).toBeGreaterThanOrEqual(3);
    expect(sockets.filter(({ destroyed }) => !destroyed)).toEqual([]);
    await pool.end();
  });
});

it('closes a socket that is not connected yet', async () => {
  const lines = new PoolSockets();
  const socket = lines.create();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  lines.closeAll();
  await closed;
  expect(socket.destroyed).toBe(true);
});
