/**
 * A page with honest bugs, the same for every major of the browser SDK. The SDK is bundled in as
 * `sdk`; how it is set up is in the address: ?dsn=&tunnel=&replay=session|buffer
 */
import * as Sentry from 'sdk'

const query = new URLSearchParams(location.search)
const replay = query.get('replay')
const label = query.get('label')

Sentry.init({
  dsn: query.get('dsn'),
  ...(query.get('tunnel') ? { tunnel: query.get('tunnel') } : {}),
  release: 'shop@1.4.0',
  environment: 'e2e',
  tracesSampleRate: 1,
  replaysSessionSampleRate: replay === 'session' ? 1 : 0,
  replaysOnErrorSampleRate: replay === 'buffer' ? 1 : 0,
  integrations: [
    Sentry.browserTracingIntegration({ idleTimeout: 500, finalTimeout: 3000 }),
    Sentry.replayIntegration({
      maskAllText: false,
      maskAllInputs: true,
      blockAllMedia: true,
      minReplayDuration: 0,
    }),
  ],
})
Sentry.setUser({ id: `user-${label}` })
Sentry.setTag('journey', label)

const status = document.querySelector('#status')
let orders = 1
status.textContent = `Order number ${orders} for ${label}`

document.querySelector('#order').addEventListener('click', () => {
  orders += 1
  status.textContent = `Order number ${orders} for ${label}`
})
document.querySelector('#boom').addEventListener('click', function onBoomClick() {
  const basket = undefined
  console.warn('the basket is gone')
  return basket.amount
})
document.querySelector('#message').addEventListener('click', () => {
  Sentry.captureMessage(`Hello from ${label}`, 'warning')
})
document.querySelector('#chained').addEventListener('click', () => {
  try {
    try {
      JSON.parse('{broken')
    } catch (cause) {
      throw new RangeError(`cannot total the basket of ${label}`, { cause })
    }
  } catch (error) {
    Sentry.captureException(error)
  }
})
document.querySelector('#go').addEventListener('click', async () => {
  history.pushState({}, '', `/products/42${location.search}`)
  await fetch('/api/stock').then((response) => response.json())
})

window.finish = async () => {
  await Sentry.getReplay()?.flush()
  await Sentry.flush(5000)
  return Sentry.getReplay()?.getReplayId() ?? null
}
document.body.dataset.ready = 'true'
