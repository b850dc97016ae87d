import '../styles/tokens.css'
import '../styles/base.css'
import type { Metadata, Viewport } from 'next'
import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { fontVariables } from '../styles/fonts.ts'
import { firstLoadScript } from '../data/first-load.ts'
import { readPreferences } from '../data/preferences.ts'
import { selfMonitoringAttributes } from '../data/self-monitoring.ts'
import { Providers } from './providers.tsx'

export const metadata: Metadata = {
  title: { default: 'Afterimage', template: '%s · Afterimage' },
  robots: { index: false, follow: false },
  referrer: 'same-origin',
}

export const viewport: Viewport = {
  colorScheme: 'light dark',
  width: 'device-width',
  initialScale: 1,
}

/** Draws the document. The theme comes from a cookie, so the first paint already has it. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const [{ theme, timeZone }, given] = await Promise.all([readPreferences(), headers()])
  return (
    <html
      lang="en"
      className={fontVariables}
      data-theme={theme === 'system' ? undefined : theme}
      suppressHydrationWarning
      {...selfMonitoringAttributes().attributes}
    >
      <head>
        {/* The web server sets the nonce, and the policy that requires it. */}
        <script
          type="module"
          async
          nonce={given.get('x-nonce') ?? undefined}
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: firstLoadScript() }}
        />
      </head>
      <body>
        <Providers renderedAt={Date.now()} timeZone={timeZone}>
          {children}
        </Providers>
      </body>
    </html>
  )
}
