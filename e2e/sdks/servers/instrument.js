const Sentry = await import(process.env.SDK)
if (Sentry.getClient() === undefined) {
  Sentry.init({
    dsn: process.env.DSN,
    release: 'orders@2.0.0',
    environment: 'e2e',
    tracesSampleRate: 1,
  })
}
export default Sentry
