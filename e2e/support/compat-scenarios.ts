/**
 * Scenarios that one source runs against `@sentry/browser` and against our compatible entry, by an
 * alias of the bundler. Each starts the client with the options that it is given.
 */
// The alias of the bundler decides which client this is; the types are ours.
import * as Sentry from '@afterimage/browser/compat'

type Start = (options?: Sentry.BrowserOptions) => void

function pourTea(): never {
  throw new TypeError('no tea')
}

const rejected = (): void => void Promise.reject(new RangeError('rejected'))

/** Each returns when everything is captured; what a page does later it waits for. */
export const scenarios: Readonly<Record<string, (start: Start) => unknown>> = {
  'a caught error'(start) {
    start()
    try {
      pourTea()
    } catch (error) {
      Sentry.captureException(error)
    }
  },
  'a caught text'(start) {
    start()
    Sentry.captureException('only text')
  },
  'messages with levels and contexts'(start) {
    start()
    Sentry.captureMessage('one')
    Sentry.captureMessage('two', 'warning')
    Sentry.captureMessage('three', { tags: { a: '1' }, extra: { b: 2 }, level: 'debug' })
  },
  'an uncaught error'(start) {
    start()
    setTimeout(() => {
      throw new SyntaxError('uncaught')
    })
    return once('error')
  },
  'an unhandled rejection'(start) {
    start()
    setTimeout(rejected)
    return once('unhandledrejection')
  },
  'a chain of causes'(start) {
    start()
    const first = new RangeError('first')
    const second = new TypeError('second', { cause: first })
    Sentry.captureException(new Error('third', { cause: second }))
  },
  'data of the page'(start) {
    start()
    Sentry.setUser({ id: '7', username: 'ann' })
    Sentry.setTag('one', 'a')
    Sentry.setTags({ two: 'b', three: true })
    Sentry.setExtra('cups', 3)
    Sentry.setExtras({ tea: 'green', hot: null })
    Sentry.setContext('shop', { name: 'north' })
    Sentry.captureMessage('with data')
    Sentry.setUser(null)
    Sentry.captureMessage('without a user')
  },
  'scopes within scopes'(start) {
    start()
    Sentry.withScope((outer) => {
      outer.setTag('outer', '1').setLevel('fatal')
      Sentry.withScope((inner) => {
        inner.setTag('inner', '2')
        inner.setFingerprint(['tea'])
        Sentry.captureMessage('inside')
      })
      Sentry.captureMessage('between')
    })
    Sentry.captureMessage('outside')
  },
  'contexts of one capture'(start) {
    start()
    Sentry.captureException(new Error('tea'), {
      tags: { a: '1' },
      fingerprint: ['x'],
      level: 'info',
    })
    Sentry.captureException(new TypeError('hint'), { captureContext: { extra: { b: 2 } } })
    Sentry.captureException(new RangeError('function'), (scope: Sentry.Scope) =>
      scope.setTag('c', '3'),
    )
  },
  'an event that beforeSend changes, and one that it discards'(start) {
    start({
      beforeSend(event) {
        if (event.message === 'secret') return null
        return { ...event, tags: { ...event.tags, seen: 'yes' } }
      },
    })
    Sentry.captureMessage('secret')
    Sentry.captureMessage('public')
  },
  'event processors, of the page and of a scope'(start) {
    start()
    Sentry.addEventProcessor((event) => (event.message === 'dropped' ? null : event))
    Sentry.captureMessage('dropped')
    Sentry.withScope((scope) => {
      scope.addEventProcessor((event) => ({ ...event, extra: { processed: 1 } }))
      Sentry.captureMessage('processed')
    })
    Sentry.captureMessage('plain')
  },
  'ignored errors'(start) {
    start({ ignoreErrors: ['ignored', /^Quiet/] })
    Sentry.captureException(new Error('to be ignored'))
    Sentry.captureMessage('Quiet please')
    Sentry.captureMessage('kept')
  },
  'an initial scope'(start) {
    start({ initialScope: { tags: { first: '1' }, user: { id: '9' } } })
    Sentry.captureMessage('scoped')
  },
  breadcrumbs(start) {
    start({
      maxBreadcrumbs: 2,
      beforeBreadcrumb: (it) => (it.category === 'secret' ? null : it),
    })
    Sentry.addBreadcrumb({ category: 'a', message: 'first' })
    Sentry.addBreadcrumb({ category: 'secret', message: 'hidden' })
    Sentry.addBreadcrumb({ category: 'b', message: 'second', level: 'warning', type: 'user' })
    Sentry.addBreadcrumb({ category: 'c', message: 'third', data: { cups: 1 } })
    Sentry.captureMessage('after crumbs')
  },
  'the same error twice'(start) {
    start()
    const error = new Error('once')
    Sentry.captureException(error)
    Sentry.captureException(error)
    Sentry.captureMessage('end')
  },
  'no share of errors'(start) {
    start({ sampleRate: 0 })
    Sentry.captureException(new Error('unlucky'))
  },
  'errors that the console shows'(start) {
    start({ integrations: [Sentry.captureConsoleIntegration({ levels: ['warn'] })] })
    console.warn('from the console')
  },
  'members of errors'(start) {
    start({ integrations: [Sentry.extraErrorDataIntegration()] })
    Sentry.captureException(Object.assign(new Error('with members'), { code: 'E1', cups: 3 }))
  },
  'a filter of the default integrations'(start) {
    start({ integrations: (all) => all.filter(({ name }) => name !== 'GlobalHandlers') })
    const script = document.createElement('script')
    script.textContent = 'throw new Error("nobody listens")'
    document.body.append(script)
    Sentry.captureMessage('end')
  },
  'nested spans'(start) {
    start({ tracesSampleRate: 1 })
    Sentry.startSpan({ name: 'brew', op: 'tea', attributes: { cups: 2 } }, (root) => {
      root.setAttribute('late', 'yes')
      Sentry.startSpan({ name: 'boil', op: 'water' }, () => {})
      const pour = Sentry.startInactiveSpan({ name: 'pour', op: 'water' })
      Sentry.updateSpanName(pour, 'pour slowly')
      pour.setStatus({ code: 2, message: 'not_found' })
      pour.end()
    })
  },
  'a span that throws, and its error'(start) {
    start({ tracesSampleRate: 1 })
    try {
      Sentry.startSpan({ name: 'break', op: 'cup' }, () => {
        throw new Error('broken')
      })
    } catch (error) {
      Sentry.captureException(error)
    }
  },
  'spans that are ended by hand'(start) {
    start({ tracesSampleRate: 1 })
    Sentry.startSpanManual({ name: 'wait', op: 'tea' }, (root) => {
      const later = Sentry.startInactiveSpan({ name: 'later', parentSpan: root })
      later.end()
      root.end()
    })
  },
  'a trace that was begun elsewhere'(start) {
    start({ tracesSampleRate: 1 })
    const sentryTrace = `${'ab'.repeat(16)}-${'cd'.repeat(8)}-1`
    Sentry.continueTrace({ sentryTrace, baggage: '' }, () =>
      Sentry.startSpan({ name: 'continued' }, () => {}),
    )
  },
  'no tracing without a rate'(start) {
    start()
    Sentry.startSpan({ name: 'unmeasured' }, () => {})
    Sentry.captureMessage('end')
  },
  'a transaction that is changed, and one that is discarded'(start) {
    start({
      tracesSampleRate: 1,
      beforeSendTransaction: (event) =>
        event.transaction === 'hidden' ? null : { ...event, tags: { seen: 'yes' } },
    })
    Sentry.startSpan({ name: 'hidden' }, () => {})
    Sentry.startSpan({ name: 'shown' }, () => {})
  },
}

function once(type: string): Promise<void> {
  return new Promise((resolve) => {
    addEventListener(type, () => setTimeout(resolve), { once: true })
  })
}

/** Runs one scenario, and sends all of it. */
export async function run(name: string): Promise<void> {
  await scenarios[name]?.((options) =>
    Sentry.init({
      dsn: `https://${'a'.repeat(32)}@o1.ingest.sentry.io/42`,
      tunnel: '/monitoring',
      release: name,
      environment: 'tests',
      traceLifecycle: 'static',
      ...options,
    }),
  )
  await Sentry.flush(2000)
}

Object.assign(globalThis, { run })
