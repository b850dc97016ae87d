/** Publishes without end, and prints each name once it is acknowledged, until it is killed. */
import { openLogQueueWriter } from './writer.ts'

const [folder = '', round = ''] = process.argv.slice(2)
const writer = await openLogQueueWriter(folder, { segmentBytesMax: 300_000 })

async function publishForever(caller: number): Promise<never> {
  for (let index = 0; ; index++) {
    const name = `${round}-${caller}-${index}`
    await writer.publish({
      receivedAt: index,
      projectId: 1,
      keyId: 'a'.repeat(32),
      remoteAddress: null,
      userAgent: null,
      bytes: Buffer.from(`${name} ${'x'.repeat((index * 37) % 9000)}`),
    })
    process.stdout.write(`${name}.\n`)
  }
}

await Promise.all(Array.from({ length: 16 }, (_, caller) => publishForever(caller)))
