/**
 * An express server instrumented by an official SDK: `node --import ./servers/instrument.js
 * servers/express.js`. Prints its port, answers requests, sends what it has and ends on SIGTERM.
 */
import express from 'express'

const { default: Sentry } = await import('./instrument.js')
const label = process.env.LABEL

const app = express()
app.get('/orders/:id', (request, response) => response.json({ id: request.params.id }))
app.get('/broken/:id', (request) => {
  throw new TypeError(`order ${label} has no lines`)
})
app.get('/nightly', async (request, response) => {
  await Sentry.withMonitor(`nightly-${label}`, async () => {}, {
    schedule: { type: 'crontab', value: '0 3 * * *' },
    checkinMargin: 2,
    maxRuntime: 10,
    timezone: 'Europe/Vienna',
  })
  response.json({ done: true })
})
Sentry.setupExpressErrorHandler(app)

const server = app.listen(0, '127.0.0.1', () => console.log(`port ${server.address().port}`))
process.on('SIGTERM', async () => {
  server.close()
  await Sentry.close(5000)
  process.exit(0)
})
