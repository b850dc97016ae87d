import { Head, Html, Main, NextScript } from 'next/document'
import { selfMonitoringAttributes } from '../data/self-monitoring.ts'

/** The document of the pages mode. Nothing in it comes from another origin, and no robot keeps it. */
export default function PagesDocument() {
  const { attributes, isMissing } = selfMonitoringAttributes()
  return (
    <Html lang="en" {...attributes}>
      <Head>
        {/* Made at build time: who serves it says at run time what the console reports with,
            before the page's own scripts run. */}
        {isMissing ? <script src="/api/0/self-monitoring/" /> : null}
        <meta name="robots" content="noindex, nofollow" />
        <meta name="referrer" content="same-origin" />
        <meta name="color-scheme" content="light dark" />
      </Head>
      <body>
        <Main />
        <NextScript />
      </body>
    </Html>
  )
}
