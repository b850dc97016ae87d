/** A React page whose component breaks while rendering, under the SDK's own error boundary. */
import * as React from 'react'
import { createRoot } from 'react-dom/client'
import * as Sentry from 'sdk'

const query = new URLSearchParams(location.search)
const label = query.get('label')
Sentry.init({
  dsn: query.get('dsn'),
  ...(query.get('tunnel') ? { tunnel: query.get('tunnel') } : {}),
  release: 'shop@1.4.0',
  environment: 'e2e',
  tracesSampleRate: 1,
  integrations: [Sentry.browserTracingIntegration({ idleTimeout: 500, finalTimeout: 3000 })],
})

function PriceSummary({ order }) {
  return React.createElement('p', null, order.lines.length)
}

function Shop() {
  const [order, setOrder] = React.useState({ lines: [] })
  return React.createElement(
    Sentry.ErrorBoundary,
    { fallback: React.createElement('p', { id: 'fallback' }, 'Something broke') },
    React.createElement(PriceSummary, { order }),
    React.createElement('button', { id: 'break', onClick: () => setOrder({}) }, `Break ${label}`),
  )
}

createRoot(document.querySelector('#root')).render(React.createElement(Shop))
window.finish = async () => {
  await Sentry.flush(5000)
  return null
}
document.body.dataset.ready = 'true'
