import { errorItem, hexId, testNow, type ApiServer } from './api-server.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Three issues: old and frequent, recent, and one of another browser. */
export async function storeThree(server: Pick<ApiServer, 'store'>): Promise<void> {
  await server.store([
    errorItem(1, {
      hashes: ['a', 'a2'],
      title: 'Old',
      timestamp: testNow - 10 * DAY_MS,
      release: '1.0.0',
      columns: { userKey: 'id:1', browser: 'Chrome 126' },
      tags: { cart: 'full' },
    }),
    errorItem(2, {
      hashes: ['a', 'a2'],
      title: 'Old',
      timestamp: testNow - 2 * HOUR_MS,
      release: '1.1.0',
      columns: { userKey: 'id:2', browser: 'Safari 17', replayId: hexId(77) },
      tags: { cart: 'empty' },
    }),
    errorItem(3, { hashes: ['b'], title: 'Fresh', level: 'fatal', timestamp: testNow - HOUR_MS }),
    errorItem(4, {
      hashes: ['c'],
      title: 'Staging',
      timestamp: testNow - 3 * HOUR_MS,
      environment: 'staging',
      columns: { browser: 'Firefox 130' },
    }),
  ])
}
