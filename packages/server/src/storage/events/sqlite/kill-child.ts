/**
 * Appends for ever to the given file, and prints the number of each batch once it is durable. A
 * test kills it.
 */
import { sampleEnvelope, sampleError, sampleId } from '../contract/samples.ts'
import { openSqliteEvents } from './index.ts'

const [file = '', from = '0'] = process.argv.slice(2)
const store = await openSqliteEvents({ file, mode: 'writer' })
for (let batch = Number(from); ; batch++) {
  const envelopes = Array.from({ length: 20 }, (_, index) =>
    sampleEnvelope(
      [
        sampleError(
          { eventId: sampleId(batch * 20 + index), userKey: `id:${index}` },
          {
            tags: { n: String(index) },
            payload: JSON.stringify({ batch, text: 'x'.repeat(2_000) }),
          },
        ),
      ],
      { deliveryId: `${batch}:${index}` },
    ),
  )
  await store.append(envelopes)
  process.stdout.write(`${batch}\n`)
  if (batch % 5 === 0) await store.maintain(Date.now(), 0)
}
